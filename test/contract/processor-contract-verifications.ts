/** The processor contract on verified cards: saved without a payment, once, and found again after a lost answer. */
import { describe, expect, it } from 'vitest';
import type { PayableCard } from '../../src/payments/port/charges.ts';
import { requestTimeout } from '../support/request-timeout.ts';
import { chargeRequest, type ProcessorUnderTest } from './processor-under-test.ts';

export function verificationContract(bench: () => ProcessorUnderTest): void {
  describe('verified cards', () => {
    /** Null if the processor verifies no such cards; the tests end at once. */
    function requestFor(card: PayableCard) {
      const { can } = bench().processor;
      const capability = { keyed: can.verifiesCards, token: can.verifiesTokens, saved: undefined }[card.kind];
      if (capability !== true) return null;
      const amount = { amountCents: 0, currency: 'USD' } as const;
      return { ...chargeRequest(bench(), card), amount, orderId: null, keepsCard: true, isVerification: true };
    }
    type Verification = NonNullable<ReturnType<typeof requestFor>>;
    const verify = (request: Verification, signal = requestTimeout()) => bench().processor.charge(request, signal);
    const lookUp = (request: Verification, settles = false) =>
      bench().processor.lookUp(
        { ...request, createdAt: new Date(), ...(settles && { settles: request.amount }) },
        requestTimeout(),
      );

    it('saves a verified card once, which can then be charged, and finds it again', async () => {
      const request = requestFor(bench().approved());
      if (request === null) return;
      const answer = await verify(request);
      if (answer.status !== 'succeeded' || answer.savedCard === undefined) throw new Error(answer.status);
      expect(answer.savedCard).toMatchObject({
        brand: 'VISA',
        lastFour: expect.stringMatching(/^\d{4}$/),
        expiryMonth: expect.any(Number),
      });
      expect(await lookUp(request)).toEqual(answer);
      expect(await lookUp(request, true)).toEqual(answer);
      expect(await bench().countPayments(request)).toBe(1);
      const { handle } = answer.savedCard;
      const charge = chargeRequest(bench(), { kind: 'saved', handle });
      expect(await bench().processor.charge(charge, requestTimeout())).toMatchObject({ status: 'succeeded' });
    });

    it('wipes the security code of a verified card', async () => {
      const card = bench().approved();
      const request = requestFor(card);
      if (request === null || card.kind !== 'keyed') return;
      await verify(request);
      expect(card.card.securityCode).toHaveLength(0);
    });

    it('declines a card that the bank declines, and says so again on lookup', async () => {
      const request = requestFor(bench().withoutMoney());
      if (request === null) return;
      const declined = { status: 'declined', declineCode: bench().withoutMoneyIs ?? 'insufficient_funds' };
      const answer = await verify(request);
      expect(answer).toMatchObject(declined);
      expect(answer).not.toHaveProperty('savedCard');
      expect(await lookUp(request)).toMatchObject(bench().forgetsDeclinedCards ? { status: 'not_found' } : declined);
    });

    it('returns unknown if the answer of a verification is lost, and the saved card on lookup', async () => {
      const request = requestFor(bench().takenUnanswered());
      if (request === null) return;
      const waiting = new AbortController();
      const answer = verify(request, waiting.signal);
      await expect.poll(() => bench().countPayments(request)).toBe(1);
      waiting.abort();
      expect(await answer).toMatchObject({ status: 'unknown' });
      expect(await lookUp(request, true)).toMatchObject({ status: 'succeeded', savedCard: { brand: 'VISA' } });
    });

    it('does not find a verification that never arrived', async () => {
      const request = requestFor(bench().approved());
      if (request === null) return;
      expect(await verify(request, AbortSignal.abort())).toMatchObject({ status: 'unknown' });
      const missing = { status: bench().saysNotFound === false ? 'unknown' : 'not_found' };
      expect(await lookUp(request)).toMatchObject(missing);
      expect(await lookUp(request, true)).toMatchObject(missing);
      expect(await bench().countPayments(request)).toBe(0);
    });
  });
}
