/** Makes the resolver look up at once what a notification may have changed. It keeps the attempts that it has left. */
import type { Charge } from '../../domain/charge.ts';
import type { ChargeId, MerchantId } from '../../domain/ids.ts';
import { CHARGE } from '../charges/charges.ts';
import { checkReturnSoon } from '../charges/debit-returns.ts';
import { readFirst, type Sql } from '../pool.ts';

/** A claim counts one attempt. A row that was given up starts again. */
const NOW = `resolve_at = now(),
  resolve_attempts = case when resolve_at = 'infinity' then 0 else greatest(resolve_attempts - 1, 0) end`;

/** As long as its own process may still wait for the processor's answer. */
const IN_FLIGHT = "interval '1 minute'";

/** The merchant's charge at that processor; null if there is none. */
export function findChargeAt(
  sql: Sql,
  merchantId: MerchantId,
  processor: string,
  id: ChargeId,
): Promise<Charge | null> {
  const text = `select ${CHARGE} from charges where id = $1 and merchant_id = $2 and processor = $3`;
  return readFirst(sql, text, [id, merchantId, processor]);
}

/**
 * A pending charge whose outcome is unknown, one that failed because the processor did not have it, or a paid bank debit.
 * @returns false if it is pending and its own process still waits for the answer
 */
export async function hurryCharge(sql: Sql, { id }: Pick<Charge, 'id'>): Promise<boolean> {
  await sql.query('update charge_rechecks set due_at = now() where charge_id = $1 and due_at > now()', [id]);
  await checkReturnSoon(sql, id);
  const { rowCount } = await sql.query(
    `update charges set ${NOW}
      where id = $1 and status = 'pending' and action_deadline is null
        and exists (select from events where charge_id = $1 and type = 'checkout.pending')`,
    [id],
  );
  if (rowCount === 1) return true;
  const text = `select from charges where id = $1 and status = 'pending'`;
  return (await readFirst(sql, text, [id])) === null;
}

/** Pending refunds, captures and voids of a charge. @returns false if one of them may still be in flight */
export async function hurryChanges(sql: Sql, { id }: Pick<Charge, 'id'>): Promise<boolean> {
  let areAll = true;
  for (const table of ['refunds', 'hold_changes'] as const) {
    await sql.query(
      `update ${table} set ${NOW} where charge_id = $1 and status = 'pending' and created_at < now() - ${IN_FLIGHT}`,
      [id],
    );
    const text = `select from ${table} where charge_id = $1 and status = 'pending' and created_at >= now() - ${IN_FLIGHT}`;
    areAll &&= (await readFirst(sql, `${text} limit 1`, [id])) === null;
  }
  return areAll;
}
