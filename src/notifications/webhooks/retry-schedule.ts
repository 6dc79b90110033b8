/** The schedule of a delivery's retries, and what Retry-After adds to it. Pure. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** `[n]`: from attempt n + 1 to the next. After the last there is none. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** Retries come up to a tenth later, so that what failed together does not come back together. */
const JITTER = 0.1;
/** The whole schedule, jitter included, and a day for what waited while its endpoint was paused. */
export const GIVEN_UP_AFTER_MS = RETRY_DELAYS_MS.reduce((sum, ms) => sum + ms, 0) * (1 + JITTER) + 24 * HOUR;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

/**
 * @param attempts made so far
 * @param retryAfterMs what the endpoint asked for; 0 where it did not
 * @param random 0 … 1
 * @returns milliseconds to the next attempt; null where there is none
 */
export function retryInMs(attempts: number, retryAfterMs: number, random: number): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  return delayMs === undefined ? null : Math.max(delayMs * (1 + JITTER * random), retryAfterMs);
}

/** RFC 9110, 10.2.3: seconds, or a date. @returns milliseconds; 0 where there is none that makes sense */
export function parseRetryAfter(value: string | undefined, now: Date): number {
  const text = value?.trim() ?? '';
  // An HTTP date begins with its weekday; Date.parse would take much else for a date.
  const until = /^[A-Za-z]/.test(text) ? Date.parse(text) - now.getTime() : Number.NaN;
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND : until;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}
