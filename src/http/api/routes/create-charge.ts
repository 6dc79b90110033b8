/** `POST /v1/charges`: charges a saved card without its caller. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireCardInScope } from '../../../checkout/cards/cards.ts';
import { chargeWithoutCaller, findEarlierCharge } from '../../../checkout/merchant-charge.ts';
import { ListedChargeResource, listedChargeResource } from '../../../contract/charges.ts';
import { ApiError, withErrorsIn } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import { findListedCharge } from '../../../db/charges/charge-lists.ts';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { errorContext } from '../plugins/errors.ts';
import type { ApiDeps } from '../ports.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireMerchant } from '../require-in-scope.ts';
import { anyId, metadata, text } from '../text-schemas.ts';

const MAX_ORDER_ID_LENGTH = 255;

const CreateChargeRequest = z.strictObject({
  initiator: field(
    z.literal('merchant'),
    'Always `merchant`. To charge a card that a caller chose, use `charge`.',
    'merchant',
  ),
  merchant_id: field(
    z.string(),
    'The merchant that gets paid. The caller must have agreed at this merchant.',
    'mer_demo_diner',
  ),
  instrument_id: field(
    anyId,
    'The saved card. It was saved at this merchant with `save_terms` `merchant_initiated`.',
    'card_demo_visa',
  ),
  amount_cents: field(
    z.int().min(1).max(MAX_AMOUNT_CENTS),
    "The amount in minor units of the merchant's currency. At most the `max_amount_cents` that the caller agreed to.",
    2500,
  ),
  order_id: field(
    text(MAX_ORDER_ID_LENGTH),
    'The order in your own system, such as an invoice or a fee. Ringkey does not look it up at the order source.',
    'fee_1001',
  ),
  allow_repeat: field(
    z.boolean().default(false),
    'True to charge this order even if another charge of it succeeded or is pending.',
    true,
  ),
  metadata: field(metadata.default({}), 'Your own data, as in `create_checkout`.', { reason: 'no-show' }),
});

const CARD: Need = {
  name: 'CARD',
  operation: 'save_card',
  field: 'instrument_id',
  body: {
    merchant_id: 'mer_demo_diner',
    caller_phone: '+15550109876',
    token: 'tok_mastercard',
    save_terms: 'merchant_initiated',
    max_amount_cents: 10000,
    consent_text: 'We charge this card up to 100 dollars if you do not come.',
  },
};

const CREATE_CHARGE = {
  id: 'create_charge',
  group: 'Charges',
  summary: 'Charge a saved card without the caller',
  description: `Charges a saved card when the caller is not there, such as for a no-show fee, an instalment or a subscription. The card
networks call this a merchant-initiated transaction, and it is sent to the processor as one.

- **Consent.** The caller must have agreed: the card was saved at this merchant with \`save_terms\`
\`merchant_initiated\`. Otherwise returns 403 \`consent_missing\`. An amount over the \`max_amount_cents\` of the
consent returns 403 \`consent_exceeded\`. After you delete the card, nothing can be charged.
- **Once.** The \`Idempotency-Key\` is required. A repeat of the request returns the charge of the first one in its
current state, even after the 24 hours for which answers are stored.
- **One payment per order.** If the order is paid or being paid, returns 409 \`charge_details_mismatch\` with the
\`charge\`, unless you send \`allow_repeat\`.
- **Declines.** A decline returns 402 \`card_declined\`. A new attempt needs a new key. Ask the caller for another card
instead of charging the same one again and again: after too many failed attempts of a caller or a card, returns 429
\`rate_limit\` without asking the processor.
- **Unknown outcome.** As for \`charge\`: 424 \`processor_unavailable\`, the charge is \`pending\`, and a webhook
reports the outcome.
- The charge has a checkout session of its own, which the events name. The caller gets a receipt by text.`,
  request: CreateChargeRequest,
  response: ListedChargeResource,
  answers: 'The charge. It succeeded now or, for a repeat, before. `pending`: an earlier request is not settled yet.',
  errors: [
    'missing_required_fields',
    'card_declined',
    'consent_missing',
    'consent_exceeded',
    'merchant_not_found',
    'instrument_not_found',
    'processor_mismatch',
    'merchant_not_connected',
    'merchant_credentials_invalid',
    'needs_enrollment',
    'not_configured',
    'processor_unavailable',
  ],
  example: {
    needs: [CARD],
    headers: { 'Idempotency-Key': 'fee_1001' },
    body: {
      initiator: 'merchant',
      merchant_id: 'mer_demo_diner',
      instrument_id: '$CARD',
      amount_cents: 2500,
      order_id: 'fee_1001',
      metadata: { reason: 'no-show' },
    },
  },
} satisfies Operation;

type CreateChargeDeps = Pick<ApiDeps, 'database' | 'processors' | 'now' | 'pay'>;

export function createChargeRoute(app: FastifyInstance, deps: CreateChargeDeps): void {
  addOperation(app, 'POST /charges', CREATE_CHARGE, async ({ body }, request) => {
    const { scope, actor, idempotencyClaim: claim, log } = request;
    const { merchant } = await requireMerchant(deps.database, request, body.merchant_id);
    if (claim === null) throw new ApiError('missing_required_fields', { param: 'Idempotency-Key' });
    const { amount_cents: amountCents, order_id: orderId, allow_repeat: allowRepeat } = body;
    const charge = await withErrorsIn(merchant.language, async () => {
      const earlier = await findEarlierCharge(deps.database, scope, claim);
      if (earlier !== null) return earlier;
      const card = await requireCardInScope(deps, scope, body.instrument_id);
      const order = { claim, amountCents, orderId, allowRepeat, metadata: body.metadata, log };
      return chargeWithoutCaller(deps, actor, scope, { merchant, card, ...order });
    });
    // Not stored for the Idempotency-Key: a repeat of the request returns the outcome.
    request.failedTemporarily = charge.status === 'pending';
    const listed = await findListedCharge(deps.database, scope.accountId, charge.id);
    if (listed === null) throw new Error('a charge that was just made is missing');
    return listedChargeResource(listed, errorContext(request));
  });
}
