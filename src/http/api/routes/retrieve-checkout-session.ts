/** `GET /v1/checkout_sessions/{checkout_session_id}`: a lookup; a declined charge reads as 200. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { tokenizationFor } from '../../../accounts/merchants/processor.ts';
import { sessionIdOf, sessionNotFound } from '../../../checkout/charge.ts';
import { FIELDS } from '../../../contract/fields.ts';
import { ofOtherMode } from '../../../contract/not-in-scope.ts';
import { CheckoutSessionResource, checkoutSessionResource } from '../../../contract/resources.ts';
import type { Checkouts } from '../../../db/sessions/batched-checkouts.ts';
import type { Vault } from '../../../lib/vault/vault.ts';
import type { Processor } from '../../../payments/ports.ts';
import { errorContext } from '../plugins/errors.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { OPEN_SESSION } from './create-checkout.ts';

const RETRIEVE_CHECKOUT_SESSION = {
  id: 'retrieve_checkout_session',
  group: 'Checkout',
  scope: 'agent',
  summary: 'Retrieve a checkout session',
  description: `Returns a session and its charge. A declined charge does not make this request fail: the answer is 200 with a failed
charge, and its \`failure\` is the error object of the charge operation.

- \`charge\` is the pending or succeeded charge. Otherwise it is the last failed one, or null before the first
charge.
- \`cards\` is empty if nothing is due, if the session is paid or expired, or if \`screen.decision\` is \`step_up\`.
- \`screen\` is what screening (\`/docs/screening\`) found about the caller, for your records. Never speak it.
- For a session of another account, returns \`session_not_found\`. For a session of the other mode, returns
\`invalid_key\`.`,
  params: z.object({ checkout_session_id: FIELDS.checkout_session_id }),
  response: CheckoutSessionResource,
  answers: 'The session in its current state.',
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
  addOperation(app, route, RETRIEVE_CHECKOUT_SESSION, async ({ params }, request) => {
    const { accountId, mode } = request.scope;
    const id = sessionIdOf(params.checkout_session_id);
    const reading = await deps.checkouts.read({ accountId, id });
    if (reading === null) throw sessionNotFound();
    if (reading.session.mode !== mode) throw ofOtherMode(mode);
    const tokenization = tokenizationFor(deps, reading);
    const { savedCards = true } = deps;
    const { screen } = reading;
    const context = { environment: mode, tokenization, savedCards, screen, ...errorContext(request) };
    return checkoutSessionResource(reading, context);
  });
}
