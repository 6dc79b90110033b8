/** `agent_message` of a checkout: what the voice agent says next, in the caller's language. */

import type { ChargeStatus, LiveStatus } from '../domain/charge.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Money } from '../domain/money.ts';
import type { OutcomeKind, OutcomeReason } from '../domain/outcome.ts';
import type { Purpose, SessionStatus, Verdict } from '../domain/session.ts';
import { languageFor } from '../languages/index.ts';
import { amountInWords } from '../languages/numbers.ts';
import { wordsOf } from './errors.ts';

/** How a caller could pay. */
export interface WaysToPay {
  /** On the payment line, by entering a card on the keypad. Of a session that saves a card: the line can save it. */
  takesKeypad: boolean;
  /** A saved card can be offered. */
  hasCards: boolean;
  /** Pay links can be sent, and there is a phone number to text one to. */
  canText: boolean;
}

/** The words for an order that is paid, by this charge. */
export const orderPaidWords = ({ remainingCents }: { remainingCents: number }) =>
  remainingCents > 0 ? 'order_has_payment' : 'order_paid';

/**
 * What the agent says if the order is paid or being paid. Otherwise null.
 * @param merchant with the caller's language
 * @param charge of the order, in any session
 */
export function orderLine(
  merchant: Pick<Merchant, 'language'> | null,
  charge: { status: LiveStatus; remainingCents: number } | null,
): string | null {
  if (merchant === null || charge === null) return null;
  return wordsOf(charge.status === 'pending' ? 'order_pending' : orderPaidWords(charge), merchant.language)
    .agentMessage;
}

/**
 * @param merchant with the caller's language. Null if no merchant has the dialed number: then no payment is possible and
 *   the language is unknown
 */
export function checkoutLine(
  merchant: Pick<Merchant, 'language'> | null,
  verdict: Verdict,
  ways: WaysToPay,
  purpose: Purpose = 'payment',
): string {
  if (merchant === null) return "I'm sorry, I can't take a payment on this call.";
  const lines = languageFor(merchant.language).agent.checkout;
  if (purpose === 'save_card' && verdict === 'required') return lineToSave(merchant, ways);
  switch (verdict) {
    case 'required':
      return ways.takesKeypad ? lines.transfer : lines.transferWithoutKeypad;
    case 'optional':
      if (ways.hasCards) return lines.cardOrLater;
      return ways.canText ? lines.linkOrLater : lines.later;
    case 'none':
      return lines.nothingDue;
  }
}

function lineToSave({ language }: Pick<Merchant, 'language'>, { takesKeypad, canText }: WaysToPay): string {
  const lines = languageFor(language).agent.checkout;
  if (takesKeypad) return lines.transferToSave;
  return canText ? lines.linkToSave : wordsOf('link_not_texted', language).agentMessage;
}

/** The session's last call on the payment line. */
export interface LastCall {
  wasAnswered: boolean;
  isLive: boolean;
  /** The caller is still on the payment line: not on the way back to the agent, and not gone. */
  isOnLine: boolean;
  /** Null while the caller is on the line. */
  outcome: OutcomeKind | null;
  reason: OutcomeReason | null;
  /** A charge of the session was created after the call. */
  isChargedSince: boolean;
}

interface SessionSoFar {
  status: SessionStatus;
  verdict: Verdict;
  purpose: Purpose;
  /** Of the charge, if there is one. */
  amount: Money;
  /**
   * The pending or succeeded charge, otherwise the last failed one. `failure`: its error's `agent_message`. `isDebited`: a
   * bank debit that the processor has accepted. `isReturned`: a paid one that the bank has returned.
   * `isNotCollected`: a charge whose capture failed after it had succeeded. `remainingCents`: what a part leaves to pay.
   */
  charge: {
    status: ChargeStatus;
    failure: string | null;
    isDebited?: boolean;
    isReturned?: boolean;
    isNotCollected?: boolean;
    remainingCents?: number;
  } | null;
  /** Null if there was none. */
  lastCall: LastCall | null;
  /** The pay link was texted, or is about to be. */
  hasLink: boolean;
}

/**
 * What the agent says about a session's outcome so far.
 * @param language BCP 47, the caller's
 * @returns null while the caller is on the payment line
 */
export function sessionLine(session: SessionSoFar, language: string | null): string | null {
  const { status, verdict, charge, lastCall, hasLink } = session;
  const { outcome, checkout } = languageFor(language).agent;
  if (lastCall?.isOnLine === true) return null;
  if (session.purpose === 'save_card') return savingLine(session, language);
  if (charge?.status === 'succeeded') return paidLine(session.amount, charge.remainingCents ?? 0, language);
  if (charge?.status === 'authorized') return outcome.held(spokenAmount(session.amount, language));
  if (charge?.status === 'voided' || charge?.status === 'expired') return outcome.released;
  if (charge?.status === 'pending') return charge.isDebited ? outcome.debited : outcome.confirming;
  if (charge?.status === 'failed' && charge.isReturned) return outcome.returned;
  if (charge?.status === 'failed' && charge.isNotCollected) return outcome.notCollected;
  if (status === 'expired') return outcome.expired;
  if (verdict === 'none') return checkout.nothingDue;
  const isLastDeclined = lastCall === null || lastCall.isChargedSince;
  if (isLastDeclined && charge?.failure != null) return charge.failure;
  const afterCall = lastCall === null ? null : callLine(lastCall, charge?.failure ?? null, language);
  if (afterCall?.isFinal === true) return afterCall.line;
  return hasLink ? outcome.linkTexted : (afterCall?.line ?? outcome.unpaid);
}

function paidLine({ currency }: Money, amountCents: number, language: string | null): string {
  const { outcome } = languageFor(language).agent;
  return amountCents === 0 ? outcome.paid : outcome.paidPart(spokenAmount({ amountCents, currency }, language));
}

/** For a checkout that only saves a card. */
function savingLine({ status, charge, lastCall }: SessionSoFar, language: string | null): string {
  const { outcome } = languageFor(language).agent;
  if (charge?.status === 'succeeded') return outcome.saved;
  if (charge?.status === 'pending') return outcome.savingPending;
  if (status === 'expired') return outcome.unsaved;
  if (lastCall?.reason === 'too_many_attempts') return wordsOf('no_more_attempts', language).agentMessage;
  const isLastDeclined = lastCall === null || lastCall.isChargedSince || lastCall.reason === 'declined';
  return (isLastDeclined ? charge?.failure : null) ?? outcome.unsaved;
}

const spokenAmount = ({ amountCents, currency }: Money, language: string | null) =>
  amountInWords(amountCents, currency, languageFor(language).numbers);

/** @returns `isFinal`: to be said even if the caller has a pay link */
function callLine(
  { wasAnswered, outcome, reason }: LastCall,
  failure: string | null,
  language: string | null,
): { line: string; isFinal: boolean } | null {
  const lines = languageFor(language).agent.outcome;
  if (reason === 'too_many_attempts')
    return { line: wordsOf('no_more_attempts', language).agentMessage, isFinal: true };
  if (failure !== null && (reason === 'declined' || reason === 'error')) return { line: failure, isFinal: true };
  const line = (text: string) => ({ line: text, isFinal: false });
  if (!wasAnswered) return line(lines.notConnected);
  if (outcome === 'canceled') return line(lines.stopped);
  switch (reason) {
    case 'no_input':
      return line(lines.nothingKeyed);
    case 'invalid_input':
      return line(lines.notUnderstood);
    case 'keypad_unavailable':
      return line(lines.noKeypad);
    case 'declined':
    case 'error':
    // A debit that was accepted is a pending charge, which is told before.
    case 'bank_debit':
      return line(lines.lineFailed);
    case 'link_sent':
    case null:
      return null;
  }
}
