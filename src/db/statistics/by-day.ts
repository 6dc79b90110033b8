/**
 * The statements of the statistics that the daily roll-up cannot answer: charges by the days of any time zone, from the
 * roll-up's quarters of an hour, and refunds, from the index of refunded charges (`charges_with_refunds`).
 */
import type { StatisticsRequest } from '../../domain/statistics.ts';
import { IS_PAYMENT } from '../charges/charge-facts.ts';
import { Conditions } from '../conditions.ts';
import type { QuarterSources } from './roll-up.ts';
import { CHARGE_SUMS, ofScopeIn, partsOf, periodsOf, type Statement } from './statements.ts';

export interface DayRow {
  /** `2026-11-20`, in the time zone. */
  day: string;
  currency: string;
  succeeded: number;
  failed: number;
  amountCents: number;
}

const withoutQuarters = (request: StatisticsRequest): QuarterSources => {
  const [, period] = periodsOf(request);
  return { days: [], ranges: [period], quarters: period };
};

const IN_PART = 'charges.created_at >= part.since and charges.created_at < part.until';

/** Sums the charges of the current period by the days of the time zone. */
export function countDays(request: StatisticsRequest, sources = withoutQuarters(request)): Statement {
  const conditions = new Conditions();
  const ofScope = ofScopeIn(conditions, request);
  const parts = partsOf(conditions, sources);
  const days = conditions.parameter(sources.days);
  const [since, until] = [sources.quarters.since, sources.quarters.until].map((at) => conditions.parameter(at));
  const zone = conditions.parameter(request.timeZone);
  // Summed by quarters of an hour first, because the day of each row takes time to find.
  const text = `
    with counted as (
      select of_part.* from ${parts}
       cross join lateral (
         select date_bin('15 minutes', created_at, timestamptz 'epoch') as starts_at, currency, ${CHARGE_SUMS}
           from charges where ${ofScope('charges')} and ${IN_PART} and ${IS_PAYMENT} group by 1, 2) of_part
      union all
      select starts_at, currency, sum(succeeded), sum(failed), 0, sum(amount_cents)
        from charge_quarters
       where ${ofScope('charge_quarters')} and day = any(${days}::date[]) and starts_at >= ${since} and starts_at < ${until}
       group by 1, 2)
    select (starts_at at time zone ${zone})::date::text as day, currency, sum(succeeded)::integer as succeeded,
           sum(failed)::integer as failed, sum(amount_cents)::float8 as "amountCents"
      from counted group by 1, 2`;
  return { text, values: conditions.values };
}

export interface RefundRow {
  isCurrent: boolean;
  currency: string;
  /** Null unless the row is about a merchant. */
  merchantId: string | null;
  /** Null unless the row is about a day. */
  day: string | null;
  refundedCents: number;
}

/**
 * Sums what was refunded of the charges: in all, and in the current period by merchant and by day. As in the totals of
 * charges, the refund of a bank debit counts even if the bank has returned the debit.
 */
export function sumRefunds(request: StatisticsRequest): Statement {
  const conditions = new Conditions();
  const ofScope = ofScopeIn(conditions, request);
  const parts = partsOf(conditions, { ranges: periodsOf(request) });
  const start = conditions.parameter(request.from);
  const zone = conditions.parameter(request.timeZone);
  const text = `
    with refunded as (
      select created_at >= ${start}::timestamptz as is_current, merchant_id, currency, (created_at at time zone ${zone})::date as day, refunded_cents
        from ${parts} join charges on ${ofScope('charges')} and ${IN_PART} and charges.refunded_cents > 0)
    select is_current as "isCurrent", currency, merchant_id as "merchantId", refunded.day::text as day,
           sum(refunded_cents)::float8 as "refundedCents"
      from refunded
     group by grouping sets ((is_current, currency), (is_current, currency, merchant_id), (is_current, currency, refunded.day))
    having is_current or (grouping(merchant_id) = 1 and grouping(refunded.day) = 1)`;
  return { text, values: conditions.values };
}
