/** Answers to a charge: the outcome of a call that ends with one, and its name in the timeline. */
import type { CallOutcome } from '../domain/outcome.ts';
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
      return { kind: 'succeeded', chargeId: answer.chargeId };
    case 'unconfirmed':
    case 'paying_elsewhere':
      return { kind: 'pending', chargeId: answer.chargeId };
    case 'declined':
      return { kind: 'failed', reason: 'declined', chargeId: answer.chargeId, declineCode: answer.code };
    case 'saved_card_unusable':
      return { kind: 'canceled' };
    case 'declined_elsewhere':
      return declinedOutcome(answer);
    case 'refused':
      return refusedOutcome(answer);
  }
}

function declinedOutcome({ chargeId, code }: EventOf<'declined_elsewhere'>): CallOutcome {
  return code === null
    ? { kind: 'failed', reason: 'error', chargeId }
    : { kind: 'failed', reason: 'declined', chargeId, declineCode: code };
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
    case 'already_paid':
      return refusal.chargeId === undefined ? { kind: 'pending' } : { kind: 'succeeded', chargeId: refusal.chargeId };
  }
}

export function noteOf(answer: ChargeAnswer): string {
  if (answer.type === 'declined') return `declined ${answer.code}`;
  return answer.type === 'refused' ? `refused ${answer.reason}` : answer.type;
}
