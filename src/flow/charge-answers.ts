/** Answers to a charge: the outcome of a call that ends with one, and its name in the timeline. */
import { differenceOf, failedCallReason } from '../domain/charge.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import type { Line } from './lines.ts';
import type { ChargeAnswer, EventOf } from './state.ts';

/**
 * The call's outcome for an answer that comes last or after the caller has left. If the session was paid in another
 * way, the outcome is `succeeded` with that charge, or `pending` if the charge is unknown. It is never `failed`,
 * because then the agent would take the payment again.
 */
export function outcomeOf(answer: ChargeAnswer): CallOutcome {
  switch (answer.type) {
    case 'paid':
    case 'paid_elsewhere':
      return paidOutcome(answer);
    case 'debited':
      return { kind: 'pending', reason: 'bank_debit', chargeId: answer.chargeId };
    case 'unconfirmed':
    case 'paying_elsewhere':
      return { kind: 'pending', chargeId: answer.chargeId };
    case 'declined':
    case 'declined_elsewhere':
      return failedOutcome(answer);
    case 'saved_card_unusable':
      return { kind: 'canceled' };
    case 'refused':
      return refusedOutcome(answer);
  }
}

/** The outcome of a call whose session was paid by this charge. */
export function paidOutcome(event: EventOf<'paid' | 'paid_elsewhere'>): CallOutcome {
  return { kind: 'succeeded', chargeId: event.chargeId, ...differenceOf(event) };
}

/** What the line says about it, if the payment was not one of this call. */
export function paidLine(event: EventOf<'paid_elsewhere'>): Line {
  return { name: 'paid_elsewhere', ...differenceOf(event) };
}

/** The outcome of a call that ends with this failed charge. */
export function failedOutcome({ chargeId, code }: EventOf<'declined' | 'declined_elsewhere'>): CallOutcome {
  const reason = failedCallReason(code);
  return { kind: 'failed', reason, chargeId, ...(code !== null && { declineCode: code }) };
}

function refusedOutcome(refusal: EventOf<'refused'>): CallOutcome {
  switch (refusal.reason) {
    case 'expired':
      return { kind: 'expired' };
    case 'too_many_attempts':
      return { kind: 'failed', reason: refusal.reason };
    case 'unavailable':
      return { kind: 'failed', reason: 'error' };
    case 'merchant_fault':
      return { kind: 'failed', reason: 'error', ...(refusal.chargeId !== undefined && { chargeId: refusal.chargeId }) };
    case 'keypad_unavailable':
      return { kind: 'failed', reason: refusal.reason };
    case 'already_held':
      return { kind: 'succeeded', chargeId: refusal.chargeId, isHold: true, ...differenceOf(refusal) };
    case 'already_paid':
      if (refusal.chargeId === undefined) return { kind: 'pending' };
      return { kind: 'succeeded', chargeId: refusal.chargeId, ...differenceOf(refusal) };
  }
}

/** What the line says to a caller who is charged nothing. */
export function refusedLine(refusal: EventOf<'refused'>): Line {
  const { reason } = refusal;
  if (reason !== 'already_paid') return { name: reason };
  const { remainingCents } = differenceOf(refusal);
  return { name: reason, ...(remainingCents !== undefined && { remainingCents }) };
}

export function noteOf(answer: ChargeAnswer): string {
  if (answer.type === 'declined') return `declined ${answer.code}`;
  return answer.type === 'refused' ? `refused ${answer.reason}` : answer.type;
}
