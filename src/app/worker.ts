/**
 * The worker role: sweeps over due rows. Any number of workers can run. They have no state, so another one takes over
 * if one dies.
 */

import { forgetDueCards } from '../checkout/cards/forget.ts';
import { expireSessions } from '../checkout/expire.ts';
import { type TextAfterDropDeps, textNextAfterDrop } from '../checkout/text-after-drop.ts';
import { nextTextDueInMs } from '../db/calls/texts-after-drop.ts';
import { nextCardDueInMs } from '../db/cards/removals.ts';
import { nextPendingDueInMs } from '../db/due.ts';
import { deleteOldKeys } from '../db/keys/idempotency.ts';
import { maintainPartitions } from '../db/partitions.ts';
import type { Database } from '../db/pool.ts';
import { createPruner } from '../db/prune.ts';
import { rollUpDays } from '../db/statistics/roll-up.ts';
import type { CheckoutSessionId } from '../domain/ids.ts';
import { type Sweep, type Sweeper, startSweeper } from '../lib/concurrency/sweeper.ts';
import { keepDueCards } from '../payments/keep-card.ts';
import { type RecheckDeps, recheckDueCharges } from '../payments/recheck.ts';
import { type RefundResolveDeps, resolveDueRefunds } from '../payments/refund-resolve.ts';
import { type ResolveDeps, resolveDueCharges } from '../payments/resolve.ts';
import { type ReconcileMode, reconcileNext } from './daily-reconciliation.ts';

export interface WorkerDeps extends Omit<ResolveDeps & RefundResolveDeps & RecheckDeps, 'sql'> {
  database: Database;
  /** For pay links after dropped calls. If omitted, no links are texted. */
  links?: Omit<TextAfterDropDeps, 'database' | 'log'>;
  /** Called after a session has expired. */
  onExpired?: (id: CheckoutSessionId) => void;
  /** Milliseconds between sweeps while nothing is known to be due. */
  pollMs?: number;
  /** RINGKEY_RETENTION_DAYS; 0 or omitted keeps sessions forever. */
  sessionDays?: number;
  /** RINGKEY_RECONCILE; off by default. */
  reconciliation?: ReconcileMode;
  /** RINGKEY_REQUEST_LOG_DAYS; 0 keeps none. */
  requestDays?: number;
  /** For metrics: old rows of a kind were pruned. */
  onPruned?: (kind: string, rows: number) => void;
}

export interface Worker {
  /** Call it if something can be due earlier than the worker knows: `PaymentDeps.onPending`. */
  wake(): void;
  /** Stops after the current work, whose waits are cut short. Idempotent. */
  close(): Promise<void>;
}

const POLL_MS = 5_000;
/** Batches in a row before the timer runs. */
const MAX_BATCHES = 50;
const OLD_KEYS_BATCH = 1_000;
const PRUNE_EVERY_MS = 10 * 60_000;
/** The pause after a kind of rows could not be pruned. */
const PRUNE_AGAIN_MS = 60_000;
const ROLL_UP_EVERY_MS = 10 * 60_000;
const PARTITIONS_EVERY_MS = 60 * 60_000;
const RECONCILE_EVERY_MS = 10 * 60_000;

/** Starts sweeping. Each kind has its own sweeper, so that a slow processor delays only its own kind. */
export function startWorker(deps: WorkerDeps): Worker {
  const { database, log } = deps;
  const pollMs = deps.pollMs ?? POLL_MS;
  const start: StartSweeper = (name, run, nextInMs = async () => null) =>
    startSweeper({ name, run, nextInMs }, pollMs, log);
  const sweepers = [
    start(
      'charges',
      (stop) => sweepCharges(deps, stop),
      () => nextPendingDueInMs(database, 'charges'),
    ),
    start(
      'refunds',
      (stop) => runBatches(stop, () => resolveDueRefunds(deps, stop)),
      () => nextPendingDueInMs(database, 'refunds'),
    ),
    start(
      'cards',
      (stop) => sweepCards(deps, stop),
      () => nextCardDueInMs(database, deps.vault != null),
    ),
    ...textsAfterDrop(deps, start),
    start('sessions', (stop) => runBatches(stop, () => expireSessions(database, deps.onExpired))),
    start('idempotency keys', (stop) => runBatches(stop, () => deleteKeys(database))),
  ];
  const pruner = startPruning(deps);
  const partitions = startSweeper(
    {
      name: 'partitions',
      run: async () => void (await maintainPartitions(database, deps.requestDays)),
      nextInMs: async () => null,
    },
    PARTITIONS_EVERY_MS,
    log,
  );
  const rollUp = startRollUp(deps);
  const reconciler = startReconciler(deps);
  return {
    wake() {
      for (const sweeper of sweepers) sweeper.wake();
    },
    async close() {
      await Promise.all([...sweepers, ...reconciler, pruner, partitions, rollUp].map((sweeper) => sweeper.close()));
    },
  };
}

type StartSweeper = (name: string, run: Sweep['run'], nextInMs?: Sweep['nextInMs']) => Sweeper;

/** Compares charges with the processors' lists. It is slow, so it has a sweeper of its own. */
function startReconciler(deps: WorkerDeps): Sweeper[] {
  const { reconciliation = 'off', log } = deps;
  if (reconciliation === 'off') return [];
  const run = (stop: AbortSignal) =>
    runBatches(stop, async () => ({ more: await reconcileNext(deps, reconciliation, stop) }));
  return [startSweeper({ name: 'reconciliation', run, nextInMs: async () => null }, RECONCILE_EVERY_MS, log)];
}

/** Texts the pay link to callers whose call dropped. */
function textsAfterDrop({ database, log, links }: WorkerDeps, start: StartSweeper): Sweeper[] {
  if (links === undefined) return [];
  const deps = { ...links, database, log };
  return [
    start(
      'texts after drops',
      (stop) => runBatches(stop, () => textNextAfterDrop(deps)),
      () => nextTextDueInMs(database),
    ),
  ];
}

/** Runs batches until there are no more, at most {@link MAX_BATCHES}. */
async function runBatches(stop: AbortSignal, runBatch: () => Promise<{ more: boolean }>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
    if (!(await runBatch()).more) break;
  }
}

/** Settles pending charges, and rechecks those that the processor did not have. */
async function sweepCharges(deps: WorkerDeps, stop: AbortSignal): Promise<void> {
  await runBatches(stop, () => resolveDueCharges(deps, stop));
  await runBatches(stop, () => recheckDueCharges(deps, stop));
}

async function deleteKeys(database: Database): Promise<{ more: boolean }> {
  return { more: (await deleteOldKeys(database, OLD_KEYS_BATCH)) === OLD_KEYS_BATCH };
}

/** Deletes old rows; repeats sooner after a failure. */
function startPruning({ database, log, sessionDays, requestDays, onPruned }: WorkerDeps): Sweeper {
  const pruner = createPruner(database, log, { sessionDays, requestDays });
  let hasFailed = false;
  const run = async (stop: AbortSignal) => {
    const { pruned, failed } = await pruner.run(stop);
    hasFailed = failed;
    for (const [kind, rows] of Object.entries(pruned)) onPruned?.(kind, rows);
  };
  const nextInMs = async () => (hasFailed ? PRUNE_AGAIN_MS : null);
  return startSweeper({ name: 'old rows', run, nextInMs }, PRUNE_EVERY_MS, log);
}

/** Rolls up the statistics' days. After an upgrade there can be many. */
function startRollUp({ database, log }: WorkerDeps): Sweeper {
  let more = false;
  const run = async (stop: AbortSignal) => {
    more = (await rollUpDays(database, stop)).more;
  };
  return startSweeper({ name: 'statistics', run, nextInMs: async () => (more ? 0 : null) }, ROLL_UP_EVERY_MS, log);
}

/** Saves cards that are due after their charge, and removes deleted ones at their processors. */
async function sweepCards(deps: WorkerDeps, stop: AbortSignal): Promise<void> {
  await runBatches(stop, () => keepDueCards(deps, stop));
  await runBatches(stop, () => forgetDueCards(deps, stop));
}
