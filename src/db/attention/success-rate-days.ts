/**
 * Merchants with few charges, which succeed far less often than in the four weeks before. The decision is in
 * domain/success-rate.ts. All counts come from the statistics' roll-up of UTC days, and an account's are compared again only
 * after a new day or an hour. Meanwhile, its open items stay as they are.
 */
import type { Scope } from '../../domain/account.ts';
import type { AttentionFacts, FoundAttention } from '../../domain/attention.ts';
import type { MerchantId } from '../../domain/ids.ts';
import {
  type ChargeCounts,
  FEW_A_DAY,
  FEWEST_USUAL,
  farBelowUsual,
  LAST_DAYS,
  USUAL_DAYS,
} from '../../domain/success-rate.ts';
import { IS_PAYMENT } from '../charges/charge-facts.ts';
import type { Sql } from '../pool.ts';
import { type AttentionFinder, isInScope, SCOPES } from './finder.ts';
import { firstOfEach, lowRateFacts, timeText, withReasons } from './success-rate-facts.ts';

const KIND = 'success_rate_low_for_days';
const LONGEST_HOURS = Math.max(...LAST_DAYS.hours);
const LONGEST_DAYS = LONGEST_HOURS / 24;
const HOUR_MS = 3_600_000;

/** SQL: the first day that may not be rolled up yet, because its calls may not have ended. See statistics/roll-up.ts. */
const FIRST_OPEN = `date_trunc('day', now() - interval '1 hour', 'UTC')`;

/** Notes that those that are due are compared. While charges wait for the roll-up of their day, none is. */
const TAKE_DUE = `
  insert into rate_comparisons (account_id, mode, day, compared_at)
  select scope.account_id, scope.mode, last.day, now()
    from ${SCOPES}
    cross join lateral (
      select day from statistics_days
       where account_id = scope.account_id and mode = scope.mode order by day desc limit 1) last
    cross join lateral (
      select (select created_at from charges where account_id = scope.account_id and mode = scope.mode
                 and created_at >= (last.day + 1)::timestamp at time zone 'UTC' order by created_at limit 1) as at) waiting
    left join rate_comparisons done on done.account_id = scope.account_id and done.mode = scope.mode
   where (done.day is distinct from last.day or done.compared_at < now() - interval '1 hour')
     and (waiting.at is null or waiting.at >= ${FIRST_OPEN})
  on conflict (account_id, mode) do update set day = excluded.day, compared_at = excluded.compared_at
  returning account_id as "accountId", mode, day::text as day`;

interface DueDay extends Scope {
  /** The last day that is compared, in UTC. */
  day: string;
}

const OPEN = `
  select kind, account_id as "accountId", mode, merchant_id as "merchantId", facts,
         extract(epoch from now() - opened_at)::float8 / 3600 as hours
    from attention_items
   where kind in ('${KIND}', 'success_rate_low') and closed_at is null and ${isInScope('attention_items')}`;

interface OpenItem extends Scope {
  kind: string;
  merchantId: MerchantId;
  facts: AttentionFacts;
  /** How long it has been open. */
  hours: number;
}

const countEach = (counted: string) =>
  `array[${LAST_DAYS.hours.map((hours) => `coalesce(sum(${counted}) filter (where d.day > due.day - ${hours / 24}), 0)`).join(', ')}]::integer[]`;
const IS_USUAL = `filter (where d.day <= due.day - ${LONGEST_DAYS})`;

/** Merchants that had charges four weeks before, or have no usual rate. A day that is long ago is no last one. */
const RATES = `
  select due.account_id as "accountId", due.mode, d.merchant_id as "merchantId", due.day::text as day,
         ${countEach('succeeded + failed')} as charges, ${countEach('failed')} as failed,
         (sum(succeeded + failed) ${IS_USUAL})::integer as "usualCharges", (sum(failed) ${IS_USUAL})::integer as "usualFailed"
    from unnest($1::text[], $2::mode[], $3::date[]) due (account_id, mode, day)
    join charge_days d on d.account_id = due.account_id and d.mode = due.mode
     and d.day between due.day - ${LONGEST_DAYS + USUAL_DAYS - 1} and due.day
   where due.day >= (now() at time zone 'UTC')::date - ${LONGEST_DAYS}
   group by due.account_id, due.mode, due.day, d.merchant_id
  having sum(succeeded + failed) ${IS_USUAL} between ${FEWEST_USUAL} and ${USUAL_DAYS * FEW_A_DAY}
     and min(d.day) < due.day - ${LONGEST_DAYS + USUAL_DAYS - 8}
   order by d.merchant_id`;

interface RatesRow extends DueDay {
  merchantId: MerchantId;
  /** Of each of the windows. */
  charges: number[];
  failed: number[];
  usualCharges: number;
  usualFailed: number;
}

/** Of a few merchants: how often a checkout failed again, and when their last item of either kind closed. */
const DETAILS = `
  select merchant_id as "merchantId",
         (select coalesce(sum(f * f)::float8 / nullif(sum(f), 0), 1)
            from (select count(*) as f from charges
                   where charges.merchant_id = low.merchant_id and status = 'failed' and ${IS_PAYMENT}
                     and created_at >= until - interval '${LONGEST_HOURS} hours' and created_at < until
                   group by session_id) checkouts) as dispersion,
         (select max(closed_at) from attention_items i
           where i.account_id = low.account_id and i.mode = low.mode and i.subject = low.merchant_id
             and closed_at > until - interval '${LONGEST_HOURS} hours'
             and kind in ('${KIND}', 'success_rate_low')) as "closedAt"
    from unnest($1::text[], $2::mode[], $3::text[], $4::timestamptz[]) low (account_id, mode, merchant_id, until)`;

interface Details {
  dispersion: number;
  closedAt: Date | null;
}

export const SUCCESS_RATE_DAYS_FINDER: AttentionFinder = {
  kind: KIND,
  async find(sql: Sql, scope: Scope | null) {
    const ofScope = [scope?.accountId ?? null, scope?.mode ?? null];
    const { rows: open } = await sql.query<OpenItem>(OPEN, ofScope);
    const { rows: due } = await sql.query<DueDay>(TAKE_DUE, ofScope);
    const isDue = (item: Scope) =>
      due.some(({ accountId, mode }) => item.accountId === accountId && item.mode === mode);
    const stays = open.filter((item) => item.kind === KIND && !isDue(item)).map(itemOf);
    return [...stays, ...(due.length === 0 ? [] : await compare(sql, due, open))];
  },
};

function itemOf({ accountId, mode, merchantId, facts }: Omit<OpenItem, 'kind' | 'hours'>): FoundAttention {
  return { kind: KIND, accountId, mode, subject: merchantId, merchantId, facts, newestAt: null };
}

async function compare(sql: Sql, due: readonly DueDay[], open: readonly OpenItem[]): Promise<FoundAttention[]> {
  const { rows } = await sql.query<RatesRow>(RATES, [
    due.map(({ accountId }) => accountId),
    due.map(({ mode }) => mode),
    due.map(({ day }) => day),
  ]);
  const openOf = (row: RatesRow, kind: string) =>
    open.find((item) => item.kind === kind && item.merchantId === row.merchantId && item.mode === row.mode) ?? null;
  const withoutShort = rows.filter((row) => openOf(row, 'success_rate_low') === null);
  const low = withoutShort.filter((row) => lowRateOf(row, openOf(row, KIND), UNKNOWN) !== null);
  const details = await detailsOf(sql, low);
  const found = low.map((row) => lowRateOf(row, openOf(row, KIND), details.get(row.merchantId) ?? UNKNOWN));
  return withReasons(sql, firstOfEach(found.filter((item) => item !== null)));
}

/** No other details let more items open, so only the merchants that these let open one need theirs. */
const UNKNOWN: Details = { dispersion: 1, closedAt: null };

async function detailsOf(sql: Sql, rows: readonly RatesRow[]): Promise<Map<MerchantId, Details>> {
  if (rows.length === 0) return new Map();
  const { rows: found } = await sql.query<Details & { merchantId: MerchantId }>(DETAILS, [
    rows.map(({ accountId }) => accountId),
    rows.map(({ mode }) => mode),
    rows.map(({ merchantId }) => merchantId),
    rows.map(untilOf),
  ]);
  return new Map(found.map(({ merchantId, ...each }) => [merchantId, each]));
}

/** The end of the last day. */
const untilOf = ({ day }: DueDay) => new Date(Date.parse(day) + 24 * HOUR_MS);

function lowRateOf(row: RatesRow, item: OpenItem | null, { dispersion, closedAt }: Details): FoundAttention | null {
  const end = untilOf(row).getTime();
  const before = (hours: number) => timeText(end - hours * HOUR_MS);
  const windows = new Map<number, ChargeCounts>();
  for (const [place, hours] of LAST_DAYS.hours.entries()) {
    // What was told before is not told again.
    if (item === null && closedAt !== null && end - hours * HOUR_MS < closedAt.getTime()) continue;
    windows.set(hours, { charges: row.charges[place] ?? 0, failed: row.failed[place] ?? 0 });
  }
  const usual = { charges: row.usualCharges, failed: row.usualFailed };
  const opened = item?.facts.opened;
  const known = opened === undefined ? null : { ...opened, hoursAgo: item?.hours ?? 0 };
  const hours = farBelowUsual({ windows, usual, dispersion, opened: known }, LAST_DAYS);
  const told = hours === null ? undefined : windows.get(hours);
  if (hours === null || told === undefined) return null;
  const facts = {
    ...lowRateFacts({ told, usual, hours, from: before(hours), until: before(0), opened }),
    usualUntil: before(LONGEST_HOURS),
  };
  return itemOf({ ...row, facts });
}
