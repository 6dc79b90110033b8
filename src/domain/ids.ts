/**
 * Identifiers: a prefix that tells the kind and 130 random bits in lower-case base 32, so that an id survives a
 * case-folding SIP proxy, needs no escaping in a SIP user part, and never holds the `-` that parts it from a token.
 */
import { randomBytes } from 'node:crypto';

const PREFIX = {
  CheckoutSession: 'cs',
  Charge: 'ch',
  Refund: 're',
  Instrument: 'card',
  Merchant: 'mer',
  Account: 'acct',
  Consumer: 'con',
  WebhookEndpoint: 'we',
  Event: 'evt',
  Request: 'req',
  Call: 'call',
  Key: 'key',
} as const;

/** The kinds of things that have an id. */
export type IdKind = keyof typeof PREFIX;

/** An id of one kind. Made by {@link newId} or {@link parseId}, never by a cast. */
export type Id<K extends IdKind> = string & { readonly __kind: K };

export type CheckoutSessionId = Id<'CheckoutSession'>;
export type ChargeId = Id<'Charge'>;
export type RefundId = Id<'Refund'>;
export type InstrumentId = Id<'Instrument'>;
export type MerchantId = Id<'Merchant'>;
export type AccountId = Id<'Account'>;
export type ConsumerId = Id<'Consumer'>;
export type EventId = Id<'Event'>;
export type CallId = Id<'Call'>;
export type KeyId = Id<'Key'>;
export type WebhookEndpointId = Id<'WebhookEndpoint'>;

const ALPHABET = Buffer.from('abcdefghijkmnpqrstuvwxyz23456789');
const LENGTH = 26;
const BODY = /^[a-z0-9_]{1,64}$/;

/** Random bytes still to be used, each once: asking the system for many costs as much as asking for a few. */
const supply = { bytes: Buffer.alloc(0), used: 0 };
const SUPPLY_BYTES = LENGTH * 256;

/** 26 characters of 5 random bits each (130 bits), `[a-z2-9]`. */
export function randomToken(): string {
  if (supply.used === supply.bytes.length) {
    supply.bytes = randomBytes(SUPPLY_BYTES);
    supply.used = 0;
  }
  const from = supply.used;
  supply.used += LENGTH;
  for (let at = from; at < supply.used; at += 1) supply.bytes[at] = ALPHABET[(supply.bytes[at] ?? 0) & 31] ?? 0;
  const text = supply.bytes.toString('latin1', from, supply.used);
  // What became a token is nowhere else.
  supply.bytes.fill(0, from, supply.used);
  return text;
}

/** A fresh id, e.g. `cs_4k…`. */
export function newId<K extends IdKind>(kind: K): Id<K> {
  return `${PREFIX[kind]}_${randomToken()}` as Id<K>;
}

/** The id if `text` has the shape of one of this kind (seeded ids such as `mer_demo_diner` included), else null. */
export function parseId<K extends IdKind>(kind: K, text: string): Id<K> | null {
  const prefix = `${PREFIX[kind]}_`;
  return text.startsWith(prefix) && BODY.test(text.slice(prefix.length)) ? (text as Id<K>) : null;
}
