/** The table `debit_returns`: bank debits that were paid, as long as the bank can return them, and those that it has returned. */
import type { Charge } from '../../domain/charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';
import { CHARGE } from './charges.ts';

/** The debit was paid, also again after a return, and is looked up in `inMs`. */
export async function insertReturnCheck(
  sql: Sql,
  { id, accountId, mode }: Pick<Charge, 'id' | 'accountId' | 'mode'>,
  inMs: number,
): Promise<void> {
  await sql.query(
    `insert into debit_returns (charge_id, account_id, mode, check_at)
     values ($1, $2, $3, now() + $4::double precision * interval '1 millisecond')
     on conflict (charge_id) do update set check_at = excluded.check_at, returned_at = null
      where debit_returns.returned_at is not null`,
    [id, accountId, mode, inMs],
  );
}

/** SQL: when the next paid debit is to be looked up. */
export const RETURN_CHECKS_DUE = 'select min(check_at) from debit_returns';

/** A paid debit to look up. */
export interface DueReturnCheck {
  charge: Charge;
  /** Since its creation. */
  ageMs: number;
  /** Since it was paid. */
  paidForMs: number;
}

/** Claims up to `limit` due debits. Each is due again in `againInMs`. */
export async function claimReturnChecks(sql: Sql, limit: number, againInMs: number): Promise<DueReturnCheck[]> {
  const { rows } = await sql.query<Charge & Omit<DueReturnCheck, 'charge'>>(
    `with due as (
       update debit_returns set check_at = now() + $2::double precision * interval '1 millisecond'
        where charge_id in (select charge_id from debit_returns where check_at <= now()
                             order by check_at limit $1 for update skip locked)
       returning charge_id)
     select ${CHARGE}, extract(epoch from now() - charges.created_at)::double precision * 1000 as "ageMs",
            extract(epoch from now() - charges.settled_at)::double precision * 1000 as "paidForMs"
       from charges join due on due.charge_id = charges.id`,
    [limit, againInMs],
  );
  return rows.map(({ ageMs, paidForMs, ...charge }) => ({ charge, ageMs, paidForMs }));
}

/** Looks a paid debit up at once. */
export async function checkReturnSoon(sql: Sql, id: ChargeId, inMs = 0): Promise<void> {
  await sql.query(
    `update debit_returns set check_at = least(check_at, now() + $2::double precision * interval '1 millisecond')
      where charge_id = $1 and check_at is not null`,
    [id, inMs],
  );
}

/** The bank can no longer return the debit. */
export async function endReturnChecks(sql: Sql, id: ChargeId): Promise<void> {
  await sql.query('delete from debit_returns where charge_id = $1 and returned_at is null', [id]);
}

/** The bank has returned a paid debit. @returns null if the charge is no paid debit (any more) */
export async function writeReturned(
  sql: Sql,
  { id, accountId, mode }: Pick<Charge, 'id' | 'accountId' | 'mode'>,
  { declineCode, processorCode }: Pick<Charge, 'declineCode' | 'processorCode'>,
): Promise<Charge | null> {
  const returned = await readFirst<Charge>(
    sql,
    `update charges set status = 'failed', returned_at = now(), decline_code = $2, processor_code = $3
      where id = $1 and status = 'succeeded' and payment_method = 'us_bank_account'
     returning ${CHARGE}`,
    [id, declineCode, processorCode],
  );
  if (returned === null) return null;
  await sql.query(
    `insert into debit_returns (charge_id, account_id, mode, returned_at) values ($1, $2, $3, now())
     on conflict (charge_id) do update set check_at = null, returned_at = now()`,
    [id, accountId, mode],
  );
  return returned;
}
