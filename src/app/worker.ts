/**
 * The worker role: sweeps over due rows. Any number of workers can run. They have no state, so another one takes over
 * if one dies.
 */

import { gatherAlerts } from '../alerts/gather.ts';
import { type SendAlertsDeps, sendDueAlerts } from '../alerts/send.ts';
import { readCertificates } from '../attention/certificates.ts';
import { sweepAttention } from '../attention/sweep.ts';
import { forgetDueCards } from '../checkout/cards/forget.ts';
import { expireSessions } from '../checkout/expire.ts';
import { type TextAfterDropDeps, textNextAfterDrop } from '../checkout/text-after-drop.ts';
import { ALERTS_DUE } from '../db/alerts/alert-messages.ts';
import { TEXTS_AFTER_DROP_DUE } from '../db/calls/texts-after-drop.ts';
import { cardsDue } from '../db/cards/removals.ts';
import { RETURN_CHECKS_DUE } from '../db/charges/debit-returns.ts';
import { RECHECKS_DUE } from '../db/charges/rechecks.ts';
import { dueInMs, pendingDue } from '../db/due.ts';
import { EMAILS_DUE } from '../db/emails/emails.ts';
import { HOLDS_DUE } from '../db/holds/hold-changes.ts';
import { deleteOldKeys } from '../db/keys/idempotency.ts';
import { maintainPartitions } from '../db/partitions.ts';
import type { Database } from '../db/pool.ts';
import { NOTIFICATIONS_DUE } from '../db/processor-notifications/inbox.ts';
import { createPruner } from '../db/prune.ts';
import { SESSIONS_DUE } from '../db/sessions/sessions.ts';
import { rollUpDays } from '../db/statistics/roll-up.ts';
import type { AccountLimits } from '../domain/account-limits.ts';
import type { CheckoutSessionId } from '../domain/ids.ts';
import { type Sweep, type Sweeper, startSweeper } from '../lib/concurrency/sweeper.ts';
import type { TlsPlace } from '../lib/http-client/tls-certificate.ts';
import { type SendEmailsDeps, sendDueEmails } from '../notifications/email/send-emails.ts';
import { checkDueReturns } from '../payments/charges/debit-returns.ts';
import { keepDueCards } from '../payments/charges/keep-card.ts';
import { type RecheckDeps, recheckDueCharges } from '../payments/charges/recheck.ts';
import { type ResolveDeps, resolveDueCharges } from '../payments/charges/resolve-charges.ts';
import { checkDueHolds, type HoldResolveDeps, resolveDueChanges } from '../payments/holds/resolve-holds.ts';
import { handleDueNotifications } from '../payments/notifications/handle-notifications.ts';
import { type RefundResolveDeps, resolveDueRefunds } from '../payments/refunds/resolve-refunds.ts';
import { type ReconcileMode, reconcileNext } from './daily-reconciliation.ts';

export interface WorkerDeps extends Omit<ResolveDeps & RefundResolveDeps & RecheckDeps & HoldResolveDeps, 'sql'> {
  database: Database;
  /** For pay links after dropped calls. If omitted, no links are texted. */
  links?: Omit<TextAfterDropDeps, 'database' | 'log'>;
  /** For receipts by email. If omitted, none are sent. */
  mailers?: SendEmailsDeps['mailers'];
  /** For alerts. If omitted, none are sent. */
  alerts?: Omit<SendAlertsDeps, 'sql' | 'log'>;
  /** RINGKEY_MAX_CALLS_PER_ACCOUNT, RINGKEY_NUMBER_LOOKUPS_…; optional. */
  accountLimits?: AccountLimits;
  /** The service's own addresses with a certificate. If omitted, none is read. */
  tlsPlaces?: readonly TlsPlace[];
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
/** Between sweeps for which nothing was due. */
const RARELY_MS = 60_000;
/** Batches in a row before the timer runs. */
const MAX_BATCHES = 50;
const OLD_KEYS_BATCH = 1_000;
const PRUNE_EVERY_MS = 10 * 60_000;
/** The pause after a kind of rows could not be pruned. */
const PRUNE_AGAIN_MS = 60_000;
const ROLL_UP_EVERY_MS = 10 * 60_000;
const PARTITIONS_EVERY_MS = 60 * 60_000;
const ATTENTION_EVERY_MS = 60_000;
const CERTIFICATES_EVERY_MS = 60 * 60_000;
const RECONCILE_EVERY_MS = 10 * 60_000;

type Kind =
  | 'alerts'
  | 'emails'
  | 'charges'
  | 'rechecks'
  | 'returns'
  | 'refunds'
  | 'holdChanges'
  | 'holds'
  | 'notifications'
  | 'cards'
  | 'textsAfterDrop'
  | 'sessions';

/**
 * Starts sweeping. Each kind has its own sweeper, so that a slow processor delays only its own kind. One statement, and
 * not one or more for each kind, tells which of them have work.
 */
export function startWorker(deps: WorkerDeps): Worker {
  const { database, log } = deps;
  const pollMs = deps.pollMs ?? POLL_MS;
  const times = dueTimesOf(deps);
  const start = (name: string, run: Sweep['run'], kind?: Kind) => {
    const nextInMs = async () => (kind === undefined ? null : (await dueInMs(database, { [kind]: times[kind] }))[kind]);
    return startSweeper({ name, run, nextInMs: async () => (await nextInMs()) ?? null }, RARELY_MS, log);
  };
  const wake = (kinds: readonly Kind[]) => {
    for (const kind of kinds) sweepers[kind]?.wake();
  };
  const sweepers: Record<Kind, Sweeper | null> = {
    charges: start('charges', (stop) => runBatches(stop, () => resolveDueCharges(deps, stop)), 'charges'),
    rechecks: start('rechecks', (stop) => runBatches(stop, () => recheckDueCharges(deps, stop)), 'rechecks'),
    returns: start('debit returns', (stop) => runBatches(stop, () => checkDueReturns(deps, stop)), 'returns'),
    refunds: start('refunds', (stop) => runBatches(stop, () => resolveDueRefunds(deps, stop)), 'refunds'),
    holdChanges: start('hold changes', (stop) => runBatches(stop, () => resolveDueChanges(deps, stop)), 'holdChanges'),
    holds: start('holds', (stop) => runBatches(stop, () => checkDueHolds(deps, stop)), 'holds'),
    notifications: start('processor notifications', (stop) => sweepNotifications(deps, wake, stop), 'notifications'),
    cards: start('cards', (stop) => sweepCards(deps, stop), 'cards'),
    textsAfterDrop: startTextsAfterDrop(deps, start),
    emails: startEmails(deps, start),
    alerts: startAlerts(deps, start),
    sessions: start('sessions', (stop) => runBatches(stop, () => expireSessions(database, deps.onExpired))),
  };
  const all = Object.values(sweepers).filter((sweeper) => sweeper !== null);
  const wakeDue = async () => {
    const due = await dueInMs(database, times);
    for (const [kind, inMs] of Object.entries(due)) {
      if (inMs !== null && inMs <= pollMs) sweepers[kind as Kind]?.wake(inMs);
    }
  };
  const others = [
    startSweeper({ name: 'due work', run: wakeDue, nextInMs: async () => null }, pollMs, log),
    start('idempotency keys', (stop) => runBatches(stop, () => deleteKeys(database))),
    startSweeper(
      attentionSweep(deps, () => wake(['alerts'])),
      ATTENTION_EVERY_MS,
      log,
    ),
    ...startCertificates(deps),
    startPruning(deps),
    startPartitions(deps),
    startRollUp(deps),
    ...startReconciler(deps),
  ];
  return {
    wake() {
      for (const sweeper of all) sweeper.wake();
    },
    async close() {
      await Promise.all([...all, ...others].map((sweeper) => sweeper.close()));
    },
  };
}

/** SQL: the times at which each kind has work. */
function dueTimesOf({ vault }: Pick<WorkerDeps, 'vault'>): Record<Kind, string> {
  return {
    charges: pendingDue('charges'),
    rechecks: RECHECKS_DUE,
    returns: RETURN_CHECKS_DUE,
    refunds: pendingDue('refunds'),
    holdChanges: pendingDue('hold_changes'),
    holds: HOLDS_DUE,
    notifications: NOTIFICATIONS_DUE,
    cards: cardsDue(vault != null),
    textsAfterDrop: TEXTS_AFTER_DROP_DUE,
    emails: EMAILS_DUE,
    alerts: ALERTS_DUE,
    sessions: SESSIONS_DUE,
  };
}

type StartSweeper = (name: string, run: Sweep['run'], kind?: Kind) => Sweeper;

/** Compares charges with the processors' lists. It is slow, so it has a sweeper of its own. */
function startReconciler(deps: WorkerDeps): Sweeper[] {
  const { reconciliation = 'off', log } = deps;
  if (reconciliation === 'off') return [];
  const run = (stop: AbortSignal) =>
    runBatches(stop, async () => ({ more: await reconcileNext(deps, reconciliation, stop) }));
  return [startSweeper({ name: 'reconciliation', run, nextInMs: async () => null }, RECONCILE_EVERY_MS, log)];
}

/** Texts the pay link to callers whose call dropped. */
function startTextsAfterDrop({ database, log, links }: WorkerDeps, start: StartSweeper): Sweeper | null {
  if (links === undefined) return null;
  const deps = { ...links, database, log };
  return start('texts after drops', (stop) => runBatches(stop, () => textNextAfterDrop(deps)), 'textsAfterDrop');
}

/** Sends receipts by email. */
function startEmails({ database: sql, log, mailers }: WorkerDeps, start: StartSweeper): Sweeper | null {
  if (mailers === undefined) return null;
  const deps = { sql, log, mailers };
  return start('emails', (stop) => runBatches(stop, () => sendDueEmails(deps)), 'emails');
}

/** Sends alerts about what needs a person. */
function startAlerts({ database: sql, log, alerts }: WorkerDeps, start: StartSweeper): Sweeper | null {
  if (alerts === undefined) return null;
  const deps = { ...alerts, sql, log };
  return start('alerts', (stop) => runBatches(stop, () => sendDueAlerts(deps, stop)), 'alerts');
}

/** Runs batches until there are no more, at most {@link MAX_BATCHES}. */
async function runBatches(stop: AbortSignal, runBatch: () => Promise<{ more: boolean }>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
    if (!(await runBatch()).more) break;
  }
}

async function deleteKeys(database: Database): Promise<{ more: boolean }> {
  return { more: (await deleteOldKeys(database, OLD_KEYS_BATCH)) === OLD_KEYS_BATCH };
}

/** Reads the service's certificates. A server can answer slowly, so this has a sweeper of its own. */
function startCertificates({ database, log, tlsPlaces = [] }: WorkerDeps): Sweeper[] {
  if (tlsPlaces.length === 0) return [];
  const run = (stop: AbortSignal) => readCertificates(database, tlsPlaces, stop);
  return [startSweeper({ name: 'certificates', run, nextInMs: async () => null }, CERTIFICATES_EVERY_MS, log)];
}

/** Finds what needs a person, and writes the alerts about it. Summaries and reports follow also if the search fails. */
const attentionSweep = (deps: WorkerDeps, wakeAlerts: () => void): Sweep => ({
  name: 'attention items',
  run: async () => {
    try {
      await sweepAttention(deps.database, null, deps.accountLimits);
    } finally {
      if (deps.alerts !== undefined) {
        await gatherAlerts(deps);
        wakeAlerts();
      }
    }
  },
  nextInMs: async () => null,
});

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

/** Makes and drops the partitions of tables by day. */
function startPartitions({ database, log, requestDays, onPruned }: WorkerDeps): Sweeper {
  const run = async () => void (await maintainPartitions(database, requestDays, onPruned));
  return startSweeper({ name: 'partitions', run, nextInMs: async () => null }, PARTITIONS_EVERY_MS, log);
}

/** Rolls up the statistics' days. After an upgrade there can be many. */
function startRollUp({ database, log }: WorkerDeps): Sweeper {
  let more = false;
  const run = async (stop: AbortSignal) => {
    more = (await rollUpDays(database, stop)).more;
  };
  return startSweeper({ name: 'statistics', run, nextInMs: async () => (more ? 0 : null) }, ROLL_UP_EVERY_MS, log);
}

/** Handles what processors have notified, and wakes the sweepers that look it up. */
async function sweepNotifications(deps: WorkerDeps, wake: (kinds: readonly Kind[]) => void, stop: AbortSignal) {
  await runBatches(stop, async () => {
    const batch = await handleDueNotifications(deps, stop);
    if (batch.claimed > 0) wake(['charges', 'rechecks', 'returns', 'refunds', 'holdChanges', 'holds']);
    return batch;
  });
}

/** Saves cards that are due after their charge, and removes deleted ones at their processors. */
async function sweepCards(deps: WorkerDeps, stop: AbortSignal): Promise<void> {
  await runBatches(stop, () => keepDueCards(deps, stop));
  await runBatches(stop, () => forgetDueCards(deps, stop));
}
