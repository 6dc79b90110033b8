/** The totals of lists as REST shows them. */
import { z } from 'zod';
import type { CallTotals } from '../domain/call.ts';
import type { EventTotals } from '../domain/delivery-state.ts';
import type { DisputeTotals } from '../domain/dispute.ts';
import type { PayoutEntryTotals, PayoutTotals } from '../domain/payout.ts';
import type { RefundTotals } from '../domain/refund.ts';
import type { SessionTotals } from '../domain/session.ts';
import type { TextTotals } from '../domain/texts.ts';
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

/** For lists without amounts. @param items such as `calls` */
const countsOf = <Shape extends z.ZodRawShape>(id: string, items: string, shape: Shape) =>
  z
    .object({
      totals: field(
        z.object(shape).nullable(),
        `The counts. Null if more than 10,000 ${items} match, or if counting takes too long: use a shorter period.`,
      ),
    })
    .meta({ id, description: `The number of ${items} that match filters.` });

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

const withOutcome = (outcome: string, example: number) =>
  field(z.int(), `How many have the outcome \`${outcome}\`.`, example);

export const CallTotalsResource = countsOf('CallTotals', 'calls', {
  calls: field(z.int(), 'The number of calls, live and ended.', 120),
  live: field(z.int(), 'How many are live.', 2),
  succeeded: withOutcome('succeeded', 96),
  failed: withOutcome('failed', 8),
  pending: withOutcome('pending', 1),
  canceled: withOutcome('canceled', 7),
  expired: withOutcome('expired', 0),
  agent: withOutcome('agent', 6),
});
export type CallTotalsResource = z.infer<typeof CallTotalsResource>;

export const callTotalsResource = (totals: CallTotals | null): CallTotalsResource => ({ totals });

const withTextStatus = (status: string, example: number) =>
  field(z.int(), `How many have the delivery status \`${status}\`.`, example);

export const TextTotalsResource = countsOf('TextTotals', 'texts', {
  texts: field(z.int(), 'The number of texts, with every delivery status.', 118),
  waiting: withTextStatus('waiting', 1),
  sending: withTextStatus('sending', 0),
  sent: withTextStatus('sent', 6),
  delivered: withTextStatus('delivered', 104),
  undelivered: withTextStatus('undelivered', 4),
  unconfirmed: withTextStatus('unconfirmed', 0),
  failed: withTextStatus('failed', 2),
  unknown: withTextStatus('unknown', 0),
  opted_out: withTextStatus('opted_out', 1),
});
export type TextTotalsResource = z.infer<typeof TextTotalsResource>;

export const textTotalsResource = (totals: TextTotals | null): TextTotalsResource => ({ totals });

const withDelivery = (state: string, example: number) =>
  field(z.int(), `How many \`list_events\` lists with \`delivery=${state}\`.`, example);

export const EventTotalsResource = countsOf('EventTotals', 'events', {
  events: field(z.int(), 'The number of events, with and without deliveries.', 480),
  waiting: withDelivery('waiting', 0),
  failing: withDelivery('failing', 2),
  delivered: withDelivery('delivered', 470),
  failed: withDelivery('failed', 5),
  canceled: withDelivery('canceled', 0),
});
export type EventTotalsResource = z.infer<typeof EventTotalsResource>;

export const eventTotalsResource = (totals: EventTotals | null): EventTotalsResource => ({ totals });

export const SessionTotalsResource = totalsOf('CheckoutSessionTotals', 'checkout sessions', {
  checkout_sessions: field(z.int(), 'The number of sessions, with every `session_status`.', 140),
  open: field(z.int(), 'How many are `open`.', 3),
  complete: field(z.int(), 'How many are `complete`.', 112),
  expired: field(z.int(), 'How many are `expired`.', 25),
  amount_cents: field(
    z.int(),
    'The amounts of all of them, in minor units. `retrieve_charge_totals` sums what was paid.',
    595_000,
  ),
  complete_cents: field(z.int(), 'The amounts of those that are `complete`.', 476_000),
});
export type SessionTotalsResource = z.infer<typeof SessionTotalsResource>;

export const sessionTotalsResource = (totals: readonly SessionTotals[] | null): SessionTotalsResource =>
  shown(totals, ({ currency, sessions, open, complete, expired, amountCents, completeCents }) => ({
    currency,
    checkout_sessions: sessions,
    open,
    complete,
    expired,
    amount_cents: amountCents,
    complete_cents: completeCents,
  }));
