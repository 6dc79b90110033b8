/** `POST /v1/send_link`: texts the caller a pay link for an open session. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type SendLinkDeps, type SentLink, sendLink } from '../../../checkout/send-link.ts';
import { withErrorsIn } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { findLanguage } from '../../../db/sessions/languages.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { openSessionId } from './charge.ts';
import { OPEN_SESSION } from './create-checkout.ts';

const PAY_URL = 'https://ringkey.example.com/pay/u4jhvmgnzgedp95w77zvrmrfv9';
const SHORT_URL = 'https://ringkey.example.com/p/u4jhvmgnzged';

export const SendLinkRequest = z.strictObject({ checkout_session_id: openSessionId });

export const SendLinkResponse = z.object({
  sent: field(
    z.boolean(),
    'Whether this request has queued a text with the link. If false, the agent must not say that a text was sent.',
    true,
  ),
  pay_url: field(z.string(), 'The pay link. Share it with the caller only: it allows payment of the session.', PAY_URL),
  short_url: field(z.string(), 'The same link, shortened, as used in the text.', SHORT_URL),
  payment_required: FIELDS.payment_required,
  checkout_session_id: FIELDS.checkout_session_id,
  merchant_id: FIELDS.merchant_id,
  order_id: FIELDS.order_id,
  platform_call_id: FIELDS.platform_call_id,
});
export type SendLinkResponse = z.infer<typeof SendLinkResponse>;

const SEND_LINK = {
  id: 'send_link',
  limited: { object: 'checkout_sessions', field: 'checkout_session_id' },
  group: 'Checkout',
  scope: 'agent',
  role: 'support',
  summary: 'Text a pay link',
  description: `Texts the caller a pay link for an open session. Caller, merchant, amount and verdict come from the session.

A session has one link, and every request returns it. \`sent\` is true only if this request has queued a text. If it
is false, the link is still valid, but the agent must not say that a text was sent. No text is sent within 60
seconds of the last one, after three in an hour, or to a number that answered STOP. In live mode, none is sent if
the service has no carrier. Texts in test mode count as sent but are not delivered.

A queued text is sent within a second. While the carrier is unavailable, the text waits and is retried for as long
as the session can be paid. The agent therefore says that the text is on its way, not that it has arrived. If
several texts are waiting, only the newest is sent.

If another session has paid the order or is paying it, returns 409 \`charge_details_mismatch\` with a matching
\`agent_message\`. Sessions created with \`allow_repeat\` are exempt. After five declines in the session, returns
429 \`rate_limit\`, as \`charge\` does: the page accepts no more cards.

**Limits.** A number can receive 5 texts per hour and 10 per day, across all accounts. An account can send 200 per
hour and 1,000 per day. Beyond that, returns 429 \`rate_limit\` with \`Retry-After\` and an \`agent_message\` that
no link can be texted now. Receipts count, but are always sent. In test mode, only your account's links and codes
count. At 80% of the account's limit, the audit trail has \`account.texts_near_limit\`. The operator of the service
can change the limits.

**Countries.** Numbers are texted only in the countries of your merchants' currencies and numbers, and in the
account's \`text_countries\`. Premium and satellite numbers are never texted. For other numbers, the 429 has the
\`advice_code\` \`do_not_try_again\`.

**The page.** The payer enters a card, uses a wallet, or pays with a card saved for the session's number. Saved
cards are shown after the payer enters a code that was texted to that number. With \`RINGKEY_SAVED_CARDS=off\` they
are never shown. If the checkout's \`purpose\` is \`save_card\`, the page has no amount: it asks for consent and saves
the card. If the merchant's processor can do that on the line only, returns 400 \`invalid_value\`.

If the service cannot create links, or the page has no card fields for the merchant's processor or lacks its public
key, returns 422 \`not_configured\`. The \`message\` says which. The agent offers the payment line instead.`,
  request: SendLinkRequest,
  missing: 'missing_checkout_session_id',
  response: SendLinkResponse,
  answers: 'The link, and whether this request has queued a text with it.',
  errors: [
    'missing_checkout_session_id',
    'session_not_found',
    'session_expired',
    'session_missing_consumer',
    'merchant_not_connected',
    'not_configured',
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
  addOperation(app, 'POST /send_link', SEND_LINK, async ({ body: { checkout_session_id: id } }, { scope, log }) =>
    withErrorsIn(
      () => findLanguage(deps.database, 'checkout_sessions', scope.accountId, id),
      async () => sendLinkResponse(await sendLink({ ...deps, log }, scope, id)),
    ),
  );
}
