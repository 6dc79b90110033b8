/** `POST /v1/identify` and `/v1/cards`: requests and answers. */
import { z } from 'zod';
import { CardEntry } from '../../domain/resources.ts';
import { PageQuery } from './pages.ts';
import { identifier, phoneNumber, text } from './text.ts';

const MAX_NAME_LENGTH = 100;
const MAX_EMAIL_LENGTH = 254;
const MAX_TOKEN_LENGTH = 1_024;

export const IdentifyRequest = z.object({ caller_phone: phoneNumber });

export const ConsumerResource = z.object({
  id: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  email: z.string().nullable(),
});
export type ConsumerResource = z.infer<typeof ConsumerResource>;

export const IdentifyResponse = z.object({ known: z.boolean(), consumer: ConsumerResource.nullable() });
export type IdentifyResponse = z.infer<typeof IdentifyResponse>;

export const SaveCardRequest = z.strictObject({
  merchant_id: z.string(),
  caller_phone: phoneNumber,
  /** What the processor's own page or SDK made of the card; never a card number. */
  token: identifier(MAX_TOKEN_LENGTH).refine((value) => !/^[\d -]{12,}$/.test(value), { error: 'is a card number' }),
  /** The processor in whose wallet the token lies; the merchant's where not given. */
  vault: identifier(MAX_NAME_LENGTH).optional(),
  default: z.boolean().default(false),
  first_name: text(MAX_NAME_LENGTH).optional(),
  last_name: text(MAX_NAME_LENGTH).optional(),
  email: z.email().max(MAX_EMAIL_LENGTH).optional(),
});

export const SavedCardResource = CardEntry.extend({ merchant_id: z.string(), default: z.boolean() });
export type SavedCardResource = z.infer<typeof SavedCardResource>;

export const ListCardsQuery = PageQuery.extend({ merchant_id: z.string(), caller_phone: phoneNumber });

export const CardList = z.object({
  cards: z.array(CardEntry),
  default_card_id: z.string().nullable(),
  has_more: z.boolean(),
});
export type CardList = z.infer<typeof CardList>;

export const DeletedCard = z.object({ instrument_id: z.string(), deleted: z.literal(true) });
export type DeletedCard = z.infer<typeof DeletedCard>;
