/**
 * Twilio's Messages resource (https://www.twilio.com/docs/messaging/api/message-resource). It has no idempotency keys,
 * so a text with an unknown outcome is searched in the messages to its recipient.
 */
import { z } from 'zod';
import type { SendAnswer, SmsCarrier, Text } from '../ports.ts';
import { askCarrier, type CarrierAnswer, type CarrierWords, sendAnswerOf } from '../request.ts';

interface TwilioOptions {
  accountSid: string;
  authToken: string;
  /** E.164 number, or the SID of a messaging service (`MG…`). */
  from: string;
  /** The URL for Twilio's delivery reports. Without it, there are none. */
  statusUrl?: (textId: string) => string;
  baseUrl?: string;
}

const Message = z.object({ sid: z.string() });
const MessageList = z.object({
  messages: z.array(z.object({ sid: z.string(), body: z.string().nullable(), date_created: z.string() })),
});
const Failure = z.object({ code: z.number() });

const WORDS: CarrierWords = {
  acceptedStatus: 201,
  messageIdOf: (json) => Message.safeParse(json).data?.sid ?? null,
  failureCodeOf: (json) => Failure.safeParse(json).data?.code.toString(),
  optedOutCode: '21610',
};

/** The accepted difference between Twilio's clock and ours. */
const CLOCK_MS = 120_000;
const LISTED = 50;

export function createTwilio(options: TwilioOptions): SmsCarrier {
  const { accountSid, authToken, from, statusUrl, baseUrl = 'https://api.twilio.com' } = options;
  const messages = `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const sender = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
  return {
    name: 'twilio',
    async send({ id, to, body }, signal) {
      const callback = statusUrl === undefined ? {} : { StatusCallback: statusUrl(id) };
      const form = new URLSearchParams({ To: to, Body: body, ...sender, ...callback });
      const request = { method: 'POST', headers: { authorization }, body: form, signal };
      return sendAnswerOf(await askCarrier(messages, request), WORDS);
    },
    async find(text, signal) {
      const query = new URLSearchParams({ To: text.to, PageSize: String(LISTED) });
      const answer = await askCarrier(`${messages}?${query}`, { headers: { authorization }, signal });
      return foundIn(answer, text);
    },
  };
}

function foundIn(answer: CarrierAnswer, text: Text): SendAnswer | { status: 'not_found' } {
  if (answer.type === 'unanswered') return { status: 'unknown', cause: answer.cause };
  const list = MessageList.safeParse(answer.json);
  if (answer.status !== 200 || !list.success) return { status: 'unknown', cause: String(answer.status) };
  const since = text.firstSentAt.getTime() - CLOCK_MS;
  const match = list.data.messages.find(
    ({ body, date_created }) => body === text.body && Date.parse(date_created) >= since,
  );
  return match === undefined ? { status: 'not_found' } : { status: 'accepted', carrierMessageId: match.sid };
}
