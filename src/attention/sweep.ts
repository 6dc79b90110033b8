/** Searches for causes of attention items, opens items for new ones, and closes those whose cause is gone. */
import { tryAdvisoryLock } from '../db/advisory-locks.ts';
import { writeFoundAttention } from '../db/attention/attention-items.ts';
import { DELIVERY_FINDERS } from '../db/attention/delivery.ts';
import { PAYMENT_FINDERS } from '../db/attention/payments.ts';
import { NOTE_SWEEP, SERVICE_FINDERS } from '../db/attention/service.ts';
import type { Database } from '../db/pool.ts';
import type { Scope } from '../domain/account.ts';
import type { FoundAttention } from '../domain/attention.ts';

const FINDERS = [...PAYMENT_FINDERS, ...DELIVERY_FINDERS, ...SERVICE_FINDERS];

/** A list waits no longer than this for its refreshment. */
const REFRESH_LIMIT_MS = 1_500;

/**
 * Sweeps run one after the other, so that none closes what another has just found. While one runs, this one does nothing.
 * @param scope null: all accounts, for the worker
 */
export function sweepAttention(database: Pick<Database, 'transaction'>, scope: Scope | null): Promise<void> {
  return database.transaction(async (sql) => {
    if (!(await tryAdvisoryLock(sql, 'attention items'))) return;
    if (scope === null) await sql.query(NOTE_SWEEP);
    else await sql.query(`select set_config('statement_timeout', '${REFRESH_LIMIT_MS}', true)`);
    const found: FoundAttention[] = [];
    for (const finder of FINDERS) found.push(...(await finder.find(sql, scope)));
    await writeFoundAttention(sql, scope, found);
  });
}
