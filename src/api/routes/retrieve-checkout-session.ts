/** `GET /v1/checkout_sessions/{checkout_session_id}`: a lookup; a declined charge reads as 200. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { parseId } from '../../domain/ids.ts';
import { checkoutSessionResource } from '../../contract/resources.ts';
import { tokenizationFor } from '../../merchants/tokenization.ts';
import type { Processor } from '../../payments/ports.ts';
import type { CheckoutReader } from '../../db/sessions/checkout-reader.ts';
import type { Vault } from '../../vault/vault.ts';
import { sendWithMetadata } from '../answers.ts';
import { RETRIEVE_CHECKOUT_SESSION } from '../operations/checkout.ts';
import { docsUrlOf } from '../plugins/errors.ts';

export interface RetrieveDeps {
  readCheckout: CheckoutReader;
  processors: readonly Processor[];
  vault: Vault | null;
  now: () => Date;
  docsUrl: string | null;
}

interface Params {
  checkout_session_id: string;
}

/** Errors: `session_not_found`, also for another account's; `invalid_key` for one of the other mode. */
export function retrieveCheckoutSessionRoute(app: FastifyInstance, deps: RetrieveDeps): void {
  const path = '/checkout_sessions/:checkout_session_id';
  app.get<{ Params: Params }>(path, { config: { operation: RETRIEVE_CHECKOUT_SESSION } }, async (request, reply) => {
    const id = parseId('CheckoutSession', request.params.checkout_session_id);
    const reading =
      id === null ? null : await deps.readCheckout({ accountId: request.scope.accountId, id, at: deps.now() });
    if (reading === null) throw new ApiError('session_not_found', { param: 'checkout_session_id' });
    if (reading.session.mode !== request.scope.mode) throw new ApiError('invalid_key');
    const resource = checkoutSessionResource(reading, {
      environment: request.scope.mode,
      now: deps.now(),
      tokenization: tokenizationFor(deps, reading),
      requestId: request.id,
      docsUrl: docsUrlOf(app, deps.docsUrl),
    });
    return sendWithMetadata(reply, resource, reading.metadataJson);
  });
}
