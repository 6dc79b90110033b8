/** Every way a conversation comes to its end: a last sentence, the way back to the agent, the hang-up. */
import type { CallOutcome } from '../domain/outcome.ts';
import type { EventOf, StateOf, Step, Talk } from './state.ts';
import type { Line } from './types.ts';

/** Says `line`, after which the caller goes back to the agent or the call ends. `talk` has been wiped. */
export function leave(talk: Talk, outcome: CallOutcome, line: Line): Step {
  return {
    state: { kind: 'leaving', outcome, returns: talk.terms.returns },
    effects: [
      { type: 'unwait' },
      { type: 'say', line },
      { type: 'note', step: 'reason' in line ? `${line.name} ${line.reason}` : line.name },
    ],
  };
}

/** The outcome was said: back to the agent where there is one, else the end. */
export function lastSentenceHeard({ outcome, returns }: StateOf<'leaving'>): Step {
  if (!returns) return end(outcome, 'end');
  return {
    state: { kind: 'returning', outcome },
    effects: [
      { type: 'return', outcome },
      { type: 'note', step: 'return' },
    ],
  };
}

/** The agent has the caller: our part is over. */
export function backWithAgent({ outcome }: StateOf<'returning'>): Step {
  return end(outcome, 'returned');
}

/** There is no agent to go back to: the caller is told how things stand, and not left in silence. */
export function noWayBack({ outcome }: StateOf<'returning'>): Step {
  return {
    state: { kind: 'parting', outcome },
    effects: [
      { type: 'say', line: { name: 'goodbye', outcome: outcome.kind } },
      { type: 'note', step: 'return_failed' },
    ],
  };
}

/** Nobody was there to go back to, and the caller knows. */
export function goodbyeHeard({ outcome }: StateOf<'parting'>): Step {
  return end(outcome, 'end');
}

/** The outcome stands: only how the call ended is another. */
export function goneWhileLeaving(
  { outcome }: StateOf<'leaving' | 'returning' | 'parting'>,
  event: EventOf<'hung_up' | 'media_lost'>,
): Step {
  return end(outcome, event.type);
}

/** The one end of every call. */
export function end(outcome: CallOutcome, step: string): Step {
  return {
    state: { kind: 'ended', outcome },
    effects: [
      { type: 'note', step },
      { type: 'hang_up', outcome },
    ],
  };
}
