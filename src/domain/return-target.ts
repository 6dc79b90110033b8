/** `return_to`: where the caller goes after paying. */
import { parseE164 } from './phone-number.ts';

/**
 * - `sip`: a sip: or sips: URI, dialled as it is; `host` is its host, without the brackets of an IPv6 address
 * - `number`: a tel: URI or a number, dialled through the trunk
 * - `web`: a URL for the pay page; the phone can't connect to it
 */
export type ReturnTarget =
  | { kind: 'sip'; uri: string; host: string }
  | { kind: 'number'; number: string }
  | { kind: 'web'; url: string };

/** No white space, control characters or characters that end a URI in a SIP header (RFC 3986, 2; RFC 3261, 25.1). */
const URI_CHARACTERS = /^[!#-;=?-Z[\]_a-z~%]+$/;
/**
 * No password, which would stand in logs and in headers. No `@` after the host, where another parser would read another
 * host, and no `maddr`, which names one (RFC 3261, 19.1.1).
 */
const SIP_URI =
  /^sips?:(?:[^@:\s]+@)?(?:\[(?<ipv6>[0-9a-f:.]+)\]|(?<name>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.?))(?::\d{1,5})?(?!.*;maddr=)(?:[;?][^@]*)?$/i;
/** Local extensions and short codes too: what a trunk can dial. */
const NUMBER = /^\+?\d{2,15}$/;

/** Parses `return_to`. Null: not a target that a caller can be sent to. */
export function parseReturnTo(text: string): ReturnTarget | null {
  if (!URI_CHARACTERS.test(text)) return null;
  const sip = SIP_URI.exec(text)?.groups;
  if (sip !== undefined) return { kind: 'sip', uri: text, host: sip.ipv6 ?? sip.name ?? '' };
  if (/^https?:/i.test(text)) return URL.canParse(text) && !hasPassword(text) ? { kind: 'web', url: text } : null;
  const number = /^tel:/i.test(text) ? telNumber(text.slice('tel:'.length)) : text;
  if (!NUMBER.test(number)) return null;
  return number.startsWith('+') && parseE164(number) === null ? null : { kind: 'number', number };
}

/** Whether a URI carries `user:password@`, which `return_to` may not. */
export function hasPassword(uri: string): boolean {
  return /^(?:sips?:|https?:\/*)[^@:/?#\s]*:[^@/?#\s]*@/i.test(uri);
}

/** RFC 3966: parameters after `;`, and visual separators that mean nothing. */
function telNumber(text: string): string {
  return (text.split(';', 1)[0] ?? '').replace(/[-.()]/g, '');
}

/** Whether a call can be sent there. */
export function isDialable(returnTo: string | null): boolean {
  const target = returnTo === null ? null : parseReturnTo(returnTo);
  return target !== null && target.kind !== 'web';
}
