/** Twilio's request for an incoming message (https://www.twilio.com/docs/usage/security#validating-requests). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Reply } from '../replies.ts';

/**
 * Whether Twilio sent it: HMAC-SHA1 over the URL and the form's names and values, sorted by name. Twilio sometimes
 * signs the URL with the port and sometimes without. Its own packages accept both (twilio-node, `validateRequest`).
 * @param url as set at Twilio, with or without the port
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
  const given = Buffer.from(signature ?? '', 'base64');
  return withAndWithoutPort(url).some((signed) => {
    const expected = createHmac('sha1', authToken)
      .update(signed + pairs.join(''))
      .digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** Adds the default port to a URL without one, or removes it. Edits the text, because parsing would change more. */
function withAndWithoutPort(url: string): string[] {
  const [, scheme = '', host = '', port, rest = ''] = /^(https?):\/\/([^/?#]*?)(?::(\d+))?([/?#].*)?$/s.exec(url) ?? [];
  const own = port ?? (scheme === 'https' ? '443' : '80');
  return [`${scheme}://${host}${rest}`, `${scheme}://${host}:${own}${rest}`];
}

/**
 * Null if it is not a message. With Advanced Opt-Out, whose words each account defines, Twilio reports the meaning:
 * STOP, START or HELP (https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out).
 */
export function twilioReply(form: URLSearchParams): Reply | null {
  const [from, body] = [form.get('From'), form.get('OptOutType') || form.get('Body')];
  return from === null || body === null ? null : { from, body };
}
