/** Twilio's request for an incoming message (https://www.twilio.com/docs/usage/security#validating-requests). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Reply } from '../replies.ts';

/**
 * Whether Twilio sent it: HMAC-SHA1 over the URL and the form's names and values, sorted by name. Twilio signs now with
 * the port and now without, whatever was set: its own packages take either (twilio-node, `validateRequest`).
 * @param url as it is set at Twilio, but for the port
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

/** Of a URL without a port, the one that its scheme stands for. As text: parsing would change more than the port. */
function withAndWithoutPort(url: string): string[] {
  const [, scheme = '', host = '', port, rest = ''] = /^(https?):\/\/([^/?#]*?)(?::(\d+))?([/?#].*)?$/s.exec(url) ?? [];
  const own = port ?? (scheme === 'https' ? '443' : '80');
  return [`${scheme}://${host}${rest}`, `${scheme}://${host}:${own}${rest}`];
}

/**
 * Null for what is no message. With Advanced Opt-Out, whose words are the account's own, Twilio says what it took them
 * for (https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out): STOP, START or HELP.
 */
export function twilioReply(form: URLSearchParams): Reply | null {
  const [from, body] = [form.get('From'), form.get('OptOutType') || form.get('Body')];
  return from === null || body === null ? null : { from, body };
}
