/** The daily reconciliation of each connected merchant, by the first free worker (payments/reconciliation/reconcile.ts). */
import { type Connection, claimConnection, endReconciliation } from '../db/reconciliation.ts';
import { pullListed } from '../payments/notifications/pull-listed.ts';
import { reconcile } from '../payments/reconciliation/reconcile.ts';
import type { Finding, ReconcileDeps, Span } from '../payments/reconciliation/reconciliation.ts';

/** RINGKEY_RECONCILE: `fix` settles certain cases. */
export type ReconcileMode = 'off' | 'report' | 'fix';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Longer than one reconciliation takes. After that another worker starts over, which is harmless. */
const HOLD_MS = 120 * MINUTE_MS;
/** A payment can appear in a processor's list minutes late. */
const NOT_BEFORE_MS = 15 * MINUTE_MS;
const FIRST_MS = 2 * DAY_MS;
const OVERLAP_MS = 60 * MINUTE_MS;
const LONGEST_MS = 30 * DAY_MS;
const MAX_LOGGED = 100;

/** Reconciles one due connection. @returns whether there was one */
export async function reconcileNext(
  deps: ReconcileDeps,
  mode: Exclude<ReconcileMode, 'off'>,
  stop: AbortSignal,
): Promise<boolean> {
  const connection = await claimConnection(deps.database, HOLD_MS);
  if (connection === null) return false;
  await pullListed(deps, connection, stop);
  const span = spanOf(connection);
  const outcome = await reconcile(deps, connection, { ...span, fix: mode === 'fix' }, stop);
  const { merchantId, processor } = connection;
  const about = { merchantId, processor };
  if (outcome.status === 'unreadable') {
    deps.log.warn({ ...about, cause: outcome.cause }, 'payments could not be reconciled with the processor');
    // What was cut short by the end of this process is for the next one.
    await endReconciliation(deps.database, connection, stop.aborted ? 0 : DAY_MS, null);
    return true;
  }
  const { findings, payments, notCompared } = outcome;
  for (const finding of findings.slice(0, MAX_LOGGED)) logFinding(deps, about, finding);
  if (notCompared !== null) {
    deps.log.warn(
      { ...about, ...notCompared },
      'charges before the merchant was connected to this account were not compared: check them at the processor',
    );
  }
  await endReconciliation(deps.database, connection, DAY_MS, span.until);
  deps.log.info({ ...about, payments, differences: findings.length }, 'payments reconciled with the processor');
  return true;
}

function spanOf({ reconciledUntil }: Connection): Span {
  const until = new Date(Date.now() - NOT_BEFORE_MS);
  const since = reconciledUntil === null ? until.getTime() - FIRST_MS : reconciledUntil.getTime() - OVERLAP_MS;
  return { from: new Date(Math.max(since, until.getTime() - LONGEST_MS)), until };
}

function logFinding({ log }: ReconcileDeps, about: object, { kind, fixed, ...finding }: Finding): void {
  const fields = { ...about, difference: kind, ...finding };
  if (fixed) log.warn(fields, 'settled a difference from the processor');
  else log.error(fields, 'payments differ from the processor: run ringkey reconcile');
}
