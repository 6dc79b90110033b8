/** The retry schedule of a delivery, and the effect of Retry-After. Pure functions. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** `[n]`: the pause after attempt n + 1. There is none after the last. */
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
/** Retries are up to a tenth late, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** The whole schedule including jitter, and a day for deliveries that waited while their endpoint was paused. */
export const GIVEN_UP_AFTER_MS = RETRY_DELAYS_MS.reduce((sum, ms) => sum + ms, 0) * (1 + JITTER) + 24 * HOUR;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

/**
 * @param attempts made so far
 * @param retryAfterMs from the endpoint; 0 without one
 * @param random 0 … 1
 * @returns milliseconds until the next attempt; null if there is none
 */
export function retryInMs(attempts: number, retryAfterMs: number, random: number): number | null {
  const delayMs = RETRY_DELAYS_MS[attempts - 1];
  return delayMs === undefined ? null : Math.max(delayMs * (1 + JITTER * random), retryAfterMs);
}

/** RFC 9110, 10.2.3: seconds, or a date. @returns milliseconds; 0 if there is none, or none that makes sense */
export function parseRetryAfter(value: string | undefined, now: Date): number {
  const text = value?.trim() ?? '';
  // An HTTP date begins with its weekday. Date.parse would accept many other texts.
  const until = /^[A-Za-z]/.test(text) ? Date.parse(text) - now.getTime() : Number.NaN;
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND : until;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}
