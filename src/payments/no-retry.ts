/** A `fetch` for vendors' packages that keeps to the caller's time limit and whose errors do not make them retry. */

/** The connection broke, or the time limit passed. It has no `code`, by which the packages decide to retry. */
export class ConnectionLost extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super('the connection to the processor was lost');
    this.name = 'ConnectionLost';
    this.reason = reason;
  }
}

/**
 * Follows no redirect. stripe-node sends a request again when its connection was closed, whatever `maxNetworkRetries`
 * says (stripe-node, RequestSender._shouldRetry); not for a {@link ConnectionLost}.
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
      throw new ConnectionLost(signal.aborted ? 'timeout' : reasonOf(error));
    }
  };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'connection';
}
