/** Texts to callers as REST shows them. */
import { z } from 'zod';
import { maskedNumber } from '../domain/phone-number.ts';
import { type ListedText, TEXT_DELIVERIES, TEXT_STATUSES } from '../domain/texts.ts';
import { FIELDS, field } from './fields.ts';

export const TextResource = z
  .object({
    text_id: field(z.string(), 'The text, `txt_…`.', 'txt_k7r2m9vqx4hdw6znt3cbyj8pe5'),
    kind: field(
      z.string(),
      'The purpose of the text: `pay_link`, `page_code` (a code to see saved cards), `receipt`, `not_charged` (a pending charge failed), `late_receipt` (a charge that was reported as failed was taken), `debit_terms` (what the caller authorized for a bank debit), `debit_returned` (the bank returned a paid bank debit), `not_collected` (the capture of a payment failed after it had succeeded).',
      'receipt',
    ),
    checkout_session_id: FIELDS.checkout_session_id,
    charge_id: FIELDS.charge_id.nullable().describe('The charge that the text is about. Null if there is none.'),
    recipient: field(z.string(), "The recipient's number, masked except for the last two digits.", '…34'),
    body: field(
      z.string().nullable(),
      'The text. Null if it contains a pay link or a code: such texts are encrypted and never shown.',
      'Demo Diner: we received 42.50 USD with your VISA ending 4242.',
    ),
    segments: field(z.int(), 'How many message segments the carrier counts.', 1),
    status: field(
      z.enum(TEXT_STATUSES),
      '`waiting`: waiting for the next attempt. `sending`: being sent to the carrier. `sent`: the carrier has accepted it. `failed`: the carrier has not accepted it. `unknown`: the result is not known. `opted_out`: the recipient has answered STOP.',
      'sent',
    ),
    attempts: field(z.int(), 'The number of attempts to send it to the carrier.', 1),
    carrier: field(z.string().nullable(), 'The carrier that accepted the text. Null if none has yet.', 'log'),
    error_code: field(z.string().nullable(), "The carrier's own error code if the text failed. Otherwise null.", null),
    delivery: field(
      z.enum(TEXT_DELIVERIES).nullable(),
      'What the carrier has reported since. `unconfirmed`: the network does not report delivery. Null if there is no report yet.',
      null,
    ),
    delivery_code: field(
      z.string().nullable(),
      "The carrier's own error code if the text was not delivered. Otherwise null.",
      null,
    ),
    created_at: FIELDS.created_at,
    settled_at: field(
      z.iso.datetime().nullable(),
      'When the carrier accepted the text, or when the attempts ended. Null before that.',
      '2026-11-20T12:00:01.200Z',
    ),
    delivered_at: field(
      z.iso.datetime().nullable(),
      'When `delivery` was last reported. Null if there is no report yet.',
      null,
    ),
  })
  .meta({ id: 'Text', description: 'A text message to a caller.' });
export type TextResource = z.infer<typeof TextResource>;

export function textResource(text: ListedText): TextResource {
  return {
    text_id: text.id,
    kind: text.kind,
    checkout_session_id: text.sessionId,
    charge_id: text.chargeId,
    recipient: maskedNumber(text.recipient),
    body: text.body,
    segments: text.segments,
    status: text.status,
    attempts: text.attempts,
    carrier: text.carrier,
    error_code: text.errorCode,
    delivery: text.delivery,
    delivery_code: text.deliveryCode,
    created_at: text.createdAt.toISOString(),
    settled_at: text.settledAt?.toISOString() ?? null,
    delivered_at: text.deliveryAt?.toISOString() ?? null,
  };
}
