/**
 * IDs: a prefix for the kind, 48 bits of time and 82 random bits in lower-case base 32. Because of the time, IDs created
 * together are together in an index, which saves most of the write-ahead log. An ID survives SIP proxies that change
 * case, and needs no escaping in a SIP user part. It never contains the `-` that separates it from a token in
 * `transfer_to`. Tokens and the codes of pay links have the same characters, all of them random.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';

const PREFIX = {
  CheckoutSession: 'cs',
  Charge: 'ch',
  Refund: 're',
  HoldChange: 'hc',
  Dispute: 'dp',
  Payout: 'po',
  PayoutEntry: 'pe',
  Instrument: 'card',
  Merchant: 'mer',
  Account: 'acct',
  Consumer: 'con',
  WebhookEndpoint: 'we',
  Event: 'evt',
  Request: 'req',
  Call: 'call',
  Key: 'key',
  AuditEvent: 'aud',
  User: 'usr',
  UserSession: 'uses',
  SavedView: 'view',
  Text: 'txt',
  Email: 'eml',
  AttentionItem: 'att',
  AlertTarget: 'alert',
  AlertMessage: 'alm',
} as const;

/** Kinds of ids. */
export type IdKind = keyof typeof PREFIX;

/** An ID of one kind. Only {@link newId} and {@link parseId} create one, never a cast. */
export type Id<K extends IdKind> = string & { readonly __kind: K };

export type CheckoutSessionId = Id<'CheckoutSession'>;
export type ChargeId = Id<'Charge'>;
export type RefundId = Id<'Refund'>;
export type DisputeId = Id<'Dispute'>;
/** Of a capture or void. */
export type HoldChangeId = Id<'HoldChange'>;
export type InstrumentId = Id<'Instrument'>;
export type MerchantId = Id<'Merchant'>;
export type AccountId = Id<'Account'>;
export type ConsumerId = Id<'Consumer'>;
export type EventId = Id<'Event'>;
export type CallId = Id<'Call'>;
export type KeyId = Id<'Key'>;
export type UserId = Id<'User'>;
export type UserSessionId = Id<'UserSession'>;
export type WebhookEndpointId = Id<'WebhookEndpoint'>;

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
/** Characters of a token: 130 random bits. */
export const TOKEN_LENGTH = 26;
/** For tokens that people may type and that live for a day at most: 60 random bits. */
const SHORT_TOKEN_LENGTH = 12;
const BODY = /^[a-z0-9_]{1,64}$/;

/** Characters of 5 random bits each, `[a-z2-9]`. */
export function randomToken(length = TOKEN_LENGTH): string {
  return textOf(randomBytes(length));
}

function textOf(bytes: Buffer): string {
  return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join('');
}

const TOKEN = new RegExp(`^[${ALPHABET}]+$`);

/** Whether a text can be a {@link randomToken} of that length. */
export function isToken(text: string, length: number): boolean {
  return text.length === length && TOKEN.test(text);
}

/** In the order of their character codes, so that IDs sort by time. */
const TIME_ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz';
/** Characters of milliseconds since 1970, and of two random bits that fill the last one. */
const TIME_LENGTH = 10;
const FILLING = 4;

function timeText(atMs: number): string {
  let rest = atMs * FILLING + randomInt(FILLING);
  let text = '';
  while (text.length < TIME_LENGTH) {
    text = `${TIME_ALPHABET[rest % 32]}${text}`;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** When IDs began to contain a time, and a time that none of them will contain. */
const TIMES_MS = { from: Date.UTC(2026, 0), to: Date.UTC(2100, 0) };

/** The characters of an ID's time; empty for an ID of an earlier version, which is random throughout. */
function timeOf(id: string): string {
  const text = id.slice(id.indexOf('_') + 1).slice(0, TIME_LENGTH);
  const value = [...text].reduce((sum, char) => sum * 32 + TIME_ALPHABET.indexOf(char), 0) / FILLING;
  return value >= TIMES_MS.from && value < TIMES_MS.to ? text : '';
}

/**
 * The ID of the event that ends a call. It follows from the call's ID, so that a process that did not send the event can
 * repeat it.
 */
export const endEventIdOf = (callId: CallId): EventId =>
  `${PREFIX.Event}_${callId.slice(PREFIX.Call.length + 1)}` as EventId;

/**
 * The ID of a session's charge. The same attempt always has the same ID. If the database lost the row in a failover,
 * the session's next payment has the same idempotency key at the processor, so the card is not charged twice. It has the
 * session's time, if the session's ID has one, and at least 80 bits that follow from the whole ID of the session.
 * @param attempt 1, 2, …
 */
export function chargeIdOf(sessionId: CheckoutSessionId, attempt: number): ChargeId {
  const hash = createHash('sha256').update(`charge ${attempt} of ${sessionId}`).digest();
  const time = timeOf(sessionId);
  return `${PREFIX.Charge}_${time}${textOf(hash.subarray(0, TOKEN_LENGTH - time.length))}` as ChargeId;
}

/**
 * The ID of the refund for a request with an Idempotency-Key. The same request always has the same ID. If the database
 * lost the row in a failover, its repeat has the same key at the processor, so nothing is refunded twice.
 * @param request SHA-256 of the key and of the request
 */
export function refundIdOf(
  accountId: AccountId,
  mode: string,
  request: { keyHash: Buffer; requestHash: Buffer },
): RefundId {
  const { keyHash, requestHash } = request;
  const hash = createHash('sha256').update(`refund ${mode} ${accountId} `).update(keyHash).update(requestHash).digest();
  return `${PREFIX.Refund}_${textOf(hash.subarray(0, TOKEN_LENGTH))}` as RefundId;
}

/**
 * The ID of the session for a merchant's charge without a caller. The same request always has the same ID, and so has its
 * charge: a repeat finds the first charge, or sends it with the same key, and nothing is charged twice.
 * @param request SHA-256 of the Idempotency-Key and of the request
 */
export function merchantSessionIdOf(
  accountId: AccountId,
  mode: string,
  request: { keyHash: Buffer; requestHash: Buffer },
): CheckoutSessionId {
  const { keyHash, requestHash } = request;
  const hash = createHash('sha256').update(`charge ${mode} ${accountId} `).update(keyHash).update(requestHash).digest();
  return `${PREFIX.CheckoutSession}_${textOf(hash.subarray(0, TOKEN_LENGTH))}` as CheckoutSessionId;
}

/** A new ID, such as `cs_28…`. */
export function newId<K extends IdKind>(kind: K): Id<K> {
  return `${PREFIX[kind]}_${timeText(Date.now())}${randomToken(TOKEN_LENGTH - TIME_LENGTH)}` as Id<K>;
}

const MADE_HERE = new RegExp(
  `^(?:${Object.values(PREFIX).join('|')})_(?:[${ALPHABET}]{${TOKEN_LENGTH}}|demo(?:_[a-z]+)?)$`,
);

/** Whether a text can only be an ID that we created, of any kind: never a name, number or token that a client wrote. */
export function isMadeHere(text: unknown): text is string {
  return typeof text === 'string' && MADE_HERE.test(text);
}

/** The ID if `text` has the format of this kind, including seeded IDs such as `mer_demo_diner`. Otherwise null. */
export function parseId<K extends IdKind>(kind: K, text: string): Id<K> | null {
  const prefix = `${PREFIX[kind]}_`;
  return text.startsWith(prefix) && BODY.test(text.slice(prefix.length)) ? (text as Id<K>) : null;
}

/** The codes in the two addresses of a pay link. Both are random, because they permit a payment. */
export interface PayCodes {
  /** In `<base>/p/<code>`, for texts: 12 characters, 60 random bits. */
  short: string;
  /** In `<base>/pay/<code>`: 26 characters, 130 random bits. */
  long: string;
}

export function newPayCodes(): PayCodes {
  return { short: randomToken(SHORT_TOKEN_LENGTH), long: randomToken() };
}

/** Which of the two codes a text can be, by its format; null if neither. */
export function payCodeForm(text: string): keyof PayCodes | null {
  if (isToken(text, SHORT_TOKEN_LENGTH)) return 'short';
  return isToken(text, TOKEN_LENGTH) ? 'long' : null;
}
