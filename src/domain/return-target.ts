/** `return_to`: where the caller is sent after paying. */
import { parseE164 } from './phone-number.ts';

/**
 * - `sip`: a sip: or sips: URI, dialed unchanged; `host` is its host, without the brackets of an IPv6 address
 * - `number`: a tel: URI or a number, dialed through the trunk
 * - `web`: a URL for the pay page, to which the phone cannot connect
 */
export type ReturnTarget =
  | { kind: 'sip'; uri: string; host: string }
  | { kind: 'number'; number: string }
  | { kind: 'web'; url: string };

/** No white space, control characters or characters that end a URI in a SIP header (RFC 3986, 2; RFC 3261, 25.1). */
const URI_CHARACTERS = /^[!#-;=?-Z[\]_a-z~%]+$/;
/**
 * No password, which would appear in logs and headers. No `@` after the host, because other parsers would read another
 * host. No `maddr`, which names another host (RFC 3261, 19.1.1).
 */
const SIP_URI =
  /^sips?:(?:[^@:\s]+@)?(?:\[(?<ipv6>[0-9a-f:.]+)\]|(?<name>[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.?))(?::\d{1,5})?(?!.*;maddr=)(?:[;?][^@]*)?$/i;
/** Also local extensions and short codes, which a trunk can dial. */
const NUMBER = /^\+?\d{2,15}$/;

/** Parses `return_to`. Null if a caller cannot be sent there. */
export function parseReturnTo(text: string): ReturnTarget | null {
  if (!URI_CHARACTERS.test(text)) return null;
  const sip = SIP_URI.exec(text)?.groups;
  if (sip !== undefined) return { kind: 'sip', uri: text, host: sip.ipv6 ?? sip.name ?? '' };
  if (/^https?:/i.test(text)) return URL.canParse(text) && !hasPassword(text) ? { kind: 'web', url: text } : null;
  const number = /^tel:/i.test(text) ? telNumber(text.slice('tel:'.length)) : text;
  if (!NUMBER.test(number)) return null;
  return number.startsWith('+') && parseE164(number) === null ? null : { kind: 'number', number };
}

/** Whether a URI contains `user:password@`, which `return_to` must not. */
export function hasPassword(uri: string): boolean {
  return /^(?:sips?:|https?:\/*)[^@:/?#\s]*:[^@/?#\s]*@/i.test(uri);
}

/** RFC 3966: parameters after `;`, and visual separators to ignore. */
function telNumber(text: string): string {
  return (text.split(';', 1)[0] ?? '').replace(/[-.()]/g, '');
}

/** Whether a call can be sent there. */
export function isDialable(returnTo: string | null): boolean {
  const target = returnTo === null ? null : parseReturnTo(returnTo);
  return target !== null && target.kind !== 'web';
}
