/** The error object: the one shape of every failing answer, with the reference's words on each field. */
import { z } from 'zod';
import { DECLINE_CODES } from '../domain/charge.ts';
import { ADVICE_CODES, AGENT_ACTIONS, ERROR_CODES, ERROR_TYPES, type ErrorCode } from './error-catalogue.ts';
import { field } from './fields.ts';
import { SPOKEN_LANGUAGES } from './translations.ts';

/** The body under `error` (and under `failure` of a failed charge). */
export const ErrorObject = z
  .object({
    type: field(z.enum(ERROR_TYPES), 'The family of the code.', 'card_error'),
    code: field(
      z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]),
      'What went wrong: branch on this, never on a message.',
      'card_declined',
    ),
    audience: field(
      z.enum(['developer', 'caller']),
      '`caller`: it concerns the person on the call. `developer`: the integration is at fault; there is nothing to say, and the agent does not raise payment.',
      'caller',
    ),
    message: field(z.string(), 'For the developer who reads a log. Never spoken.', 'The issuer declined the card.'),
    advice_code: field(
      z.enum(ADVICE_CODES),
      'For the program: whether the same request makes sense again. `confirm_card_data`: after the caller has checked what was keyed. Apart from `agent_action`: `do_not_try_again` with this card may still go with `offer_different_card`.',
      'try_again_later',
    ),
    agent_message: field(
      z.string().nullable(),
      `What the agent says, as it stands, in the caller's language (\`${SPOKEN_LANGUAGES.join('`, `')}\`; English for any other). Null: say nothing.`,
      "I'm sorry, the bank didn't approve that amount on this card. Would you like to use a different card?",
    ),
    display_message: field(
      z.string().nullable(),
      'The same fact for a screen. Null where `agent_message` is.',
      'Your bank did not approve this amount. Please try a different card.',
    ),
    agent_action: field(
      z.enum(AGENT_ACTIONS).nullable(),
      'What the agent does next. `retry_card`: the same card, checked. `offer_different_card`: another saved one, the payment line, or, where pay links can be sent, a link. `send_link`: `send_link`. `end_call`: say goodbye. `escalate`: hand over to a person. Null: nothing to do.',
      'offer_different_card',
    ),
    doc_url: field(
      z.string(),
      'The code on the page of all codes.',
      'https://ringkey.example.com/docs/api-reference/error-codes#card_declined',
    ),
    request_id: field(
      z.string(),
      'The same as the `X-Request-Id` header; quote it when you ask for help. In an event: the event’s id.',
      'req_6majmj8hdw8gdrntcg6be6wnt6',
    ),
    decline_code: field(
      z.string().optional(),
      `The issuer's reason, where it gave one: ${DECLINE_CODES.map((code) => `\`${code}\``).join(', ')}.`,
      'insufficient_funds',
    ),
    charge: field(z.string().optional(), 'The charge that the error concerns.', 'ch_x6ueh4kxj94cewxy97eft8edv6'),
    param: field(
      z.string().optional(),
      'The field, parameter or header at fault: `metadata.table`, `Idempotency-Key`.',
      'amount_cents',
    ),
    processor_code: field(z.string().optional(), "The processor's own code, for its support.", 'insufficient_funds'),
    request_log_url: field(
      z.string().optional(),
      'Where the request, and this answer, can be seen in the dashboard, for as long as the request log is kept. Absent where no key was accepted, in `failure` of a charge or refund, in events, and where requests are not logged.',
      'https://ringkey.example.com/dashboard/requests/req_6majmj8hdw8gdrntcg6be6wnt6',
    ),
  })
  .meta({ id: 'ErrorObject', description: 'What went wrong, whose business it is, and what an agent says and does.' });
export type ErrorObject = z.infer<typeof ErrorObject>;
