/** The month-end report as REST shows it. */
import { z } from 'zod';
import type { Merchant } from '../domain/merchant.ts';
import { type MonthDays, type MonthTotals, PAYMENT_WAYS } from '../domain/month-report.ts';
import type { Mode } from '../domain/session.ts';
import { FIELDS, field } from './fields.ts';

const PAYMENTS = field(z.int(), 'Succeeded charges. Holds count once they are captured.', 96);
const GROSS = field(z.int(), 'What they took, in minor units: of a captured hold, the captured part.', 425_000);
const REFUNDS = field(
  z.int(),
  'Refunds that were made in this time, whenever the charge was made. Pending ones count, failed ones do not.',
  2,
);
const REFUNDED = field(z.int(), 'What they return.', 5_000);
const NET = field(z.int(), '`gross_cents` less `refunded_cents`. Disputes and fees are not subtracted.', 420_000);

const DaySums = z.object({
  date: field(z.iso.date(), 'The day, in `time_zone`.', '2026-10-01'),
  payments: PAYMENTS,
  gross_cents: GROSS,
  refunds: REFUNDS,
  refunded_cents: REFUNDED,
  net_cents: NET,
});

const CurrencySums = z.object({
  currency: FIELDS.currency,
  payments: PAYMENTS,
  gross_cents: GROSS,
  refunds: REFUNDS,
  refunded_cents: REFUNDED,
  net_cents: NET,
  disputes: field(z.int(), 'Disputes that were opened in the month.', 1),
  disputed_cents: field(z.int(), 'Their amounts.', 4_250),
  lost_cents: field(z.int(), 'The amounts of those that are lost by now.', 0),
  payouts: field(z.int(), 'Payouts that arrived in the month. Only of processors that report them.', 4),
  shared_payouts: field(
    z.int(),
    'Of these, the payouts of a processor account that other merchants use, too. Each of their reports has the whole payout, so do not add them up.',
    0,
  ),
  paid_out_cents: field(z.int(), 'Their amounts, after fees.', 408_880),
  fee_cents: field(z.int().nullable(), 'The fees of these payouts. Null if there were none.', 6_120),
  ways: field(
    z.array(
      z.object({
        source: field(z.enum(PAYMENT_WAYS), 'As in `source` of a charge.', 'phone'),
        payments: PAYMENTS,
        gross_cents: GROSS,
      }),
    ),
    'The payments by the way they were made. Ways without payments are left out.',
  ),
  days: field(z.array(DaySums), 'Each day of the month that has started.'),
});

export const MonthReportResource = z
  .object({
    environment: FIELDS.environment,
    merchant_id: FIELDS.merchant_id,
    business_name: field(z.string(), "The merchant's name.", 'Demo Diner'),
    month: field(z.string(), 'The month of the report.', '2026-10'),
    time_zone: field(z.string(), 'The time zone in which days begin, IANA.', 'America/New_York'),
    from: field(z.iso.datetime(), 'When the month begins: ISO 8601, in UTC.', '2026-10-01T04:00:00.000Z'),
    to: field(
      z.iso.datetime(),
      'When it ends. In the present month, when the present day ends.',
      '2026-11-01T04:00:00.000Z',
    ),
    totals: field(z.array(CurrencySums), 'The sums by currency, the highest gross amount first.'),
  })
  .meta({ id: 'MonthReport', description: 'What a merchant took, refunded and was paid out in a month.' });
export type MonthReportResource = z.infer<typeof MonthReportResource>;

export function monthReportResource(
  totals: readonly MonthTotals[],
  { id, businessName }: Pick<Merchant, 'id' | 'businessName'>,
  { month, timeZone, starts }: MonthDays,
  mode: Mode,
): MonthReportResource {
  return {
    environment: mode,
    merchant_id: id,
    business_name: businessName,
    month,
    time_zone: timeZone,
    from: (starts[0] ?? new Date(0)).toISOString(),
    to: (starts.at(-1) ?? new Date(0)).toISOString(),
    totals: totals.map(currencySums),
  };
}

function currencySums(totals: MonthTotals): z.infer<typeof CurrencySums> {
  return {
    currency: totals.currency,
    ...paymentSums(totals),
    disputes: totals.disputes,
    disputed_cents: totals.disputedCents,
    lost_cents: totals.lostCents,
    payouts: totals.payouts,
    shared_payouts: totals.sharedPayouts,
    paid_out_cents: totals.paidOutCents,
    fee_cents: totals.feeCents,
    ways: totals.ways.map(({ way, payments, grossCents }) => ({ source: way, payments, gross_cents: grossCents })),
    days: totals.days.map((day) => ({ date: day.date, ...paymentSums(day) })),
  };
}

function paymentSums({
  payments,
  grossCents,
  refunds,
  refundedCents,
}: Pick<MonthTotals, 'payments' | 'grossCents' | 'refunds' | 'refundedCents'>) {
  return {
    payments,
    gross_cents: grossCents,
    refunds,
    refunded_cents: refundedCents,
    net_cents: grossCents - refundedCents,
  };
}
