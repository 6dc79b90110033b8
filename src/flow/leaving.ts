/** The end of a conversation: the last sentence, the return to the agent, the goodbye, the hang-up. */
import { RETURN_STEP } from '../domain/call.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import { paidLine, paidOutcome } from './charge-answers.ts';
import type { Effect } from './effects.ts';
import type { Line } from './lines.ts';
import type { EventOf, StateOf, Step } from './state.ts';
import type { Terms } from './terms.ts';

/** Says the last line. Then the caller returns to the agent, or the call ends. The card must have been wiped. */
export function leaveCall(
  { terms: { returns } }: { terms: Pick<Terms, 'returns'> },
  outcome: CallOutcome,
  line: Line,
): Step {
  return {
    state: { kind: 'leaving', outcome, returns, line },
    effects: [
      { type: 'cancel_timer' },
      { type: 'say', line },
      { type: 'note', step: 'reason' in line ? `${line.name} ${line.reason}` : line.name },
    ],
  };
}

/** The outcome was said: returns the caller to the agent if there is one, or ends the call. */
export function lastSentenceEnded({ outcome, returns }: StateOf<'leaving'>): Step {
  if (!returns) return endCall(outcome, 'end');
  return {
    state: { kind: 'returning', outcome },
    effects: [
      { type: 'return', outcome },
      { type: 'note', step: RETURN_STEP },
    ],
  };
}

/** The payment elsewhere succeeded while the line was saying another outcome: says this one instead. */
export function paidWhileLeaving(state: StateOf<'leaving'>, event: EventOf<'paid_elsewhere'>): Step {
  const { outcome, returns } = state;
  if (outcome.kind === 'succeeded') return { state, effects: [] };
  return leaveCall({ terms: { returns } }, paidOutcome(event), paidLine(event));
}

/** A payment elsewhere has started while the line was saying that nothing was charged. That may no longer be true. */
export function payingWhileLeaving(
  state: StateOf<'leaving'>,
  { chargeId }: EventOf<'paying_elsewhere' | 'unconfirmed'>,
): Step {
  const { outcome, returns } = state;
  if (outcome.kind === 'succeeded' || outcome.kind === 'pending') return { state, effects: [] };
  return leaveCall({ terms: { returns } }, { kind: 'pending', chargeId }, { name: 'unconfirmed', elsewhere: true });
}

/**
 * The link was texted while the call was already ending, and the current sentence does not mention it. Without another
 * sentence the text would surprise the caller. The agent learns about it, too.
 */
export function linkWhileLeaving(state: StateOf<'leaving'>, { result }: EventOf<'link'>): Step {
  const { outcome, returns, line } = state;
  const withLink = result === 'sent' ? lineWithLink(line) : null;
  if (withLink === null) return { state, effects: [] };
  return leaveCall({ terms: { returns } }, { ...outcome, kind: 'agent', reason: 'link_sent' }, withLink);
}

/** Null if nothing changes: the line mentions the link already, or something else matters more. */
function lineWithLink(line: Line): Line | null {
  if (line.name === 'canceled') return { name: 'link_stays', reason: 'asked' };
  if (line.name !== 'call_ended' || line.hasLink) return null;
  return line.declined === undefined ? { name: 'link_stays', reason: 'ended' } : { ...line, hasLink: true };
}

export function backWithAgent({ outcome }: StateOf<'returning'>): Step {
  return endCall(outcome, 'returned');
}

/** The agent cannot be reached: says the outcome in a goodbye. */
export function noWayBack({ outcome }: StateOf<'returning'>): Step {
  return {
    state: { kind: 'goodbye', outcome },
    effects: [
      { type: 'say', line: { name: 'goodbye', outcome: outcome.kind } },
      { type: 'note', step: 'return_failed' },
    ],
  };
}

/** The payment elsewhere succeeded during the goodbye: another goodbye says so. */
export function paidDuringGoodbye(state: StateOf<'goodbye'>, event: EventOf<'paid_elsewhere'>): Step {
  if (state.outcome.kind === 'succeeded') return { state, effects: [] };
  return noWayBack({ kind: 'returning', outcome: paidOutcome(event) });
}

export function goodbyeEnded({ outcome }: StateOf<'goodbye'>): Step {
  return endCall(outcome, 'end');
}

/** The caller or the media is lost after the outcome was known. The outcome does not change. */
export function goneWhileLeaving(
  { outcome }: StateOf<'leaving' | 'returning' | 'goodbye'>,
  event: EventOf<'hung_up' | 'media_lost'>,
): Step {
  return endCall(outcome, event.type);
}

/** Ends the call. Every conversation ends here. */
export function endCall(outcome: CallOutcome, step: string): Step {
  return endWith({ type: 'hang_up', outcome }, step);
}

/**
 * Ends a call whose caller or audio was lost before an outcome was said. It broke off if nothing was paid and no link
 * was texted.
 */
export function endBrokenOff(outcome: CallOutcome, step: string): Step {
  const isUnpaid = outcome.kind === 'failed' || outcome.kind === 'canceled';
  if (!isUnpaid || outcome.reason === 'link_sent') return endCall(outcome, step);
  return endWith({ type: 'hang_up', outcome, brokeOff: true }, step);
}

function endWith(hangUp: Extract<Effect, { type: 'hang_up' }>, step: string): Step {
  return { state: { kind: 'ended', outcome: hangUp.outcome }, effects: [{ type: 'note', step }, hangUp] };
}
