/**
 * The rules by which a session may be charged and a charge refunded, each of them once. Pure functions: facts in, the
 * first rule that is broken out. They judge before anything begins (begin-charge.ts, begin-refund.ts), and so say why
 * it did not.
 */

import type { CardAtSession } from '../db/cards/chargeable.ts';
import type { AttemptCounts, Share } from '../db/charges/attempts.ts';
import type { ChargedSession } from '../db/charges/charged-session.ts';
import type { Charge } from '../domain/charge.ts';
import { isSteppedUp } from '../domain/screening.ts';
import type { Mode } from '../domain/session.ts';
import { MAX_DECLINES_A_SESSION, type ShareRule, type VelocityRules } from './velocity.ts';

/** Why a charge is not begun. */
export type BeginRefusal =
  | 'already_paid'
  /** Another charge of the session is pending. */
  | 'in_progress'
  /** Another session's charge has paid the order, or is pending. */
  | 'order_paid'
  | 'order_in_progress'
  | 'expired'
  | 'merchant_not_connected'
  /** The session has had its declines; or the caller, the card or the address theirs. */
  | 'too_many_declines'
  | 'too_many_attempts'
  /** So many keyed cards were declined at the merchant that it takes none for a while. */
  | 'merchant_paused'
  /** A charge was begun before with this request's Idempotency-Key: whatever came of it. */
  | 'repeated'
  /** What came as a token is none of the merchant's processor. */
  | 'token_unusable'
  | SavedCardRefusal;

/** Why a saved card is not charged. */
export type SavedCardRefusal =
  | 'caller_unknown'
  /** RINGKEY_SAVED_CARDS is off. */
  | 'saved_cards_off'
  /** Screening found a positive bad signal of the caller. */
  | 'stepped_up'
  /** The verdict of the merchant's payment policy is `none`. */
  | 'nothing_to_pay'
  /** The keys that the merchant's credentials, or the card's handle, are encrypted with are gone. */
  | 'credentials_unreadable'
  | 'handle_unreadable'
  | 'card_unknown'
  | 'card_of_other_caller'
  | 'card_of_other_processor'
  /** Saved at another merchant, or expired. */
  | 'card_not_chargeable';

/** What is judged. All of it is read while the session's row is locked. */
export interface ChargeFacts {
  session: Pick<
    ChargedSession,
    'status' | 'verdict' | 'callerPhone' | 'isOver' | 'processor' | 'credentials' | 'screening'
  >;
  /** Every charge of the session so far. */
  charges: readonly Pick<Charge, 'status' | 'declineCode' | 'duplicateOf'>[];
  /** The charge that the session's order is paid with, of whichever session; null also where it may be paid again. */
  orderCharge: Pick<Charge, 'status'> | null;
  attempts: AttemptCounts;
  /** Whether a saved card is to be charged. */
  isSaved: boolean;
  /** That card; null when the account has no such card. */
  card: CardAtSession | null;
}

export interface ChargeRules {
  velocity: VelocityRules;
  /** Whether saved cards are charged at all. */
  savedCards: boolean;
  /** Names of the processors that can take this kind of card in this mode. */
  processors: readonly string[];
  /** Whether the token, if the card is one, has the form that this processor gives to its own. */
  isTokenOf: (processor: string) => boolean;
  /** Whether the key of a sealed text is there. */
  canOpen: (sealed: string) => boolean;
}

/** Whether the charge is pending or succeeded, and no late duplicate: of a session there is one such at most. */
export const isLive = ({ status, duplicateOf }: Pick<Charge, 'status' | 'duplicateOf'>) =>
  status !== 'failed' && duplicateOf === null;

/** Not where the merchant's setup was at fault. */
const isDeclined = ({ status, declineCode }: Pick<Charge, 'status' | 'declineCode'>) =>
  status === 'failed' && declineCode !== null;

/** @returns the first rule that is broken; null: the session can be charged */
export function whyNotCharge(facts: ChargeFacts, rules: ChargeRules): BeginRefusal | null {
  const { session, charges, isSaved } = facts;
  return (
    whyNotOpen(session, charges) ??
    whyNotOrder(facts) ??
    (isSaved ? whyNotOwed(session) : null) ??
    (isSaved && !rules.savedCards ? 'saved_cards_off' : null) ??
    (isSaved && isSteppedUp(session.screening) ? 'stepped_up' : null) ??
    (session.processor === null || !rules.processors.includes(session.processor) ? 'merchant_not_connected' : null) ??
    (session.processor !== null && !rules.isTokenOf(session.processor) ? 'token_unusable' : null) ??
    (isSaved ? whyNotCard(facts, rules) : null) ??
    whyNotAgain(facts, rules.velocity)
  );
}

function whyNotOpen(session: ChargeFacts['session'], charges: ChargeFacts['charges']): BeginRefusal | null {
  const live = charges.find(isLive);
  if (live?.status === 'succeeded' || session.status === 'complete') return 'already_paid';
  if (live !== undefined) return 'in_progress';
  return session.status !== 'open' || session.isOver ? 'expired' : null;
}

/** An order is paid once, although two sessions of it were opened before either was paid. */
function whyNotOrder({ orderCharge }: ChargeFacts): BeginRefusal | null {
  if (orderCharge === null) return null;
  return orderCharge.status === 'succeeded' ? 'order_paid' : 'order_in_progress';
}

/**
 * A saved card belongs to a caller, so the session must have one; and with the verdict `none` nothing may be charged.
 */
function whyNotOwed({ callerPhone, verdict }: ChargeFacts['session']): SavedCardRefusal | null {
  if (callerPhone === null) return 'caller_unknown';
  return verdict === 'none' ? 'nothing_to_pay' : null;
}

function whyNotCard({ session, card }: ChargeFacts, { canOpen }: ChargeRules): SavedCardRefusal | null {
  const { credentials, processor } = session;
  if (credentials !== null && !canOpen(credentials)) return 'credentials_unreadable';
  if (card === null) return 'card_unknown';
  if (!card.isCallers) return 'card_of_other_caller';
  if (card.processor !== processor) return 'card_of_other_processor';
  if (!card.isChargeable) return 'card_not_chargeable';
  return card.handleSealed && !canOpen(card.processorHandle) ? 'handle_unreadable' : null;
}

function whyNotAgain({ charges, attempts, isSaved }: ChargeFacts, velocity: VelocityRules): BeginRefusal | null {
  if (charges.filter(isDeclined).length >= MAX_DECLINES_A_SESSION) return 'too_many_declines';
  const isTooMany =
    (['caller', 'card', 'origin'] as const).some((signal) => attempts[signal] >= velocity[signal].attempts) ||
    (['callerCards', 'originCards'] as const).some((signal) => attempts[signal] >= velocity[signal].cards) ||
    (['callingNumber', 'callSource'] as const).some((signal) => isTesting(attempts[signal], velocity[signal]));
  if (isTooMany) return 'too_many_attempts';
  return !isSaved && isTesting(attempts.merchant, velocity.merchant) ? 'merchant_paused' : null;
}

function isTesting({ declines, all }: Share, rule: ShareRule): boolean {
  return declines >= rule.declines && declines >= all * rule.share;
}

/** Why a refund is not begun. */
export type RefundRefusal =
  /** The account has no such charge; or it has, in the other mode. */
  | 'no_charge'
  | 'other_mode'
  /** The charge is pending, or failed. */
  | 'not_paid'
  | 'nothing_left'
  | 'too_much'
  | 'no_refunds_there'
  /** The idempotency key was used for another refund. */
  | 'key_reused';

/** What is asked for. `amountCents`: null for all that is left. `processors`: names of those that can make refunds. */
interface RefundAsked {
  scope: { mode: Mode };
  amountCents: number | null;
  processors: readonly string[];
}

/** @returns the first rule that is broken; null: the charge can be refunded */
export function whyNotRefund(
  { scope, processors, amountCents }: RefundAsked,
  charge: Pick<Charge, 'mode' | 'status' | 'processor' | 'processorPaymentId'>,
  leftCents: number,
): RefundRefusal | null {
  if (charge.mode !== scope.mode) return 'other_mode';
  if (charge.status !== 'succeeded') return 'not_paid';
  if (charge.processorPaymentId === null || !processors.includes(charge.processor)) return 'no_refunds_there';
  if (leftCents === 0) return 'nothing_left';
  return amountCents !== null && (amountCents < 1 || amountCents > leftCents) ? 'too_much' : null;
}
