/**
 * The rules by which a session may be charged, each of them once. Pure functions: facts in, the first rule that is broken
 * out. They judge a charge before it begins (begin-charge.ts), and so say why there was none.
 */
import type { Charge } from '../domain/charge.ts';
import type { AttemptCounts } from '../db/charges/attempts.ts';
import type { ChargedSession } from '../db/charges/charged-session.ts';
import type { CardAtSession } from '../db/cards/chargeable.ts';
import { MAX_DECLINES_A_SESSION, type VelocityRules } from './velocity.ts';

/** Why a charge is not begun. */
export type BeginRefusal =
  | 'already_paid'
  /** Another charge of the session is pending. */
  | 'in_progress'
  | 'expired'
  | 'merchant_not_connected'
  /** The session has had its declines; or the caller, the card or the address theirs. */
  | 'too_many_declines'
  | 'too_many_attempts'
  | SavedCardRefusal;

/** Why a saved card is not charged. */
export type SavedCardRefusal =
  | 'caller_unknown'
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
  session: Pick<ChargedSession, 'status' | 'verdict' | 'callerPhone' | 'isOver' | 'processor' | 'credentials'>;
  /** Every charge of the session so far. */
  charges: readonly Pick<Charge, 'status'>[];
  attempts: AttemptCounts;
  /** Whether a saved card is to be charged. */
  isSaved: boolean;
  /** That card; null when the account has no such card. */
  card: CardAtSession | null;
}

export interface ChargeRules {
  velocity: VelocityRules;
  /** Names of the processors that can take this kind of card in this mode. */
  processors: readonly string[];
  /** Whether the key of a sealed text is there. */
  canOpen: (sealed: string) => boolean;
}

/** Whether the charge is pending or succeeded: of a session there is one such at most. */
export const isLive = ({ status }: Pick<Charge, 'status'>) => status !== 'failed';

/** @returns the first rule that is broken; null: the session can be charged */
export function whyNotCharge(facts: ChargeFacts, rules: ChargeRules): BeginRefusal | null {
  const { session, charges, isSaved } = facts;
  return (
    whyNotOpen(session, charges) ??
    (isSaved ? whyNotOwed(session) : null) ??
    (session.processor === null || !rules.processors.includes(session.processor) ? 'merchant_not_connected' : null) ??
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

/** A saved card belongs to a caller, so the session must have one; and with the verdict `none` nothing may be charged. */
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

function whyNotAgain({ charges, attempts }: ChargeFacts, velocity: VelocityRules): BeginRefusal | null {
  if (charges.filter(({ status }) => status === 'failed').length >= MAX_DECLINES_A_SESSION) return 'too_many_declines';
  const { caller, card, origin } = velocity;
  const isTooMany =
    attempts.caller >= caller.attempts || attempts.card >= card.attempts || attempts.origin >= origin.attempts;
  return isTooMany ? 'too_many_attempts' : null;
}
