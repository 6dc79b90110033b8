/**
 * The statements of the statistics. Each reads one period of one account by the index of its table (account_id, mode,
 * time). The period and the one before are adjacent, so that one scan covers both.
 */
import { ASKED_FIELDS, askStep, CHARGE_STEP, RETURN_STEP } from '../../domain/call.ts';
import type { StatisticsRequest } from '../../domain/statistics.ts';
import { type Conditions, inScope, type ListedTable } from '../conditions.ts';

export interface Statement {
  text: string;
  values: unknown[];
}

/** The start of the previous period. */
export function startOfBefore({ from, to }: Pick<StatisticsRequest, 'from' | 'to'>): Date {
  return new Date(2 * from.getTime() - to.getTime());
}

const CHARGES: ListedTable = { name: 'charges', time: 'created_at' };
const CALLS: ListedTable = { name: 'calls', time: 'started_at' };

function conditionsOf(table: ListedTable, request: StatisticsRequest, after = startOfBefore(request)): Conditions {
  const { scope, merchantId, to } = request;
  return inScope(table, scope, { after, before: to }).add(`${table.name}.merchant_id = $?`, merchantId);
}

/** The grouping of a row of {@link countCharges}. */
type ChargeGroup = 'total' | 'merchant' | 'day' | 'decline';

export interface ChargeRow {
  group: ChargeGroup;
  isCurrent: boolean;
  /** Null in a row of declines. */
  currency: string | null;
  merchantId: string | null;
  /** `2026-11-20`. */
  day: string | null;
  code: string | null;
  succeeded: number;
  failed: number;
  pending: number;
  amountCents: number;
}

/** Sums the charges in four ways in one scan. Merchants and days cover the current period only. */
export function countCharges(request: StatisticsRequest): Statement {
  const conditions = conditionsOf(CHARGES, request);
  const from = conditions.parameter(request.from);
  const zone = conditions.parameter(request.timeZone);
  const text = `
    with counted as (
      select created_at >= ${from} as is_current, merchant_id, currency, status, amount_cents, decline_code,
             (created_at at time zone ${zone})::date as day
        from charges where ${conditions.sql})
    select case when grouping(currency) = 1 then 'decline' when grouping(merchant_id) = 0 then 'merchant'
                when grouping(day) = 0 then 'day' else 'total' end as "group",
           is_current as "isCurrent", currency, merchant_id as "merchantId", day::text as day, decline_code as code,
           (count(*) filter (where status = 'succeeded'))::integer as succeeded,
           (count(*) filter (where status = 'failed'))::integer as failed,
           (count(*) filter (where status = 'pending'))::integer as pending,
           coalesce(sum(amount_cents) filter (where status = 'succeeded'), 0)::float8 as "amountCents"
      from counted
     group by grouping sets ((is_current, currency), (is_current, currency, merchant_id), (is_current, currency, day),
                             (is_current, decline_code))
    having is_current or (grouping(merchant_id) = 1 and grouping(day) = 1)`;
  return { text, values: conditions.values };
}

export interface FunnelRow {
  isCurrent: boolean;
  /** The index in FUNNEL_STEPS. */
  place: number;
  reached: number;
  wentOn: number;
}

/** The middle steps of a call, in order; `answered` comes before them, `returned` after. */
const MIDDLE_STEPS = [...ASKED_FIELDS.map(askStep), CHARGE_STEP];

/** Counts how far calls got, by their timelines. A call passed a step if it reached a later one, or was paid. */
export function countSteps(request: StatisticsRequest): Statement {
  const conditions = conditionsOf(CALLS, request)
    .require('calls.answered_at is not null')
    .require('calls.ended_at is not null');
  const from = conditions.parameter(request.from);
  const steps = `${conditions.parameter(MIDDLE_STEPS)}::text[]`;
  const last = MIDDLE_STEPS.length + 1;
  const text = `
    with ended as (
      select calls.started_at >= ${from} as is_current, coalesce(calls.outcome = 'succeeded', false) as is_paid,
             calls.return_mode is not null as is_back, noted.places, noted.is_leaving
        from calls
       cross join lateral (
         select coalesce(array_agg(distinct array_position(${steps}, step)) filter (where step = any(${steps})), '{}') as places,
                coalesce(bool_or(step = '${RETURN_STEP}'), false) as is_leaving
           from jsonb_to_recordset(calls.timeline) as of_call(step text)) noted
       where ${conditions.sql})
    select is_current as "isCurrent", place, (count(*) filter (where has_reached))::integer as reached,
           (count(*) filter (where has_reached and has_gone_on))::integer as "wentOn"
      from ended
     cross join generate_series(0, ${last}) place
     cross join lateral (
       select case place when 0 then true when ${last} then is_leaving or is_back else place = any(places) end as has_reached,
              case place when 0 then is_paid or cardinality(places) > 0 when ${last} then is_back
                         else is_paid or place < any(places) end as has_gone_on) of_step
     group by is_current, place`;
  return { text, values: conditions.values };
}

export interface MedianRow {
  isCurrent: boolean;
  seconds: number;
}

/** A call that paid at the end of the period was answered at most this long before the charge was created. */
const LONGEST_CALL_MS = 86_400_000;

/** From the answer of a call to the settled charge that it ended with. */
export function medianTimeToPay(request: StatisticsRequest): Statement {
  const before = startOfBefore(request);
  const paid = conditionsOf(CHARGES, request)
    .require(`status = 'succeeded' and not was_late`)
    .require('settled_at is not null');
  const from = paid.parameter(request.from);
  const callsFrom = paid.parameter(new Date(before.getTime() - LONGEST_CALL_MS));
  // The values of the scope and of `to` are those of the charges: $1, $2 and $4, see inScope.
  const text = `
    with paid as materialized (
      select id, settled_at, created_at >= ${from} as is_current from charges where ${paid.sql})
    select paid.is_current as "isCurrent",
           (percentile_cont(0.5) within group (order by extract(epoch from paid.settled_at - calls.answered_at)))::float8 as seconds
      from calls join paid on paid.id = calls.charge_id
     where calls.account_id = $1 and calls.mode = $2 and calls.started_at >= ${callsFrom} and calls.started_at < $4
       and calls.answered_at <= paid.settled_at
     group by paid.is_current`;
  return { text, values: paid.values };
}
