/**
 * Reads an account's statistics: few statements with a time limit, so that a long period does not burden the database.
 */
import type { MerchantId } from '../../domain/ids.ts';
import {
  type ChargeCounts,
  FUNNEL_STEPS,
  MOST_MERCHANTS,
  type PeriodFigures,
  type Statistics,
  type StatisticsRequest,
} from '../../domain/statistics.ts';
import { countBoth, readRows } from '../counting.ts';
import type { Database, Sql } from '../pool.ts';
import { countDays, type DayRow, type RefundRow, sumRefunds } from './by-day.ts';
import { findQuarterSources, findSources } from './roll-up.ts';
import {
  type ChargeRow,
  countCharges,
  countSteps,
  type FunnelRow,
  type MedianRow,
  medianTimeToPay,
  periodsOf,
  type Statement,
} from './statements.ts';

/** `too_long`: a statement took too long. `unknown_zone`: the database has no such time zone. */
type StatisticsReading = Statistics | 'too_long' | 'unknown_zone';

const REASONS: Readonly<Record<string, Exclude<StatisticsReading, Statistics>>> = {
  // invalid_parameter_value, query_canceled.
  '22023': 'unknown_zone',
  '57014': 'too_long',
};

export async function readStatistics(
  database: Pick<Database, 'transaction'>,
  request: StatisticsRequest,
): Promise<StatisticsReading> {
  try {
    const [perDay, others] = await countBoth(
      database,
      (sql) => countPerDay(sql, request),
      (sql) => countOthers(sql, request),
    );
    return statisticsOf(request, { ...perDay, ...others });
  } catch (error) {
    const reason = REASONS[String((error as { code?: unknown }).code)];
    if (reason === undefined) throw error;
    return reason;
  }
}

interface Counted {
  charges: ChargeRow[];
  refunds: RefundRow[];
  days: DayRow[];
  steps: FunnelRow[];
  medians: MedianRow[];
}

/** Takes as long as {@link countOthers}. */
async function countPerDay(sql: Sql, request: StatisticsRequest): Promise<Pick<Counted, 'days' | 'refunds'>> {
  const sources = await findQuarterSources(sql, request);
  const days = await read<DayRow>(sql, countDays(request, sources));
  return { days, refunds: await read<RefundRow>(sql, sumRefunds(request)) };
}

async function countOthers(sql: Sql, request: StatisticsRequest): Promise<Omit<Counted, 'days' | 'refunds'>> {
  const sources = await findSources(sql, request);
  const charges = await read<ChargeRow>(sql, countCharges(request, sources));
  const steps = await read<FunnelRow>(sql, countSteps(request, sources));
  return { charges, steps, medians: await read<MedianRow>(sql, medianTimeToPay(request, sources)) };
}

const read = <Row extends object>(sql: Sql, { text, values }: Statement) => readRows<Row>(sql, text, values);

function statisticsOf(request: StatisticsRequest, { charges, refunds, days, steps, medians }: Counted): Statistics {
  const figures = (isCurrent: boolean) => {
    const ofPeriod = <Row extends { isCurrent: boolean }>(rows: Row[]) =>
      rows.filter((row) => row.isCurrent === isCurrent);
    return periodFigures(ofPeriod(charges), ofPeriod(refunds), ofPeriod(steps), ofPeriod(medians));
  };
  const [before, period] = periodsOf(request);
  return {
    period: { from: period.since, to: period.until, ...figures(true) },
    before: { from: before.since, to: before.until, ...figures(false) },
    merchants: merchantsOf(charges, refunds),
    days: daysBetween(request).map((date) => ({
      date,
      ...countsOf(
        days.filter(({ day }) => day === date),
        refunds.filter(({ day }) => day === date),
      ),
    })),
  };
}

function periodFigures(
  charges: ChargeRow[],
  refunds: RefundRow[],
  steps: FunnelRow[],
  [median]: MedianRow[],
): Omit<PeriodFigures, 'from' | 'to'> {
  const totals = charges.filter(({ group }) => group === 'total');
  const declines = charges.filter(({ group, failed }) => group === 'decline' && failed > 0);
  return {
    ...countsOf(
      totals,
      refunds.filter(({ day, merchantId }) => day === null && merchantId === null),
    ),
    pending: sum(totals.map(({ pending }) => pending)),
    medianSecondsToPay: median === undefined ? null : Math.round(median.seconds * 10) / 10,
    funnel: FUNNEL_STEPS.map((step, place) => {
      const row = steps.find((each) => each.place === place);
      return { step, reached: row?.reached ?? 0, wentOn: row?.wentOn ?? 0, saved: row?.saved ?? 0 };
    }),
    declines: declines
      .map(({ code, failed }) => ({ code, count: failed }))
      .sort((a, b) => b.count - a.count || (a.code ?? '').localeCompare(b.code ?? '')),
  };
}

function merchantsOf(charges: ChargeRow[], refunds: RefundRow[]): Statistics['merchants'] {
  const rows = charges.filter(({ group }) => group === 'merchant');
  const byMerchant = new Map<string, ChargeRow[]>();
  for (const row of rows) byMerchant.set(row.merchantId ?? '', [...(byMerchant.get(row.merchantId ?? '') ?? []), row]);
  return [...byMerchant]
    .map(([merchantId, ofOne]) => ({
      merchantId: merchantId as MerchantId,
      ...countsOf(
        ofOne,
        refunds.filter((refund) => refund.merchantId === merchantId),
      ),
    }))
    .sort((a, b) => b.succeeded + b.failed - (a.succeeded + a.failed))
    .slice(0, MOST_MERCHANTS);
}

/** @param rows one per currency @param refunds one per currency */
function countsOf(
  rows: Pick<ChargeRow, 'currency' | 'succeeded' | 'failed' | 'amountCents'>[],
  refunds: RefundRow[],
): ChargeCounts {
  return {
    succeeded: sum(rows.map(({ succeeded }) => succeeded)),
    failed: sum(rows.map(({ failed }) => failed)),
    payments: rows
      .map(({ currency, succeeded, amountCents }) => ({
        currency: currency ?? '',
        count: succeeded,
        amountCents,
        refundedCents: refunds.find((refund) => refund.currency === currency)?.refundedCents ?? 0,
      }))
      // A bank debit that was refunded can be returned, which leaves the refund of a failed charge.
      .filter(({ count, refundedCents }) => count > 0 || refundedCents > 0)
      .sort((a, b) => b.count - a.count || a.currency.localeCompare(b.currency)),
  };
}

const sum = (counts: number[]) => counts.reduce((all, each) => all + each, 0);

const DAY_MS = 86_400_000;

/** The dates of the zone from `from` to `to`. @param to exclusive */
function daysBetween({ from, to, timeZone }: StatisticsRequest): string[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const last = format.format(new Date(to.getTime() - 1));
  const days = [format.format(from)];
  for (let day = days[0] ?? last; day < last; days.push(day)) {
    day = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  }
  return days;
}
