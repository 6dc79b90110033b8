/** Which side lost an answered call that was not paid, by what the call's timeline and its caller say. */
import type { CallFacts } from '../call/call-reader.ts';
import type { CallResult } from '../call/caller.ts';

export const SIDES = ['engine', 'app'] as const;
export type Side = (typeof SIDES)[number];

interface Loss {
  side: Side;
  why: string;
}

/** Steps of the timeline at which the engine failed: its media, or its SIP server. */
const ENGINE_STEPS = ['media server lost', 'no audio', 'no media', 'SIP server lost', 'waits for the SIP server'];

/**
 * The processor is the sandbox, and the database is the app's: what fails there counts as the app's. The app receives
 * keys by TCP, where none gets lost, so a missing or doubled key is the engine's.
 */
export function lossOf({ outcome }: CallResult, recorded: CallFacts | null): Loss {
  if (recorded === null) return { side: 'app', why: 'no call in the database' };
  const { steps, paid, askedAgain } = recorded;
  const failed = steps.find((step) => ENGINE_STEPS.includes(step));
  if (failed !== undefined) return { side: 'engine', why: failed };
  if (paid && outcome === null) return lostReturn(steps);
  if (!paid && askedAgain) return { side: 'engine', why: 'keys were lost or doubled' };
  return { side: 'app', why: steps.at(-1) ?? 'no step' };
}

/** A REFER that the app has sent and the caller has not received was lost in the SIP server. */
function lostReturn(steps: readonly string[]): Loss {
  const side = steps.includes('refer') ? 'engine' : 'app';
  return { side, why: side === 'engine' ? 'the REFER did not arrive' : 'paid, and not returned' };
}
