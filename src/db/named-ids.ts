/** What processors call charges and refunds: whether the id that a person gives one of them belongs to another. */
import type { ChargeId, RefundId } from '../domain/ids.ts';
import { readFirst, type Sql } from './pool.ts';
import { takeTurns } from './turns.ts';

/** Columns with the processor's id. */
const NAMED = { charges: 'processor_payment_id', refunds: 'processor_refund_id' } as const;

/** What speaks against an id. */
export type NameConflict =
  /** The processor has named the row itself otherwise. */
  | { type: 'named_otherwise' }
  /** The id is this one's. */
  | { type: 'named_another'; other: ChargeId | RefundId };

/**
 * Looks for what speaks against an id of the processor's, and keeps others from giving it away by hand until the
 * transaction ends. Locks the row. What answers of the processor write meanwhile is not kept out.
 * @returns null where nothing does, or the row is not pending any more
 */
export async function findNameConflict(
  sql: Sql,
  table: keyof typeof NAMED,
  id: ChargeId | RefundId,
  processorId: string,
): Promise<NameConflict | null> {
  const row = await readFirst<{ named: string | null; turn: string }>(
    sql,
    `select ${NAMED[table]} as named, concat_ws(' ', 'name of ${table}', account_id, mode, processor) as turn
       from ${table} where id = $1 and status = 'pending' for no key update`,
    [id],
  );
  if (row === null) return null;
  if (row.named !== null) return row.named === processorId ? null : { type: 'named_otherwise' };
  await takeTurns(sql, [`${row.turn} ${processorId}`]);
  const other = await findNamed(sql, table, id, processorId);
  return other === null ? null : { type: 'named_another', other };
}

/**
 * Of the same account, mode, processor and account at the processor; without one, of the same merchant. Failed ones,
 * too: the processor has declined them by that id.
 *
 * There is no index on these ids, which every charge would pay for: those of two weeks are read, by an index on account
 * or merchant and time. Two tries to pay one thing are minutes apart; refunds of one charge are read whenever they were
 * made.
 */
export async function findNamed(
  sql: Sql,
  table: keyof typeof NAMED,
  id: ChargeId | RefundId,
  processorId: string,
): Promise<ChargeId | RefundId | null> {
  const found = await readFirst<{ id: ChargeId | RefundId }>(
    sql,
    `${table === 'refunds' ? OF_SAME_CHARGE : ''}
     (select o.id
       from ${table} r
       left join merchant_processors p on p.merchant_id = r.merchant_id and p.processor = r.processor
       join ${table} o on o.account_id = r.account_id and o.mode = r.mode
                      and o.created_at between r.created_at - interval '7 days' and r.created_at + interval '7 days'
       left join merchant_processors q on q.merchant_id = o.merchant_id and q.processor = o.processor
      where r.id = $1 and o.id <> r.id and o.processor = r.processor and o.${NAMED[table]} = $2
        and coalesce(q.processor_account, o.merchant_id) = coalesce(p.processor_account, r.merchant_id)
      limit 1)`,
    [id, processorId],
  );
  return found?.id ?? null;
}

/** SQL. One that was given up after a month may have been asked for once more meanwhile. */
const OF_SAME_CHARGE = `(
  select o.id from refunds r join refunds o on o.charge_id = r.charge_id
   where r.id = $1 and o.id <> r.id and o.${NAMED.refunds} = $2 limit 1)
  union all`;
