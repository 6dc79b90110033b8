/**
 * The worker role: sweeps over what the record says is due. Any number of workers may run; none keeps anything of its
 * own, so one that dies is replaced by the next sweep of another.
 */
import { type ResolveDeps, resolveDueCharges } from '../payments/resolve.ts';
import { nextDueInMs } from '../store/charges.ts';
import type { Database } from '../store/database.ts';
import { deleteOldKeys } from '../store/idempotency.ts';
import { expireSessions } from './expire.ts';

export interface WorkerDeps extends Omit<ResolveDeps, 'sql'> {
  database: Database;
  /** Between sweeps when nothing is known to be due. */
  pollMs?: number;
}

export interface Worker {
  /** Something may be due earlier than the worker knows: `PaymentDeps.onPending`. */
  wake(): void;
  /** Stops after what is under way, whose waits are cut short. Idempotent. */
  close(): Promise<void>;
}

const POLL_MS = 5_000;
/** A wake-up storm or a charge that can't be claimed must not make a busy loop. */
const SHORTEST_PAUSE_MS = 100;
/** Batches in one go before the timer gets its turn. */
const MAX_BATCHES = 50;
const OLD_KEYS_BATCH = 1_000;

/** Starts sweeping at once. */
export function startWorker(deps: WorkerDeps): Worker {
  const stop = new AbortController();
  const pollMs = deps.pollMs ?? POLL_MS;
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
      await sweep(deps, stop.signal);
      return Math.min((await nextDueInMs(deps.database)) ?? pollMs, pollMs);
    } catch (error) {
      deps.log.warn({ err: error }, 'sweep failed, will be tried again');
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

async function sweep(deps: WorkerDeps, stop: AbortSignal): Promise<void> {
  const resolving = { ...deps, sql: deps.database };
  for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
    if (!(await resolveDueCharges(resolving, stop)).more) break;
  }
  for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
    if (!(await expireSessions(deps.database)).more) break;
  }
  for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
    if ((await deleteOldKeys(deps.database, OLD_KEYS_BATCH)) < OLD_KEYS_BATCH) break;
  }
}
