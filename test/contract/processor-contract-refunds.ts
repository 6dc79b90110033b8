/**
 * The processor contract on refunds: full, partial, never more than was paid, once per request, and found by look-up.
 */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import type { PayableCard } from '../../src/payments/port/charges.ts';
import { secretCredentials } from '../../src/payments/port/credentials.ts';
import type { RefundAnswer, RefundRequest, Refunds } from '../../src/payments/port/refunds.ts';
import { requestTimeout } from '../support/request-timeout.ts';
import { chargeRequest, type ProcessorUnderTest } from './processor-under-test.ts';

const made = { status: expect.stringMatching(/^(succeeded|pending)$/), processorRefundId: expect.stringMatching(/./) };
const PAID = 1_000;

export function refundContract(bench: () => ProcessorUnderTest): void {
  describe('refunds', () => {
    function refunds(): Refunds {
      const { refunds } = bench().processor;
      if (refunds === null) throw new Error('each of ours gives money back');
      return refunds;
    }

    /** Makes a payment of {@link PAID}. @returns a function that makes refund requests for it */
    async function paid(card: PayableCard = bench().approved()): Promise<(cents: number) => RefundRequest> {
      const request = { ...chargeRequest(bench(), card), amount: { amountCents: PAID, currency: 'USD' as const } };
      const answer = await bench().processor.charge(request, requestTimeout());
      if (answer.status !== 'succeeded') throw new Error(answer.status);
      const { chargeId, credentials } = request;
      const { processorPaymentId } = answer;
      return (amountCents) => ({
        refundId: newId('Refund'),
        chargeId,
        processorPaymentId,
        mode: 'test',
        credentials,
        amount: { amountCents, currency: 'USD' },
        reason: 'requested_by_customer',
      });
    }

    const refund = (request: RefundRequest, signal = requestTimeout()) => refunds().refund(request, signal);
    const lookUp = (request: RefundRequest, processorRefundId: string | null = null) =>
      refunds().lookUp({ ...request, createdAt: new Date(), processorRefundId }, requestTimeout());
    const booked = ({ processorPaymentId }: RefundRequest) => bench().countRefunds(processorPaymentId);

    it('refunds the whole charge', async () => {
      const of = await paid();
      expect(await refund(of(PAID))).toEqual(made);
      // Some processors report a fully refunded payment only as an amount that is too large.
      const reason = expect.stringMatching(/^(already_refunded|amount_too_large)$/);
      expect(await refund(of(1))).toMatchObject({ status: 'failed', reason });
    });

    it('reads our refunds and those of the vendor’s dashboard in the history of a payment', async () => {
      const histories = bench().processor.notifications?.histories;
      if (histories === undefined) return;
      const ours = (await paid())(300);
      const { chargeId, processorPaymentId, mode, credentials } = ours;
      const answer = await refund(ours);
      const read = async (notifiedId: string) => {
        const of = { chargeId, processorPaymentId, mode, credentials, currency: 'USD' } as const;
        const history = await histories.read({ ...of, notifiedId, notifiedType: 'refund' }, requestTimeout());
        if (history.status !== 'read') throw new Error(history.status);
        return history.refunds.map((one) => [one.refundId, one.amountCents, one.currency, one.status]);
      };
      const status = expect.stringMatching(/^(succeeded|pending)$/);
      const id = 'processorRefundId' in answer ? answer.processorRefundId : '';
      expect(await read(id)).toContainEqual([ours.refundId, 300, 'USD', status]);
      const elsewhere = bench().refundElsewhere?.(processorPaymentId, 200);
      if (elsewhere !== undefined) expect(await read(elsewhere)).toContainEqual([null, 200, 'USD', status]);
    });

    it('refunds a part, then the rest, and no more', async () => {
      const of = await paid();
      expect(await refund(of(300))).toEqual(made);
      expect(await refund(of(701))).toMatchObject({ status: 'failed', reason: 'amount_too_large' });
      expect(await refund(of(700))).toEqual(made);
      expect(await refund(of(1))).toMatchObject({ status: 'failed' });
      expect(await booked(of(1))).toBe(2);
    });

    it('makes the same refund once, one after the other or at once', async () => {
      const of = await paid();
      const half = of(500);
      const isAtOnce = bench().refundsOnceAtOnce !== false;
      const [first, second] = isAtOnce
        ? await Promise.all([refund(half), refund(half)])
        : [await refund(half), await refund(half)];
      const third = await refund(half);
      expect(third).toEqual(made);
      // Some processors answer the second of two concurrent requests only with a conflict.
      for (const answer of [first, second]) if (answer.status !== 'unknown') expect(answer).toEqual(third);
      expect(await booked(half)).toBe(1);
      expect(await refund(of(500))).toEqual(made);
    });

    it('looks up a refund with and without its ID, and reports a missing one', async () => {
      const of = await paid();
      const [one, two, other] = [of(400), of(400), of(200)];
      const [first, second] = [await refund(one), await refund(two)];
      expect(idOf(first)).not.toBe(idOf(second));
      expect([await lookUp(one), await lookUp(two)]).toEqual([first, second]);
      expect(await lookUp(one, idOf(first))).toEqual(first);
      expect(await lookUp(other)).toEqual({ status: 'not_found' });
    });

    it('returns unknown when aborted, and the outcome on lookup or repeat', async () => {
      const of = await paid(bench().refundedUnanswered());
      const half = of(500);
      const waiting = new AbortController();
      bench().muteRefund();
      const answer = refund(half, waiting.signal);
      await expect.poll(() => booked(half)).toBe(1);
      waiting.abort();
      expect(await answer).toMatchObject({ status: 'unknown' });
      const found = await lookUp(half);
      expect(found).toEqual(made);
      expect(await refund(half)).toEqual(found);
      expect(await booked(half)).toBe(1);
    });

    it('sends nothing if it is aborted before it starts, and refunds on a repeat', async () => {
      const request = (await paid())(500);
      expect(await refund(request, AbortSignal.abort())).toMatchObject({ status: 'unknown' });
      expect(await lookUp(request)).toEqual({ status: 'not_found' });
      expect(await refund(request)).toEqual(made);
      expect(await booked(request)).toBe(1);
    });

    it('rejects a refund of an unknown payment', async () => {
      const of = await paid();
      const nobodys = { ...of(100), processorPaymentId: 'pi_nobodys' };
      expect(await refund(nobodys)).toMatchObject({ status: 'failed', reason: 'not_refundable' });
    });

    it('refunds nothing with bad credentials, and cannot look up with them', async () => {
      const { wrongCredentials } = bench();
      if (wrongCredentials === null) return;
      const request = (await paid())(500);
      const wrong = { ...request, credentials: secretCredentials(wrongCredentials) };
      expect(await refund(wrong)).toMatchObject({ status: 'failed', reason: 'credentials_rejected' });
      expect(await lookUp(wrong)).toMatchObject({ status: 'unknown' });
      expect(await booked(request)).toBe(0);
    });
  });
}

function idOf(answer: RefundAnswer): string {
  if (!('processorRefundId' in answer)) throw new Error(answer.status);
  return answer.processorRefundId;
}
