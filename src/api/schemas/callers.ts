/** `POST /v1/identify` and `/v1/cards`: requests and answers. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { CardEntry } from '../../contract/resources.ts';
import { PageQuery } from './pages.ts';
import { identifier, line, phoneNumber } from './text.ts';

const MAX_NAME_LENGTH = 100;
const MAX_EMAIL_LENGTH = 254;
const MAX_TOKEN_LENGTH = 1_024;

const callerPhone = field(phoneNumber, "The caller's number, E.164.", '+15550101234');

export const IdentifyRequest = z.object({ caller_phone: callerPhone });

export const ConsumerResource = z
  .object({
    id: field(z.string(), 'The caller, `con_…`.', 'con_demo_caller'),
    first_name: field(z.string().nullable(), 'Null where it is not known.', 'Demo'),
    last_name: field(z.string().nullable(), 'Null where it is not known.', 'Caller'),
    email: field(z.string().nullable(), 'Null where it is not known.', 'demo.caller@example.com'),
  })
  .meta({ id: 'Consumer', description: 'Who calls: identity only, never what they can pay with.' });
export type ConsumerResource = z.infer<typeof ConsumerResource>;

export const IdentifyResponse = z.object({
  known: field(z.boolean(), 'Whether the account has met this number before, in this mode.', true),
  consumer: field(ConsumerResource.nullable(), 'Who it is; null when `known` is false.'),
});
export type IdentifyResponse = z.infer<typeof IdentifyResponse>;

export const SaveCardRequest = z.strictObject({
  merchant_id: field(z.string(), 'The merchant that can charge the card.', 'mer_demo_diner'),
  caller_phone: field(phoneNumber, "The caller's number, E.164. A new one makes a new caller.", '+15550109876'),
  token: field(
    identifier(MAX_TOKEN_LENGTH).refine((value) => !/^[\d -]{12,}$/.test(value), { error: 'is a card number' }),
    "What the processor's own page or SDK made of the card; in the sandbox a token of the test cards. Never a card number: one is refused.",
    'tok_mastercard',
  ),
  vault: field(
    identifier(MAX_NAME_LENGTH).optional(),
    "The processor in whose wallet the token lies; the merchant's where not given. No such processor: `invalid_vault`; another than the merchant's: `processor_mismatch`.",
    'sandbox',
  ),
  default: field(z.boolean().default(false), "Makes it the caller's default card at this merchant.", true),
  first_name: field(line(MAX_NAME_LENGTH).optional(), 'Of the caller; what is not given stays as it is.', 'Robin'),
  last_name: field(line(MAX_NAME_LENGTH).optional(), 'Of the caller; what is not given stays as it is.', 'Example'),
  email: field(
    z.email().max(MAX_EMAIL_LENGTH).optional(),
    'Of the caller; what is not given stays as it is.',
    'robin@example.com',
  ),
});

export const SavedCardResource = CardEntry.extend({
  merchant_id: FIELDS.merchant_id,
  default: field(z.boolean(), 'Whether it is the default card of the caller at this merchant.', true),
});
export type SavedCardResource = z.infer<typeof SavedCardResource>;

export const ListCardsQuery = PageQuery.extend({
  merchant_id: field(z.string(), 'The merchant that would charge the cards.', 'mer_demo_diner'),
  caller_phone: field(phoneNumber, "The caller's number, E.164; in a URL its `+` is `%2B`.", '+15550101234'),
});

export const CardList = z.object({
  cards: field(z.array(CardEntry), 'Newest first, and only those that can be charged at this merchant.'),
  default_card_id: field(
    z.string().nullable(),
    'The `instrument_id` of the default card among `cards`; null where none of them is.',
    'card_demo_visa',
  ),
  has_more: FIELDS.has_more,
});
export type CardList = z.infer<typeof CardList>;

export const DeletedCard = z.object({
  instrument_id: FIELDS.instrument_id,
  deleted: field(z.literal(true), 'It is offered and charged no more.', true),
});
export type DeletedCard = z.infer<typeof DeletedCard>;
