/**
 * The end that somebody of the account asks for. A charge under way is waited for, whoever makes it; all else ends at
 * once with a sentence, and the caller goes back to the agent as one who wants to go.
 */
import { endUnpaid } from './by-link.ts';
import { leaveCall } from './leaving.ts';
import type { StateOf, Step } from './state.ts';

/** No session, so no agent; and nothing is said of charges: an earlier call may have one pending. */
export function endWhileChoosing(_: StateOf<'choosing_merchant'>): Step {
  return leaveCall({ terms: { returns: false } }, { kind: 'canceled' }, { name: 'session_not_taken' });
}

/** The claim is answered first: what is said then is by how the session stands. */
export function endOnceTaken(state: StateOf<'taking_session'>): Step {
  return { state: { ...state, endRequested: true }, effects: [] };
}

/** Before the answer, or while a charge is under way: its outcome is told first. */
export function endLater(state: StateOf<'ringing' | 'charging' | 'waiting'>): Step {
  return { state: { ...state, context: { ...state.context, endRequested: true } }, effects: [] };
}

/** Nothing is being charged: the last sentence, over whatever is being said. */
export function endNow(state: StateOf<'collecting' | 'sending_link' | 'by_link'>): Step {
  if (state.kind === 'collecting') state.keyed.wipe();
  return endUnpaid(state.context);
}
