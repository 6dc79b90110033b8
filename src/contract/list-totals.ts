/** The totals of the lists of refunds, disputes, payouts and payout entries as REST shows them. */
import { z } from 'zod';
import type { DisputeTotals } from '../domain/dispute.ts';
import type { PayoutEntryTotals, PayoutTotals } from '../domain/payout.ts';
import type { RefundTotals } from '../domain/refund.ts';
import { FIELDS, field } from './fields.ts';

/** @param items such as `refunds` */
function totalsOf<Shape extends z.ZodRawShape>(id: string, items: string, shape: Shape) {
  const sums = z.object({ currency: FIELDS.currency, ...shape });
  return z
    .object({
      totals: field(
        z.array(sums).nullable(),
        `The sums by currency, the highest first. Null if more than 10,000 ${items} match, or if summing takes too long: use a shorter period.`,
      ),
    })
    .meta({ id, description: `The sums of the ${items} that match filters.` });
}

/** @param resource shows the sums of one currency */
const shown = <Sums, Resource>(totals: readonly Sums[] | null, resource: (sums: Sums) => Resource) => ({
  totals: totals === null ? null : totals.map(resource),
});

export const RefundTotalsResource = totalsOf('RefundTotals', 'refunds', {
  refunds: field(z.int(), 'The number of refunds, in every status.', 12),
  succeeded: field(z.int(), 'How many of them succeeded.', 11),
  refunded_cents: field(z.int(), 'What the succeeded and pending ones return, in minor units.', 26_000),
  pending_cents: field(z.int(), 'The pending part of `refunded_cents`.', 1_000),
});
export type RefundTotalsResource = z.infer<typeof RefundTotalsResource>;

export const refundTotalsResource = (totals: readonly RefundTotals[] | null): RefundTotalsResource =>
  shown(totals, ({ currency, refunds, succeeded, refundedCents, pendingCents }) => ({
    currency,
    refunds,
    succeeded,
    refunded_cents: refundedCents,
    pending_cents: pendingCents,
  }));

export const DisputeTotalsResource = totalsOf('DisputeTotals', 'disputes', {
  disputes: field(z.int(), 'The number of disputes, in every status.', 3),
  disputed_cents: field(z.int(), 'Their amounts, in minor units.', 12_750),
  open_cents: field(z.int(), 'The amounts of those with the status `needs_response` or `under_review`.', 4_250),
  won_cents: field(z.int(), 'The amounts of those that were won.', 4_250),
  lost_cents: field(z.int(), 'The amounts of those that were lost.', 4_250),
});
export type DisputeTotalsResource = z.infer<typeof DisputeTotalsResource>;

export const disputeTotalsResource = (totals: readonly DisputeTotals[] | null): DisputeTotalsResource =>
  shown(totals, ({ currency, disputes, disputedCents, openCents, wonCents, lostCents }) => ({
    currency,
    disputes,
    disputed_cents: disputedCents,
    open_cents: openCents,
    won_cents: wonCents,
    lost_cents: lostCents,
  }));

export const PayoutTotalsResource = totalsOf('PayoutTotals', 'payouts', {
  payouts: field(z.int(), 'The number of payouts, in every status.', 4),
  paid_cents: field(
    z.int(),
    'The amounts of those that were paid, in minor units. Amounts that a processor took from the bank account are subtracted.',
    163_880,
  ),
  pending_cents: field(z.int(), 'The amounts of those on their way.', 40_970),
});
export type PayoutTotalsResource = z.infer<typeof PayoutTotalsResource>;

export const payoutTotalsResource = (totals: readonly PayoutTotals[] | null): PayoutTotalsResource =>
  shown(totals, ({ currency, payouts, paidCents, pendingCents }) => ({
    currency,
    payouts,
    paid_cents: paidCents,
    pending_cents: pendingCents,
  }));

export const PayoutEntryTotalsResource = totalsOf('PayoutEntryTotals', 'payout entries', {
  payout_entries: field(z.int(), 'The number of entries.', 40),
  gross_cents: field(z.int(), 'Their amounts before fees, in minor units of the currency of the payouts.', 170_000),
  fee_cents: field(z.int(), 'Their fees.', 6_120),
  net_cents: field(z.int(), '`gross_cents` less `fee_cents`.', 163_880),
});
export type PayoutEntryTotalsResource = z.infer<typeof PayoutEntryTotalsResource>;

export const payoutEntryTotalsResource = (totals: readonly PayoutEntryTotals[] | null): PayoutEntryTotalsResource =>
  shown(totals, ({ currency, entries, grossCents, feeCents, netCents }) => ({
    currency,
    payout_entries: entries,
    gross_cents: grossCents,
    fee_cents: feeCents,
    net_cents: netCents,
  }));
