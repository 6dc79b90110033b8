/** What an attempt to deliver comes to: the schedule of retries, and the failures that end it. Pure. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** `[n]`: from attempt n + 1 to the next. After the last there is none. */
export const RETRY_DELAYS_MS: readonly number[] = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
];
/** Retries come up to a tenth later, so that what failed together does not come back together. */
const JITTER = 0.1;
/** The whole schedule, jitter included, and a day for what waited while its endpoint was paused. */
export const GIVEN_UP_AFTER_MS = RETRY_DELAYS_MS.reduce((sum, ms) => sum + ms, 0) * (1 + JITTER) + 24 * HOUR;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

export type Failure = 'status' | 'redirect' | 'gone' | 'timeout' | 'forbidden_address' | 'connection';

export type AttemptResult =
  | { type: 'answered'; status: number; retryAfter: string | undefined }
  | { type: 'unanswered'; failure: Failure };

export type AttemptOutcome =
  | { status: 'delivered' }
  /** `gone`: the endpoint wants no more, ever. */
  | { status: 'failed'; failure: Failure; retryAfterMs: number }
  | { status: 'waiting'; failure: Failure; nextInMs: number; retryAfterMs: number };

export interface Attempted {
  /** This one included. */
  attempts: number;
  now: Date;
  /** 0 … 1. */
  random: number;
}

/** `retryAfterMs`: what the endpoint asked for, 0 where it did not. Only the delivery itself waits for it. */
export function outcomeOf(result: AttemptResult, { attempts, now, random }: Attempted): AttemptOutcome {
  if (result.type === 'answered' && result.status >= 200 && result.status < 300) return { status: 'delivered' };
  const failure = failureOf(result);
  const retryAfterMs = result.type === 'answered' ? (parseRetryAfter(result.retryAfter, now) ?? 0) : 0;
  const delay = RETRY_DELAYS_MS[attempts - 1];
  if (failure === 'gone' || delay === undefined) return { status: 'failed', failure, retryAfterMs };
  const nextInMs = Math.max(delay * (1 + JITTER * random), retryAfterMs);
  return { status: 'waiting', failure, nextInMs, retryAfterMs };
}

function failureOf(result: AttemptResult): Failure {
  if (result.type === 'unanswered') return result.failure;
  if (result.status === 410) return 'gone';
  return result.status >= 300 && result.status < 400 ? 'redirect' : 'status';
}

/** RFC 9110, 10.2.3: seconds, or a date. Null where there is none that makes sense. */
export function parseRetryAfter(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : null;
  // An HTTP date begins with its weekday; Date.parse would take much else for a date.
  const until = /^[A-Za-z]/.test(text) ? Date.parse(text) - now.getTime() : Number.NaN;
  const ms = seconds === null ? until : seconds * SECOND;
  if (Number.isNaN(ms)) return null;
  return Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}
