/**
 * The daily roll-up that statistics read: for each account, mode and UTC day the sums of charges, calls and times to
 * pay. A day that changes later is marked by triggers, read from charges and calls again, and rolled up again.
 */

import type { Scope } from '../../domain/account.ts';
import type { StatisticsRequest } from '../../domain/statistics.ts';
import { IS_APPROVED, IS_PAYMENT, TAKEN_CENTS } from '../charges/charge-facts.ts';
import type { Database, Sql } from '../pool.ts';
import { HAS_SAVED, IS_COUNTED_CALL, paymentTimes, type Sources, STEPS_OF_CALL, startOfBefore } from './statements.ts';

/** The longest period of statistics, and the one before it. */
const HISTORY_DAYS = 2 * 92;
/** SQL: first key of the advisory locks; see migration 0072. */
const LOCK = `pg_advisory_xact_lock(72142, hashtext($1::text || $2::text || $3::text))`;
/** SQL: days before this one are over, and calls that began on them have mostly ended. */
const FIRST_OPEN_DAY = `((now() - interval '1 hour') at time zone 'UTC')::date`;

interface Day extends Scope {
  /** `2026-11-20`, in UTC. */
  day: string;
}

const UTC = `at time zone 'UTC'`;
/** SQL: the bounds of the day `$3`. */
const SINCE = `($3::date::timestamp ${UTC})`;
const UNTIL = `(($3::date + 1)::timestamp ${UTC})`;
const inDay = (table: 'charges' | 'calls', time: string) =>
  `${table}.account_id = $1 and ${table}.mode = $2 and ${table}.${time} >= ${SINCE} and ${table}.${time} < ${UNTIL}`;

const ROLL_UPS = {
  charge_days: `
    insert into charge_days (account_id, mode, day, merchant_id, currency, decline_code, succeeded, failed, pending, amount_cents)
    select $1::text, $2::mode, $3::date, merchant_id, currency, decline_code, count(*) filter (where ${IS_APPROVED}),
           count(*) filter (where status = 'failed'), count(*) filter (where status = 'pending'),
           coalesce(sum(${TAKEN_CENTS('charges')}) filter (where status = 'succeeded'), 0)
      from charges where ${inDay('charges', 'created_at')} and ${IS_PAYMENT} group by merchant_id, currency, decline_code`,
  call_days: `
    insert into call_days (account_id, mode, day, merchant_id, is_paid, is_saved, is_back, steps, calls)
    select $1::text, $2::mode, $3::date, merchant_id, coalesce(outcome = 'succeeded', false), ${HAS_SAVED},
           return_mode is not null, ${STEPS_OF_CALL}, count(*)
      from calls where ${inDay('calls', 'started_at')} and ${IS_COUNTED_CALL}
     group by 4, 5, 6, 7, 8`,
  payment_time_days: `
    insert into payment_time_days (account_id, mode, day, merchant_id, seconds, charges)
    select $1::text, $2::mode, $3::date, merchant_id, round(seconds, 1), sum(charges)
      from (${paymentTimes('charges.merchant_id', inDay('charges', 'created_at'), SINCE, UNTIL)} group by 1, 2) times
     group by merchant_id, round(seconds, 1)`,
} as const;

/** Days per batch, of different accounts and modes. */
const BATCH = 50;

/**
 * Rolls up days that are over, or that have changed. Several workers can do the same.
 * @param historyDays how old a day can be
 * @returns whether there can be more
 */
export async function rollUpDays(
  database: Database,
  stop: AbortSignal,
  historyDays = HISTORY_DAYS,
): Promise<{ more: boolean }> {
  const days = [...(await findStaleDays(database)), ...(await findNextDays(database, historyDays))];
  for (const day of days) {
    if (stop.aborted) break;
    await database.transaction((sql) => rollUpDay(sql, day));
  }
  return { more: days.length > 0 };
}

async function rollUpDay(sql: Sql, { accountId, mode, day }: Day): Promise<void> {
  const values = [accountId, mode, day];
  // Before the first statement that reads: changes of the day that are not seen by it wait, and then mark the day.
  await sql.query(`select ${LOCK}`, values);
  for (const [table, insert] of Object.entries(ROLL_UPS)) {
    await sql.query(`delete from ${table} where account_id = $1 and mode = $2 and day = $3`, values);
    await sql.query(insert, values);
  }
  await sql.query(
    `insert into statistics_days (account_id, mode, day) values ($1, $2, $3)
     on conflict (account_id, mode, day) do update set is_stale = false`,
    values,
  );
}

async function findStaleDays(sql: Sql): Promise<Day[]> {
  const { rows } = await sql.query<Day>(
    `select account_id as "accountId", mode, day::text as day from statistics_days where is_stale limit ${BATCH}`,
  );
  return rows;
}

/** Of each account and mode, the first day after the last one rolled up that has charges or calls. */
async function findNextDays(sql: Sql, historyDays: number): Promise<Day[]> {
  const firstDay = (table: 'charges' | 'calls', time: string) => `
    left join lateral (
      select (${time} ${UTC})::date as day from ${table}
       where account_id = scope.account_id and mode = scope.mode and ${time} >= last.day::timestamp ${UTC}
       order by ${time} limit 1) ${table} on true`;
  const { rows } = await sql.query<Day>(
    `select scope.account_id as "accountId", scope.mode, least(charges.day, calls.day)::text as day
       from (select id as account_id, mode from accounts cross join unnest(enum_range(null::mode)) mode) scope
      cross join lateral (
        select coalesce(max(day) + 1, current_date - $1::integer) as day from statistics_days
         where account_id = scope.account_id and mode = scope.mode) last
       ${firstDay('charges', 'created_at')} ${firstDay('calls', 'started_at')}
      where least(charges.day, calls.day) < ${FIRST_OPEN_DAY} limit ${BATCH}`,
    [historyDays],
  );
  return rows;
}

/** What statistics read: the rolled up days between their bounds, and the times that remain. */
export async function findSources(sql: Sql, request: StatisticsRequest): Promise<Sources> {
  const { scope, from, to, timeZone } = request;
  const periods = [
    { since: startOfBefore(request), until: from },
    { since: from, until: to },
  ];
  // Days of other time zones have parts of two UTC days.
  if (timeZone !== 'UTC') return { days: [], ranges: periods };
  const { rows } = await sql.query<{ day: string }>(
    `select day::text as day from statistics_days
      where account_id = $1 and mode = $2 and not is_stale and exists (
        select from unnest($3::timestamptz[], $4::timestamptz[]) as period (since, until)
         where day::timestamp ${UTC} >= since and (day + 1)::timestamp ${UTC} <= until)
      order by day`,
    [scope.accountId, scope.mode, periods.map(({ since }) => since), periods.map(({ until }) => until)],
  );
  const days = rows.map(({ day }) => day);
  return { days, ranges: rangesBetween(days, periods) };
}

const DAY_MS = 86_400_000;

function rangesBetween(days: readonly string[], periods: Sources['ranges']): Sources['ranges'] {
  const starts = days.map((day) => Date.parse(day));
  return periods.flatMap(({ since, until }) => {
    const ranges: { since: Date; until: Date }[] = [];
    let at = since.getTime();
    for (const start of starts.filter((day) => day >= since.getTime() && day < until.getTime())) {
      if (start > at) ranges.push({ since: new Date(at), until: new Date(start) });
      at = start + DAY_MS;
    }
    if (at < until.getTime()) ranges.push({ since: new Date(at), until });
    return ranges;
  });
}
