/**
 * The worker role: sweeps over what is due in the database. Any number of workers may run; none has state of its own,
 * so where one dies another goes on.
 */

import { forgetDueCards } from '../cards/forget.ts';
import { keepDueCards } from '../payments/keep-card.ts';
import { type RefundResolveDeps, resolveDueRefunds } from '../payments/refund-resolve.ts';
import { type ResolveDeps, resolveDueCharges } from '../payments/resolve.ts';
import type { Database } from '../db/pool.ts';
import { deleteOldKeys } from '../db/keys/idempotency.ts';
import { nextPendingDueInMs } from '../db/due.ts';
import { nextCardDueInMs } from '../db/cards/removals.ts';
import { expireSessions } from '../checkout/expire.ts';
import { pruneOldRows } from '../db/prune-job.ts';
import { startSweeper } from '../concurrency/sweeper.ts';

export interface WorkerDeps extends Omit<ResolveDeps & RefundResolveDeps, 'sql'> {
  database: Database;
  /** Milliseconds between sweeps when nothing is known to be due. */
  pollMs?: number;
}

export interface Worker {
  /** Something may be due earlier than the worker knows: `PaymentDeps.onPending`. */
  wake(): void;
  /** Stops after what is under way, whose waits are cut short. Idempotent. */
  close(): Promise<void>;
}

const POLL_MS = 5_000;
/** Batches in one go before the timer gets its turn. */
const MAX_BATCHES = 50;
const OLD_KEYS_BATCH = 1_000;
const PRUNE_EVERY_MS = 10 * 60_000;

/**
 * Starts sweeping at once. Each kind has a sweeper of its own, so that a slow processor delays only its own kind.
 */
export function startWorker(deps: WorkerDeps): Worker {
  const { database, log } = deps;
  const pollMs = deps.pollMs ?? POLL_MS;
  const sweepers = [
    startSweeper(
      { name: 'charges', run: (stop) => sweep(deps, stop), nextInMs: () => nextPendingDueInMs(database, 'charges') },
      pollMs,
      log,
    ),
    startSweeper(
      { name: 'sessions', run: (stop) => sweepSessions(database, stop), nextInMs: async () => null },
      pollMs,
      log,
    ),
    startSweeper(
      {
        name: 'refunds',
        run: (stop) => sweepRefunds(deps, stop),
        nextInMs: () => nextPendingDueInMs(database, 'refunds'),
      },
      pollMs,
      log,
    ),
    startSweeper(
      {
        name: 'cards',
        run: (stop) => sweepCards(deps, stop),
        nextInMs: () => nextCardDueInMs(database, deps.vault != null),
      },
      pollMs,
      log,
    ),
  ];
  const pruner = startSweeper(
    {
      name: 'old rows',
      run: async (stop) => void (await pruneOldRows(database, log, stop)),
      nextInMs: async () => null,
    },
    PRUNE_EVERY_MS,
    log,
  );
  return {
    wake() {
      for (const sweeper of sweepers) sweeper.wake();
    },
    async close() {
      await Promise.all([...sweepers, pruner].map((sweeper) => sweeper.close()));
    },
  };
}

async function sweep(deps: WorkerDeps, stop: AbortSignal): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
    if (!(await resolveDueCharges(deps, stop)).more) break;
  }
}

/** Expires sessions, and deletes old idempotency keys. */
async function sweepSessions(database: Database, stop: AbortSignal): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
    if (!(await expireSessions(database)).more) break;
  }
  for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
    if ((await deleteOldKeys(database, OLD_KEYS_BATCH)) < OLD_KEYS_BATCH) break;
  }
}

/** Saves cards that are still to be kept after their charge, and removes deleted ones at their processors. */
async function sweepCards(deps: WorkerDeps, stop: AbortSignal): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
    if (!(await keepDueCards(deps, stop)).more) break;
  }
  for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
    if (!(await forgetDueCards(deps, stop)).more) break;
  }
}

async function sweepRefunds(deps: WorkerDeps, stop: AbortSignal): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
    if (!(await resolveDueRefunds(deps, stop)).more) break;
  }
}
