/**
 * Which return targets an account can use. Without this list, any key could place calls to any host, or through the
 * operator's trunk to any number, at the operator's cost.
 */
import { isIP } from 'node:net';
import { addressMatcher, isAddressRange } from './address-range.ts';
import { parseTypedNumber } from './parsed-number.ts';
import type { ReturnTarget } from './return-target.ts';
import type { Mode } from './session.ts';

/** What an account can send in `return_to`. */
export interface ReturnPermission {
  /**
   * Hosts of SIP URIs: a name, `*.example.com` for all names below it, an address, or `*` for every public host. Null:
   * never set. Then test mode can use every public host, and live mode none.
   */
  hosts: readonly string[] | null;
  /** Prefixes of E.164 numbers: `+44` or `+15551234567`. */
  numberPrefixes: readonly string[];
}

/** The maximum number of hosts, and of prefixes, for an account. */
export const MAX_RETURN_TARGETS = 50;

const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_HOST_NAME_LENGTH = 253;

/** Parses an entry of `hosts`: lower case, without the brackets of an IPv6 address. Null if it is not one. */
export function parseReturnHost(text: string): string | null {
  const host = text.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (host === '*' || isIP(host) !== 0) return host;
  const name = host.replace(/^\*\./, '');
  return name.length <= MAX_HOST_NAME_LENGTH && HOST_NAME.test(name) ? host : null;
}

/** Whether a text can be an entry of `numberPrefixes`. */
export function isNumberPrefix(text: string): boolean {
  return /^\+\d{1,15}$/.test(text);
}

/** Why a caller cannot be sent there. */
export type ReturnRefusal = 'not_encrypted' | 'host_not_allowed' | 'number_not_allowed' | 'number_refused';

/**
 * Checks a target by its text. Where its host leads is checked when the call is placed.
 * @param isOperatorHost whether RINGKEY_RETURN_ALLOWED lists a host, which every account can then use
 * @param isPublicHost whether a host may be public: not loopback, private, link-local or a local name
 * @returns null if it is allowed
 */
export function returnRefusal(
  target: ReturnTarget,
  { hosts, numberPrefixes }: ReturnPermission,
  context: { mode: Mode; isOperatorHost: (host: string) => boolean; isPublicHost: (host: string) => boolean },
): ReturnRefusal | null {
  if (target.kind === 'web') return context.mode === 'live' && /^http:/i.test(target.url) ? 'not_encrypted' : null;
  if (target.kind === 'sip') {
    if (context.isOperatorHost(target.host)) return null;
    const listed = hosts ?? (context.mode === 'test' ? ['*'] : []);
    return context.isPublicHost(target.host) && isListedHost(target.host, listed) ? null : 'host_not_allowed';
  }
  if (!isOrdinaryNumber(target.number)) return 'number_refused';
  const isListed = numberPrefixes.some((prefix) => target.number.startsWith(prefix));
  return isListed || context.mode === 'test' ? null : 'number_not_allowed';
}

/**
 * @param returnAllowed RINGKEY_RETURN_ALLOWED
 * @returns whether it lists a host or an address
 */
export function operatorHosts(returnAllowed: readonly string[]): (host: string) => boolean {
  const isListedAddress = addressMatcher(returnAllowed.filter(isAddressRange));
  const names = returnAllowed.filter((item) => !isAddressRange(item));
  return (host) => isListedAddress(host) || isListedHost(host, names);
}

/** @param list names, `*.example.com`, addresses, or `*` */
function isListedHost(host: string, list: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return list.some((item) => {
    const entry = item.toLowerCase();
    return entry === '*' || entry === name || (entry.startsWith('*.') && name.endsWith(entry.slice(1)));
  });
}

/**
 * Satellite networks (870, 881), international networks and premium rate (878, 882, 883, 888, 979) and international
 * shared cost (808): ITU-T E.164, list of assigned country codes.
 */
const COSTLY_COUNTRY_CODES: ReadonlySet<string> = new Set(['808', '870', '878', '881', '882', '883', '888', '979']);
const COSTLY_TYPES: ReadonlySet<string | undefined> = new Set([
  'PREMIUM_RATE',
  'SHARED_COST',
  // Such as +44 70. They cost the caller as much as premium numbers.
  'PERSONAL_NUMBER',
  'UAN',
  'PAGER',
  'VOICEMAIL',
]);

/** Information services in every area of North America: office code 976 is reserved for them (NANPA). */
const NORTH_AMERICAN_PREMIUM = /^\+1\d{3}976\d{4}$/;

/**
 * Whether it is a number in E.164, but not a premium or satellite number. Emergency and short numbers have no E.164
 * form.
 */
export function isOrdinaryNumber(text: string): boolean {
  const number = parseTypedNumber(text);
  if (number?.number !== text || !number.isPossible() || NORTH_AMERICAN_PREMIUM.test(text)) return false;
  return !COSTLY_COUNTRY_CODES.has(number.countryCallingCode) && !COSTLY_TYPES.has(number.getType());
}
