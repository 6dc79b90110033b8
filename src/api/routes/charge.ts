/** `POST /v1/charge`: charges the saved card that the caller chose, against an open session. A decline is a 402. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { addOperation, type Operation } from '../reference/operation.ts';
import { OPEN_SESSION } from './create-checkout.ts';
import { anyId } from '../text-schemas.ts';
import { parseBody } from '../validation.ts';
import { type ChargeDeps, chargeSavedCard, type SavedCardCharge } from '../../checkout/charge.ts';
import { withErrorsIn } from '../../contract/errors.ts';
import { field, FIELDS } from '../../contract/fields.ts';
import { ChargeStatusField, WalletField } from '../../contract/resources.ts';
import { findLanguage } from '../../db/sessions/languages.ts';

const SESSION = 'cs_wj3degzdpcf54erf5dhqd3dqci';
export const openSessionId = field(anyId, 'The open checkout session, as `create_checkout` answered it.', SESSION);

export const ChargeRequest = z.strictObject({
  checkout_session_id: openSessionId,
  instrument_id: field(
    anyId,
    'The card that the caller chose, of the `cards` of the session. Never defaulted: the caller agreed to a specific card.',
    'card_demo_visa',
  ),
});

export const ChargeResponse = z.object({
  status: ChargeStatusField,
  amount_cents: FIELDS.amount_cents,
  currency: FIELDS.currency,
  replay: field(z.boolean(), 'True when this exact charge was made before and this is the original.', false),
  charge_id: FIELDS.charge_id,
  checkout_session_id: FIELDS.checkout_session_id,
  processor_payment_id: FIELDS.processor_payment_id,
  merchant_id: FIELDS.merchant_id,
  order_id: FIELDS.order_id,
  platform_call_id: FIELDS.platform_call_id,
  wallet: WalletField,
});
export type ChargeResponse = z.infer<typeof ChargeResponse>;

const CHARGE = {
  id: 'charge',
  group: 'Checkout',
  scope: 'agent',
  summary: 'Charge a saved card',
  description: `Charges the card that the caller chose against an open checkout session. Amount and currency are the session's.

- **A decline** is a 402 \`card_declined\`, not a 200: say its \`agent_message\`, do its \`agent_action\`. A new attempt is allowed then; five declines a
session at most, then 429 \`rate_limit\`.
- **The same charge again** gives the original with \`replay\` true, as it stands now. With an \`Idempotency-Key\` it gives the first answer: what was a 402
stays one; only after a 424 the repeat learns how the charge stands by then. While a charge of the session is pending or has
succeeded, another card is refused with 409 \`charge_details_mismatch\`: a session is paid once, whatever path the payment comes by.
- **No outcome.** When the processor does not answer, fails or breaks off, the answer is 424 \`processor_unavailable\` and the charge is \`pending\`: the money may have been
taken. Take no other payment for this order; we find out, and the webhook brings the result.
- **One order, one payment.** Where another session has paid the order meanwhile, or is paying it: 409 \`charge_details_mismatch\` with the \`charge\` and an
\`agent_message\` that says so, unless the session was opened with \`allow_repeat\`.
- **Screening.** A caller whom screening (\`/docs/screening\`) steps up has no saved card to charge: 422 \`needs_enrollment\`, so send a link or transfer.
- **Card testing.** Too many failed attempts of one caller or card: 429 \`rate_limit\`, and the processor is not asked.
- No other properties are accepted.`,
  request: ChargeRequest,
  response: ChargeResponse,
  answers:
    'The money was taken, now or, with `replay`, before; `pending` with `replay` where an earlier charge is not settled yet.',
  errors: [
    ...(['missing_required_fields', 'card_declined', 'instrument_not_authorized', 'session_not_found'] as const),
    ...(['instrument_not_found', 'processor_mismatch', 'session_expired', 'session_missing_consumer'] as const),
    ...([
      'merchant_not_connected',
      'merchant_credentials_invalid',
      'needs_enrollment',
      'processor_unavailable',
    ] as const),
  ],
  example: { needs: [OPEN_SESSION], body: { checkout_session_id: '$SESSION', instrument_id: 'card_demo_visa' } },
} satisfies Operation;

export function chargeRoute(app: FastifyInstance, deps: ChargeDeps): void {
  const handler = async (request: FastifyRequest) => {
    const { body, scope, idempotencyClaim, log } = request;
    const { checkout_session_id: sessionId, instrument_id: instrumentId } = parseBody(ChargeRequest, body);
    const charged = await withErrorsIn(
      () => findLanguage(deps.database, 'checkout_sessions', scope.accountId, sessionId),
      () => chargeSavedCard(deps, scope, { sessionId, instrumentId, keyHash: idempotencyClaim?.keyHash ?? null, log }),
    );
    // Not kept for the Idempotency-Key: its repeat learns the outcome.
    request.failedTemporarily = charged.charge.status === 'pending';
    return chargeResponse(charged);
  };
  addOperation(app, 'POST /charge', CHARGE, handler, { onReplay: asReplay });
}

/** The kept answer, when it is given again for its Idempotency-Key. */
function asReplay(body: string): string {
  return JSON.stringify({ ...ChargeResponse.parse(JSON.parse(body)), replay: true });
}

function chargeResponse({ session, charge, replay }: SavedCardCharge): ChargeResponse {
  return {
    status: charge.status,
    amount_cents: charge.amount.amountCents,
    currency: charge.amount.currency,
    replay,
    charge_id: charge.id,
    checkout_session_id: session.id,
    processor_payment_id: charge.processorPaymentId,
    merchant_id: charge.merchantId,
    order_id: session.orderId,
    platform_call_id: session.platformCallId,
    ...(charge.wallet !== null && { wallet: charge.wallet }),
  };
}
