/**
 * The statements of the statistics. Each reads the period and the one before of one account: whole days from the roll-up
 * (roll-up.ts), the rest by the index of charges or calls (account_id, mode, time).
 */
import { COUNTED_STEPS, RETURN_STEP } from '../../domain/call.ts';
import type { StatisticsRequest } from '../../domain/statistics.ts';
import { IS_COUNTED_CALL, STEPS_OF_CALL } from '../calls/reached-steps.ts';
import { IS_APPROVED, IS_PAYMENT, TAKEN_CENTS } from '../charges/charge-facts.ts';
import { Conditions } from '../conditions.ts';

export interface Statement {
  text: string;
  values: unknown[];
}

export interface Range {
  since: Date;
  until: Date;
}

/** The period before, and the period. */
export function periodsOf({ compareFrom, from, to }: Omit<StatisticsRequest, 'scope'>): [before: Range, period: Range] {
  const beforeTo = new Date(compareFrom.getTime() + to.getTime() - from.getTime());
  return [
    { since: compareFrom, until: beforeTo },
    { since: from, until: to },
  ];
}

/** The ranges in order, those that adjoin as one. */
export function joined(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const range of ranges) {
    const last = all.at(-1);
    if (last !== undefined && +last.until === +range.since) last.until = range.until;
    else all.push({ ...range });
  }
  return all;
}

/** What the statements read: whole days from the roll-up, the rest from charges and calls. */
export interface Sources {
  /** UTC days that are rolled up, none of which has parts in both periods. */
  days: readonly string[];
  /** The times that these days leave. */
  ranges: readonly Range[];
}

/** Both periods from charges and calls. */
const withoutRollUp = (request: StatisticsRequest): Sources => ({
  days: [],
  ranges: joined(periodsOf(request)),
});

/** SQL: the ranges, as `part (since, until)`. */
export function partsOf(conditions: Conditions, { ranges }: Pick<Sources, 'ranges'>): string {
  const since = conditions.parameter(ranges.map((range) => range.since));
  const until = conditions.parameter(ranges.map((range) => range.until));
  return `unnest(${since}::timestamptz[], ${until}::timestamptz[]) as part (since, until)`;
}

/** SQL: that a row of a table belongs to the scope, and to the merchant if there is one. */
export function ofScopeIn(conditions: Conditions, { scope, merchantId }: StatisticsRequest): (name: string) => string {
  const [account, mode, merchant] = [scope.accountId, scope.mode, merchantId].map((value) =>
    value === null ? null : conditions.parameter(value),
  );
  return (name) =>
    `${name}.account_id = ${account} and ${name}.mode = ${mode} ${merchant === null ? '' : `and ${name}.merchant_id = ${merchant}`}`;
}

type RollUpTable = 'charge_days' | 'call_days' | 'payment_time_days';

/** Conditions on the table's rows within the ranges, and on those of its roll-up. They have the same values. */
function conditionsOf(request: StatisticsRequest, sources: Sources, table: 'charges' | 'calls', rollUp: RollUpTable) {
  const conditions = new Conditions();
  const ofScope = ofScopeIn(conditions, request);
  const time = table === 'charges' ? 'charges.created_at' : 'calls.started_at';
  const start = conditions.parameter(request.from);
  return {
    conditions,
    ofScope,
    parts: partsOf(conditions, sources),
    inParts: `${ofScope(table)} and ${time} >= part.since and ${time} < part.until`,
    isCurrent: `${time} >= ${start}::timestamptz`,
    inDays: `${ofScope(rollUp)} and day = any(${conditions.parameter(sources.days)}::date[])`,
    isCurrentDay: `day::timestamp at time zone 'UTC' >= ${start}::timestamptz`,
  };
}

/** The grouping of a row of {@link countCharges}. */
type ChargeGroup = 'total' | 'merchant' | 'decline';

export interface ChargeRow {
  group: ChargeGroup;
  isCurrent: boolean;
  /** Null in a row of declines. */
  currency: string | null;
  merchantId: string | null;
  code: string | null;
  succeeded: number;
  failed: number;
  pending: number;
  amountCents: number;
}

/** SQL: the sums of a row of `charge_days`, of `charges`. */
export const CHARGE_SUMS = `
  count(*) filter (where ${IS_APPROVED}) as succeeded, count(*) filter (where status = 'failed') as failed,
  count(*) filter (where status = 'pending') as pending,
  coalesce(sum(${TAKEN_CENTS('charges')}) filter (where status = 'succeeded'), 0) as amount_cents`;

/** Sums the charges in three ways. Merchants cover the current period only. */
export function countCharges(request: StatisticsRequest, sources = withoutRollUp(request)): Statement {
  const { conditions, parts, inParts, isCurrent, inDays, isCurrentDay } = conditionsOf(
    request,
    sources,
    'charges',
    'charge_days',
  );
  // Summed within each part, before they are sorted for each grouping.
  const text = `
    with counted as (
      select of_part.* from ${parts}
       cross join lateral (
         select ${isCurrent} as is_current, merchant_id, currency, decline_code, ${CHARGE_SUMS}
           from charges where ${inParts} and ${IS_PAYMENT} group by 1, 2, 3, 4) of_part
      union all
      select ${isCurrentDay}, merchant_id, currency, decline_code, succeeded, failed, pending, amount_cents
        from charge_days where ${inDays})
    select case when grouping(currency) = 1 then 'decline' when grouping(merchant_id) = 0 then 'merchant'
                else 'total' end as "group",
           is_current as "isCurrent", currency, merchant_id as "merchantId", decline_code as code,
           sum(succeeded)::integer as succeeded, sum(failed)::integer as failed, sum(pending)::integer as pending,
           sum(amount_cents)::float8 as "amountCents"
      from counted
     group by grouping sets ((is_current, currency), (is_current, currency, merchant_id), (is_current, decline_code))
    having is_current or grouping(merchant_id) = 1`;
  return { text, values: conditions.values };
}

export interface FunnelRow {
  isCurrent: boolean;
  /** The index in FUNNEL_STEPS. */
  place: number;
  reached: number;
  wentOn: number;
  saved: number;
}

/**
 * SQL: joins calls with the checkouts that only save a card. As an array these are read once, by their index, and hashed:
 * right after an account begins to save cards, PostgreSQL expects none, and would compare each call with each of them.
 * @param ofScope SQL: the scope of `checkout_sessions`
 */
export const savingCheckouts = (ofScope: string) => `
  left join unnest(array(select id from checkout_sessions where ${ofScope} and purpose = 'save_card')) saving (id)
    on saving.id = calls.session_id`;

/** SQL: whether a call saved a card without a payment. Reads {@link savingCheckouts}. */
export const HAS_SAVED = `coalesce(calls.outcome = 'succeeded' and saving.id is not null, false)`;

/** Counts how far calls got. A call passed a step if it reached a later one, or was paid. */
export function countSteps(request: StatisticsRequest, sources = withoutRollUp(request)): Statement {
  const { conditions, ofScope, parts, inParts, isCurrent, inDays, isCurrentDay } = conditionsOf(
    request,
    sources,
    'calls',
    'call_days',
  );
  const steps = `${conditions.parameter(COUNTED_STEPS)}::text[]`;
  const last = COUNTED_STEPS.length + 1;
  const text = `
    with ended as (
      select of_part.* from ${parts}
       cross join lateral (
         select ${isCurrent} as is_current, coalesce(outcome = 'succeeded', false) as is_paid, ${HAS_SAVED} as is_saved,
                return_mode is not null as is_back, ${STEPS_OF_CALL} as steps, count(*) as calls
           from calls ${savingCheckouts(ofScope('checkout_sessions'))}
          where ${inParts} and ${IS_COUNTED_CALL} group by 1, 2, 3, 4, 5) of_part
      union all
      select ${isCurrentDay}, is_paid, is_saved, is_back, steps, calls from call_days where ${inDays}),
    -- A few rows of many days and merchants, before each is joined with every step.
    ways as (
      select is_current, is_paid, is_saved, is_back, steps, sum(calls) as calls from ended group by 1, 2, 3, 4, 5),
    placed as (
      select is_current, is_paid, is_saved, is_back, calls, '${RETURN_STEP}' = any(steps) as is_leaving,
             array(select array_position(${steps}, step) from unnest(steps) step where step = any(${steps})) as places
        from ways)
    select is_current as "isCurrent", place, coalesce(sum(calls) filter (where has_reached), 0)::integer as reached,
           coalesce(sum(calls) filter (where has_reached and has_gone_on), 0)::integer as "wentOn",
           coalesce(sum(calls) filter (where place = ${last - 1} and has_reached and is_saved), 0)::integer as saved
      from placed
     cross join generate_series(0, ${last}) place
     cross join lateral (
       select case place when 0 then true when ${last} then is_leaving or is_back else place = any(places) end as has_reached,
              case place when 0 then is_paid or cardinality(places) > 0 when ${last} then is_back
                         when ${last - 1} then is_paid and not is_saved
                         else is_paid or place < any(places) end as has_gone_on) of_step
     group by is_current, place`;
  return { text, values: conditions.values };
}

export interface MedianRow {
  isCurrent: boolean;
  seconds: number;
}

/** A call was answered at most this long before it was paid. */
const LONGEST_CALL = "interval '1 day'";

/** SQL: the charges whose time is counted. */
const IS_PAID = `charges.${IS_APPROVED} and not charges.was_late and charges.settled_at is not null and ${IS_PAYMENT}`;

/**
 * SQL: seconds to pay, with the number of charges, from `charges` and the calls that they ended.
 * @param charges SQL: which charges
 * @param since SQL: when the first of them was created
 * @param until SQL: they were created before
 */
export const paymentTimes = (columns: string, charges: string, since: string, until: string) => `
  select ${columns}, extract(epoch from charges.settled_at - calls.answered_at) as seconds, count(*) as charges
    from charges join calls on calls.charge_id = charges.id
   where ${charges} and ${IS_PAID} and calls.account_id = charges.account_id and calls.mode = charges.mode
     and calls.started_at >= ${since} - ${LONGEST_CALL} and calls.started_at < ${until}
     and calls.answered_at <= charges.settled_at`;

/** From the answer of a call to the settled charge that it ended with. */
export function medianTimeToPay(request: StatisticsRequest, sources = withoutRollUp(request)): Statement {
  const { conditions, ofScope, parts, inParts, isCurrent, inDays, isCurrentDay } = conditionsOf(
    request,
    sources,
    'charges',
    'payment_time_days',
  );
  const times = paymentTimes(`${isCurrent} as is_current`, inParts, 'part.since', 'part.until');
  // Grouped within each part, or the planner would read all calls between the first and the last.
  const text = `
    with paid as (
      select of_part.* from ${parts}
       cross join lateral (${times} and ${ofScope('calls')} group by 1, 2) of_part
      union all
      select ${isCurrentDay}, seconds, charges from payment_time_days where ${inDays}),
    ordered as (
      select is_current, seconds, sum(charges) as charges,
             sum(sum(charges)) over (partition by is_current order by seconds) as up_to,
             sum(sum(charges)) over (partition by is_current) as total
        from paid group by is_current, seconds)
    -- The middle one, or the mean of the middle two.
    select is_current as "isCurrent", avg(seconds)::float8 as seconds from ordered
     where up_to * 2 >= total and (up_to - charges) * 2 <= total
     group by is_current`;
  return { text, values: conditions.values };
}
