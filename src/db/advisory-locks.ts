/** Advisory locks: transactions about the same thing, such as an order or a caller, run one after the other. */
import { createHash } from 'node:crypto';
import { readOne, type Sql } from './pool.ts';

/**
 * Waits until no other transaction holds one of these names, and holds them until this transaction ends. Locks are taken
 * in a fixed order, so that there are no deadlocks.
 * @param names any text. Two names with the same hash exclude each other, too
 */
export async function takeAdvisoryLocks(sql: Sql, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const keys = [...new Set(names.map(lockKey))].sort((one, other) => (one < other ? -1 : 1));
  await sql.query({
    name: 'take_advisory_locks',
    text: 'select pg_advisory_xact_lock(key) from unnest($1::bigint[]) as key',
    values: [keys.map(String)],
  });
}

/** @returns false, at once, if another transaction holds the name. Otherwise this one holds it until it ends */
export async function tryAdvisoryLock(sql: Sql, name: string): Promise<boolean> {
  const text = 'select pg_try_advisory_xact_lock($1::bigint) as locked';
  return (await readOne<{ locked: boolean }>(sql, text, [String(lockKey(name))])).locked;
}

/** A signed 64-bit integer: the key of a PostgreSQL advisory lock. */
function lockKey(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE();
}
