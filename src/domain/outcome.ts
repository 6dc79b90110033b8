/** How a payment call ended, and how the agent is told in SIP headers (decisions.md, Phone). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DeclineCode } from './charge.ts';
import type { ChargeId, CheckoutSessionId } from './ids.ts';
import type { Money } from './money.ts';

export type OutcomeKind = 'succeeded' | 'failed' | 'pending' | 'canceled' | 'expired' | 'agent';

/**
 * Why a call failed: the caller keyed nothing, or what can't be used; banks said no; so often before that nothing more is
 * tried for now; or we broke.
 */
export type FailureReason = 'no_input' | 'invalid_input' | 'declined' | 'too_many_attempts' | 'error';

export interface CallOutcome {
  kind: OutcomeKind;
  reason?: FailureReason;
  chargeId?: ChargeId;
  declineCode?: DeclineCode;
}

/** What the headers tell. */
export interface OutcomeFacts {
  outcome: CallOutcome;
  sessionId: CheckoutSessionId;
  amount: Money;
  /** The integrator's own words: any characters, any length. */
  orderId: string | null;
  platformCallId: string | null;
}

/** Header names to values; every value is visible ASCII. */
export type HeaderLines = Record<string, string>;

/** The signed headers, in the order of signing. */
const SIGNED = [
  'X-Ringkey-Outcome',
  'X-Ringkey-Session',
  'X-Ringkey-Charge',
  'X-Ringkey-Amount',
  'X-Ringkey-Currency',
  'X-Ringkey-Order',
  'X-Ringkey-Decline-Code',
  'X-Ringkey-Call',
] as const;
type SignedName = (typeof SIGNED)[number];

const REASON = 'X-Ringkey-Reason';
const SIGNATURE = 'X-Ringkey-Signature';
const USER_TO_USER = 'User-to-User';

/** One letter each in User-to-User, which has to fit beside all the others into a Refer-To. */
const SHORT: Record<SignedName | typeof REASON, string> = {
  'X-Ringkey-Outcome': 'o',
  'X-Ringkey-Session': 's',
  'X-Ringkey-Charge': 'c',
  'X-Ringkey-Amount': 'a',
  'X-Ringkey-Currency': 'u',
  'X-Ringkey-Order': 'r',
  'X-Ringkey-Decline-Code': 'd',
  'X-Ringkey-Call': 'i',
  'X-Ringkey-Reason': 'w',
};

/** Bytes of a header line, name and value, without CRLF. */
export const MAX_HEADER_LINE_BYTES = 1_024;

/**
 * The headers of an outcome, in the order of decisions.md, then `X-Ringkey-Reason` where there is one, the signature, and
 * all of it again as `User-to-User` (RFC 7433, hex). What has no value has no header. Values are percent-encoded
 * UTF-8; one whose line would pass {@link MAX_HEADER_LINE_BYTES} is left out: half an id would be a wrong id.
 *
 * @param secret the account's, base64 of the HMAC key
 */
export function outcomeHeaders(facts: OutcomeFacts, secret: string, at: Date): HeaderLines {
  const signed = signedHeaders(facts);
  const unixSeconds = Math.floor(at.getTime() / 1_000);
  const reason = facts.outcome.reason === undefined ? {} : { [REASON]: facts.outcome.reason };
  const all = { ...signed, ...reason };
  const signature = { t: String(unixSeconds), v1: mac(signed, unixSeconds, secret) };
  const headers: HeaderLines = { ...all, [SIGNATURE]: `t=${signature.t},v1=${signature.v1}` };
  const userToUser = `${encodeUserToUser(all, signature)};encoding=hex`;
  return fits(USER_TO_USER, userToUser) ? { ...headers, [USER_TO_USER]: userToUser } : headers;
}

function signedHeaders({ outcome, sessionId, amount, orderId, platformCallId }: OutcomeFacts): HeaderLines {
  const values: Record<SignedName, string | null> = {
    'X-Ringkey-Outcome': outcome.kind,
    'X-Ringkey-Session': sessionId,
    'X-Ringkey-Charge': outcome.chargeId ?? null,
    'X-Ringkey-Amount': String(amount.amountCents),
    'X-Ringkey-Currency': amount.currency,
    'X-Ringkey-Order': orderId,
    'X-Ringkey-Decline-Code': outcome.declineCode ?? null,
    'X-Ringkey-Call': platformCallId,
  };
  const headers: HeaderLines = {};
  for (const name of SIGNED) {
    const value = values[name];
    if (value === null || value === '') continue;
    const escaped = escapeHeaderValue(value);
    if (fits(name, escaped)) headers[name] = escaped;
  }
  return headers;
}

/** Percent-encoded UTF-8 (RFC 3986, 2.1): nothing in it can end a header, a URI or a parameter. */
function escapeHeaderValue(value: string): string {
  // A lone surrogate has no UTF-8; it becomes U+FFFD instead of an exception.
  return encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'));
}

function fits(name: string, value: string): boolean {
  return name.length + ': '.length + value.length <= MAX_HEADER_LINE_BYTES;
}

/** Hex HMAC-SHA256 over the time and the eight values as they stand in the headers, one a line, absent ones empty. */
function mac(headers: HeaderLines, unixSeconds: number, secret: string): string {
  const lines = [String(unixSeconds), ...SIGNED.map((name) => headers[name] ?? '')];
  return createHmac('sha256', Buffer.from(secret, 'base64')).update(lines.join('\n')).digest('hex');
}

function encodeUserToUser(headers: HeaderLines, signature: { t: string; v1: string }): string {
  const facts = Object.entries(SHORT).flatMap(([name, short]) => {
    const value = headers[name];
    return value === undefined ? [] : [`${short}=${value}`];
  });
  return Buffer.from([...facts, `t=${signature.t}`, `v1=${signature.v1}`].join('&'), 'ascii').toString('hex');
}

/** The `X-Ringkey-` headers that a `User-to-User` value carries, or null when it is none of ours. */
export function readUserToUser(value: string): HeaderLines | null {
  const hex = /^\s*((?:[0-9a-f]{2})+)\s*;.*\bencoding=hex\b/i.exec(value)?.[1];
  if (hex === undefined) return null;
  const pairs = new Map<string, string>();
  for (const pair of Buffer.from(hex, 'hex').toString('ascii').split('&')) {
    const at = pair.indexOf('=');
    if (at > 0) pairs.set(pair.slice(0, at), pair.slice(at + 1));
  }
  const headers: HeaderLines = {};
  for (const [name, short] of Object.entries(SHORT)) {
    const fact = pairs.get(short);
    if (fact !== undefined) headers[name] = fact;
  }
  headers[SIGNATURE] = `t=${pairs.get('t') ?? ''},v1=${pairs.get('v1') ?? ''}`;
  return headers[SIGNED[0]] === undefined ? null : headers;
}

/** How old a signature may be, either way: clocks differ, a call does not take that long to come back. */
const TOLERANCE_SECONDS = 300;

/**
 * Whether the headers were signed with this account's secret within the last five minutes. For integrators and tests.
 * @param headers names in any case
 */
export function verifyOutcomeHeaders(headers: HeaderLines, secret: string, now: Date): boolean {
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const signature = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(given.get(SIGNATURE.toLowerCase()) ?? '');
  if (signature === null) return false;
  const unixSeconds = Number(signature[1]);
  if (Math.abs(now.getTime() / 1_000 - unixSeconds) > TOLERANCE_SECONDS) return false;
  const signed: HeaderLines = {};
  for (const name of SIGNED) signed[name] = given.get(name.toLowerCase()) ?? '';
  const expected = Buffer.from(mac(signed, unixSeconds, secret), 'hex');
  return timingSafeEqual(expected, Buffer.from(signature[2] ?? '', 'hex'));
}
