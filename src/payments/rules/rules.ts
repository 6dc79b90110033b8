/**
 * The rules that decide whether a session can be charged and a charge refunded. Pure functions from facts to the first
 * broken rule. They run before anything is created (start-charge.ts, start-refund.ts), so the caller learns why nothing
 * was.
 */

import type { CardAtSession } from '../../db/cards/chargeable.ts';
import type { MerchantMandate } from '../../db/cards/consents.ts';
import type { AttemptCounts, Share } from '../../db/charges/attempts.ts';
import type { ChargedSession } from '../../db/charges/charged-session.ts';
import { type Charge, isLiveStatus, isPaidStatus } from '../../domain/charge.ts';
import type { HoldChange, HoldChangeKind } from '../../domain/hold.ts';
import { isSteppedUp } from '../../domain/screening.ts';
import type { Mode } from '../../domain/session.ts';
import { MAX_DECLINES_A_SESSION, type ShareRule, type VelocityRules } from './velocity.ts';

/** Why a charge is not created. */
export type StartRefusal =
  | 'already_paid'
  /** Another charge of the session is pending. */
  | 'in_progress'
  /** A charge of another session has paid the order, or is pending. */
  | 'order_paid'
  | 'order_in_progress'
  | 'expired'
  | 'merchant_not_connected'
  /** The session, the caller, the card or the address has reached its limit of declines. */
  | 'too_many_declines'
  | 'too_many_attempts'
  /** So many keyed cards were declined at the merchant that it takes none for a while. */
  | 'merchant_paused'
  /** An earlier request with this Idempotency-Key created a charge, whatever its outcome. */
  | 'repeated'
  /** The token was not created by the merchant's processor. */
  | 'token_unusable'
  /** The session's card is only saved, but the payer chose a saved card or has not agreed. */
  | 'not_agreed'
  | SavedCardRefusal;

/** Why a saved card is not charged. */
export type SavedCardRefusal =
  | 'caller_unknown'
  /** RINGKEY_SAVED_CARDS is off. */
  | 'saved_cards_off'
  /** Screening found a bad signal for the caller. */
  | 'stepped_up'
  /** The merchant's payment policy has the verdict `none`. */
  | 'nothing_to_pay'
  /** The keys that encrypted the merchant's credentials or the card's handle are missing. */
  | 'credentials_unreadable'
  | 'handle_unreadable'
  | 'card_unknown'
  | 'card_of_other_caller'
  | 'card_of_other_processor'
  /** Saved at another merchant, or expired. */
  | 'card_not_chargeable'
  /** The caller has not agreed that the merchant charges the card alone, or not this much. */
  | 'consent_missing'
  | 'consent_exceeded';

/** The facts to judge, all read while the session's row is locked. */
export interface ChargeFacts {
  session: Pick<
    ChargedSession,
    'status' | 'verdict' | 'purpose' | 'capture' | 'callerPhone' | 'isOver' | 'processor' | 'credentials' | 'screening'
  > & { amount: { amountCents: number } };
  /** All charges of the session. */
  charges: readonly Pick<Charge, 'status' | 'declineCode' | 'duplicateOf'>[];
  /** The charge that pays the session's order, from any session. Null also if the order can be paid again. */
  orderCharge: Pick<Charge, 'status'> | null;
  attempts: AttemptCounts;
  /** Whether a saved card is to be charged. */
  isSaved: boolean;
  /** Whether the caller agreed to save the card, and can be its owner. */
  hasConsent: boolean;
  /** The saved card; null if the account has no such card. */
  card: CardAtSession | null;
  /** For a merchant's charge without the caller: what the caller agreed to; null if nothing. Absent for other charges. */
  mandate?: MerchantMandate | null;
}

export interface ChargeRules {
  velocity: VelocityRules;
  /** Whether saved cards can be charged at all. */
  savedCards: boolean;
  /** Names of the processors that accept this kind of card in this mode. */
  processors: readonly string[];
  /** Names of those that can hold an amount. */
  holders: readonly string[];
  /** Names of those that verify a card without taking money. */
  verifiers: readonly string[];
  /** Whether a token has the format of this processor's tokens. True for other cards. */
  isTokenOf: (processor: string) => boolean;
  /** Whether the key of an encrypted text is available. */
  canOpen: (sealed: string) => boolean;
}

/** Whether the charge is live, and not a late duplicate. A session has at most one such charge. */
export const isLive = ({ status, duplicateOf }: Pick<Charge, 'status' | 'duplicateOf'>) =>
  isLiveStatus(status) && duplicateOf === null;

/** A failure because of the merchant's setup is not a decline. */
const isDeclined = ({ status, declineCode }: Pick<Charge, 'status' | 'declineCode'>) =>
  status === 'failed' && declineCode !== null;

/** @returns the first broken rule; null if the session can be charged */
export function whyNotCharge(facts: ChargeFacts, rules: ChargeRules): StartRefusal | null {
  const { session, charges, isSaved } = facts;
  return (
    whyNotOpen(session, charges) ??
    whyNotOrder(facts) ??
    (isSaved ? whyNotCaller(session) : null) ??
    (isSaved && !rules.savedCards ? 'saved_cards_off' : null) ??
    // Screening is about the caller of a call.
    (isSaved && facts.mandate === undefined && isSteppedUp(session.screening) ? 'stepped_up' : null) ??
    whyNotVerify(facts) ??
    (session.processor === null || !processorsFor(session, rules).includes(session.processor)
      ? 'merchant_not_connected'
      : null) ??
    (session.processor !== null && !rules.isTokenOf(session.processor) ? 'token_unusable' : null) ??
    (isSaved ? whyNotCard(facts, rules) : null) ??
    whyNotAlone(facts) ??
    whyNotAgain(facts, rules.velocity)
  );
}

/** A card is saved only for a caller who agreed to that. Nothing is due for a session without an amount. */
function whyNotVerify({ session, isSaved, hasConsent }: ChargeFacts): StartRefusal | null {
  if (session.purpose === 'payment') return session.amount.amountCents === 0 ? 'nothing_to_pay' : null;
  return isSaved || !hasConsent ? 'not_agreed' : null;
}

function processorsFor(
  { capture, purpose }: Pick<ChargedSession, 'capture' | 'purpose'>,
  { processors, holders, verifiers }: ChargeRules,
): readonly string[] {
  if (purpose === 'save_card') return processors.filter((name) => verifiers.includes(name));
  return capture === 'automatic' ? processors : processors.filter((name) => holders.includes(name));
}

function whyNotOpen(session: ChargeFacts['session'], charges: ChargeFacts['charges']): StartRefusal | null {
  const live = charges.find(isLive);
  if (live !== undefined) return isPaidStatus(live.status) ? 'already_paid' : 'in_progress';
  // Its hold was released: the order can be paid in another session.
  if (charges.some(({ status }) => status === 'voided' || status === 'expired')) return 'expired';
  // If its charge has failed after it had succeeded, the order can be paid in another session, too.
  const isPaid = charges.length === 0 || charges.some(({ status }) => isPaidStatus(status));
  if (session.status === 'complete') return isPaid ? 'already_paid' : 'expired';
  return session.status !== 'open' || session.isOver ? 'expired' : null;
}

/** An order is paid once, even if two sessions were opened for it before it was paid. */
function whyNotOrder({ orderCharge }: ChargeFacts): StartRefusal | null {
  if (orderCharge === null) return null;
  return isPaidStatus(orderCharge.status) ? 'order_paid' : 'order_in_progress';
}

/** A saved card belongs to a caller, so the session needs one. With the verdict `none`, nothing may be charged. */
function whyNotCaller({ callerPhone, verdict }: ChargeFacts['session']): SavedCardRefusal | null {
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

function whyNotAlone({ session, mandate }: ChargeFacts): SavedCardRefusal | null {
  if (mandate === undefined) return null;
  if (mandate === null) return 'consent_missing';
  const { maxAmountCents } = mandate;
  return maxAmountCents !== null && session.amount.amountCents > maxAmountCents ? 'consent_exceeded' : null;
}

function whyNotAgain({ charges, attempts, isSaved }: ChargeFacts, velocity: VelocityRules): StartRefusal | null {
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

/** Why a refund is not created. */
export type RefundRefusal =
  /** The account has no such charge, or has it in the other mode. */
  | 'no_charge'
  | 'other_mode'
  /** The charge is pending or failed. */
  | 'not_paid'
  | 'nothing_left'
  | 'too_much'
  | 'no_refunds_there'
  /** The idempotency key was used for another refund. */
  | 'key_reused';

/**
 * The requested refund. `amountCents`: null for the rest of the charge. `processors`: names of those that make refunds.
 */
interface RequestedRefund {
  scope: { mode: Mode };
  amountCents: number | null;
  processors: readonly string[];
}

/** @returns the first broken rule; null if the charge can be refunded */
export function whyNotRefund(
  { scope, processors, amountCents }: RequestedRefund,
  charge: Pick<Charge, 'mode' | 'status' | 'processor' | 'processorPaymentId'>,
  leftCents: number,
): RefundRefusal | null {
  if (charge.mode !== scope.mode) return 'other_mode';
  if (charge.status !== 'succeeded') return 'not_paid';
  if (charge.processorPaymentId === null || !processors.includes(charge.processor)) return 'no_refunds_there';
  if (leftCents === 0) return 'nothing_left';
  return amountCents !== null && (amountCents < 1 || amountCents > leftCents) ? 'too_much' : null;
}

/** Why a hold is not captured or voided. */
export type HoldRefusal =
  /** The account has no such charge, or has it in the other mode. */
  | 'no_charge'
  | 'other_mode'
  /** It is pending, failed, or was taken at once. */
  | 'not_authorized'
  | 'captured'
  | 'voided'
  | 'expired'
  /** Another capture or void of it is pending. */
  | 'in_progress'
  | 'too_much'
  | 'partial_unsupported'
  | 'no_holds_there';

/** The requested capture or void. `amountCents`: null for the whole hold. */
interface RequestedChange {
  scope: { mode: Mode };
  kind: HoldChangeKind;
  amountCents: number | null;
  /** Names of the processors with holds, and of those that capture a part. */
  holders: readonly string[];
  partial: readonly string[];
}

/** @param live the hold's pending or succeeded change @returns the first broken rule; null if it can be changed */
export function whyNotChange(
  { scope, kind, amountCents, holders, partial }: RequestedChange,
  charge: Pick<Charge, 'mode' | 'status' | 'capture' | 'amount' | 'processor' | 'processorPaymentId'>,
  live: Pick<HoldChange, 'status'> | null,
): HoldRefusal | null {
  if (charge.mode !== scope.mode) return 'other_mode';
  if (charge.capture !== 'manual') return 'not_authorized';
  if (charge.status === 'succeeded') return 'captured';
  if (charge.status === 'voided' || charge.status === 'expired') return charge.status;
  if (charge.status !== 'authorized') return 'not_authorized';
  if (live !== null) return 'in_progress';
  if (charge.processorPaymentId === null || !holders.includes(charge.processor)) return 'no_holds_there';
  if (kind === 'void' || amountCents === null || amountCents === charge.amount.amountCents) return null;
  if (amountCents > charge.amount.amountCents) return 'too_much';
  return partial.includes(charge.processor) ? null : 'partial_unsupported';
}
