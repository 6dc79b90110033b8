/** Searches for causes of attention items, opens items for new ones, and closes those whose cause is gone. */
import pg from 'pg';
import { takeAdvisoryLocks, tryAdvisoryLock } from '../db/advisory-locks.ts';
import { insertAttentionEvents } from '../db/attention/attention-events.ts';
import { writeFoundAttention } from '../db/attention/attention-items.ts';
import { CERTIFICATE_FINDERS } from '../db/attention/certificates.ts';
import { DELIVERY_FINDERS } from '../db/attention/delivery.ts';
import type { AttentionFinder } from '../db/attention/finder.ts';
import { KEY_LIMIT_FINDER, limitFinder } from '../db/attention/limits.ts';
import { PAYMENT_FINDERS } from '../db/attention/payments.ts';
import { NOTE_SWEEP, SERVICE_FINDERS } from '../db/attention/service.ts';
import type { Database, Sql } from '../db/pool.ts';
import { withSavepoints } from '../db/savepoints.ts';
import type { Scope } from '../domain/account.ts';
import { ACCOUNT_LIMITS, type AccountLimits } from '../domain/account-limits.ts';
import type { AttentionKind, FoundAttention } from '../domain/attention.ts';

const FINDERS = [...PAYMENT_FINDERS, ...DELIVERY_FINDERS, ...SERVICE_FINDERS, ...CERTIFICATE_FINDERS, KEY_LIMIT_FINDER];

/** A list waits no longer than this for each statement of its refreshment. */
const REFRESH_LIMIT_MS = 1_500;
/** The database's own limit is shorter than a slow refreshment. Its limit for statements is a little longer. */
const WORKER_LOCK_LIMIT_MS = 9_000;
const LOCK = 'attention items';

/** Kinds whose causes could not be searched. Their items stay as they were. All other kinds are up to date. */
export class IncompleteSweep extends AggregateError {
  override name = 'IncompleteSweep';
}

/**
 * Sweeps run one after the other, so that none closes what another has just found. While one runs, the refreshment of a
 * list does nothing. The worker waits, or an account that always reads its list would stop the sweeps of all accounts.
 * @param scope null: all accounts, for the worker
 * @throws IncompleteSweep after everything else was written
 */
export async function sweepAttention(
  database: Pick<Database, 'transaction'>,
  scope: Scope | null,
  limits: AccountLimits = ACCOUNT_LIMITS,
): Promise<void> {
  const failures = await database.transaction(async (sql) => {
    if (!(await isOurTurn(sql, scope))) return [];
    if (scope === null) await sql.query(NOTE_SWEEP);
    else await sql.query(`select set_config('statement_timeout', '${REFRESH_LIMIT_MS}', true)`);
    const { searched, found, failed } = await searchCauses(sql, scope, [...FINDERS, limitFinder(limits)]);
    await writeFoundAttention(sql, scope, { searched, found });
    await insertAttentionEvents(sql);
    return failed;
  });
  const kinds = failures.map(({ kind }) => kind).join(', ');
  if (failures.length > 0) throw new IncompleteSweep(failures, `not searched: ${kinds}`);
}

class FailedSearch extends Error {
  constructor(
    readonly kind: AttentionKind,
    cause: unknown,
  ) {
    super(`causes of ${kind} could not be searched`, { cause });
  }
}

/**
 * Each kind in a savepoint, so that one whose statement takes too long keeps no other one from people. The refreshment of a
 * list goes without: it has to be fast, and the worker does the same within a minute.
 */
async function searchCauses(sql: Sql, scope: Scope | null, finders: readonly AttentionFinder[]) {
  const searched: AttentionKind[] = [];
  const found: FoundAttention[] = [];
  const failed: FailedSearch[] = [];
  const savepoints = withSavepoints(sql);
  for (const finder of finders) {
    try {
      const search = () => finder.find(sql, scope);
      found.push(...(scope === null ? await savepoints.transaction(search) : await search()));
      searched.push(finder.kind);
    } catch (error) {
      if (scope !== null || !(error instanceof pg.DatabaseError)) throw error;
      failed.push(new FailedSearch(finder.kind, error));
    }
  }
  return { searched, found: withoutRepetition(found), failed };
}

/** A merchant whose charges fail in the last hours needs no second item about the last days. */
function withoutRepetition(found: readonly FoundAttention[]): FoundAttention[] {
  const low = found.filter(({ kind }) => kind === 'success_rate_low');
  const isTold = ({ subject, mode }: FoundAttention) =>
    low.some((item) => item.subject === subject && item.mode === mode);
  return found.filter((item) => item.kind !== 'success_rate_low_for_days' || !isTold(item));
}

async function isOurTurn(sql: Sql, scope: Scope | null): Promise<boolean> {
  if (scope !== null) return tryAdvisoryLock(sql, LOCK);
  await sql.query(`select set_config('lock_timeout', '${WORKER_LOCK_LIMIT_MS}', true)`);
  await takeAdvisoryLocks(sql, [LOCK]);
  return true;
}
