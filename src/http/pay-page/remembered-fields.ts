/**
 * The expiry and postal code that the payer entered into our own fields, for the page that shows the errors. Never the
 * number or the security code. They are only kept in an encrypted cookie of this browser, for that one page.
 */
import type { FastifyReply } from 'fastify';
import type { CheckoutSession } from '../../domain/session.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import type { Typed, TypedCard } from './form.ts';
import { type CookieRequest, dropSessionCookie, readSessionCookie, setSessionCookie } from './session-cookie.ts';

/** As the fields show them. Empty if nothing is kept. */
export interface RememberedFields {
  expiry: string;
  postalCode: string;
}

export const NO_FIELDS: RememberedFields = { expiry: '', postalCode: '' };

/** The browser requests the page immediately. */
const REMEMBERED_MS = 60_000;
/** `MMYYYY`, and more than any country's postal code. */
const [MAX_EXPIRY, MAX_POSTAL_CODE] = [6, 12];

interface FieldsCookie {
  session: Pick<CheckoutSession, 'id'>;
  /** Null if nothing is kept. */
  vault: Vault | null;
  now: Date;
}

export function rememberFields(
  request: CookieRequest,
  reply: FastifyReply,
  { vault, ...at }: FieldsCookie,
  card: TypedCard,
): void {
  if (vault === null) return;
  const text = `${plainOf(card.expiry, MAX_EXPIRY)} ${plainOf(card.postal_code, MAX_POSTAL_CODE)}`;
  if (text !== ' ')
    setSessionCookie(request, reply, { ...at, vault, purpose: 'fields' }, { text, forMs: REMEMBERED_MS });
}

/** Empty if the value is too long: it could be a card number in the wrong field. */
function plainOf(typed: Typed | undefined, max: number): string {
  if (typed === undefined || typed.isOdd || typed.characters.length > max) return '';
  return typed.characters.reveal((text) => text);
}

/** Reads it once. */
export function takeRememberedFields(
  request: CookieRequest,
  reply: FastifyReply,
  { vault, ...at }: FieldsCookie,
): RememberedFields {
  const cookie = { ...at, purpose: 'fields' } as const;
  const text = vault === null ? null : readSessionCookie(request, { ...cookie, vault });
  if (text === null) return NO_FIELDS;
  dropSessionCookie(request, reply, cookie);
  const [expiry = '', postalCode = ''] = text.split(' ');
  const isDate = expiry.length === 4 || expiry.length === 6;
  return { expiry: isDate ? `${expiry.slice(0, 2)} / ${expiry.slice(2)}` : expiry, postalCode };
}
