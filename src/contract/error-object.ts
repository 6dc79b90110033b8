/** The error object: the body of every error answer, with its reference. */
import { z } from 'zod';
import { DECLINE_CODES } from '../domain/charge.ts';
import { LANGUAGE_TAGS } from '../languages/index.ts';
import { ADVICE_CODES, AGENT_ACTIONS, ERROR_CODES, ERROR_TYPES, type ErrorCode } from './error-catalogue.ts';
import { field } from './fields.ts';

/** The body under `error` (and under `failure` of a failed charge). */
export const ErrorObject = z
  .object({
    type: field(z.enum(ERROR_TYPES), 'The category of the error code.', 'card_error'),
    code: field(
      z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]),
      'What went wrong. Branch on this value, never on a message.',
      'card_declined',
    ),
    audience: field(
      z.enum(['developer', 'caller']),
      '`caller`: the error concerns the person on the call. `developer`: the integration is at fault. The agent says nothing and does not mention payment.',
      'caller',
    ),
    message: field(z.string(), 'For developers who read the logs. Never spoken.', 'The issuer declined the card.'),
    advice_code: field(
      z.enum(ADVICE_CODES),
      'For your program: whether to send the same request again. With `confirm_card_data`, retry after the caller has checked the entered digits. It is independent of `agent_action`: `do_not_try_again` with this card can come with `offer_different_card`.',
      'try_again_later',
    ),
    agent_message: field(
      z.string().nullable(),
      `What the agent says, word for word, in the caller's language (\`${LANGUAGE_TAGS.join('`, `')}\`; English for any other). If null, say nothing.`,
      "I'm sorry, the bank didn't approve that amount on this card. Would you like to use a different card?",
    ),
    display_message: field(
      z.string().nullable(),
      'The same message for a screen. Null if `agent_message` is null.',
      'Your bank did not approve this amount. Please try a different card.',
    ),
    agent_action: field(
      z.enum(AGENT_ACTIONS).nullable(),
      'What the agent does next. `retry_card`: have the caller check the card and try it again. `offer_different_card`: offer another saved card, the payment line, or a link if pay links can be sent. `send_link`: call `send_link`. `end_call`: say goodbye. `escalate`: hand over to a person. Null: do nothing.',
      'offer_different_card',
    ),
    doc_url: field(
      z.string(),
      'Link to this code on the error codes page.',
      'https://ringkey.example.com/docs/api-reference/error-codes#card_declined',
    ),
    request_id: field(
      z.string(),
      'The value of the `X-Request-Id` header. Quote it when you ask for help. In events, the ID of the event.',
      'req_6majmj8hdw8gdrntcg6be6wnt6',
    ),
    decline_code: field(
      z.string().optional(),
      `Why the card was not charged, if the processor or the issuer gave a reason: ${DECLINE_CODES.map((code) => `\`${code}\``).join(', ')}.`,
      'insufficient_funds',
    ),
    charge: field(z.string().optional(), 'The charge that the error refers to.', 'ch_x6ueh4kxj94cewxy97eft8edv6'),
    param: field(
      z.string().optional(),
      'The field, parameter or header that is wrong, such as `metadata.table` or `Idempotency-Key`.',
      'amount_cents',
    ),
    processor_code: field(
      z.string().optional(),
      "The processor's own code. Quote it to the processor's support.",
      'insufficient_funds',
    ),
    request_log_url: field(
      z.string().optional(),
      'Link to this request and its answer in the dashboard. It works as long as the request log is kept. Absent if no key was accepted, in `failure` of a charge or refund, in events, and if requests are not logged.',
      'https://ringkey.example.com/dashboard/requests/req_6majmj8hdw8gdrntcg6be6wnt6',
    ),
  })
  .meta({ id: 'ErrorObject', description: 'What went wrong, who has to act, and what the agent says and does.' });
export type ErrorObject = z.infer<typeof ErrorObject>;
