/** Reads the month-end report of a merchant: few statements with a time limit, by the indexes of merchants. */
import { type DayTotals, type MonthReportRequest, type MonthTotals, PAYMENT_WAYS } from '../../domain/month-report.ts';
import { IS_PAYMENT, TAKEN_CENTS } from '../charges/charge-facts.ts';
import { countBoth, readRows } from '../counting.ts';
import type { Database, Sql } from '../pool.ts';

const QUERY_CANCELED = '57014';

/** SQL: the rows of the merchant's month. Values: account, mode, merchant, and the starts of its days. */
const inMonth = (table: string) => `
  ${table}.account_id = $1 and ${table}.mode = $2 and ${table}.merchant_id = $3
  and ${table}.created_at >= ($4::timestamptz[])[1] and ${table}.created_at < ($4::timestamptz[])[array_length($4::timestamptz[], 1)]`;
/** SQL: the place of the row's day in the month, from 1. */
const DAY = 'width_bucket(created_at, $4::timestamptz[])';

interface ChargeRow {
  currency: string;
  source: string;
  day: number;
  count: number;
  cents: number;
}

export const CHARGES_OF_MONTH = `
  select currency, source, ${DAY} as day, count(*)::integer as count, sum(${TAKEN_CENTS('charges')})::float8 as cents
    from charges where ${inMonth('charges')} and status = 'succeeded' and ${IS_PAYMENT} group by 1, 2, 3`;

type RefundRow = Omit<ChargeRow, 'source'>;

const REFUNDS_OF_MONTH = `
  select currency, ${DAY} as day, count(*)::integer as count, sum(amount_cents)::float8 as cents
    from refunds where ${inMonth('refunds')} and status <> 'failed' group by 1, 2`;

type DisputeRow = Pick<MonthTotals, 'currency' | 'disputes' | 'disputedCents' | 'lostCents'>;

const DISPUTES_OF_MONTH = `
  select currency, count(*)::integer as disputes, sum(amount_cents)::float8 as "disputedCents",
         coalesce(sum(amount_cents) filter (where status = 'lost'), 0)::float8 as "lostCents"
    from disputes where ${inMonth('disputes')} group by 1`;

type PayoutRow = Pick<MonthTotals, 'currency' | 'payouts' | 'sharedPayouts' | 'paidOutCents' | 'feeCents'>;

/** SQL: whether another merchant has the payout, too. */
const IS_SHARED = `exists (
  select from payouts other
   where other.account_id = payouts.account_id and other.mode = payouts.mode and other.processor = payouts.processor
     and other.processor_payout_id = payouts.processor_payout_id and other.merchant_id <> payouts.merchant_id)`;

/** A payout arrives on a day, which has no time zone. Values: account, mode, merchant, first and last day. */
const PAYOUTS_OF_MONTH = `
  select currency, count(*)::integer as payouts, (count(*) filter (where ${IS_SHARED}))::integer as "sharedPayouts",
         sum(amount_cents)::float8 as "paidOutCents",
         sum((select sum(fee_cents) from payout_entries where payout_id = payouts.id))::float8 as "feeCents"
    from payouts
   where account_id = $1 and mode = $2 and merchant_id = $3 and arrival_date between $4::date and $5::date
     and status = 'paid'
   group by 1`;

/** Without disputes and payouts. */
const NONE = {
  disputes: 0,
  disputedCents: 0,
  lostCents: 0,
  payouts: 0,
  sharedPayouts: 0,
  paidOutCents: 0,
  feeCents: null,
};

/** @returns the currencies with anything to report, the highest gross amount first */
export async function readMonthReport(
  database: Pick<Database, 'transaction'>,
  request: MonthReportRequest,
): Promise<MonthTotals[] | 'too_long'> {
  try {
    const [counted, payouts] = await countBoth(
      database,
      (sql) => countPayments(sql, request),
      (sql) => countPayouts(sql, request),
    );
    return totalsOf(request, { ...counted, payouts });
  } catch (error) {
    if ((error as { code?: unknown }).code === QUERY_CANCELED) return 'too_long';
    throw error;
  }
}

interface Counted {
  charges: ChargeRow[];
  refunds: RefundRow[];
  disputes: DisputeRow[];
  payouts: PayoutRow[];
}

async function countPayments(
  sql: Sql,
  { scope, merchantId, days }: MonthReportRequest,
): Promise<Omit<Counted, 'payouts'>> {
  const values = [scope.accountId, scope.mode, merchantId, days.starts];
  const charges = await readRows<ChargeRow>(sql, CHARGES_OF_MONTH, values);
  const refunds = await readRows<RefundRow>(sql, REFUNDS_OF_MONTH, values);
  return { charges, refunds, disputes: await readRows<DisputeRow>(sql, DISPUTES_OF_MONTH, values) };
}

function countPayouts(sql: Sql, { scope, merchantId, days }: MonthReportRequest): Promise<PayoutRow[]> {
  const values = [scope.accountId, scope.mode, merchantId, `${days.month}-01`, days.dates.at(-1)];
  return readRows<PayoutRow>(sql, PAYOUTS_OF_MONTH, values);
}

function totalsOf({ days }: MonthReportRequest, { charges, refunds, disputes, payouts }: Counted): MonthTotals[] {
  const currencies = new Set([...charges, ...refunds, ...disputes, ...payouts].map(({ currency }) => currency));
  const totals = [...currencies].map((currency): MonthTotals => {
    const ofCurrency = <Row extends { currency: string }>(rows: readonly Row[]) =>
      rows.filter((row) => row.currency === currency);
    const payments = paymentTotals(days.dates, ofCurrency(charges), ofCurrency(refunds));
    return { ...NONE, ...payments, ...ofCurrency(disputes)[0], ...ofCurrency(payouts)[0], currency };
  });
  return totals.sort(
    (one, other) => other.grossCents - one.grossCents || one.currency.localeCompare(other.currency, 'en'),
  );
}

type PaymentTotals = Pick<MonthTotals, 'payments' | 'grossCents' | 'refunds' | 'refundedCents' | 'ways' | 'days'>;

function paymentTotals(
  dates: readonly string[],
  charges: readonly ChargeRow[],
  refunds: readonly RefundRow[],
): PaymentTotals {
  const paid = sumOf(charges);
  const refunded = sumOf(refunds);
  const ways = PAYMENT_WAYS.map((way) => ({ way, ...sumOf(charges.filter(({ source }) => source === way)) }));
  return {
    payments: paid.count,
    grossCents: paid.cents,
    refunds: refunded.count,
    refundedCents: refunded.cents,
    ways: ways
      .filter(({ count }) => count > 0)
      .map(({ way, count, cents }) => ({ way, payments: count, grossCents: cents })),
    days: dates.map((date, place): DayTotals => {
      const ofDay = ({ day }: { day: number }) => day === place + 1;
      const [taken, back] = [sumOf(charges.filter(ofDay)), sumOf(refunds.filter(ofDay))];
      return {
        date,
        payments: taken.count,
        grossCents: taken.cents,
        refunds: back.count,
        refundedCents: back.cents,
      };
    }),
  };
}

const sumOf = (rows: readonly Pick<ChargeRow, 'count' | 'cents'>[]) => ({
  count: rows.reduce((sum, { count }) => sum + count, 0),
  cents: rows.reduce((sum, { cents }) => sum + cents, 0),
});
