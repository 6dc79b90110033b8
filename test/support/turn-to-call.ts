/**
 * Lets the calls of a test file begin one after the other, and only while the machine keeps time. The beginning of a
 * call is what keeps the processor busy; many at once land late, and the keys of those that are on the line come late,
 * too.
 */
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 40;
/** A timer that fires later than this makes packets late that are due every 20 ms. */
const LATE_MS = 40;
/** In a row. */
const LOOKS_ON_TIME = 6;
/** On a machine that is busy all the time the call begins all the same. */
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
