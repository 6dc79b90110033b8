/**
 * Telnyx' Messages API (https://developers.telnyx.com/api-reference/messages/send-a-message). It knows no idempotency key
 * and can be asked for a message by its own id only, so a text in doubt stays in doubt.
 */
import { z } from 'zod';
import type { SendAnswer, SmsCarrier } from '../ports.ts';
import { askCarrier, type CarrierAnswer } from '../request.ts';

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

/** 40300: the recipient has answered STOP. */
const OPTED_OUT = '40300';

export function createTelnyx(options: TelnyxOptions): SmsCarrier {
  const { apiKey, from, statusUrl, baseUrl = 'https://api.telnyx.com' } = options;
  return {
    name: 'telnyx',
    async send({ id, to, body }, signal) {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      const callback = statusUrl === undefined ? {} : { webhook_url: statusUrl(id) };
      const message = JSON.stringify({ from, to, text: body, ...callback });
      return answerOf(await askCarrier(`${baseUrl}/v2/messages`, { method: 'POST', headers, body: message, signal }));
    },
    async find() {
      return null;
    },
  };
}

function answerOf(answer: CarrierAnswer): SendAnswer {
  if (answer.type === 'unanswered') {
    const { sent, cause } = answer;
    return sent ? { status: 'unknown', cause } : { status: 'not_taken', cause, retryAfterMs: null };
  }
  const { status, json, retryAfterMs } = answer;
  const message = Message.safeParse(json);
  if (status === 200 && message.success) return { status: 'accepted', carrierMessageId: message.data.data.id };
  const code = Failure.safeParse(json).data?.errors[0]?.code;
  if (code === OPTED_OUT) return { status: 'refused', code, optedOut: true };
  if (status === 401 || status === 403 || status === 429) {
    return { status: 'not_taken', cause: code ?? String(status), retryAfterMs };
  }
  if (status >= 400 && status < 500) return { status: 'refused', code: code ?? String(status), optedOut: false };
  return { status: 'unknown', cause: String(status) };
}
