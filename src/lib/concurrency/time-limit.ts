/** Time limits: abortable work, bounded waits, polls, and a stopwatch. */
import { setTimeout as delay } from 'node:timers/promises';

/** How long work can take to return after its signal was aborted. */
const GRACE_MS = 1_000;

/** The work did not end in time, not even after the abort. */
export class TimeLimit extends Error {
  constructor() {
    super('no answer within the time limit');
    this.name = 'TimeLimit';
  }
}

/**
 * Runs `work` with a signal that aborts after `limitMs`, or with `outer`.
 * @throws TimeLimit if the work has not ended a second after that. It then continues unobserved
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
 * The result of `work`, or `otherwise` if it takes longer than `limitMs`. The work continues. At the limit, pending
 * socket data is still read: timers run before sockets, so in a blocked process the answer may already be there.
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

/** Whether `work` settled within `limitMs`, for work whose result does not matter. Never rejects. */
export function endsWithin(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const ended = () => true;
  return waitAtMost(limitMs, work.then(ended, ended), false);
}

/** Checks `condition` every `everyMs` until it holds. @returns false if it does not hold within `limitMs` */
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
 * Milliseconds since the call, by the clock that has advanced more: one stops in a suspended machine, the other can
 * jump.
 */
export function stopwatch(): () => number {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - wall);
}
