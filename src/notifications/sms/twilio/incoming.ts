/** Twilio's requests for an incoming message and for the status of ours. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DeliveryReport } from '../../../db/texts/texts.ts';
import type { Reply } from '../incoming.ts';

/**
 * Whether Twilio sent it: HMAC-SHA1 over the URL and the form's names and values, sorted by name. Twilio sometimes
 * signs the URL with the port and sometimes without. Its own packages accept both (twilio-node, `validateRequest`).
 * See https://www.twilio.com/docs/usage/security#validating-requests.
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

/** Without `sent` and earlier statuses, which are known, and `read`, which follows `delivered`. */
const DELIVERIES: Readonly<Record<string, DeliveryReport['delivery']>> = {
  delivered: 'delivered',
  undelivered: 'undelivered',
  failed: 'undelivered',
};

/**
 * A status callback (https://www.twilio.com/docs/messaging/guides/track-outbound-message-status). Null unless it is a
 * message's final status. @param textId ours, from the URL
 */
export function twilioDelivery(form: URLSearchParams, textId: string | null): DeliveryReport | null {
  const carrierMessageId = form.get('MessageSid');
  const delivery = DELIVERIES[form.get('MessageStatus') ?? ''];
  if (carrierMessageId === null || delivery === undefined) return null;
  return { carrier: 'twilio', textId, carrierMessageId, delivery, code: form.get('ErrorCode') };
}
