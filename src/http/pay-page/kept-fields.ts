/**
 * What the payer typed into our own fields, for the page that says what was wrong: the expiry and the postal code,
 * never the number and the security code. It waits in a sealed cookie of this browser for that one page, and is nowhere
 * else.
 */
import type { FastifyReply } from 'fastify';
import type { CheckoutSession } from '../../domain/session.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import type { Typed, TypedCard } from './form.ts';
import { type Asking, dropSessionCookie, readSessionCookie, setSessionCookie } from './session-cookie.ts';

/** As the fields show it; empty where nothing is kept. */
export interface KeptFields {
  expiry: string;
  postalCode: string;
}

export const NOTHING_KEPT: KeptFields = { expiry: '', postalCode: '' };

/** The page that is told to the browser is asked for at once. */
const KEPT_FOR_MS = 60_000;
/** Of an expiry at most `MMYYYY`; of a postal code more than any country has. */
const [MAX_EXPIRY, MAX_POSTAL_CODE] = [6, 12];

interface KeptAt {
  session: Pick<CheckoutSession, 'id'>;
  /** Null: nothing is kept. */
  vault: Vault | null;
  now: Date;
}

export function keepFields(request: Asking, reply: FastifyReply, { vault, ...at }: KeptAt, card: TypedCard): void {
  if (vault === null) return;
  const text = `${plainOf(card.expiry, MAX_EXPIRY)} ${plainOf(card.postal_code, MAX_POSTAL_CODE)}`;
  if (text !== ' ') setSessionCookie(request, reply, { ...at, vault, purpose: 'fields' }, { text, forMs: KEPT_FOR_MS });
}

/** Empty for what holds more than the field may: it could be a number that was typed into the wrong one. */
function plainOf(typed: Typed | undefined, max: number): string {
  if (typed === undefined || typed.isOdd || typed.characters.length > max) return '';
  return typed.characters.reveal((text) => text);
}

/** Reads it once. */
export function takeKeptFields(request: Asking, reply: FastifyReply, { vault, ...at }: KeptAt): KeptFields {
  const cookie = { ...at, purpose: 'fields' } as const;
  const text = vault === null ? null : readSessionCookie(request, { ...cookie, vault });
  if (text === null) return NOTHING_KEPT;
  dropSessionCookie(request, reply, cookie);
  const [expiry = '', postalCode = ''] = text.split(' ');
  const isDate = expiry.length === 4 || expiry.length === 6;
  return { expiry: isDate ? `${expiry.slice(0, 2)} / ${expiry.slice(2)}` : expiry, postalCode };
}
