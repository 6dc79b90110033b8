/** `POST /v1/charge` and `POST /v1/send_link`: requests and answers. No other properties are accepted. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { ChargeStatusField } from '../../contract/resources.ts';

const MAX_ID_LENGTH = 255;
const SESSION = 'cs_wj3degzdpcf54erf5dhqd3dqci';
const PAY_URL = 'https://ringkey.example.com/pay/u4jhvmgnzgedp95w77zvrmrfv9';
const SHORT_URL = 'https://ringkey.example.com/p/u4jhvmgn';
const id = z.string().min(1).max(MAX_ID_LENGTH);
const checkout_session_id = field(id, 'The open checkout session, as `create_checkout` answered it.', SESSION);

export const ChargeRequest = z.strictObject({
  checkout_session_id,
  instrument_id: field(
    id,
    'The card that the caller chose, of the `cards` of the session. Never defaulted: the caller agreed to a specific card.',
    'card_demo_visa',
  ),
});

export const ChargeResponse = z.object({
  status: ChargeStatusField,
  amount_cents: FIELDS.amount_cents,
  currency: FIELDS.currency,
  replay: field(z.boolean(), 'True when this exact charge was made before and this is the original.', false),
  charge_id: FIELDS.charge_id,
  checkout_session_id: FIELDS.checkout_session_id,
  processor_payment_id: FIELDS.processor_payment_id,
  merchant_id: FIELDS.merchant_id,
  order_id: FIELDS.order_id,
  platform_call_id: FIELDS.platform_call_id,
});
export type ChargeResponse = z.infer<typeof ChargeResponse>;

export const SendLinkRequest = z.strictObject({ checkout_session_id });

export const SendLinkResponse = z.object({
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
export type SendLinkResponse = z.infer<typeof SendLinkResponse>;
