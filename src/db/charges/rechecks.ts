/** Rechecks: charges that failed because the processor did not have them are looked up again later. */
import type { Charge } from '../../domain/charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';
import { CHARGE } from './charges.ts';

export async function insertRecheck(sql: Sql, id: ChargeId, inMs: number): Promise<void> {
  await sql.query(
    `insert into charge_rechecks (charge_id, due_at) values ($1, now() + $2::integer * interval '1 millisecond')
     on conflict do nothing`,
    [id, inMs],
  );
}

/** SQL: when the next recheck is due. */
export const RECHECKS_DUE = 'select min(due_at) from charge_rechecks';

/** A charge to recheck. `ageMs`: since its creation. */
export type DueRecheck = Charge & { ageMs: number };

/** Returns a claimed recheck that had no result: the same one is due again in `inMs`. */
export async function repeatRecheck(sql: Sql, id: ChargeId, inMs: number): Promise<void> {
  await sql.query(
    `update charge_rechecks set looks = looks - 1, due_at = now() + $2::integer * interval '1 millisecond'
      where charge_id = $1 and looks > 0`,
    [id, inMs],
  );
}

/** Ends the rechecks. @returns false if they had already ended */
export async function endRechecks(sql: Sql, id: ChargeId): Promise<boolean> {
  const statement = 'delete from charge_rechecks where charge_id = $1';
  return (await sql.query(statement, [id])).rowCount === 1;
}

/**
 * Claims up to `limit` due charges, for one recheck each. There are two rechecks, the second `againInMs` after the
 * first.
 */
export async function claimRechecks(sql: Sql, limit: number, againInMs: number): Promise<DueRecheck[]> {
  const { rows } = await sql.query<DueRecheck>(
    `with due as (
       update charge_rechecks
          set looks = looks + 1,
              due_at = case looks when 0 then now() + $2::integer * interval '1 millisecond' else 'infinity' end
        where charge_id in (select charge_id from charge_rechecks where due_at <= now()
                             order by due_at limit $1 for update skip locked)
       returning charge_id)
     select ${CHARGE}, extract(epoch from now() - charges.created_at)::double precision * 1000 as "ageMs"
       from charges join due on due.charge_id = charges.id`,
    [limit, againInMs],
  );
  return rows;
}
