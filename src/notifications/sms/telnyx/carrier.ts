/**
 * Telnyx' Messages API (https://developers.telnyx.com/api-reference/messages/send-a-message). It knows no idempotency
 * key and can be asked for a message by its own id only, so a text in doubt stays in doubt.
 */
import { z } from 'zod';
import type { SmsCarrier } from '../ports.ts';
import { askCarrier, type CarrierWords, sendAnswerOf } from '../request.ts';

export interface TelnyxOptions {
  apiKey: string;
  /** E.164 number or short code; an alphanumeric sender would need its messaging profile named as well. */
  from: string;
  /** Where Telnyx reports what becomes of a text; where its messaging profile says, where not given. */
  statusUrl?: (textId: string) => string;
  baseUrl?: string;
}

const Message = z.object({ data: z.object({ id: z.string() }) });
const Failure = z.object({ errors: z.array(z.object({ code: z.coerce.string() })) });

const WORDS: CarrierWords = {
  acceptedStatus: 200,
  messageIdOf: (json) => Message.safeParse(json).data?.data.id ?? null,
  failureCodeOf: (json) => Failure.safeParse(json).data?.errors[0]?.code,
  optedOutCode: '40300',
};

export function createTelnyx(options: TelnyxOptions): SmsCarrier {
  const { apiKey, from, statusUrl, baseUrl = 'https://api.telnyx.com' } = options;
  return {
    name: 'telnyx',
    async send({ id, to, body }, signal) {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const callback = statusUrl === undefined ? {} : { webhook_url: statusUrl(id) };
      const message = JSON.stringify({ from, to, text: body, ...callback });
      const request = { method: 'POST', headers, body: message, signal };
      return sendAnswerOf(await askCarrier(`${baseUrl}/v2/messages`, request), WORDS);
    },
    async find() {
      return null;
    },
  };
}
