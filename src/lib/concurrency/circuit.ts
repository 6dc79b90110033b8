/**
 * A circuit breaker: after several consecutive failures it rejects all requests for a while, then lets one probe
 * through, whose result closes the circuit or opens it again.
 */

export interface Circuit {
  /** Whether the circuit is open. Reading this does not use up the probe. */
  readonly isOpen: boolean;
  /** Whether a request is allowed now. While the circuit is open, a yes is the one probe. */
  tryNow(): boolean;
  /** Records the result of a request. */
  record(result: 'success' | 'failure'): void;
  /** Opens the circuit after a single failure that cost more than an error. */
  open(): void;
}

interface CircuitOptions {
  /** Consecutive failures before it opens. */
  maxFailures: number;
  restMs: number;
  /** A monotonic clock in milliseconds; by default the process's. */
  nowMs?: () => number;
}

export function createCircuit({ maxFailures, restMs, nowMs = () => performance.now() }: CircuitOptions): Circuit {
  let failures = 0;
  let restsUntilMs: number | null = null;
  return {
    get isOpen() {
      return restsUntilMs !== null && nowMs() < restsUntilMs;
    },
    tryNow() {
      if (restsUntilMs === null) return true;
      if (nowMs() < restsUntilMs) return false;
      // Others wait for the probe's result, at most as long again.
      restsUntilMs = nowMs() + restMs;
      return true;
    },
    record(result) {
      failures = result === 'success' ? 0 : failures + 1;
      if (failures === 0) restsUntilMs = null;
      else if (failures >= maxFailures) restsUntilMs = nowMs() + restMs;
    },
    open() {
      failures = maxFailures;
      restsUntilMs = nowMs() + restMs;
    },
  };
}
