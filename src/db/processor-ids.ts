/** The processors' IDs of charges and refunds: finds the row that has one, and gives one to a single row at a time. */
import type { Charge } from '../domain/charge.ts';
import type { ChargeId, RefundId } from '../domain/ids.ts';
import type { Refund } from '../domain/refund.ts';
import { takeAdvisoryLocks } from './advisory-locks.ts';
import { readFirst, type Sql } from './pool.ts';

const COLUMN = { charges: 'processor_payment_id', refunds: 'processor_refund_id' } as const;

/**
 * Before an ID is recorded manually. Until the transaction ends, no other manual settlement can claim the same ID. It
 * does not lock out IDs that the processor's own answers write meanwhile.
 * @returns the other charge or refund that has the ID; null if none has
 */
export async function claimProcessorId(
  sql: Sql,
  table: keyof typeof COLUMN,
  { id, accountId, mode, processor }: Charge | Refund,
  processorId: string,
): Promise<ChargeId | RefundId | null> {
  await takeAdvisoryLocks(sql, [`name of ${table} ${accountId} ${mode} ${processor} ${processorId}`]);
  return findWithProcessorId(sql, table, id, processorId);
}

/**
 * Finds another row with the processor's ID: of the same account, mode, processor and account at the processor. Without
 * that account, of the same merchant. Failed ones count: the processor declined them under that ID.
 *
 * There is no index on these IDs, because every charge would pay for it. Rows within a week are read by an index on
 * account or merchant and time: two attempts to pay the same thing are minutes apart. Refunds of the same charge are
 * read whatever their age.
 */
export async function findWithProcessorId(
  sql: Sql,
  table: keyof typeof COLUMN,
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
      where r.id = $1 and o.id <> r.id and o.processor = r.processor and o.${COLUMN[table]} = $2
        and coalesce(q.processor_account, o.merchant_id) = coalesce(p.processor_account, r.merchant_id)
      limit 1)`,
    [id, processorId],
  );
  return found?.id ?? null;
}

/** SQL. A refund that was given up after a month may have been requested again since. */
const OF_SAME_CHARGE = `(
  select o.id from refunds r join refunds o on o.charge_id = r.charge_id
   where r.id = $1 and o.id <> r.id and o.${COLUMN.refunds} = $2 limit 1)
  union all`;
