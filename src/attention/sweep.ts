/** Searches for causes of attention items, opens items for new ones, and closes those whose cause is gone. */
import { takeAdvisoryLocks, tryAdvisoryLock } from '../db/advisory-locks.ts';
import { insertAttentionEvents } from '../db/attention/attention-events.ts';
import { writeFoundAttention } from '../db/attention/attention-items.ts';
import { CERTIFICATE_FINDERS } from '../db/attention/certificates.ts';
import { DELIVERY_FINDERS } from '../db/attention/delivery.ts';
import { KEY_LIMIT_FINDER, limitFinder } from '../db/attention/limits.ts';
import { PAYMENT_FINDERS } from '../db/attention/payments.ts';
import { NOTE_SWEEP, SERVICE_FINDERS } from '../db/attention/service.ts';
import type { Database, Sql } from '../db/pool.ts';
import type { Scope } from '../domain/account.ts';
import { ACCOUNT_LIMITS, type AccountLimits } from '../domain/account-limits.ts';
import type { FoundAttention } from '../domain/attention.ts';

const FINDERS = [...PAYMENT_FINDERS, ...DELIVERY_FINDERS, ...SERVICE_FINDERS, ...CERTIFICATE_FINDERS, KEY_LIMIT_FINDER];

/** A list waits no longer than this for each statement of its refreshment. */
const REFRESH_LIMIT_MS = 1_500;
/** The database's own limit is shorter than a slow refreshment. Its limit for statements is a little longer. */
const WORKER_LOCK_LIMIT_MS = 9_000;
const LOCK = 'attention items';

/**
 * Sweeps run one after the other, so that none closes what another has just found. While one runs, the refreshment of a
 * list does nothing. The worker waits, or an account that always reads its list would stop the sweeps of all accounts.
 * @param scope null: all accounts, for the worker
 */
export function sweepAttention(
  database: Pick<Database, 'transaction'>,
  scope: Scope | null,
  limits: AccountLimits = ACCOUNT_LIMITS,
): Promise<void> {
  return database.transaction(async (sql) => {
    if (!(await isOurTurn(sql, scope))) return;
    if (scope === null) await sql.query(NOTE_SWEEP);
    else await sql.query(`select set_config('statement_timeout', '${REFRESH_LIMIT_MS}', true)`);
    const found: FoundAttention[] = [];
    for (const finder of [...FINDERS, limitFinder(limits)]) found.push(...(await finder.find(sql, scope)));
    await writeFoundAttention(sql, scope, found);
    await insertAttentionEvents(sql);
  });
}

async function isOurTurn(sql: Sql, scope: Scope | null): Promise<boolean> {
  if (scope !== null) return tryAdvisoryLock(sql, LOCK);
  await sql.query(`select set_config('lock_timeout', '${WORKER_LOCK_LIMIT_MS}', true)`);
  await takeAdvisoryLocks(sql, [LOCK]);
  return true;
}
