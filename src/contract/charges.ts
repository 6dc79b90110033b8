/** Charges as lists of them show each: with its session, its card's last four digits and its times. */
import { z } from 'zod';
import type { ListedCharge } from '../domain/charge.ts';
import type { ErrorContext } from './errors.ts';
import { FIELDS, field, needsSettlingField } from './fields.ts';
import { ChargeResource, chargeResource } from './resources.ts';

export const ListedChargeResource = z
  .object({
    ...ChargeResource.shape,
    currency: FIELDS.currency,
    refunded_cents: field(z.int(), 'How much of it was given back, or is on its way back.', 0),
    checkout_session_id: FIELDS.checkout_session_id,
    merchant_id: FIELDS.merchant_id,
    order_id: FIELDS.order_id,
    platform_call_id: FIELDS.platform_call_id,
    caller_phone: field(
      z.string().nullable(),
      "The session's caller as the charge was begun, E.164; null where there was no number, or it was cleared since.",
      '+15550101234',
    ),
    needs_settling: needsSettlingField('charge'),
    source: field(
      z.enum(['phone', 'saved_card', 'page']),
      'How it came: on a call (`phone`), by `charge` (`saved_card`), on the pay page (`page`).',
      'phone',
    ),
    processor: field(z.string(), 'The processor that it went to.', 'sandbox'),
    instrument_id: FIELDS.instrument_id
      .nullable()
      .describe('The saved card that was charged. Null for one that was entered.')
      .meta({ examples: [null] }),
    brand: field(
      z.string().nullable(),
      'Of the card, upper case, such as `VISA`. Null where the processor alone knows.',
      'VISA',
    ),
    last_four: field(
      z.string().nullable(),
      "The card's last four digits, as text. Null where the processor alone knows.",
      '4242',
    ),
    environment: FIELDS.environment,
    created_at: field(z.iso.datetime(), 'When it was begun: ISO 8601, in UTC.', '2026-11-20T12:00:40.000Z'),
    settled_at: field(
      z.iso.datetime().nullable(),
      'When its outcome was known. Null while it is pending.',
      '2026-11-20T12:00:41.300Z',
    ),
  })
  .meta({ id: 'ListedCharge', description: 'A charge, with its session and its card.' });
export type ListedChargeResource = z.infer<typeof ListedChargeResource>;

export function listedChargeResource(charge: ListedCharge, context: ErrorContext): ListedChargeResource {
  const { amount, language } = charge;
  const resource = chargeResource({ ...charge, amountCents: amount.amountCents }, { ...context, language });
  // Not `{ ...resource, … }`: Node.js 20 takes 20 µs for so many fields behind a leading spread, and a list has up to 100 rows.
  return Object.assign(resource, {
    currency: amount.currency,
    refunded_cents: charge.refundedCents,
    ...(charge.needsSettling && { needs_settling: true as const }),
    checkout_session_id: charge.sessionId,
    merchant_id: charge.merchantId,
    order_id: charge.orderId,
    platform_call_id: charge.platformCallId,
    caller_phone: charge.callerPhone,
    source: charge.source,
    processor: charge.processor,
    instrument_id: charge.instrumentId,
    brand: charge.brand,
    last_four: charge.lastFour,
    environment: charge.mode,
    created_at: charge.createdAt.toISOString(),
    settled_at: charge.settledAt?.toISOString() ?? null,
  });
}
