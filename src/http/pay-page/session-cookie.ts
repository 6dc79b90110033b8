/**
 * Cookies of one session's page. Each is encrypted for its session and purpose, so it cannot be forged or used on another
 * page. Its name includes the session, so that two windows do not overwrite each other's cookies.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CheckoutSession } from '../../domain/session.ts';
import { openOrNull, type Vault } from '../../lib/vault/vault.ts';

export type CookieRequest = Pick<FastifyRequest, 'headers' | 'protocol'>;

/** `known`: the payer entered the code that was texted to the session's number. `fields`: values of the form. */
type Purpose = 'known' | 'fields';

interface SessionCookie {
  session: Pick<CheckoutSession, 'id'>;
  purpose: Purpose;
  vault: Vault;
  now: Date;
}

const NAME_LENGTH = 12;
/** Longer values are not ours. */
const MAX_LENGTH = 400;

const contextOf = ({ session, purpose }: SessionCookie) => `page_${purpose}:${session.id}`;

/** Over plain http, which is for local use only, without the prefix and `Secure`: some browsers reject both there. */
function nameOf({ session, purpose }: Pick<SessionCookie, 'session' | 'purpose'>, isSecure: boolean): string {
  const name = createHash('sha256').update(session.id).digest('hex').slice(0, NAME_LENGTH);
  return `${isSecure ? '__Host-' : ''}ringkey-${name}${purpose === 'known' ? '' : `-${purpose}`}`;
}

const attributesOf = (isSecure: boolean) => `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

/** @param forMs its lifetime, by the server's clock */
export function setSessionCookie(
  { protocol }: Pick<FastifyRequest, 'protocol'>,
  reply: FastifyReply,
  cookie: SessionCookie,
  { text, forMs }: { text: string; forMs: number },
): void {
  const isSecure = protocol === 'https';
  const value = cookie.vault.seal(`${cookie.now.getTime() + forMs} ${text}`, contextOf(cookie));
  reply.header('set-cookie', `${nameOf(cookie, isSecure)}=${value}; ${attributesOf(isSecure)}`);
}

/** @returns null if there is none or it has expired */
export function readSessionCookie(
  { headers: { cookie = '' }, protocol }: CookieRequest,
  sessionCookie: SessionCookie,
): string | null {
  const start = `${nameOf(sessionCookie, protocol === 'https')}=`;
  const pair = cookie.split(/;\s*/).find((each) => each.startsWith(start));
  const value = pair?.slice(start.length);
  if (value === undefined || value.length > MAX_LENGTH) return null;
  const [until, ...text] = openOrNull(sessionCookie.vault, value, contextOf(sessionCookie))?.split(' ') ?? [];
  return Number(until) > sessionCookie.now.getTime() ? text.join(' ') : null;
}

export function dropSessionCookie(
  { protocol }: Pick<FastifyRequest, 'protocol'>,
  reply: FastifyReply,
  cookie: Pick<SessionCookie, 'session' | 'purpose'>,
): void {
  const isSecure = protocol === 'https';
  reply.header('set-cookie', `${nameOf(cookie, isSecure)}=; ${attributesOf(isSecure)}; Max-Age=0`);
}

type KnownSession = Pick<CheckoutSession, 'id' | 'callerPhone'>;

/** After this time, the payer needs a new code. */
const KNOWN_FOR_MS = 30 * 60_000;

export function rememberBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  vault: Vault,
  session: KnownSession,
  now: Date,
): void {
  const content = { text: String(session.callerPhone), forMs: KNOWN_FOR_MS };
  setSessionCookie(request, reply, { session, purpose: 'known', vault, now }, content);
}

/** Whether the payer of this browser has entered the code for the session. */
export function isKnownBrowser(request: CookieRequest, vault: Vault, session: KnownSession, now: Date): boolean {
  const phone = readSessionCookie(request, { session, purpose: 'known', vault, now });
  return phone !== null && phone === session.callerPhone;
}
