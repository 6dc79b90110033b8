/** Retries with exponential backoff, within a time limit. */
import pRetry from 'p-retry';

interface RetryOptions {
  /** The first pause. Each later one is twice as long. */
  firstPauseMs?: number;
  longestPauseMs?: number;
  /** Called with every failure, including the last. An exception ends the retries. */
  onFailure?: (error: Error) => void;
}

/**
 * Retries `step` until it succeeds, for about `limitMs`. It must be safe to repeat.
 * @param mayRetry whether a retry can help after this failure. A TypeError is a bug and is never retried
 * @throws the last error at the limit, or if `mayRetry` returns false
 */
export function withRetries<T>(
  limitMs: number,
  mayRetry: (error: unknown) => boolean,
  step: () => Promise<T>,
  { firstPauseMs = 50, longestPauseMs = 1_000, onFailure = () => undefined }: RetryOptions = {},
): Promise<T> {
  return pRetry(step, {
    retries: Number.POSITIVE_INFINITY,
    maxRetryTime: limitMs,
    minTimeout: firstPauseMs,
    maxTimeout: longestPauseMs,
    shouldRetry: ({ error }) => mayRetry(error),
    onFailedAttempt: ({ error }) => onFailure(error),
  });
}
