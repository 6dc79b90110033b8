/** Timer values (RFC 3261 17.1.1.1, table 4) and a small owner of named timers. */
import type { SipTimers } from './types.ts';

/** T1, T2 and T4 of table 4; tests use shorter ones. */
export const RFC3261_TIMERS: SipTimers = {
  t1Ms: 500,
  t2Ms: 4_000,
  t4Ms: 5_000,
  ringLimitMs: 180_000,
  answerLimitMs: 300_000,
  idleLimitMs: 30_000,
};

/** Timers B, D, F, H, J, L and M. */
export function transactionLimitMs(timers: SipTimers): number {
  return 64 * timers.t1Ms;
}

/** Timers of one owner by name: setting a name again replaces its timer, `clear` stops them all. */
export class TimerSet {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  set(name: string, delayMs: number, run: () => void): void {
    this.stop(name);
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      run();
    }, delayMs);
    this.#timers.set(name, timer);
  }

  /** Runs after `firstMs`, then at doubling intervals up to `capMs`, until stopped. */
  repeatDoubling(name: string, firstMs: number, capMs: number, run: () => void): void {
    this.set(name, firstMs, () => {
      this.repeatDoubling(name, Math.min(firstMs * 2, capMs), capMs, run);
      run();
    });
  }

  stop(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
