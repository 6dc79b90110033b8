/**
 * Starts the calls of a test file one after the other, and only while the machine's timers are on time. The start of a
 * call uses the most CPU: many at once would delay each other, and the keys of calls in progress.
 */
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 40;
/** A timer that fires later than this delays packets that are due every 20 ms. */
const LATE_MS = 40;
/** How many checks in a row must be on time. */
const LOOKS_ON_TIME = 6;
/** After this time the call starts even on a busy machine. */
const LIMIT_MS = 12_000;

let last: Promise<void> = Promise.resolve();

/** Resolves when the caller may dial. */
export function turnToCall(): Promise<void> {
  last = last.then(machineKeepsTime);
  return last;
}

async function machineKeepsTime(): Promise<void> {
  const endsAt = performance.now() + LIMIT_MS;
  for (let onTime = 0; onTime < LOOKS_ON_TIME && performance.now() < endsAt; ) {
    const lookedAt = performance.now();
    await delay(LOOK_MS);
    onTime = performance.now() - lookedAt < LOOK_MS + LATE_MS ? onTime + 1 : 0;
  }
}
