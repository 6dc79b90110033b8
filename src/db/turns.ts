/** Turns: transactions that concern the same thing, such as an order or a caller, run one after the other. */
import { createHash } from 'node:crypto';
import type { Sql } from './pool.ts';

/**
 * Waits until no other transaction holds one of these names, and holds them until this one ends. Always in the same
 * order, so that two transactions never wait for each other.
 * @param names any text; two that share a hash take turns for nothing
 */
export async function takeTurns(sql: Sql, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const keys = [...new Set(names.map(lockKey))].sort((one, other) => (one < other ? -1 : 1));
  await sql.query({
    name: 'take_turns',
    text: 'select pg_advisory_xact_lock(key) from unnest($1::bigint[]) as key',
    values: [keys.map(String)],
  });
}

/** 64 bits, as PostgreSQL wants them. */
function lockKey(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE();
}
