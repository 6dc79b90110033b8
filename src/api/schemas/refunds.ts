/** `/v1/refunds`: requests and answers. No other properties are accepted. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { REFUND_REASONS, RefundResource } from '../../domain/refund.ts';
import { PageQuery } from './pages.ts';
import { MAX_METADATA_VALUE, text } from './text.ts';

const MAX_ID_LENGTH = 255;
const MAX_METADATA_KEYS = 50;

/** jsonb keeps neither a zero byte nor half a character. */
const UNKEPT = /\0|\p{Surrogate}/u;

const MetadataValue = z.union(
  [
    z
      .string()
      .refine((value) => [...value].length <= MAX_METADATA_VALUE, {
        error: `is longer than ${MAX_METADATA_VALUE} characters`,
      })
      .refine((value) => !UNKEPT.test(value), { error: 'has characters that are no text' })
      .meta({ maxLength: MAX_METADATA_VALUE }),
    z.number(),
    z.boolean(),
    z.null(),
  ],
  { error: 'is not a text, a number, true, false or null' },
);

const charge = z.string().min(1).max(MAX_ID_LENGTH);
const CHARGE = 'ch_x6ueh4kxj94cewxy97eft8edv6';

export const CreateRefundRequest = z.strictObject({
  charge: field(charge, 'The charge to give back: its `charge_id`.', CHARGE),
  amount_cents: field(
    z.int().min(1).max(MAX_AMOUNT_CENTS).optional(),
    "How much, an integer in the currency's minor unit; all that is left of the charge where not given.",
    1000,
  ),
  reason: field(
    z.enum(REFUND_REASONS).optional(),
    'Why. Stripe is told, too: `fraudulent` puts the card on its block list.',
    'requested_by_customer',
  ),
  metadata: field(
    z
      .record(text(40), MetadataValue)
      .refine((value) => Object.keys(value).length <= MAX_METADATA_KEYS, {
        error: `has more than ${MAX_METADATA_KEYS} keys`,
      })
      .optional(),
    'Yours: texts, numbers, booleans and nulls by name, kept and echoed, never interpreted. At most 50 names of 40 characters, values of 500.',
    { ticket: '4711' },
  ),
});

export const ListRefundsQuery = PageQuery.extend({
  charge: field(charge.optional(), 'Only the refunds of this charge.', CHARGE),
});

export const RefundList = z.object({
  refunds: field(z.array(RefundResource), 'Newest first.'),
  has_more: FIELDS.has_more,
});
export type RefundList = z.infer<typeof RefundList>;
