/** `POST /v1/charge`: the saved card that the caller chose, against an open session. A decline is a 402. */
import type { FastifyInstance } from 'fastify';
import { type ChargeDeps, chargeSavedCard, type SavedCardCharge } from '../../checkout/charge.ts';
import { withErrorsIn } from '../../contract/errors.ts';
import { languageOfSession } from '../../db/sessions/languages.ts';
import { CHARGE } from '../operations/checkout.ts';
import { ChargeRequest, ChargeResponse } from '../schemas/charge.ts';
import { parseBody } from '../validation.ts';

/** A kept answer that is given again for its Idempotency-Key says `replay: true`; a decline stays the 402 that it was. */
export function chargeRoute(app: FastifyInstance, deps: ChargeDeps): void {
  app.post(
    '/charge',
    { config: { operation: CHARGE, onReplay: asReplay } },
    async (request): Promise<ChargeResponse> => {
      const body = parseBody(ChargeRequest, request.body);
      const languageOf = () => languageOfSession(deps.database, request.scope.accountId, body.checkout_session_id);
      const asked = { sessionId: body.checkout_session_id, instrumentId: body.instrument_id, log: request.log };
      return withErrorsIn(languageOf, async () => chargeResponse(await chargeSavedCard(deps, request.scope, asked)));
    },
  );
}

/** The answer that an idempotency key has kept, given again. */
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
  };
}
