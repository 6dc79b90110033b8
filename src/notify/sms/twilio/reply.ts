/** Twilio's request for an incoming message (https://www.twilio.com/docs/usage/security#validating-requests). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Reply } from '../replies.ts';

/**
 * Whether Twilio sent it: HMAC-SHA1 over the URL and the form's names and values, sorted by name.
 * @param url as it is set at Twilio, to the letter
 */
export function isFromTwilio(
  authToken: string,
  url: string,
  form: URLSearchParams,
  signature: string | undefined,
): boolean {
  const pairs = [...new Set(form.keys())]
    .sort()
    .flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value));
  const expected = createHmac('sha1', authToken)
    .update(url + pairs.join(''))
    .digest();
  const given = Buffer.from(signature ?? '', 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Null for what is no message. */
export function twilioReply(form: URLSearchParams): Reply | null {
  const [from, body] = [form.get('From'), form.get('Body')];
  return from === null || body === null ? null : { from, body };
}
