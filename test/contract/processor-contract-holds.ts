/** The processor contract on holds: authorized, then captured or voided once, or expired. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import type { ChargeRequest, PayableCard } from '../../src/payments/port/charges.ts';
import { secretCredentials } from '../../src/payments/port/credentials.ts';
import type { CaptureRequest, HoldRequest, Holds } from '../../src/payments/port/holds.ts';
import { requestTimeout } from '../support/request-timeout.ts';
import { chargeRequest, type ProcessorUnderTest } from './processor-under-test.ts';

const HELD = { amountCents: 1_000, currency: 'USD' } as const;

interface Held {
  request: ChargeRequest;
  hold: HoldRequest;
  captureBefore: Date | null;
}

export function holdContract(bench: () => ProcessorUnderTest): void {
  describe('holds', () => {
    /** Null for a processor without holds; its tests end at once. */
    const holds = (): Holds | null => bench().processor.holds;

    async function held(card: PayableCard = bench().approved()): Promise<Held> {
      const request: ChargeRequest = { ...chargeRequest(bench(), card), amount: HELD, isHold: true };
      const answer = await bench().processor.charge(request, requestTimeout());
      if (answer.status !== 'authorized') throw new Error(answer.status);
      const { chargeId, mode, credentials } = request;
      const { processorPaymentId, captureBefore } = answer;
      return { request, captureBefore, hold: { chargeId, mode, credentials, processorPaymentId } };
    }

    const captureOf = (hold: HoldRequest, amountCents: number = HELD.amountCents): CaptureRequest => ({
      ...hold,
      changeId: newId('HoldChange'),
      amount: { ...HELD, amountCents },
      held: HELD,
    });
    const voidOf = (hold: HoldRequest) => ({ ...hold, changeId: newId('HoldChange') });
    const captured = (amountCents: number = HELD.amountCents) => ({
      status: 'captured',
      captured: { ...HELD, amountCents },
    });
    const lookUp = (request: ChargeRequest) =>
      bench().processor.lookUp({ ...request, createdAt: new Date() }, requestTimeout());

    it('holds the amount, takes nothing, and returns the same on lookup', async () => {
      if (holds() === null) return;
      const { request, hold, captureBefore } = await held();
      if (bench().saysCaptureBefore === false) expect(captureBefore).toBeNull();
      else expect(captureBefore?.getTime()).toBeGreaterThan(Date.now());
      expect(await lookUp(request)).toMatchObject({
        status: 'authorized',
        processorPaymentId: hold.processorPaymentId,
        captureBefore,
      });
      expect(await holds()?.read(hold, requestTimeout())).toEqual({ status: 'held', captureBefore });
      expect(await bench().countPayments(request)).toBe(1);
    });

    it('saves the card with the hold, or says that it can only be saved after the capture', async () => {
      const [port, { wallet }, card] = [holds(), bench().processor, bench().approved()];
      if (port === null || wallet === null || card.kind === 'saved') return;
      const request = { ...chargeRequest(bench(), card), amount: HELD, isHold: true, keepsCard: true };
      const answer = await bench().processor.charge(request, requestTimeout());
      if (answer.status !== 'authorized') throw new Error(answer.status);
      expect(answer.savedCard === undefined).toBe(bench().savesAfterCapture ?? false);
      if (answer.savedCard !== undefined) return;
      const { chargeId, mode, credentials } = request;
      const { processorPaymentId } = answer;
      await port.capture(captureOf({ chargeId, mode, credentials, processorPaymentId }), requestTimeout());
      const kept = { instrumentId: newId('Instrument'), mode, credentials, processorPaymentId };
      expect(await wallet.saveCharged(kept, requestTimeout())).toMatchObject({ status: 'saved', brand: 'VISA' });
    });

    it('declines a hold like a charge', async () => {
      if (holds() === null) return;
      const request = { ...chargeRequest(bench(), bench().withoutMoney()), isHold: true };
      const declined = { status: 'declined', declineCode: bench().withoutMoneyIs ?? 'insufficient_funds' };
      expect(await bench().processor.charge(request, requestTimeout())).toMatchObject(declined);
      expect(await lookUp(request)).toMatchObject(declined);
    });

    it('captures the whole hold once, one request after the other or at once', async () => {
      const port = holds();
      if (port === null) return;
      const { request, hold } = await held();
      const capture = captureOf(hold);
      const send = () => port.capture(capture, requestTimeout());
      const answers = [...(await Promise.all([send(), send()])), await send()];
      // Some processors answer the second of two concurrent requests only with a conflict.
      for (const answer of answers) if (answer.status !== 'unknown') expect(answer).toEqual(captured());
      expect(answers.at(-1)).toEqual(captured());
      expect(await port.read(hold, requestTimeout())).toEqual(captured());
      const found = await lookUp(request);
      expect(found).toMatchObject({ status: 'succeeded', ...('taken' in found && { taken: HELD }) });
      expect(await port.void(voidOf(hold), requestTimeout())).toEqual(captured());
    });

    it('captures a part and releases the rest, if it can', async () => {
      const port = holds();
      if (port === null) return;
      const { hold } = await held();
      const answer = await port.capture(captureOf(hold, 400), requestTimeout());
      if (!port.partial) {
        expect(answer).toMatchObject({ status: 'refused', reason: 'partial_unsupported' });
        return;
      }
      expect(answer).toEqual(captured(400));
      expect(await port.capture(captureOf(hold, 600), requestTimeout())).toEqual(captured(400));
    });

    it('captures no more than the hold, which can still be captured', async () => {
      const port = holds();
      if (port === null) return;
      const { hold } = await held();
      const reason = port.partial ? 'amount_too_large' : 'partial_unsupported';
      const tooMuch = { ...captureOf(hold, HELD.amountCents + 1) };
      expect(await port.capture(tooMuch, requestTimeout())).toMatchObject({ status: 'refused', reason });
      expect(await port.capture(captureOf(hold), requestTimeout())).toEqual(captured());
    });

    it('voids a hold, repeatedly, and captures nothing of it', async () => {
      const port = holds();
      if (port === null) return;
      const { request, hold } = await held();
      const release = voidOf(hold);
      expect(await port.void(release, requestTimeout())).toEqual({ status: 'voided' });
      expect(await port.void(release, requestTimeout())).toEqual({ status: 'voided' });
      expect(await port.void(voidOf(hold), requestTimeout())).toEqual({ status: 'voided' });
      expect(await port.capture(captureOf(hold), requestTimeout())).toEqual({ status: 'voided' });
      expect(await port.read(hold, requestTimeout())).toEqual({ status: 'voided' });
      expect(await lookUp(request)).toMatchObject({ status: 'declined' });
    });

    it('reports an expired hold to every request', async () => {
      const port = holds();
      const { expireHold } = bench();
      if (port === null || expireHold === null) return;
      const { hold } = await held();
      await expireHold(hold.processorPaymentId);
      const expired = { status: 'expired' };
      expect(await port.read(hold, requestTimeout())).toEqual(expired);
      expect(await port.capture(captureOf(hold), requestTimeout())).toEqual(expired);
      expect(await port.void(voidOf(hold), requestTimeout())).toEqual(expired);
    });

    it('refunds what was captured, and nothing of a hold', async () => {
      const port = holds();
      const { refunds } = bench().processor;
      if (port === null || refunds === null) return;
      const { hold } = await held();
      const amountCents = port.partial ? 400 : HELD.amountCents;
      const refund = (cents: number) =>
        refunds.refund(
          { ...hold, refundId: newId('Refund'), reason: null, amount: { ...HELD, amountCents: cents } },
          requestTimeout(),
        );
      // Some processors cannot tell a hold from a payment that they have not settled yet.
      const reason = expect.stringMatching(/^not_(refundable|settled_yet)$/);
      expect(await refund(100)).toMatchObject({ status: 'failed', reason });
      await port.capture(captureOf(hold, amountCents), requestTimeout());
      expect(await refund(amountCents + 1)).toMatchObject({ status: 'failed', reason: 'amount_too_large' });
      expect(await refund(amountCents)).toMatchObject({ status: expect.stringMatching(/^(succeeded|pending)$/) });
    });

    it.each(['capture', 'void'] as const)(
      'answers a %s that was aborted with unknown, and makes it once',
      async (kind) => {
        const port = holds();
        if (port === null) return;
        const { hold } = await held(bench().heldUnanswered());
        const waiting = new AbortController();
        const change = captureOf(hold);
        bench().muteRefund();
        const answer = port[kind](change, waiting.signal);
        await expect.poll(() => bench().isHeld(hold.processorPaymentId)).toBe(false);
        waiting.abort();
        expect(await answer).toMatchObject({ status: 'unknown' });
        const made = kind === 'capture' ? captured() : { status: 'voided' };
        expect(await port.read(hold, requestTimeout())).toEqual(made);
        expect(await port[kind](change, requestTimeout())).toEqual(made);
      },
    );

    it('changes nothing if it is aborted before it starts, or for an unknown payment', async () => {
      const port = holds();
      if (port === null) return;
      const { hold } = await held();
      expect(await port.capture(captureOf(hold), AbortSignal.abort())).toMatchObject({ status: 'unknown' });
      expect(await port.void(voidOf(hold), AbortSignal.abort())).toMatchObject({ status: 'unknown' });
      expect(await port.read(hold, requestTimeout())).toMatchObject({ status: 'held' });
      const nobodys = { ...hold, processorPaymentId: 'pi_nobodys' };
      const refused = { status: 'refused', reason: 'not_capturable' };
      expect(await port.capture(captureOf(nobodys), requestTimeout())).toMatchObject(refused);
      expect(await port.void(voidOf(nobodys), requestTimeout())).toMatchObject(refused);
      expect(await port.read(nobodys, requestTimeout())).toMatchObject({ status: 'unknown' });
    });

    it('changes nothing with bad credentials, and cannot read with them', async () => {
      const port = holds();
      const { wrongCredentials } = bench();
      if (port === null || wrongCredentials === null) return;
      const { hold } = await held();
      const wrong = { ...hold, credentials: secretCredentials(wrongCredentials) };
      const refused = { status: 'refused', reason: 'credentials_rejected' };
      expect(await port.capture(captureOf(wrong), requestTimeout())).toMatchObject(refused);
      expect(await port.void(voidOf(wrong), requestTimeout())).toMatchObject(refused);
      expect(await port.read(wrong, requestTimeout())).toMatchObject({ status: 'unknown' });
      expect(await port.read(hold, requestTimeout())).toMatchObject({ status: 'held' });
    });
  });
}
