/** Waits that end: asking a processor within a limit, and a step of the record again and again within one. */
import { setTimeout as delay } from 'node:timers/promises';

/** How long an adapter may take to come back after its signal was aborted. */
const GRACE_MS = 1_000;

/** `work` did not come back in time, nor when told to. */
export class TimeLimit extends Error {
  constructor() {
    super('no answer within the time limit');
    this.name = 'TimeLimit';
  }
}

/**
 * Runs `work` with a signal that aborts after `limitMs` (or with `outer`).
 * @throws TimeLimit when it has still not come back a second later; what it does then is its own business.
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

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Tries `step` until it works, with growing pauses, for about `limitMs`; `step` must be safe to repeat.
 * @throws the last error when the time is over, or one that `again` says is no use trying
 */
export async function withRetries<T>(
  limitMs: number,
  again: (error: unknown) => boolean,
  step: () => Promise<T>,
): Promise<T> {
  const elapsedMs = stopwatch();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await step();
    } catch (error) {
      if (!again(error) || elapsedMs() + pauseMs > limitMs) throw error;
      await delay(pauseMs);
    }
  }
}

/** Milliseconds since now by whichever clock has seen more: one stands still in a suspended machine, the other jumps. */
export function stopwatch(): () => number {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - wall);
}
