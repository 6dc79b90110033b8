/** Texts to callers as REST shows them. */
import { z } from 'zod';
import { maskedNumber } from '../domain/phone-number.ts';
import { type ListedText, TEXT_DELIVERIES, TEXT_STATUSES } from '../domain/text.ts';
import { FIELDS, field } from './fields.ts';

export const TextResource = z
  .object({
    text_id: field(z.string(), 'The text, `txt_…`.', 'txt_k7r2m9vqx4hdw6znt3cbyj8pe5'),
    kind: field(
      z.string(),
      'What it is about: `pay_link`, `page_code` (a code to see saved cards), `receipt`, `not_charged` (a pending charge failed).',
      'receipt',
    ),
    checkout_session_id: FIELDS.checkout_session_id,
    charge_id: FIELDS.charge_id.nullable().describe('The charge that it is about. Null where there is none.'),
    recipient: field(z.string(), 'Where it went, but for its last two digits cut.', '…34'),
    body: field(
      z.string().nullable(),
      'Its words. Null where they hold a pay link or a code: such a text is encrypted, and is not shown.',
      'Demo Diner: we received 42.50 USD with your VISA ending 4242.',
    ),
    segments: field(z.int(), 'How many messages the carrier counts it as.', 1),
    status: field(
      z.enum(TEXT_STATUSES),
      '`waiting`: for its next try. `sending`: the carrier was asked. `sent`: the carrier has it. `failed`: it has not. `unknown`: that was not found out. `opted_out`: the number has answered STOP.',
      'sent',
    ),
    attempts: field(z.int(), 'How often the carrier was asked.', 1),
    carrier: field(z.string().nullable(), 'Who took it. Null: nobody yet.', 'log'),
    error_code: field(z.string().nullable(), "The carrier's own code of why it failed; else null.", null),
    delivery: field(
      z.enum(TEXT_DELIVERIES).nullable(),
      'What the carrier has reported since. `unconfirmed`: the network does not say. Null: nothing yet.',
      null,
    ),
    delivery_code: field(z.string().nullable(), "The carrier's own code of why it was not delivered; else null.", null),
    created_at: FIELDS.created_at,
    settled_at: field(
      z.iso.datetime().nullable(),
      'When the carrier had it, or it was given up. Null: neither yet.',
      '2026-11-20T12:00:01.200Z',
    ),
    delivered_at: field(z.iso.datetime().nullable(), 'When `delivery` was last reported. Null: not yet.', null),
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
