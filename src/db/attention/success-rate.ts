/** Merchants whose charges succeed far less often than in the week before. The decision is in domain/success-rate.ts. */
import type { Scope } from '../../domain/account.ts';
import type { AttentionFacts, FoundAttention } from '../../domain/attention.ts';
import type { MerchantId } from '../../domain/ids.ts';
import { type ChargeCounts, farBelowUsual, QUARTER_HOUR, RATE_WINDOWS } from '../../domain/success-rate.ts';
import { IS_PAYMENT } from '../charges/charge-facts.ts';
import type { Sql } from '../pool.ts';
import { type AttentionFinder, inPeriod, SCOPES, SECOND } from './finder.ts';
import { firstOfEach, lowRateFacts, timeText, withReasons } from './success-rate-facts.ts';

const SPANS = [QUARTER_HOUR, ...RATE_WINDOWS];
const LONGEST_HOURS = Math.max(...SPANS);
const spanOf = (hours: number) => `interval '${hours} hours'`;

/** SQL: counts of each span, as an array. */
const countEach = (condition: string) =>
  `array[${SPANS.map((hours) => `count(*) filter (where ${condition} and created_at >= ${SECOND} - ${spanOf(hours)})`).join(', ')}]::integer[]`;

/**
 * At most so many of a merchant's newest charges are read, or those of the last hour if there are more. Windows that go
 * further back are left out: with so many charges, the shorter ones show a change, too.
 */
const MOST_READ = 2_000;

/** Merchants with charges in the last hour or an open item. The week comes from the statistics' roll-up of UTC days. */
const RATES = `
  select scope.account_id as "accountId", scope.mode, busy.merchant_id as "merchantId", recent.charges, recent.failed,
         recent.hours as "readHours",
         (select coalesce(sum(f * f)::float8 / nullif(sum(f), 0), 1)
            from (select count(*) as f from charges
                   where merchant_id = busy.merchant_id and created_at >= recent.oldest
                     and ${inPeriod('created_at', spanOf(LONGEST_HOURS))} and status = 'failed' and ${IS_PAYMENT}
                   group by session_id) checkouts) as dispersion,
         week.charges as "usualCharges", week.failed as "usualFailed", ${SECOND} as "readAt", open_item.facts as "openFacts",
         extract(epoch from now() - open_item.opened_at)::float8 / 3600 as "openHours"
    from ${SCOPES}
    cross join lateral (
      select merchant_id, sum(charges)::integer as of_hour
        from (select merchant_id, count(*) as charges from charges
               where account_id = scope.account_id and mode = scope.mode and ${inPeriod('created_at', spanOf(1))}
               group by merchant_id
               union all
              select merchant_id, 0 from attention_items
               where kind = 'success_rate_low' and closed_at is null and account_id = scope.account_id
                 and mode = scope.mode) each
       group by merchant_id) busy
    cross join lateral (
      select coalesce(sum(succeeded + failed), 0)::integer as charges, coalesce(sum(failed), 0)::integer as failed
        from charge_days d
       where d.account_id = scope.account_id and d.mode = scope.mode and d.merchant_id = busy.merchant_id
         and d.day between (now() at time zone 'UTC')::date - 7 and (now() at time zone 'UTC')::date - 1) week
    cross join lateral (
      select ${countEach("status <> 'pending'")} as charges, ${countEach("status = 'failed'")} as failed,
             min(created_at) as oldest,
             case when count(*) < greatest(${MOST_READ}, busy.of_hour) then ${LONGEST_HOURS}
                  else greatest(1, extract(epoch from ${SECOND} - min(created_at))::float8 / 3600) end as hours
        from (select status, created_at from charges
               where merchant_id = busy.merchant_id and ${inPeriod('created_at', spanOf(LONGEST_HOURS))} and ${IS_PAYMENT}
               order by created_at desc limit greatest(${MOST_READ}, busy.of_hour)) newest) recent
    left join attention_items open_item
      on open_item.kind = 'success_rate_low' and open_item.closed_at is null and open_item.account_id = scope.account_id
     and open_item.mode = scope.mode and open_item.subject = busy.merchant_id
   order by open_item.id, busy.merchant_id`;

interface RatesRow extends Scope {
  merchantId: MerchantId;
  /** Of each of the {@link SPANS}. */
  charges: number[];
  failed: number[];
  /** How far back all charges were read. */
  readHours: number;
  dispersion: number;
  usualCharges: number;
  usualFailed: number;
  readAt: Date;
  openFacts: AttentionFacts | null;
  openHours: number | null;
}

export const SUCCESS_RATE_FINDER: AttentionFinder = {
  kind: 'success_rate_low',
  async find(sql: Sql, scope: Scope | null) {
    const { rows } = await sql.query<RatesRow>(RATES, [scope?.accountId ?? null, scope?.mode ?? null]);
    const found = rows.map(lowRateOf).filter((item) => item !== null);
    return withReasons(sql, firstOfEach(found));
  },
};

function lowRateOf({ accountId, mode, merchantId, openFacts, openHours, ...row }: RatesRow): FoundAttention | null {
  const { dispersion, usualCharges, usualFailed } = row;
  const windows = new Map<number, ChargeCounts>();
  for (const [place, hours] of SPANS.entries()) {
    if (hours > row.readHours) continue;
    windows.set(hours, { charges: row.charges[place] ?? 0, failed: row.failed[place] ?? 0 });
  }
  const usual = { charges: usualCharges, failed: usualFailed };
  const before = openFacts?.opened;
  const opened = before === undefined ? null : { ...before, hoursAgo: openHours ?? 0 };
  const hours = farBelowUsual({ windows, usual, dispersion, opened });
  const told = hours === null ? undefined : windows.get(hours);
  if (hours === null || told === undefined) return null;
  const second = row.readAt.getTime();
  const [from, until] = [timeText(second - hours * 3_600_000), timeText(second + 1_000)];
  const facts = lowRateFacts({ told, usual, hours, from, until, opened: before });
  // If each charge were a newer cause, an item could not stay done.
  return { kind: 'success_rate_low', accountId, mode, subject: merchantId, merchantId, facts, newestAt: null };
}
