/** The end of a conversation: the last sentence, the return to the agent, the goodbye, the hang-up. */
import { RETURN_STEP } from '../domain/call-steps.ts';
import type { CallOutcome } from '../domain/outcome.ts';
import type { EventOf, StateOf, Step } from './state.ts';
import type { Effect, Line, Terms } from './types.ts';

/** Says the last `line`. After it the caller returns to the agent, or the call ends. The card must have been wiped. */
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

/** The outcome was told: back to the agent where there is one, else the end. */
export function lastSentenceHeard({ outcome, returns }: StateOf<'leaving'>): Step {
  if (!returns) return endCall(outcome, 'end');
  return {
    state: { kind: 'returning', outcome },
    effects: [
      { type: 'return', outcome },
      { type: 'note', step: RETURN_STEP },
    ],
  };
}

/** The payment elsewhere went through while another outcome was being told: this one is told instead. */
export function paidWhileLeaving(state: StateOf<'leaving'>, { chargeId }: EventOf<'paid_elsewhere'>): Step {
  const { outcome, returns } = state;
  if (outcome.kind === 'succeeded') return { state, effects: [] };
  return leaveCall({ terms: { returns } }, { kind: 'succeeded', chargeId }, { name: 'paid_elsewhere' });
}

/** A payment elsewhere has begun while the caller was told that nothing was charged: that may not hold any more. */
export function payingWhileLeaving(
  state: StateOf<'leaving'>,
  { chargeId }: EventOf<'paying_elsewhere' | 'unconfirmed'>,
): Step {
  const { outcome, returns } = state;
  if (outcome.kind === 'succeeded' || outcome.kind === 'pending') return { state, effects: [] };
  return leaveCall({ terms: { returns } }, { kind: 'pending', chargeId }, { name: 'unconfirmed', elsewhere: true });
}

/**
 * The link was texted after all, while the caller, or somebody of the account, was ending the call: what is being said
 * leaves it out, and the text would come as a surprise. The agent learns of it, too.
 */
export function linkWhileLeaving(state: StateOf<'leaving'>, { result }: EventOf<'link'>): Step {
  const { outcome, returns, line } = state;
  const withLink = result === 'sent' ? lineWithLink(line) : null;
  if (withLink === null) return { state, effects: [] };
  return leaveCall({ terms: { returns } }, { ...outcome, kind: 'agent', reason: 'link_sent' }, withLink);
}

/** Null where nothing changes: it is said already, or something else is at stake. */
function lineWithLink(line: Line): Line | null {
  if (line.name === 'canceled') return { name: 'link_stays', reason: 'asked' };
  if (line.name !== 'call_ended' || line.hasLink) return null;
  return line.declined === undefined ? { name: 'link_stays', reason: 'ended' } : { ...line, hasLink: true };
}

/** The agent has the caller: our part is over. */
export function backWithAgent({ outcome }: StateOf<'returning'>): Step {
  return endCall(outcome, 'returned');
}

/** The agent can't be reached: the caller is told how things stand. */
export function noWayBack({ outcome }: StateOf<'returning'>): Step {
  return {
    state: { kind: 'goodbye', outcome },
    effects: [
      { type: 'say', line: { name: 'goodbye', outcome: outcome.kind } },
      { type: 'note', step: 'return_failed' },
    ],
  };
}

/** The payment elsewhere went through during the goodbye: another goodbye says so. */
export function paidDuringGoodbye(state: StateOf<'goodbye'>, { chargeId }: EventOf<'paid_elsewhere'>): Step {
  if (state.outcome.kind === 'succeeded') return { state, effects: [] };
  return noWayBack({ kind: 'returning', outcome: { kind: 'succeeded', chargeId } });
}

/** The goodbye was heard: the end. */
export function goodbyeHeard({ outcome }: StateOf<'goodbye'>): Step {
  return endCall(outcome, 'end');
}

/** The caller or the media is gone after the outcome was known. The outcome stands. */
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
 * Ends a call whose caller or audio is gone before anything was told: without a payment, and without the link, it broke
 * off.
 */
export function endBrokenOff(outcome: CallOutcome, step: string): Step {
  const isUnpaid = outcome.kind === 'failed' || outcome.kind === 'canceled';
  if (!isUnpaid || outcome.reason === 'link_sent') return endCall(outcome, step);
  return endWith({ type: 'hang_up', outcome, brokeOff: true }, step);
}

function endWith(hangUp: Extract<Effect, { type: 'hang_up' }>, step: string): Step {
  return { state: { kind: 'ended', outcome: hangUp.outcome }, effects: [{ type: 'note', step }, hangUp] };
}
