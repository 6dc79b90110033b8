/** `GET /v1/checkout_sessions/{checkout_session_id}`: a lookup; a declined charge reads as 200. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { docsUrlOf } from '../plugins/errors.ts';
import type { Need, Operation } from '../reference/operation.ts';
import { sessionIdOf, sessionNotFound } from '../../checkout/charge.ts';
import { ApiError } from '../../contract/errors.ts';
import { FIELDS } from '../../contract/fields.ts';
import { CheckoutSessionResource, checkoutSessionResource } from '../../contract/resources.ts';
import type { Checkouts } from '../../db/sessions/batched-checkouts.ts';
import { tokenizationFor } from '../../merchants/processor.ts';
import type { Processor } from '../../payments/ports.ts';
import type { Vault } from '../../vault/vault.ts';

const SESSION: Need = { name: 'SESSION', operation: 'create_checkout', field: 'checkout_session_id' };

const RETRIEVE_CHECKOUT_SESSION: Operation = {
  id: 'retrieve_checkout_session',
  group: 'Checkout',
  summary: 'Retrieve a checkout session',
  description: `Reads a session and its charge. It is a look-up: a decline reads as 200 with a failed charge, whose \`failure\` is the error object that
the charge was answered with.

- \`charge\` is the one that is pending or succeeded, else the last that failed; null before any.
- \`cards\` is empty when nothing is to be paid, and once the session is paid or expired.
- A session of another account does not exist: \`session_not_found\`. One of the other mode: \`invalid_key\`.`,
  params: z.object({ checkout_session_id: FIELDS.checkout_session_id }),
  response: CheckoutSessionResource,
  answers: 'The session as it is now.',
  errors: ['session_not_found'],
  example: { needs: [SESSION], params: { checkout_session_id: '$SESSION' } },
};

export interface RetrieveDeps {
  checkouts: Pick<Checkouts, 'read'>;
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
      const reading = await deps.checkouts.read({ accountId: scope.accountId, id });
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
