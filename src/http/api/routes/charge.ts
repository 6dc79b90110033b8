/** `POST /v1/charge`: charges the saved card that the caller chose, for an open session. A decline returns 402. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type ChargeDeps, chargeSavedCard, type SavedCardCharge } from '../../../checkout/charge.ts';
import { ChargeStatusField, WalletField } from '../../../contract/charge-resource.ts';
import { withErrorsIn } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { findLanguage } from '../../../db/sessions/languages.ts';
import { MAX_AMOUNT_CENTS } from '../../../domain/money.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { anyId } from '../text-schemas.ts';
import { OPEN_SESSION } from './create-checkout.ts';

const SESSION = 'cs_wj3degzdpcf54erf5dhqd3dqci';
export const openSessionId = field(anyId, 'The open checkout session, as returned by `create_checkout`.', SESSION);

export const ChargeRequest = z.strictObject({
  checkout_session_id: openSessionId,
  instrument_id: field(
    anyId,
    "The card that the caller chose from the session's `cards`. There is no default: the caller must have agreed to this card.",
    'card_demo_visa',
  ),
  part_cents: field(
    z.int().min(1).max(MAX_AMOUNT_CENTS).optional(),
    'Charges this part instead of the whole amount, in minor units: at least `partial_minimum_cents` of the merchant. Only if the caller asked for it. Default: all.',
    2000,
  ),
  tip_cents: field(
    z.int().min(0).max(MAX_AMOUNT_CENTS).optional(),
    'A tip that the caller adds, in minor units, charged in addition: only if the merchant has `tip_percentages`, and at most half of the amount. Default: none.',
    300,
  ),
});

export const ChargeResponse = z.object({
  status: ChargeStatusField,
  amount_cents: field(z.int(), 'The charged amount in minor units, the tip included.', 4250),
  currency: FIELDS.currency,
  replay: field(z.boolean(), 'True if this exact charge was made before and this is the original.', false),
  charge_id: FIELDS.charge_id,
  checkout_session_id: FIELDS.checkout_session_id,
  processor_payment_id: FIELDS.processor_payment_id,
  merchant_id: FIELDS.merchant_id,
  order_id: FIELDS.order_id,
  platform_call_id: FIELDS.platform_call_id,
  wallet: WalletField,
  tip_cents: field(z.int().optional(), 'The tip in `amount_cents`. Absent if there is none.', 765),
  remaining_cents: field(z.int().optional(), 'What a part leaves to pay. Absent if nothing is left.', 2250),
});
export type ChargeResponse = z.infer<typeof ChargeResponse>;

const CHARGE = {
  id: 'charge',
  group: 'Checkout',
  scope: 'agent',
  summary: 'Charge a saved card',
  description: `Charges the card that the caller chose for an open checkout session. Amount and currency come from the session.

- **Tips and parts.** With \`tip_cents\` or \`part_cents\`, say the total to the caller first, and call this after the
caller has agreed. If an earlier charge of the card has another tip or part, returns 409
\`charge_details_mismatch\`.
- **Declines.** A decline returns 402 \`card_declined\`, not 200. Say its \`agent_message\` and follow its
\`agent_action\`. You can then try again. After five declines in a session, returns 429 \`rate_limit\`.
- **Repeating a charge.** The same charge again returns the original in its current state, with \`replay\` true.
With an \`Idempotency-Key\`, the first answer is returned: a 402 stays a 402. Only after a 424 does the repeat
return the current state.
- **One payment per session.** While a charge of the session is pending or has succeeded, another card is rejected
with 409 \`charge_details_mismatch\`. This applies to all ways to pay.
- **Unknown outcome.** If the processor does not answer or fails, returns 424 \`processor_unavailable\` and the
charge is \`pending\`. The money may have been taken, so do not take another payment for this order. We resolve the
charge, and a webhook reports the outcome.
- **One payment per order.** If another session has paid the order or is paying it, returns 409
\`charge_details_mismatch\` with the \`charge\` and a matching \`agent_message\`. Sessions created with
\`allow_repeat\` are exempt.
- **Screening.** If screening (\`/docs/screening\`) returns \`step_up\`, the caller has no saved card to charge.
Returns 422 \`needs_enrollment\`: send a link or transfer the call.
- **Card testing.** After too many failed attempts of a caller or a card, returns 429 \`rate_limit\` without asking
the processor.
- No other properties are accepted.`,
  request: ChargeRequest,
  response: ChargeResponse,
  answers:
    'The charge. It succeeded now or, with `replay`, before. `pending` with `replay` means that an earlier charge is not settled yet.',
  errors: [
    'missing_required_fields',
    'card_declined',
    'instrument_not_authorized',
    'session_not_found',
    'instrument_not_found',
    'processor_mismatch',
    'session_expired',
    'session_missing_consumer',
    'merchant_not_connected',
    'merchant_credentials_invalid',
    'needs_enrollment',
    'processor_unavailable',
  ],
  onReplay: asReplay,
  example: { needs: [OPEN_SESSION], body: { checkout_session_id: '$SESSION', instrument_id: 'card_demo_visa' } },
} satisfies Operation;

export function chargeRoute(app: FastifyInstance, deps: ChargeDeps): void {
  addOperation(app, 'POST /charge', CHARGE, async ({ body }, request) => {
    const {
      checkout_session_id: sessionId,
      instrument_id: instrumentId,
      part_cents: partCents,
      tip_cents: tipCents,
    } = body;
    const { scope, idempotencyClaim, log } = request;
    const charged = await withErrorsIn(
      () => findLanguage(deps.database, 'checkout_sessions', scope.accountId, sessionId),
      () =>
        chargeSavedCard(deps, scope, {
          sessionId,
          instrumentId,
          partCents,
          tipCents,
          keyHash: idempotencyClaim?.keyHash ?? null,
          log,
        }),
    );
    // Not stored for the Idempotency-Key: a repeat of the request returns the outcome.
    request.failedTemporarily = charged.charge.status === 'pending';
    return chargeResponse(charged);
  });
}

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
    ...(charge.tipCents > 0 && { tip_cents: charge.tipCents }),
    ...(charge.remainingCents > 0 && { remaining_cents: charge.remainingCents }),
  };
}
