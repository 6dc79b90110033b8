/** What an attempt comes to: the schedule of decisions.md, and the endpoint's circuit. Pure. */
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
/** The whole schedule, jitter included, and a day for what waited behind a circuit. */
export const GIVEN_UP_AFTER_MS = RETRY_DELAYS_MS.reduce((sum, ms) => sum + ms, 0) * (1 + JITTER) + 24 * HOUR;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;
/** In a row; then only one delivery at a time tries whether the endpoint is back. */
const CIRCUIT_OPENS_AT = 3;
const FIRST_PROBE_MS = 10 * SECOND;
const LONGEST_PROBE_MS = 5 * MINUTE;

export type Failure = 'status' | 'redirect' | 'gone' | 'timeout' | 'forbidden_address' | 'connection';

export type AttemptResult =
  | { type: 'answered'; status: number; retryAfter: string | undefined }
  | { type: 'unanswered'; failure: Failure };

export type Verdict =
  | { status: 'delivered' }
  /** `gone`: the endpoint wants no more, ever. */
  | { status: 'failed'; failure: Failure; gone: boolean; pauseMs: number }
  | { status: 'waiting'; failure: Failure; nextInMs: number; pauseMs: number };

export interface Attempted {
  /** This one included. */
  attempts: number;
  /** At this endpoint in a row, this one not included. */
  failuresBefore: number;
  now: Date;
  /** 0 … 1. */
  random: number;
}

/**
 * `pauseMs`: how long nothing else goes to the endpoint. The first failure of a delivery holds up those behind it until
 * its retry, so that a blip does not change the order; a delivery that fails again is retried by itself while others go
 * on; and when one after the other fails, the circuit opens and the endpoint is tried with one delivery at a time.
 */
export function verdictOf(result: AttemptResult, attempted: Attempted): Verdict {
  if (result.type === 'answered' && result.status >= 200 && result.status < 300) return { status: 'delivered' };
  const failure = failureOf(result);
  if (failure === 'gone') return { status: 'failed', failure, gone: true, pauseMs: 0 };
  const asked = result.type === 'answered' ? retryAfterMs(result.retryAfter, attempted.now) : null;
  const circuitMs = probeInMs(attempted.failuresBefore + 1);
  const delay = RETRY_DELAYS_MS[attempted.attempts - 1];
  if (delay === undefined) return { status: 'failed', failure, gone: false, pauseMs: Math.max(circuitMs, asked ?? 0) };
  const nextInMs = Math.max(delay * (1 + JITTER * attempted.random), asked ?? 0);
  const orderMs = attempted.attempts === 1 ? nextInMs : 0;
  return { status: 'waiting', failure, nextInMs, pauseMs: Math.max(circuitMs, orderMs, asked ?? 0) };
}

function failureOf(result: AttemptResult): Failure {
  if (result.type === 'unanswered') return result.failure;
  if (result.status === 410) return 'gone';
  return result.status >= 300 && result.status < 400 ? 'redirect' : 'status';
}

/** 0 while the circuit is closed. */
function probeInMs(failures: number): number {
  if (failures < CIRCUIT_OPENS_AT) return 0;
  return Math.min(FIRST_PROBE_MS * 2 ** Math.min(failures - CIRCUIT_OPENS_AT, 10), LONGEST_PROBE_MS);
}

/** RFC 9110, 10.2.3: seconds, or a date. Null where there is none that makes sense. */
export function retryAfterMs(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  const text = value.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : null;
  // An HTTP date begins with its weekday; Date.parse would take much else for a date.
  const until = /^[A-Za-z]/.test(text) ? Date.parse(text) - now.getTime() : Number.NaN;
  const ms = seconds === null ? until : seconds * SECOND;
  if (Number.isNaN(ms)) return null;
  return Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}
