/**
 * Ends the call at the request of a user of the account. A charge in progress, by any payer, is awaited. Otherwise the
 * line says a sentence at once, and the caller returns to the agent as after `**`.
 */
import { endUnpaid } from './by-link.ts';
import { leaveCall } from './leaving.ts';
import type { StateOf, Step } from './state.ts';

/**
 * There is no session, so there is no agent. The sentence does not mention charges, because an earlier call may have
 * one pending.
 */
export function endWhileChoosing(_: StateOf<'choosing_merchant'>): Step {
  return leaveCall({ terms: { returns: false } }, { kind: 'canceled' }, { name: 'session_not_taken' });
}

/** Waits for the answer to the claim: the last sentence depends on the session's state. */
export function endOnceClaimed(state: StateOf<'claiming_session'>): Step {
  return { state: { ...state, endRequested: true }, effects: [] };
}

/** Before the call is answered, or while a charge is in progress: its outcome is said first. */
export function endLater(state: StateOf<'ringing' | 'charging' | 'waiting'>): Step {
  return { state: { ...state, context: { ...state.context, endRequested: true } }, effects: [] };
}

/** No charge is in progress: says the last sentence, and interrupts any other. */
export function endNow(state: StateOf<'collecting' | 'sending_link' | 'by_link'>): Step {
  if (state.kind === 'collecting') state.keyed.wipe();
  return endUnpaid(state.context);
}
