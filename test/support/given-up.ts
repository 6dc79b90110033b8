/** Charges and refunds that the resolver has given up, as if their processor had said nothing for days. */
import type { Database } from '../../src/db/pool.ts';

/** @param id of a pending charge or refund */
export async function giveUp(database: Database, id: string): Promise<void> {
  const table = id.startsWith('ch_') ? 'charges' : 'refunds';
  const text = `update ${table} set resolve_at = 'infinity', created_at = created_at - interval '31 days'
                 where id = $1 and status = 'pending'`;
  if ((await database.query(text, [id])).rowCount !== 1) throw new Error(`${id} is not pending`);
}
