/**
 * A circuit breaker: after some failures in a row the other side is left alone for a while, then asked once; that
 * answer closes the circuit, or opens it again.
 */

export interface Circuit {
  /** Whether it rests now: nobody is asked. Asking this takes no probe. */
  readonly isOpen: boolean;
  /** Whether to ask now. A yes while the circuit rests is the one probe. */
  tryNow(): boolean;
  /** What came of it. */
  record(result: 'success' | 'failure'): void;
  /** Opens it after one failure, for one that cost more than an error does. */
  open(): void;
}

export interface CircuitOptions {
  /** In a row, before it opens. */
  maxFailures: number;
  restMs: number;
  /** Milliseconds of a clock that only moves forward; the process's where not given. */
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
