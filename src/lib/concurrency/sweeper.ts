/** A sweeper: runs work repeatedly: when it is due, when woken, and every `pollMs` in any case. */
import { setMaxListeners } from 'node:events';
import type { BaseLogger } from 'pino';
import { createFailureLog } from './failure-log.ts';

export interface Sweep {
  /** For the log. */
  name: string;
  /** Processes what is due. `stop` cuts its waits short. */
  run(stop: AbortSignal): Promise<void>;
  /** Milliseconds until work is due, 0 if it is due now; null if none waits. */
  nextInMs(): Promise<number | null>;
}

export interface Sweeper {
  /** Call it if work can be due earlier than the sweeper knows. @param inMs when; now if omitted */
  wake(inMs?: number): void;
  /** Stops: work in flight is finished, its waits are cut short. Idempotent. */
  close(): Promise<void>;
}

/** Prevents a busy loop from many wake-ups, or due work that cannot be claimed. */
const SHORTEST_PAUSE_MS = 100;

/** Listeners on `stop`: one for each waiting piece of work, and a margin. Beyond it Node warns of a leak. */
const MAX_LISTENERS = 50;
const WORDS = { failed: 'sweep failed, will retry', works: 'sweep works again' };

/** Starts sweeping. @param pollMs between sweeps while nothing is known to be due */
export function startSweeper(sweep: Sweep, pollMs: number, log: Pick<BaseLogger, 'info' | 'warn'>): Sweeper {
  const failures = createFailureLog(log, { sweep: sweep.name }, WORDS);
  const stop = new AbortController();
  setMaxListeners(MAX_LISTENERS, stop.signal);
  let timer: NodeJS.Timeout | undefined;
  let timerDueAt = Number.POSITIVE_INFINITY;
  let sweeping: Promise<void> | undefined;
  let woken = false;

  function schedule(inMs: number): void {
    const dueAt = performance.now() + Math.max(inMs, SHORTEST_PAUSE_MS);
    // The timer only ever moves to an earlier time: many wake-ups must not put the sweep off.
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
      const nextMs = Math.min((await sweep.nextInMs()) ?? pollMs, pollMs);
      failures.worked();
      return nextMs;
    } catch (error) {
      failures.failed(error);
      return pollMs;
    }
  }

  run();
  return {
    wake(inMs = 0) {
      woken = true;
      if (sweeping === undefined) schedule(inMs);
    },
    async close() {
      stop.abort();
      clearTimeout(timer);
      await sweeping;
    },
  };
}
