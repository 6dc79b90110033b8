/** Does something over and over: when it is due, when somebody says so, and now and then in any case. */
import { setMaxListeners } from 'node:events';
import type { Log } from '../payments/deps.ts';

export interface Sweep {
  /** For the log. */
  name: string;
  /** Does what is due; `stop` cuts its waits short. */
  run(stop: AbortSignal): Promise<void>;
  /** Milliseconds until something is due, 0 when it is; null when nothing is. */
  nextInMs(): Promise<number | null>;
}

export interface Sweeper {
  /** Something may be due earlier than the sweeper knows. */
  wake(): void;
  /** Stops after what is under way, whose waits are cut short. Idempotent. */
  close(): Promise<void>;
}

/** A wake-up storm or something that is due and can't be claimed must not make a busy loop. */
const SHORTEST_PAUSE_MS = 100;

/** What a sweep works on at once, and some: each listens for `stop` while it waits. More is a leak, which Node then tells. */
const MOST_AT_ONCE = 50;

/** Starts sweeping at once. @param pollMs between sweeps when nothing is known to be due */
export function startSweeper(sweep: Sweep, pollMs: number, log: Pick<Log, 'warn'>): Sweeper {
  const stop = new AbortController();
  setMaxListeners(MOST_AT_ONCE, stop.signal);
  let timer: NodeJS.Timeout | undefined;
  let timerDueAt = Number.POSITIVE_INFINITY;
  let sweeping: Promise<void> | undefined;
  let woken = false;

  function schedule(inMs: number): void {
    const dueAt = performance.now() + Math.max(inMs, SHORTEST_PAUSE_MS);
    // Only ever earlier: a storm of wake-ups must not put the sweep off.
    if (stop.signal.aborted || dueAt >= timerDueAt) return;
    clearTimeout(timer);
    timerDueAt = dueAt;
    timer = setTimeout(run, dueAt - performance.now());
  }

  function run(): void {
    woken = false;
    timerDueAt = Number.POSITIVE_INFINITY;
    sweeping = sweepOnce().then((nextMs) => {
      sweeping = undefined;
      schedule(woken ? 0 : nextMs);
    });
  }

  async function sweepOnce(): Promise<number> {
    try {
      await sweep.run(stop.signal);
      return Math.min((await sweep.nextInMs()) ?? pollMs, pollMs);
    } catch (error) {
      log.warn({ err: error, sweep: sweep.name }, 'sweep failed, will be tried again');
      return pollMs;
    }
  }

  run();
  return {
    wake() {
      woken = true;
      if (sweeping === undefined) schedule(0);
    },
    async close() {
      stop.abort();
      clearTimeout(timer);
      await sweeping;
    },
  };
}
