/** A `fetch` for vendors' packages. It keeps the caller's time limit, and its errors do not make the packages retry. */
import { setTimeout } from 'node:timers/promises';

/**
 * No usable response: the connection broke, the time limit passed, or the response is unclear. It has no `code`,
 * because the packages decide by the code whether to retry.
 */
export class NoAnswer extends Error {
  readonly reason: string;
  /** No connection was made, so not a byte of the request was sent. */
  readonly neverSent: boolean;
  constructor(reason: string, { neverSent = false } = {}) {
    super('the processor gave no clear answer');
    this.name = 'NoAnswer';
    this.reason = reason;
    this.neverSent = neverSent;
  }
}

/**
 * Follows no redirects. stripe-node resends a request whose connection was closed, whatever `maxNetworkRetries` says
 * (stripe-node, RequestSender._shouldRetry), but not after a {@link NoAnswer}.
 * @param onAnswer called with each response
 */
export function withoutRetry(signal: AbortSignal, onAnswer?: (answer: Response) => void): typeof fetch {
  return async (input, init) => {
    const both = init?.signal ? AbortSignal.any([signal, init.signal]) : signal;
    try {
      const answer = await fetch(input, { ...init, signal: both, redirect: 'error' });
      onAnswer?.(answer);
      return answer;
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      throw new NoAnswer(signal.aborted ? 'timeout' : connectionFault(cause), { neverSent: wasNeverSent(cause) });
    }
  };
}

/** The code of a connection error, for the log. */
export function connectionFault(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'connection';
}

/** The steps before anything is sent: name resolution and the TCP handshake. */
const BEFORE_SENDING = ['getaddrinfo', 'connect'];
/** The time limit of undici (Node's `fetch`) for the handshakes. */
const CONNECT_TIMEOUT = 'UND_ERR_CONNECT_TIMEOUT';

/** An AggregateError has one error for each address. */
function wasNeverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(wasNeverSent);
  if (!(error instanceof Error)) return false;
  if ('syscall' in error) return BEFORE_SENDING.includes(String(error.syscall));
  return 'code' in error && error.code === CONNECT_TIMEOUT;
}

/** Pauses between attempts, in milliseconds. */
const PAUSES_MS: readonly number[] = [300, 1_000, 3_000];

/**
 * Whether a retry may succeed soon. `no`: nothing was done. `unsure`: something may have been done. `unseen`: nothing
 * was done, and a retry will not help; this says nothing about earlier attempts.
 */
export type Passing = 'no' | 'unsure' | 'unseen' | null;

/**
 * Retries errors that pass by themselves, within the time limit: too many requests, a lock, a connection that was not
 * made. The request must be the same each time, with its idempotency key. If an earlier attempt was unclear, a later
 * refusal does not settle it.
 * @param passing null: the error is final, for earlier attempts, too
 * @throws the last error, or the one that was unclear
 */
export async function askAgain<T>(
  signal: AbortSignal,
  ask: () => Promise<T>,
  passing: (error: unknown) => Passing,
): Promise<T> {
  let open: { error: unknown } | null = null;
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const kind = passing(error);
      if (kind === 'unsure') open ??= { error };
      const pauseMs = kind === null || kind === 'unseen' ? undefined : PAUSES_MS[tries];
      const mayAsk = pauseMs !== undefined && (await pause(pauseMs, signal));
      if (mayAsk) continue;
      throw kind === null || open === null ? error : open.error;
    }
  }
}

/** @returns false if the time limit passed meanwhile */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return setTimeout(ms, true, { signal }).catch(() => false);
}
