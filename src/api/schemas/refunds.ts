/** `/v1/refunds`: requests and answers. No other properties are accepted. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { RefundResource } from '../../contract/refunds.ts';
import { REFUND_REASONS } from '../../domain/refund.ts';
import { PageQuery } from './pages.ts';
import { storableMetadata } from './text.ts';

const MAX_ID_LENGTH = 255;

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
    storableMetadata.optional(),
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
