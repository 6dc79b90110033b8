/** `POST /v1/send_link`: texts the caller a pay link for an open session. */
import type { FastifyInstance } from 'fastify';
import { type SendLinkDeps, sendLink } from '../../checkout/send-link.ts';
import { withErrorsIn } from '../../contract/errors.ts';
import { languageOfSession } from '../../db/sessions/languages.ts';
import { SEND_LINK } from '../operations/checkout.ts';
import { SendLinkRequest, type SendLinkResponse } from '../schemas/charge.ts';
import { parseBody } from '../validation.ts';

export function sendLinkRoute(app: FastifyInstance, deps: SendLinkDeps): void {
  app.post('/send_link', { config: { operation: SEND_LINK } }, async (request): Promise<SendLinkResponse> => {
    const body = parseBody(SendLinkRequest, request.body, 'missing_checkout_session_id');
    const languageOf = () => languageOfSession(deps.database, request.scope.accountId, body.checkout_session_id);
    return withErrorsIn(languageOf, () => sendLink(deps, request.scope, body.checkout_session_id));
  });
}
