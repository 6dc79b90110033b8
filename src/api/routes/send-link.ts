/** `POST /v1/send_link`: texts the caller a pay link for an open session. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addOperation, type Operation } from '../reference/operation.ts';
import { openSessionId } from './charge.ts';
import { OPEN_SESSION } from './create-checkout.ts';
import { parseBody } from '../validation.ts';
import { sendLink, type SendLinkDeps, type SentLink } from '../../checkout/send-link.ts';
import { withErrorsIn } from '../../contract/errors.ts';
import { field, FIELDS } from '../../contract/fields.ts';
import { findLanguage } from '../../db/sessions/languages.ts';

const PAY_URL = 'https://ringkey.example.com/pay/u4jhvmgnzgedp95w77zvrmrfv9';
const SHORT_URL = 'https://ringkey.example.com/p/u4jhvmgnzged';

export const SendLinkRequest = z.strictObject({ checkout_session_id: openSessionId });

export const SendLinkResponse = z.object({
  sent: field(
    z.boolean(),
    'Whether this request has queued a text with the link. Where false, the agent must not say that one was sent.',
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
export type SendLinkResponse = z.infer<typeof SendLinkResponse>;

const SEND_LINK = {
  id: 'send_link',
  group: 'Checkout',
  scope: 'agent',
  summary: 'Text a pay link',
  description: `Texts the caller a pay link for an open session: caller, merchant, amount and verdict all come from the session.

A session has one link, and each request answers the same. \`sent\` is true only where this request has queued a text; where it is false the link is
there all the same, and the agent must not say that a text was sent: within 60 seconds of the last text, after three in an hour, to a number that
answered STOP, and in live mode where the service has no carrier. Texts of test mode count as sent, and go to nobody.

A queued text leaves within a second. While the carrier is away it waits and is tried again, for as long as the session can be paid, so the agent says
that the text is on its way, not that it has arrived. Of several that waited, the newest goes out.

Where another session has paid the session's order meanwhile, or is paying it, this is 409 \`charge_details_mismatch\` with an \`agent_message\` that says so,
unless the session was opened with \`allow_repeat\`. After five declines in the session it is 429 \`rate_limit\`, as of \`charge\`: the page takes no more cards.

On the page the payer enters a card, uses a wallet, or pays with a card that is saved for the session's number: those are shown once a code that
was texted to that number is typed in, and not at all with \`RINGKEY_SAVED_CARDS=off\`.

Where the service makes no links, this is 422 \`not_configured\`, and the agent offers the payment line instead.`,
  request: SendLinkRequest,
  response: SendLinkResponse,
  answers: 'The link, and whether a text with it went out now.',
  errors: [
    ...(['missing_checkout_session_id', 'session_not_found', 'session_expired'] as const),
    ...(['session_missing_consumer', 'merchant_not_connected', 'not_configured'] as const),
  ],
  example: { needs: [OPEN_SESSION], body: { checkout_session_id: '$SESSION' } },
} satisfies Operation;

function sendLinkResponse({ session, isSent, payUrl, shortUrl }: SentLink): SendLinkResponse {
  return {
    sent: isSent,
    pay_url: payUrl,
    short_url: shortUrl,
    payment_required: session.verdict,
    checkout_session_id: session.id,
    merchant_id: session.merchantId,
    order_id: session.orderId,
    platform_call_id: session.platformCallId,
  };
}

export function sendLinkRoute(app: FastifyInstance, deps: SendLinkDeps): void {
  addOperation(app, 'POST /send_link', SEND_LINK, async ({ body, scope }) => {
    const { checkout_session_id: id } = parseBody(SendLinkRequest, body, 'missing_checkout_session_id');
    return withErrorsIn(
      () => findLanguage(deps.database, 'checkout_sessions', scope.accountId, id),
      async () => sendLinkResponse(await sendLink(deps, scope, id)),
    );
  });
}
