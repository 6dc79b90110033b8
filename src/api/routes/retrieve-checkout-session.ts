/** `GET /v1/checkout_sessions/{checkout_session_id}`: a lookup; a declined charge reads as 200. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { errorContext } from '../plugins/errors.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { OPEN_SESSION } from './create-checkout.ts';
import { sessionIdOf, sessionNotFound } from '../../checkout/charge.ts';
import { ApiError } from '../../contract/errors.ts';
import { FIELDS } from '../../contract/fields.ts';
import { CheckoutSessionResource, checkoutSessionResource } from '../../contract/resources.ts';
import type { Checkouts } from '../../db/sessions/batched-checkouts.ts';
import { tokenizationFor } from '../../merchants/processor.ts';
import type { Processor } from '../../payments/ports.ts';
import type { Vault } from '../../vault/vault.ts';

const RETRIEVE_CHECKOUT_SESSION = {
  id: 'retrieve_checkout_session',
  group: 'Checkout',
  scope: 'agent',
  summary: 'Retrieve a checkout session',
  description: `Reads a session and its charge. It is a look-up: a decline reads as 200 with a failed charge, whose \`failure\` is the error object that
the charge was answered with.

- \`charge\` is the one that is pending or succeeded, else the last that failed; null before any.
- \`cards\` is empty when nothing is to be paid, and once the session is paid or expired; also where \`screen.decision\` is \`step_up\`.
- \`screen\` says what screening (\`/docs/screening\`) found of the caller, for your records. Never speak of it.
- A session of another account does not exist: \`session_not_found\`. One of the other mode: \`invalid_key\`.`,
  params: z.object({ checkout_session_id: FIELDS.checkout_session_id }),
  response: CheckoutSessionResource,
  answers: 'The session as it is now.',
  errors: ['session_not_found'],
  example: { needs: [OPEN_SESSION], params: { checkout_session_id: '$SESSION' } },
} satisfies Operation;

interface RetrieveDeps {
  checkouts: Pick<Checkouts, 'read'>;
  processors: readonly Processor[];
  vault: Vault | null;
  /** RINGKEY_SAVED_CARDS: whether saved cards are offered; true where not given. */
  savedCards?: boolean;
}

/** @throws ApiError `session_not_found`, also for another account's; `invalid_key` for one of the other mode */
export function retrieveCheckoutSessionRoute(app: FastifyInstance, deps: RetrieveDeps): void {
  const route = 'GET /checkout_sessions/:checkout_session_id';
  addOperation(app, route, RETRIEVE_CHECKOUT_SESSION, async (request) => {
    const { accountId, mode } = request.scope;
    const id = sessionIdOf(request.params.checkout_session_id);
    const reading = await deps.checkouts.read({ accountId, id });
    if (reading === null) throw sessionNotFound();
    if (reading.session.mode !== mode) throw new ApiError('invalid_key');
    const tokenization = tokenizationFor(deps, reading);
    const { savedCards = true } = deps;
    const { screen } = reading;
    const context = { environment: mode, tokenization, savedCards, screen, ...errorContext(request) };
    return checkoutSessionResource(reading, context);
  });
}
