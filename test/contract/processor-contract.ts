/**
 * The processor contract: tests that every processor adapter must pass, run against the sandbox or a fake of the
 * vendor.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChargeRequest, PayableCard } from '../../src/payments/port/charges.ts';
import { requestTimeout } from '../support/request-timeout.ts';
import { actionContract } from './processor-contract-actions.ts';
import { connectionContract, pageDomainContract, walletContract } from './processor-contract-cards.ts';
import { holdContract } from './processor-contract-holds.ts';
import { keptCardContract } from './processor-contract-kept-cards.ts';
import { recordsContract } from './processor-contract-records.ts';
import { refundContract } from './processor-contract-refunds.ts';
import { verificationContract } from './processor-contract-verifications.ts';
import { chargeRequest, type ProcessorUnderTest } from './processor-under-test.ts';

/**
 * @param start called once, before the first test
 * @param options.chargesOnly for a processor without saved cards, tokens, refunds and lists
 * @param options.hasRecords false for a processor without lists
 * @param options.hasWallet false for a processor without saved cards and tokens
 * @param options.hasTokens false for a processor that only saves keyed cards, and those with their charge
 */
export function processorContract(
  name: string,
  start: () => Promise<ProcessorUnderTest>,
  { chargesOnly = false, hasRecords = true, hasWallet = true, hasTokens = true } = {},
): void {
  describe(`processor contract: ${name}`, () => {
    let bench: ProcessorUnderTest;
    beforeAll(async () => {
      bench = await start();
    });
    afterAll(() => bench.close());

    const charge = (request: ChargeRequest, signal = requestTimeout()) => bench.processor.charge(request, signal);
    const lookUp = (request: ChargeRequest) =>
      bench.processor.lookUp({ ...request, createdAt: new Date() }, requestTimeout());
    const requestFor = (card: PayableCard) => chargeRequest(bench, card);

    it('charges once, and returns the outcome on lookup', async () => {
      const request = requestFor(bench.approved());
      const answer = await charge(request);
      expect(answer).toMatchObject({ status: 'succeeded', processorPaymentId: expect.stringMatching(/./) });
      expect(await lookUp(request)).toEqual(answer);
      expect(await bench.countPayments(request)).toBe(1);
    });

    it('returns different IDs for different charges', async () => {
      const answers = await Promise.all([bench.approved(), bench.approved()].map((card) => charge(requestFor(card))));
      const ids = answers.map((answer) => (answer.status === 'succeeded' ? answer.processorPaymentId : null));
      expect(new Set(ids).size).toBe(2);
      expect(ids).not.toContain(null);
    });

    it('maps a decline to our code, and returns it on lookup', async () => {
      const request = requestFor(bench.withoutMoney());
      const answer = await charge(request);
      const declined = { status: 'declined', declineCode: bench.withoutMoneyIs ?? 'insufficient_funds' };
      expect(answer).toMatchObject(declined);
      expect(await lookUp(request)).toMatchObject(declined);
    });

    it('charges once per charge ID, one after the other or at once', async () => {
      const request = requestFor(bench.approved());
      const again = () => ({ ...request, card: copyOf(request.card) });
      const [first, second] = await Promise.all([charge(again()), charge(again())]);
      const third = await charge(again());
      expect(third).toMatchObject({ status: 'succeeded' });
      // Some processors answer the second of two concurrent requests only with a conflict.
      for (const answer of [first, second]) if (answer.status !== 'unknown') expect(answer).toEqual(third);
      expect(await bench.countPayments(request)).toBe(1);
    });

    it('wipes the security code, and no other card data', async () => {
      const card = bench.approved();
      await charge(requestFor(card));
      if (card.kind !== 'keyed') return;
      expect(card.card.securityCode).toHaveLength(0);
      expect(card.card.number.length).toBeGreaterThan(0);
    });

    it('returns unknown when aborted, and the outcome on a later lookup', async () => {
      const request = requestFor(bench.takenUnanswered());
      const waiting = new AbortController();
      const answer = charge(request, waiting.signal);
      await expect.poll(() => bench.countPayments(request)).toBe(1);
      waiting.abort();
      expect(await answer).toMatchObject({ status: 'unknown' });
      await bench.letSettle(request);
      expect(await lookUp(request)).toMatchObject({ status: 'succeeded' });
    });

    it('returns unknown after a server error, and the outcome on a later lookup', async () => {
      const request = requestFor(bench.broken());
      expect(await charge(request)).toMatchObject({ status: 'unknown', cause: expect.stringMatching(/./) });
      await bench.letSettle(request);
      expect(await lookUp(request)).toMatchObject({ status: 'succeeded' });
      expect(await bench.countPayments(request)).toBe(1);
    });

    it('sends nothing if it is aborted before it starts', async () => {
      const request = requestFor(bench.approved());
      expect(await charge(request, AbortSignal.abort())).toMatchObject({ status: 'unknown' });
      expect(await bench.countPayments(request)).toBe(0);
    });

    it('does not find a charge that never arrived', async () => {
      const missing = bench.saysNotFound === false ? { status: 'unknown' } : { status: 'not_found' };
      expect(await lookUp(requestFor(bench.approved()))).toMatchObject(missing);
      if (bench.lost === null) return;
      const request = requestFor(bench.lost());
      const waiting = new AbortController();
      const answer = charge(request, waiting.signal);
      waiting.abort();
      expect(await answer).toMatchObject({ status: 'unknown' });
      expect(await lookUp(request)).toMatchObject(missing);
    });

    connectionContract(() => bench);
    pageDomainContract(() => bench);
    holdContract(() => bench);
    verificationContract(() => bench);
    actionContract(() => bench);
    if (chargesOnly) {
      it('says that it has no saved cards, tokens, refunds or lists', () => {
        const { can, wallet, refunds, records } = bench.processor;
        expect({ wallet, refunds, records }).toEqual({ wallet: null, refunds: null, records: null });
        expect(can).toMatchObject({ savedCards: false, pageTokens: false, wallets: false });
      });
      return;
    }
    if (!hasWallet) {
      it('says that it has no saved cards and no tokens', () => {
        const { can, wallet } = bench.processor;
        expect(wallet).toBeNull();
        expect(can).toMatchObject({ savedCards: false, pageTokens: false });
      });
    } else if (hasTokens) walletContract(() => bench);
    else keptCardContract(() => bench);
    refundContract(() => bench);
    if (hasRecords) recordsContract(() => bench);
    else it('says that it has no lists', () => expect(bench.processor.records).toBeNull());
  });
}

/** A copy of a card for a second request, because a charge wipes the security code. */
function copyOf(card: PayableCard): PayableCard {
  if (card.kind !== 'keyed') return card;
  const { number, expiry, securityCode, postalCode } = card.card;
  return {
    kind: 'keyed',
    card: {
      number: number.copy(),
      expiry: expiry.copy(),
      securityCode: securityCode.copy(),
      postalCode: postalCode?.copy() ?? null,
    },
  };
}
