/**
 * Telnyx' Messages API (https://developers.telnyx.com/api-reference/messages/send-a-message). It has no idempotency
 * keys, and finds a message by its own ID only. So a text with an unknown outcome stays unknown.
 */
import { z } from 'zod';
import type { SmsCarrier } from '../ports.ts';
import { askCarrier, type CarrierWords, sendAnswerOf } from '../request.ts';

interface TelnyxOptions {
  apiKey: string;
  /** E.164 number or short code. An alphanumeric sender would also need its messaging profile. */
  from: string;
  /** The URL for Telnyx' delivery reports. By default, the messaging profile's. */
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
