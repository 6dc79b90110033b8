/**
 * The daily roll-up that statistics read: for each account, mode and UTC day the sums of charges, calls and times to
 * pay. A day that changes later is marked by triggers, read from charges and calls again, and rolled up again.
 */

import type { Scope } from '../../domain/account.ts';
import type { StatisticsRequest } from '../../domain/statistics.ts';
import { IS_COUNTED_CALL, STEPS_OF_CALL } from '../calls/reached-steps.ts';
import { IS_APPROVED, IS_PAYMENT, TAKEN_CENTS } from '../charges/charge-facts.ts';
import type { Database, Sql } from '../pool.ts';
import {
  CHARGE_SUMS,
  HAS_SAVED,
  joined,
  paymentTimes,
  periodsOf,
  type Range,
  type Sources,
  savingCheckouts,
} from './statements.ts';

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
    select $1::text, $2::mode, $3::date, merchant_id, currency, decline_code, ${CHARGE_SUMS}
      from charges where ${inDay('charges', 'created_at')} and ${IS_PAYMENT} group by merchant_id, currency, decline_code`,
  charge_quarters: `
    insert into charge_quarters (account_id, mode, day, merchant_id, currency, starts_at, succeeded, failed, amount_cents)
    select $1::text, $2::mode, $3::date, merchant_id, currency, date_bin('15 minutes', created_at, ${SINCE}),
           count(*) filter (where ${IS_APPROVED}), count(*) filter (where status = 'failed'),
           coalesce(sum(${TAKEN_CENTS('charges')}) filter (where status = 'succeeded'), 0)
      from charges where ${inDay('charges', 'created_at')} and ${IS_PAYMENT} group by merchant_id, currency, 6`,
  call_days: `
    insert into call_days (account_id, mode, day, merchant_id, is_paid, is_saved, is_back, steps, calls)
    select $1::text, $2::mode, $3::date, calls.merchant_id, coalesce(outcome = 'succeeded', false), ${HAS_SAVED},
           return_mode is not null, ${STEPS_OF_CALL}, count(*)
      from calls ${savingCheckouts('account_id = $1 and mode = $2')} where ${inDay('calls', 'started_at')} and ${IS_COUNTED_CALL}
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
    `insert into statistics_days (account_id, mode, day, has_quarters) values ($1, $2, $3, true)
     on conflict (account_id, mode, day) do update set is_stale = false, has_quarters = true`,
    values,
  );
}

async function findStaleDays(sql: Sql): Promise<Day[]> {
  const select = 'select account_id as "accountId", mode, day::text as day from statistics_days';
  // Days that an earlier version rolled up have no quarters.
  const { rows } = await sql.query<Day>(
    `(${select} where is_stale limit ${BATCH})
     union all (${select} where not has_quarters and not is_stale limit ${BATCH})`,
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

/** What statistics read: the rolled up days within one of the periods, and the times that remain. */
export async function findSources(sql: Sql, request: StatisticsRequest): Promise<Sources> {
  const { scope, compareFrom, to } = request;
  const periods = periodsOf(request);
  const isWhole = (start: number) => periods.some(({ since, until }) => start >= +since && start + DAY_MS <= +until);
  const days = (await findRolledUpDays(sql, scope, { since: compareFrom, until: to })).filter(({ day }) =>
    isWhole(Date.parse(day)),
  );
  return sourcesOf(days, periods);
}

/** The time after which a new quarter of an hour can begin in every time zone. */
const QUARTER_MS = 15 * 60_000;

/** What the charges by day are read from: the quarters of an hour within the current period, and the times that remain. */
export interface QuarterSources extends Sources {
  /** The quarters that are within the period. */
  quarters: Range;
}

export async function findQuarterSources(sql: Sql, request: StatisticsRequest): Promise<QuarterSources> {
  const { scope, from, to } = request;
  const first = Math.ceil(+from / QUARTER_MS) * QUARTER_MS;
  const last = Math.max(first, Math.floor(+to / QUARTER_MS) * QUARTER_MS);
  const quarters = { since: new Date(first), until: new Date(last) };
  if (first === last) return { days: [], ranges: [{ since: from, until: to }], quarters };
  const days = (await findRolledUpDays(sql, scope, quarters)).filter(({ hasQuarters }) => hasQuarters);
  const { days: used, ranges } = sourcesOf(days, [quarters]);
  const ends = [
    { since: from, until: quarters.since },
    { since: quarters.until, until: to },
  ].filter(({ since, until }) => since < until);
  return { days: used, ranges: [...ranges, ...ends], quarters };
}

interface RolledUpDay {
  day: string;
  hasQuarters: boolean;
}

/** In order. The first and the last can be partly outside of the range. */
async function findRolledUpDays(sql: Sql, scope: Scope, { since, until }: Range): Promise<RolledUpDay[]> {
  const { rows } = await sql.query<RolledUpDay>(
    `select day::text as day, has_quarters as "hasQuarters" from statistics_days
      where account_id = $1 and mode = $2 and not is_stale
        and day between ($3::timestamptz ${UTC})::date and ($4::timestamptz ${UTC})::date order by day`,
    [scope.accountId, scope.mode, since, until],
  );
  return rows;
}

const DAY_MS = 86_400_000;

function sourcesOf(rolledUp: readonly RolledUpDay[], ranges: readonly Range[]): Sources {
  const days = rolledUp.map(({ day }) => day);
  return { days, ranges: joined(ranges.flatMap((range) => withoutDays(range, days))) };
}

/** What the days leave of the range. @param days in order */
function withoutDays({ since, until }: Range, days: readonly string[]): Range[] {
  const left: Range[] = [];
  let at = +since;
  for (const start of days.map((day) => Date.parse(day))) {
    if (start + DAY_MS <= +since || start >= +until) continue;
    if (start > at) left.push({ since: new Date(at), until: new Date(start) });
    at = start + DAY_MS;
  }
  if (at < +until) left.push({ since: new Date(at), until });
  return left;
}
