/** A `fetch` for vendors' packages that keeps to the caller's time limit and whose errors do not make them retry. */
import { setTimeout } from 'node:timers/promises';

/**
 * The connection broke, the time limit passed, or the answer does not tell. It has no `code`, by which the packages
 * decide to retry.
 */
export class NoAnswer extends Error {
  readonly reason: string;
  /** The connection was never made: not a byte of the request was sent. */
  readonly neverSent: boolean;
  constructor(reason: string, { neverSent = false } = {}) {
    super('the processor gave no clear answer');
    this.name = 'NoAnswer';
    this.reason = reason;
    this.neverSent = neverSent;
  }
}

/**
 * Follows no redirect. stripe-node sends a request again when its connection was closed, whatever `maxNetworkRetries`
 * says (stripe-node, RequestSender._shouldRetry); not for a {@link NoAnswer}.
 * @param onAnswer called with each answer
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

/** The code of a connection's error, for the log. */
export function connectionFault(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'connection';
}

/** The steps of a connection before anything is sent: the address's name, and the TCP handshake. */
const BEFORE_SENDING = ['getaddrinfo', 'connect'];
/** Of undici, Node's `fetch`: its own limit for the handshakes. */
const CONNECT_TIMEOUT = 'UND_ERR_CONNECT_TIMEOUT';

/** An AggregateError has an error for each address that was tried. */
function wasNeverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(wasNeverSent);
  if (!(error instanceof Error)) return false;
  if ('syscall' in error) return BEFORE_SENDING.includes(String(error.syscall));
  return 'code' in error && error.code === CONNECT_TIMEOUT;
}

/** Pauses before another try, in milliseconds. */
const PAUSES_MS: readonly number[] = [300, 1_000, 3_000];

/**
 * `no`: nothing was done. `unsure`: it may have been. Either way the same request may do better in a moment. `unseen`:
 * nothing was done, and the same request will not do better; what became of an earlier one it does not say.
 */
export type Passing = 'no' | 'unsure' | 'unseen' | null;

/**
 * Asks again, within the time limit, what passes by itself: too many requests, a lock, a connection that was not made.
 * The request must be the same each time, with its idempotency key. A no after an answer that left it open is none.
 * @param passing null: the error is final, for the earlier tries, too
 * @throws the last error; or the one that left it open
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

/** @returns whether the time limit has not passed meanwhile */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return setTimeout(ms, true, { signal }).catch(() => false);
}
