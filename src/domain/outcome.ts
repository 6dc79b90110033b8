/** The outcome of a payment call, and the SIP headers and the Refer-To that report it to the agent. */
import { createHmac } from 'node:crypto';
import type { ChargeDifference, DeclineCode } from './charge.ts';
import type { ChargeId, CheckoutSessionId } from './ids.ts';
import type { Money } from './money.ts';

export const OUTCOME_KINDS = ['succeeded', 'failed', 'pending', 'canceled', 'expired', 'agent'] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

/**
 * Why a call failed or returned to the agent.
 * - `no_input`, `invalid_input`: the caller keyed nothing, or nothing usable
 * - `declined`: the issuer declined
 * - `too_many_attempts`: too many failed attempts, on this call or before
 * - `error`: no issuer decided: a fault of this service, the processor, or the merchant's setup there
 * - `keypad_unavailable`: the merchant's processor accepts no keyed cards, so nothing was asked
 * - `bank_debit`: the processor accepted a bank debit, which the bank settles days later (outcome `pending`)
 * - `link_sent`: the pay link was texted on the call, and can still be paid (outcome `agent`)
 */
export const OUTCOME_REASONS = [
  'no_input',
  'invalid_input',
  'declined',
  'too_many_attempts',
  'error',
  'keypad_unavailable',
  'link_sent',
  'bank_debit',
] as const;
export type OutcomeReason = (typeof OUTCOME_REASONS)[number];

/** With how the charge differs from the amount due. */
export interface CallOutcome extends ChargeDifference {
  kind: OutcomeKind;
  reason?: OutcomeReason;
  chargeId?: ChargeId;
  declineCode?: DeclineCode;
  /** The amount is held by another charge, whatever the session's own way of capture. Absent otherwise. */
  isHold?: true;
}

/** The input of the headers. */
export interface OutcomeFacts {
  outcome: CallOutcome;
  sessionId: CheckoutSessionId;
  amount: Money;
  /** The integrator's own IDs: any characters, any length. */
  orderId: string | null;
  platformCallId: string | null;
  /** The payment only holds the amount (manual capture). */
  isHold?: boolean;
}

/** Header names and values. Values contain visible ASCII only. */
export type HeaderLines = Record<string, string>;

/**
 * The signed headers, in signing order. Agents compute the signature over exactly these and match the whole value of its
 * header, so no header can be added. Later headers are unsigned, and the signed webhooks have their values.
 */
export const SIGNED_HEADERS = [
  'X-Ringkey-Outcome',
  'X-Ringkey-Session',
  'X-Ringkey-Charge',
  'X-Ringkey-Amount',
  'X-Ringkey-Currency',
  'X-Ringkey-Order',
  'X-Ringkey-Decline-Code',
  'X-Ringkey-Call',
] as const;
type SignedName = (typeof SIGNED_HEADERS)[number];

const REASON = 'X-Ringkey-Reason';
/** The tip in minor units, beside `X-Ringkey-Amount`. Only if one was charged. */
const TIP = 'X-Ringkey-Tip';
/** What is left of `X-Ringkey-Amount` in minor units. Only if a part was paid. */
const REMAINING = 'X-Ringkey-Remaining';
/** `no`: the amount is held and not taken. Only with the outcome `succeeded`. */
const CAPTURED = 'X-Ringkey-Captured';
export const SIGNATURE_HEADER = 'X-Ringkey-Signature';
const USER_TO_USER = 'User-to-User';

type UnsignedName = typeof REASON | typeof TIP | typeof REMAINING | typeof CAPTURED;

/** Names in User-to-User: one letter each, because the hex line carries all of them. */
export const USER_TO_USER_NAMES: Record<SignedName | UnsignedName, string> = {
  'X-Ringkey-Outcome': 'o',
  'X-Ringkey-Session': 's',
  'X-Ringkey-Charge': 'c',
  'X-Ringkey-Amount': 'a',
  'X-Ringkey-Currency': 'u',
  'X-Ringkey-Order': 'r',
  'X-Ringkey-Decline-Code': 'd',
  'X-Ringkey-Call': 'i',
  'X-Ringkey-Reason': 'w',
  'X-Ringkey-Tip': 'p',
  'X-Ringkey-Remaining': 'm',
  'X-Ringkey-Captured': 'h',
};

/** Bytes of a header line: name and value, without CRLF. */
export const MAX_HEADER_LINE_BYTES = 1_024;

/**
 * The headers of an outcome: the {@link SIGNED_HEADERS} and the unsigned ones that have a value, the signature, and all of them again as `User-to-User` (RFC 7433, hex). Values are percent-encoded UTF-8. A header longer than {@link
 * MAX_HEADER_LINE_BYTES} is omitted, because half an ID would be a wrong ID.
 * @param secret the account's; null if it cannot be decrypted, and then nothing is signed
 * @param leftOut signed headers to omit; the signature covers the others
 */
export function outcomeHeaders(
  facts: OutcomeFacts,
  secret: string | null,
  at: Date,
  leftOut: readonly SignedName[] = [],
): HeaderLines {
  const signed = signedHeaders(facts, leftOut);
  const unixSeconds = Math.floor(at.getTime() / 1_000);
  const all: HeaderLines = { ...signed, ...unsignedHeaders(facts) };
  const signature = secret === null ? null : { t: String(unixSeconds), v1: outcomeMac(signed, unixSeconds, secret) };
  const headers: HeaderLines = {
    ...all,
    ...(signature !== null && { [SIGNATURE_HEADER]: `t=${signature.t},v1=${signature.v1}` }),
  };
  const userToUser = `${encodeUserToUser(all, signature)};encoding=hex`;
  return fits(USER_TO_USER, userToUser) ? { ...headers, [USER_TO_USER]: userToUser } : headers;
}

function unsignedHeaders({ outcome, isHold = false }: OutcomeFacts): HeaderLines {
  const { kind, reason, tipCents = 0, remainingCents = 0 } = outcome;
  const isPaid = kind === 'succeeded';
  return {
    ...(reason !== undefined && { [REASON]: reason }),
    ...(isPaid && tipCents > 0 && { [TIP]: String(tipCents) }),
    ...(isPaid && remainingCents > 0 && { [REMAINING]: String(remainingCents) }),
    ...(isPaid && (outcome.isHold ?? isHold) && { [CAPTURED]: 'no' }),
  };
}

function signedHeaders(
  { outcome, sessionId, amount, orderId, platformCallId }: OutcomeFacts,
  leftOut: readonly SignedName[],
): HeaderLines {
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
  for (const name of SIGNED_HEADERS) {
    const value = values[name];
    if (value === null || value === '' || leftOut.includes(name)) continue;
    const escaped = escapeHeaderValue(value);
    if (fits(name, escaped)) headers[name] = escaped;
  }
  return headers;
}

/** Percent-encoded UTF-8 (RFC 3986, 2.1): it cannot end a header, a URI or a parameter. */
function escapeHeaderValue(value: string): string {
  // A lone surrogate has no UTF-8. It becomes U+FFFD instead of throwing.
  return encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'));
}

function fits(name: string, value: string): boolean {
  return name.length + ': '.length + value.length <= MAX_HEADER_LINE_BYTES;
}

/** Hex HMAC-SHA256 of the time and the signed headers' values, one per line, empty if absent. */
function outcomeMac(headers: HeaderLines, unixSeconds: number, secret: string): string {
  const lines = [String(unixSeconds), ...SIGNED_HEADERS.map((name) => headers[name] ?? '')];
  return createHmac('sha256', Buffer.from(secret, 'base64')).update(lines.join('\n')).digest('hex');
}

function encodeUserToUser(headers: HeaderLines, signature: { t: string; v1: string } | null): string {
  const facts = Object.entries(USER_TO_USER_NAMES).flatMap(([name, short]) => {
    const value = headers[name];
    return value === undefined ? [] : [`${short}=${value}`];
  });
  const proof = signature === null ? [] : [`t=${signature.t}`, `v1=${signature.v1}`];
  return Buffer.from([...facts, ...proof].join('&'), 'ascii').toString('hex');
}

/** Bytes of a Refer-To line. Small clients cut longer lines, or drop the REFER. */
const SHORT_LINE_BYTES = 399;
/**
 * Omitted from a longer line one by one. The named session and the REFER itself have all of them. The reason of a
 * failure is never omitted.
 */
const DISPENSABLE: readonly SignedName[] = [
  'X-Ringkey-Currency',
  'X-Ringkey-Amount',
  'X-Ringkey-Order',
  'X-Ringkey-Call',
];

interface ReferToOptions {
  /** The integrator's own headers, from `return_to`. */
  ownHeaders: Record<string, string>;
  secret: string | null;
  at: Date;
}

/**
 * The URI inside a Refer-To, with the outcome as URI headers. The INVITE that follows the REFER carries them.
 *
 * Adds as much of the outcome to `uri` as keeps the line short. If it is too long in any case, everything that can be
 * omitted is. `User-to-User` would repeat it, so only the REFER has it. The signature covers the headers in the line.
 */
export function referToUri(uri: string, facts: OutcomeFacts, { ownHeaders, secret, at }: ReferToOptions): string {
  const lineWithout = (leftOut: readonly SignedName[], own: Record<string, string>) => {
    const { 'User-to-User': _repeated, ...headers } = outcomeHeaders(facts, secret, at, leftOut);
    return withHeaders(uri, { ...own, ...headers });
  };
  const fitting = (limit: number, own: Record<string, string>) => {
    // Most lines need nothing left out, so each is built only if the one before is too long.
    for (let count = 0; count <= DISPENSABLE.length; count += 1) {
      const line = lineWithout(DISPENSABLE.slice(0, count), own);
      if ('Refer-To: <>'.length + line.length <= limit) return line;
    }
    return null;
  };
  return (
    fitting(SHORT_LINE_BYTES, ownHeaders) ??
    fitting(MAX_HEADER_LINE_BYTES, ownHeaders) ??
    fitting(MAX_HEADER_LINE_BYTES, {}) ??
    uri
  );
}

/** RFC 3261, 19.1.1: every character outside the unreserved ones is escaped. */
function withHeaders(uri: string, headers: Record<string, string>): string {
  const pairs = Object.entries(headers).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${uri}?${pairs.join('&')}`;
}
