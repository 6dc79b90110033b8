/** Charges in lists: with the session, the card's last four digits and times. */
import { z } from 'zod';
import { type ChargeTotals, DECLINE_CODES, type DeclineCode, INITIATORS, type ListedCharge } from '../domain/charge.ts';
import { ChargeResource, chargeResource } from './charge-resource.ts';
import type { ErrorContext } from './errors.ts';
import { FIELDS, field, needsSettlingField } from './fields.ts';
import { ChargePayoutField, chargePayoutField } from './payouts.ts';

export const ListedChargeResource = z
  .object({
    ...ChargeResource.shape,
    currency: FIELDS.currency,
    refunded_cents: field(z.int(), 'The amount refunded so far, including pending refunds, in minor units.', 0),
    refund_pending_cents: field(
      z.int().optional(),
      'The part of `refunded_cents` that the processor has not confirmed, in minor units. Absent if there is none.',
      1_000,
    ),
    checkout_session_id: FIELDS.checkout_session_id,
    merchant_id: FIELDS.merchant_id,
    business_name: field(z.string(), "The merchant's own name.", 'Demo Diner'),
    order_id: FIELDS.order_id,
    platform_call_id: FIELDS.platform_call_id,
    caller_phone: field(
      z.string().nullable(),
      "The caller's number when the charge was created, E.164. Null if there was none or it was cleared later.",
      '+15550101234',
    ),
    needs_settling: needsSettlingField('charge'),
    needs_attention: field(
      z.literal(true).optional(),
      'True if the charge has `was_late`, was found in the last 30 days, was not acknowledged (`acknowledge_charge`), and neither it nor the charge in `duplicate_of` is fully refunded. The caller may have been told that nothing was charged. Otherwise absent.',
      true,
    ),
    attention_acknowledged_at: field(
      z.iso.datetime().optional(),
      'When a person acknowledged the late charge: ISO 8601, in UTC. Otherwise absent.',
      '2026-11-20T14:30:00.000Z',
    ),
    source: field(
      z.enum(['phone', 'saved_card', 'page']),
      'The source of the charge: a call (`phone`), the `charge` operation (`saved_card`), or the pay page (`page`).',
      'phone',
    ),
    initiator: field(
      z.enum(INITIATORS),
      '`caller`: the payer was on a call, on the pay page, or chose a saved card with your agent. `merchant`: a charge of a saved card without the caller (`create_charge`).',
      'caller',
    ),
    processor: field(z.string(), 'The processor of the charge.', 'sandbox'),
    payout: ChargePayoutField,
    instrument_id: FIELDS.instrument_id
      .nullable()
      .describe('The saved card that was charged. Null if the payer entered the card.')
      .meta({ examples: [null] }),
    brand: field(
      z.string().nullable(),
      'The card brand, upper case, such as `VISA`. Null if only the processor knows it.',
      'VISA',
    ),
    last_four: field(
      z.string().nullable(),
      "The card's last four digits, as a string. Null if only the processor knows them.",
      '4242',
    ),
    environment: FIELDS.environment,
    created_at: field(z.iso.datetime(), 'When the charge was created: ISO 8601, in UTC.', '2026-11-20T12:00:40.000Z'),
    settled_at: field(
      z.iso.datetime().nullable(),
      'When the outcome was known. Null while the charge is pending.',
      '2026-11-20T12:00:41.300Z',
    ),
  })
  .meta({ id: 'ListedCharge', description: 'A charge, with its session and its card.' });
export type ListedChargeResource = z.infer<typeof ListedChargeResource>;

export function listedChargeResource(charge: ListedCharge, context: ErrorContext): ListedChargeResource {
  const { amount, language } = charge;
  const resource = chargeResource(
    {
      ...charge,
      amountCents: amount.amountCents,
      captureBeforeMs: charge.captureBefore?.getTime() ?? null,
      debitedAtMs: charge.debitedAt?.getTime() ?? null,
      returnedAtMs: charge.returnedAt?.getTime() ?? null,
      captureFailedAtMs: charge.captureFailedAt?.getTime() ?? null,
    },
    { ...context, language },
  );
  // Not `{ ...resource, … }`: Node.js 20 takes 20 µs for so many fields behind a leading spread, and a list has up to
  // 100 rows.
  return Object.assign(resource, {
    currency: amount.currency,
    refunded_cents: charge.refundedCents,
    ...(charge.refundPendingCents > 0 && { refund_pending_cents: charge.refundPendingCents }),
    ...(charge.needsSettling && { needs_settling: true as const }),
    ...(charge.needsAttention && { needs_attention: true as const }),
    ...(charge.attentionAcknowledgedAt !== null && {
      attention_acknowledged_at: charge.attentionAcknowledgedAt.toISOString(),
    }),
    checkout_session_id: charge.sessionId,
    merchant_id: charge.merchantId,
    business_name: charge.businessName,
    order_id: charge.orderId,
    platform_call_id: charge.platformCallId,
    caller_phone: charge.callerPhone,
    source: charge.source,
    initiator: charge.initiator,
    processor: charge.processor,
    ...(charge.payout !== null && { payout: chargePayoutField(charge.payout) }),
    instrument_id: charge.instrumentId,
    brand: charge.brand,
    last_four: charge.lastFour,
    environment: charge.mode,
    created_at: charge.createdAt.toISOString(),
    settled_at: charge.settledAt?.toISOString() ?? null,
  });
}

const CurrencyTotals = z.object({
  currency: FIELDS.currency,
  charges: field(z.int(), 'The number of charges, in every status.', 128),
  succeeded: field(z.int(), 'How many of them succeeded. Holds count.', 96),
  gross_cents: field(
    z.int(),
    'What the succeeded ones took, in minor units: of a captured hold, the captured part.',
    425_000,
  ),
  refunded_cents: field(z.int(), 'What was refunded of them, including pending refunds.', 1_000),
  net_cents: field(z.int(), '`gross_cents` less `refunded_cents`.', 424_000),
});

const DeclineCount = z.object({
  decline_code: field(
    z.enum(DECLINE_CODES).nullable(),
    'The reason. Null: the charges did not fail because of the card.',
    'insufficient_funds',
  ),
  count: field(z.int(), 'The number of charges that failed for this reason.', 12),
});

export const ChargeTotalsResource = z
  .object({
    totals: field(
      z.array(CurrencyTotals).nullable(),
      'The sums by currency, the highest first. Null if more than 10,000 charges match, or if summing takes too long: use a shorter period.',
    ),
    declines: field(
      z.array(DeclineCount).nullable(),
      'Why the charges failed, the most frequent reason first. Null if the filters also match other charges: send `status=failed`, `counted_as=failed` or `decline_code`. Also null if too many charges match, as with `totals`.',
    ),
  })
  .meta({ id: 'ChargeTotals', description: 'The sums of the charges that match filters.' });
export type ChargeTotalsResource = z.infer<typeof ChargeTotalsResource>;

export function chargeTotalsResource(
  totals: readonly ChargeTotals[] | null,
  declines: readonly { declineCode: DeclineCode | null; count: number }[] | null,
): ChargeTotalsResource {
  return {
    declines: declines?.map(({ declineCode, count }) => ({ decline_code: declineCode, count })) ?? null,
    totals:
      totals?.map(({ currency, charges, succeeded, grossCents, refundedCents }) => ({
        currency,
        charges,
        succeeded,
        gross_cents: grossCents,
        refunded_cents: refundedCents,
        net_cents: grossCents - refundedCents,
      })) ?? null,
  };
}
