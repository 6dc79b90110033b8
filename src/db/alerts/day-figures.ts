/** The figures of one day of an account, for the daily summary. */
import type { Scope } from '../../domain/account.ts';
import type { DayFigures, DayPayments } from '../../domain/alerts.ts';
import { IS_APPROVED, IS_PAYMENT, TAKEN_CENTS } from '../charges/charge-facts.ts';
import { readOne, type Sql } from '../pool.ts';
import { HAS_SAVED, savingCheckouts } from '../statistics/statements.ts';

/** @param day `2026-11-20`, in the time zone */
export async function readDayFigures(
  sql: Sql,
  { accountId, mode }: Scope,
  day: string,
  timeZone: string,
): Promise<DayFigures> {
  const bounds = await readOne<{ since: Date; until: Date }>(
    sql,
    `select $1::date::timestamp at time zone $2 as since, ($1::date + 1)::timestamp at time zone $2 as until`,
    [day, timeZone],
  );
  const values = [accountId, mode, bounds.since, bounds.until];
  const counts = await readOne<Pick<DayFigures, 'calls' | 'paidCalls' | 'succeeded' | 'failed'>>(sql, COUNTS, values);
  const { rows: payments } = await sql.query<DayPayments>(PAYMENTS, values);
  const { usualRate } = await readOne<{ usualRate: number | null }>(sql, USUAL_RATE, [accountId, mode, day]);
  return { day, ...counts, payments, usualRate };
}

const inDay = (table: string, time: string) =>
  `${table}.account_id = $1 and ${table}.mode = $2 and ${table}.${time} >= $3 and ${table}.${time} < $4`;

const COUNTS = `
  select calls.total as calls, calls.paid as "paidCalls", charges.succeeded, charges.failed
    from (select count(*)::integer as total, (count(*) filter (where calls.outcome = 'succeeded' and not ${HAS_SAVED}))::integer as paid
            from calls ${savingCheckouts('account_id = $1 and mode = $2')} where ${inDay('calls', 'started_at')}) calls
   cross join (select (count(*) filter (where ${IS_APPROVED}))::integer as succeeded,
                      (count(*) filter (where status = 'failed'))::integer as failed
                 from charges where ${inDay('charges', 'created_at')} and ${IS_PAYMENT}) charges`;

/** Charges and refunds count on the day when they were created, and pending refunds too, as in the month-end report. */
const PAYMENTS = `
  select currency, sum(payments)::integer as payments, sum(gross)::float8 as "grossCents", sum(refunded)::float8 as "refundedCents"
    from (select currency, 1 as payments, ${TAKEN_CENTS('charges')} as gross, 0 as refunded
            from charges where ${inDay('charges', 'created_at')} and status = 'succeeded' and ${IS_PAYMENT}
           union all
          select currency, 0, 0, amount_cents from refunds where ${inDay('refunds', 'created_at')} and status <> 'failed') money
   group by currency order by sum(gross) desc, currency`;

/** The week before comes from the statistics' roll-up of UTC days. */
const USUAL_RATE = `
  select sum(succeeded)::float8 / nullif(sum(succeeded + failed), 0) as "usualRate" from charge_days
   where account_id = $1 and mode = $2 and day between $3::date - 7 and $3::date - 1`;
