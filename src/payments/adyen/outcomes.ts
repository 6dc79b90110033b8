/**
 * What Adyen's notifications have said of a payment. Adyen has no API that reads payments by our reference, so its signed
 * notifications are the only source of a lost answer, and of the outcome of captures, cancellations and refunds, which are
 * all accepted first ("You get the outcome of the request asynchronously").
 */

import type { Sql } from '../../db/pool.ts';
import { findChargeOfPayment, listOutcomes, type NotifiedOutcome } from '../../db/processor-notifications/outcomes.ts';
import type { ChargeId, MerchantId } from '../../domain/ids.ts';
import { type ProcessorAnswer, unknown } from '../port/answers.ts';
import { declineOf } from './errors.ts';

/** Stored notifications, each signed for the merchant of the charge. */
export interface NotifiedOutcomes {
  /** Those of the charge's payment and of what changed it. @param paymentId Adyen's ID, if known */
  of(chargeId: ChargeId, paymentId: string | null): Promise<readonly NotifiedOutcome[]>;
  /** The merchant's charge of a payment whose authorisation was notified. */
  chargeOf(merchantId: MerchantId, paymentId: string): Promise<ChargeId | null>;
}

/** @param processor its name */
export function storedOutcomes(sql: Sql, processor: string): NotifiedOutcomes {
  return {
    of: (chargeId, paymentId) => listOutcomes(sql, chargeId, [chargeId, referenceOf(chargeId, true)], paymentId),
    chargeOf: (merchantId, paymentId) => findChargeOfPayment(sql, merchantId, processor, paymentId),
  };
}

const HOLD = '-hold';

/** The reference tells later whether the payment was only authorized. */
export const referenceOf = (chargeId: ChargeId, isHold: boolean) => (isHold ? `${chargeId}${HOLD}` : chargeId);

/** Outcomes of payments in the merchant's account. */
export const inAccount = (outcomes: readonly NotifiedOutcome[], account: string) =>
  outcomes.filter(({ merchantAccount }) => merchantAccount === account);

/** The authorisation of the charge. */
export function authorisationOf(outcomes: readonly NotifiedOutcome[], chargeId: ChargeId): NotifiedOutcome | null {
  const ours = outcomes.filter(
    (one) =>
      one.event === 'AUTHORISATION' && (one.reference === chargeId || one.reference === referenceOf(chargeId, true)),
  );
  return ours.find(({ isSuccess }) => isSuccess) ?? ours[0] ?? null;
}

/** The reverse: without what tells of a hold. */
export const paymentReferenceOf = (reference: string) =>
  reference.endsWith(HOLD) ? reference.slice(0, -HOLD.length) : reference;

export const wasHold = ({ reference }: Pick<NotifiedOutcome, 'reference'>) => reference.endsWith(HOLD);

/** Events of one kind that changed a payment. `EXPIRE` names the payment itself. */
export const changesOf = (outcomes: readonly NotifiedOutcome[], id: string, events: readonly string[]) =>
  outcomes.filter(
    ({ event, paymentId, processorReference }) => (paymentId ?? processorReference) === id && events.includes(event),
  );

/** What was taken, in minor units. Null if nothing was; undefined if a capture failed later. */
export function takenCentsOf(
  authorisation: NotifiedOutcome,
  outcomes: readonly NotifiedOutcome[],
): number | null | undefined {
  const { processorReference: id } = authorisation;
  if (changesOf(outcomes, id, ['CAPTURE_FAILED']).length > 0) return undefined;
  // Without a hold, Adyen captures it by itself.
  if (!wasHold(authorisation)) return authorisation.amountCents;
  const captures = changesOf(outcomes, id, ['CAPTURE']).filter(({ isSuccess }) => isSuccess);
  return captures.length === 0 ? null : captures.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** Adyen's IDs of a payment's refunds that failed after they had succeeded, and those of its returned amounts. */
export const refundsFailedIn = (outcomes: readonly NotifiedOutcome[], id: string): ReadonlySet<string> =>
  new Set(
    changesOf(outcomes, id, ['REFUND_FAILED', 'REFUNDED_REVERSED']).map(({ processorReference }) => processorReference),
  );

const RELEASED = ['CANCELLATION', 'TECHNICAL_CANCEL', 'CANCEL_OR_REFUND'];

/**
 * What released the payment, or returned all that was taken. Once a hold was captured, a cancellation releases only the rest of
 * it ("By default, any unclaimed amount after a partial capture gets cancelled").
 */
export function reversalsOf(authorisation: NotifiedOutcome, outcomes: readonly NotifiedOutcome[]): NotifiedOutcome[] {
  const isCaptured = wasHold(authorisation) && takenCentsOf(authorisation, outcomes) != null;
  const events = isCaptured ? ['CANCEL_OR_REFUND'] : RELEASED;
  return changesOf(outcomes, authorisation.processorReference, events).filter(({ isSuccess }) => isSuccess);
}

export const isReleased = (authorisation: NotifiedOutcome, outcomes: readonly NotifiedOutcome[]) =>
  reversalsOf(authorisation, outcomes).length > 0;

export function answerOf(authorisation: NotifiedOutcome, outcomes: readonly NotifiedOutcome[]): ProcessorAnswer {
  const { isSuccess, processorReference: id, reason, amountCents, currency } = authorisation;
  if (!isSuccess) return declineOf(reason, id);
  const cents = takenCentsOf(authorisation, outcomes);
  if (cents === undefined) return unknown('capture_failed');
  if (isReleased(authorisation, outcomes) && wasHold(authorisation)) {
    return {
      status: 'declined',
      declineCode: 'generic_decline',
      processorCode: 'CANCELLATION',
      processorPaymentId: id,
    };
  }
  if (cents !== null) return { status: 'succeeded', processorPaymentId: id, taken: { amountCents: cents, currency } };
  return { status: 'authorized', processorPaymentId: id, held: { amountCents, currency }, captureBefore: null };
}
