/** Payouts and their entries as REST shows them. */
import { z } from 'zod';
import {
  type ChargePayout,
  PAYOUT_ENTRY_KINDS,
  PAYOUT_STATUSES,
  type Payout,
  type PayoutEntry,
} from '../domain/payout.ts';
import { FIELDS, field } from './fields.ts';

const PAYOUT_ID = field(z.string(), 'The payout, `po_…`.', 'po_q8k3m7x2vhwz5t9nb4cryj6fed');
const CURRENCY = field(
  z.string(),
  'ISO 4217, upper case: the currency of the bank account. It can differ from the currency of the charge. Do not add up payouts of different currencies.',
  'USD',
);
const ARRIVAL = field(
  z.iso.date().nullable(),
  'The day on which the bank account gets the amount, as the processor says. Null if it does not say.',
  '2026-11-23',
);
const FEE = field(z.int(), "The processor's fee in minor units of `currency`. Negative if it is refunded.", 153);
const NET = field(z.int(), '`gross_cents` minus `fee_cents`, in minor units of `currency`.', 4097);

export const PayoutResource = z
  .object({
    payout_id: PAYOUT_ID,
    merchant_id: FIELDS.merchant_id,
    status: field(
      z.enum(PAYOUT_STATUSES),
      '`pending`: on its way. `paid`: the bank account has it. `failed`: the bank returned it. `canceled`: the processor or the merchant stopped it.',
      'paid',
    ),
    amount_cents: field(
      z.int(),
      'The amount in minor units of `currency`. Negative if the processor takes it from the bank account.',
      4097,
    ),
    currency: CURRENCY,
    arrival_date: ARRIVAL,
    processor: field(z.string(), 'The processor.', 'stripe'),
    processor_payout_id: field(z.string(), 'The processor reference of the payout.', 'po_1OaFDbEcg9tTZuTgNYmX0PKB'),
    created_at: field(
      z.iso.datetime(),
      'When the processor first notified us: ISO 8601, in UTC.',
      '2026-11-22T06:00:00.000Z',
    ),
    updated_at: field(z.iso.datetime(), 'When it was last read at the processor.', '2026-11-23T06:00:00.000Z'),
  })
  .meta({ id: 'Payout', description: "A payout of a processor to a merchant's bank account." });
export type PayoutResource = z.infer<typeof PayoutResource>;

export const PayoutEntryResource = z
  .object({
    payout_entry_id: field(z.string(), 'The entry, `pe_…`.', 'pe_w5t9nb4cryj6fedq8k3m7x2vhz'),
    payout_id: PAYOUT_ID,
    merchant_id: FIELDS.merchant_id,
    kind: field(
      z.enum(PAYOUT_ENTRY_KINDS),
      '`charge`, `refund`, `dispute`: about a charge. `fee`: a fee that is about no single charge. `other`: anything else in the account at the processor.',
      'charge',
    ),
    charge: field(
      z.string().nullable(),
      'The `charge_id`. Null if the entry is about no charge of ours, or one that is older than 120 days.',
      'ch_x6ueh4kxj94cewxy97eft8edv6',
    ),
    order_id: FIELDS.order_id,
    gross_cents: field(
      z.int(),
      'The amount before the fee, in minor units of `currency`. Negative if the merchant returns the money.',
      4250,
    ),
    fee_cents: FEE,
    net_cents: NET,
    currency: CURRENCY,
    arrival_date: ARRIVAL,
  })
  .meta({ id: 'PayoutEntry', description: 'One charge, refund, dispute or fee in a payout.' });
export type PayoutEntryResource = z.infer<typeof PayoutEntryResource>;

/** On a charge. */
export const ChargePayoutField = field(
  z
    .object({ payout_id: PAYOUT_ID, fee_cents: FEE, net_cents: NET, currency: CURRENCY, arrival_date: ARRIVAL })
    .optional(),
  'The payout that contains the charge, with its fee. Absent until the processor reports it.',
);

export function payoutResource(payout: Payout): PayoutResource {
  return {
    payout_id: payout.id,
    merchant_id: payout.merchantId,
    status: payout.status,
    amount_cents: payout.amountCents,
    currency: payout.currency,
    arrival_date: payout.arrivalDate,
    processor: payout.processor,
    processor_payout_id: payout.processorPayoutId,
    created_at: payout.createdAt.toISOString(),
    updated_at: payout.updatedAt.toISOString(),
  };
}

export function payoutEntryResource(entry: PayoutEntry): PayoutEntryResource {
  return {
    payout_entry_id: entry.id,
    payout_id: entry.payoutId,
    merchant_id: entry.merchantId,
    kind: entry.kind,
    charge: entry.chargeId,
    order_id: entry.orderId,
    gross_cents: entry.grossCents,
    fee_cents: entry.feeCents,
    net_cents: entry.netCents,
    currency: entry.currency,
    arrival_date: entry.arrivalDate,
  };
}

export function chargePayoutField({ payoutId, feeCents, netCents, currency, arrivalDate }: ChargePayout) {
  return {
    payout_id: payoutId,
    fee_cents: feeCents,
    net_cents: netCents,
    currency,
    arrival_date: arrivalDate,
  };
}
