/** `POST /v1/send_link`: texts the caller a pay link for an open session. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addOperation, type Operation } from '../reference/operation.ts';
import { openSessionId } from './charge.ts';
import { OPEN_SESSION } from './create-checkout.ts';
import { parseBody } from '../validation.ts';
import { sendLink, type SendLinkDeps } from '../../checkout/send-link.ts';
import { withErrorsIn } from '../../contract/errors.ts';
import { field, FIELDS } from '../../contract/fields.ts';
import { findLanguage } from '../../db/sessions/languages.ts';

const PAY_URL = 'https://ringkey.example.com/pay/u4jhvmgnzgedp95w77zvrmrfv9';
const SHORT_URL = 'https://ringkey.example.com/p/u4jhvmgn';

export const SendLinkRequest = z.strictObject({ checkout_session_id: openSessionId });

const SendLinkResponse = z.object({
  sent: field(
    z.boolean(),
    'False: a text went out a moment ago and none did now, so the agent must not say that one was sent.',
    true,
  ),
  pay_url: field(z.string(), 'The pay link. It holds the way to pay: only the caller gets it.', PAY_URL),
  short_url: field(z.string(), 'The same link, shortened: what the text says.', SHORT_URL),
  payment_required: FIELDS.payment_required,
  checkout_session_id: FIELDS.checkout_session_id,
  merchant_id: FIELDS.merchant_id,
  order_id: FIELDS.order_id,
  platform_call_id: FIELDS.platform_call_id,
});

const SEND_LINK = {
  id: 'send_link',
  group: 'Checkout',
  scope: 'agent',
  summary: 'Text a pay link',
  description: `Texts the caller a pay link for an open session: caller, merchant, amount and verdict all come from the session.

Where the service has no pay page, this is 422 \`not_configured\`, and the agent offers the payment line instead.

A second send within 60 seconds gives the link without texting: \`sent\` is false then, and the agent must not say that a text was sent. At most
three texts a session and hour.`,
  request: SendLinkRequest,
  response: SendLinkResponse,
  answers: 'The link, and whether a text with it went out now.',
  errors: [
    ...(['missing_checkout_session_id', 'session_not_found', 'session_expired'] as const),
    ...(['session_missing_consumer', 'merchant_not_connected', 'not_configured'] as const),
  ],
  example: { needs: [OPEN_SESSION], body: { checkout_session_id: '$SESSION' }, fails: 'not_configured' },
} satisfies Operation;

export function sendLinkRoute(app: FastifyInstance, deps: SendLinkDeps): void {
  addOperation(app, 'POST /send_link', SEND_LINK, async ({ body, scope }) => {
    const { checkout_session_id: id } = parseBody(SendLinkRequest, body, 'missing_checkout_session_id');
    return withErrorsIn(
      () => findLanguage(deps.database, 'checkout_sessions', scope.accountId, id),
      () => sendLink(deps, scope, id),
    );
  });
}
