/** Time limits: work that is told to stop, waits that end whatever the work does, polls, and a stopwatch. */
import { setTimeout as delay } from 'node:timers/promises';

/** How long work may take to come back after its signal was aborted. */
const GRACE_MS = 1_000;

/** The work did not come back in time, nor when told to. */
export class TimeLimit extends Error {
  constructor() {
    super('no answer within the time limit');
    this.name = 'TimeLimit';
  }
}

/**
 * Runs `work` with a signal that aborts after `limitMs`, or with `outer`.
 * @throws TimeLimit when the work has still not come back a second later. It is then left to itself.
 */
export async function withinLimit<T>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  outer?.addEventListener('abort', abort);
  if (outer?.aborted) abort();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      abort();
      timer = setTimeout(() => reject(new TimeLimit()), GRACE_MS);
    }, limitMs);
  });
  try {
    return await Promise.race([work(limit.signal), late]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}

/**
 * The result of `work`, or `otherwise` when it takes longer than `limitMs`. The work itself goes on. After the limit,
 * what has arrived at the sockets is still read: in a process that was held up the answer may be there, and timers have
 * their turn before sockets.
 */
export async function waitAtMost<T>(limitMs: number, work: Promise<T>): Promise<T | null>;
export async function waitAtMost<T, O>(limitMs: number, work: Promise<T>, otherwise: O): Promise<T | O>;
export async function waitAtMost<T, O>(limitMs: number, work: Promise<T>, otherwise?: O): Promise<T | O | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<O | null>((resolve) => {
    timer = setTimeout(() => setImmediate(() => resolve(otherwise ?? null)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether `work` ended, well or badly, within `limitMs`. For work whose result does not matter. Never rejects. */
export function endsWithin(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const ended = () => true;
  return waitAtMost(limitMs, work.then(ended, ended), false);
}

/** Asks `condition` every `everyMs` until it holds. @returns false when it does not hold after `limitMs` */
export async function waitUntil(
  limitMs: number,
  everyMs: number,
  condition: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await delay(everyMs);
  }
  return true;
}

/**
 * Milliseconds since now, by whichever clock has moved further: one stands still in a suspended machine, the other
 * jumps.
 */
export function stopwatch(): () => number {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - wall);
}
