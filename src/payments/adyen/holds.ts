/**
 * Holds at Adyen: payments with `manualCapture`, captured by /captures or released by /cancels. Both are accepted ("received")
 * and stay pending until their notification. "By default, any unclaimed amount after a partial capture gets cancelled."
 */
import { z } from 'zod';
import { type Unknown, unknown } from '../port/answers.ts';
import type { HoldChangeRequest, HoldRequest, HoldState, Holds } from '../port/holds.ts';
import { changeHold, readHold } from '../vendor-api/holds.ts';
import type { OpenAdyen } from './client.ts';
import { faultOf } from './errors.ts';
import { authorisationOf, changesOf, inAccount, isReleased, type NotifiedOutcomes, takenCentsOf } from './outcomes.ts';

export const RECEIVED = z.object({
  status: z.literal('received'),
  pspReference: z.string(),
  paymentPspReference: z.string(),
});

export function adyenHolds(open: OpenAdyen, outcomes: NotifiedOutcomes): Holds {
  const read = (request: HoldRequest, signal: AbortSignal) =>
    readHold(async () => {
      const { settings } = await open(request, signal);
      return stateOf(outcomes, request, settings.merchant_account);
    }, faultOf);
  const change = (request: HoldChangeRequest, signal: AbortSignal, what: 'captures' | 'cancels', body: object) =>
    changeHold({
      change: async () => {
        const api = await open(request, signal);
        if (signal.aborted) return unknown('timeout');
        const { merchant_account: merchantAccount } = api.settings;
        const before = await stateOf(outcomes, request, merchantAccount);
        if (before.status !== 'held' && before.status !== 'unknown') return before;
        const { changeId, processorPaymentId: id } = request;
        const { pspReference } = await api.ask('POST', `/payments/${encodeURIComponent(id)}/${what}`, RECEIVED, {
          body: { merchantAccount, reference: changeId, ...body },
          idempotencyKey: changeId,
        });
        // A repeated request has the same reference, whose failure may have been notified meanwhile.
        if (await hasFailed(outcomes, request, pspReference)) throw new ChangeFailed();
        const after = await stateOf(outcomes, request, merchantAccount);
        return after.status === 'held' ? unknown('received') : after;
      },
      read: () => read(request, signal),
      faultOf: (error) => (error instanceof ChangeFailed ? { kind: 'refused', code: 'not_done' } : faultOf(error)),
      failures: { 167: 'not_capturable' },
    });
  return {
    partial: true,
    read,
    capture: async (request, signal) => {
      const { amount, held } = request;
      if (amount.amountCents > held.amountCents) {
        return { status: 'refused', reason: 'amount_too_large', processorCode: null };
      }
      const value = { amount: { currency: amount.currency, value: amount.amountCents } };
      return change(request, signal, 'captures', value);
    },
    void: (request, signal) => change(request, signal, 'cancels', {}),
  };
}

/** Adyen accepted the capture or cancellation, and did not make it. */
class ChangeFailed extends Error {}

async function hasFailed(store: NotifiedOutcomes, { chargeId, processorPaymentId }: HoldRequest, reference: string) {
  const changes = changesOf(await store.of(chargeId, processorPaymentId), processorPaymentId, [
    'CAPTURE',
    'CANCELLATION',
  ]);
  return changes.some(({ processorReference, isSuccess }) => processorReference === reference && !isSuccess);
}

/** As notified. A payment whose authorisation was not notified yet is unknown. */
async function stateOf(
  store: NotifiedOutcomes,
  { chargeId, processorPaymentId }: HoldRequest,
  merchantAccount: string,
): Promise<HoldState | Unknown> {
  const outcomes = inAccount(await store.of(chargeId, processorPaymentId), merchantAccount);
  const authorisation = authorisationOf(outcomes, chargeId);
  if (authorisation?.processorReference !== processorPaymentId) return unknown('not_notified');
  const cents = takenCentsOf(authorisation, outcomes);
  if (cents === undefined) return unknown('capture_failed');
  if (cents !== null) return { status: 'captured', captured: { amountCents: cents, currency: authorisation.currency } };
  if (isReleased(authorisation, outcomes)) return { status: 'voided' };
  const isExpired = changesOf(outcomes, processorPaymentId, ['EXPIRE']).length > 0;
  return isExpired ? { status: 'expired' } : { status: 'held', captureBefore: null };
}
