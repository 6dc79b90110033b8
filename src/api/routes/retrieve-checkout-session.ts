/** `GET /v1/checkout_sessions/{checkout_session_id}`: a lookup; a declined charge reads as 200. */
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import { sessionIdOf, sessionNotFound } from '../../checkout/charge.ts';
import { type CheckoutSessionResource, checkoutSessionResource } from '../../contract/resources.ts';
import { tokenizationFor } from '../../merchants/processor.ts';
import type { Processor } from '../../payments/ports.ts';
import type { Sql } from '../../db/pool.ts';
import { readCheckout } from '../../db/sessions/checkouts.ts';
import type { Vault } from '../../vault/vault.ts';
import { RETRIEVE_CHECKOUT_SESSION } from '../operations/checkout.ts';
import { docsUrlOf } from '../plugins/errors.ts';

export interface RetrieveDeps {
  database: Sql;
  processors: readonly Processor[];
  vault: Vault | null;
  now: () => Date;
  docsUrl: string | null;
}

interface Params {
  checkout_session_id: string;
}

/** @throws ApiError `session_not_found`, also for another account's; `invalid_key` for one of the other mode */
export function retrieveCheckoutSessionRoute(app: FastifyInstance, deps: RetrieveDeps): void {
  const path = '/checkout_sessions/:checkout_session_id';
  app.get<{ Params: Params }>(
    path,
    { config: { operation: RETRIEVE_CHECKOUT_SESSION } },
    async ({ params, scope, id: requestId }): Promise<CheckoutSessionResource> => {
      const id = sessionIdOf(params.checkout_session_id);
      const reading = await readCheckout(deps.database, scope.accountId, id, deps.now());
      if (reading === null) throw sessionNotFound();
      if (reading.session.mode !== scope.mode) throw new ApiError('invalid_key');
      return checkoutSessionResource(reading, {
        environment: scope.mode,
        now: deps.now(),
        tokenization: tokenizationFor(deps, reading),
        requestId,
        docsUrl: docsUrlOf(app, deps.docsUrl),
      });
    },
  );
}
