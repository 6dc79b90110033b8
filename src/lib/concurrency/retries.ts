/** Retries with growing pauses, within a time limit. */
import pRetry from 'p-retry';

export interface RetryOptions {
  /** The first pause; each later one is twice as long. */
  firstPauseMs?: number;
  longestPauseMs?: number;
  /** Told of every failure, the last one too; what it throws ends the retries. */
  onFailure?: (error: Error) => void;
}

/**
 * Tries `step` until it works, for about `limitMs`. It must be safe to repeat.
 * @param mayRetry whether another try can help after this failure. A TypeError is a bug: it is never retried
 * @throws the last error when the time is over, or when `mayRetry` says no
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
