/**
 * Cookies of one session's page: sealed for that session and for one purpose, so that no other page takes them and
 * nobody can make one. Each has a name of its own, so that two windows with two sessions do not take theirs from each
 * other.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CheckoutSession } from '../../domain/session.ts';
import { openOrNull, type Vault } from '../../lib/vault/vault.ts';

export type Asking = Pick<FastifyRequest, 'headers' | 'protocol'>;

/** `known`: the browser's payer has the session's phone. `fields`: what was typed. */
type Purpose = 'known' | 'fields';

interface SessionCookie {
  session: Pick<CheckoutSession, 'id'>;
  purpose: Purpose;
  vault: Vault;
  now: Date;
}

const NAME_LENGTH = 12;
/** Of a sealed value; anything longer is none of ours. */
const MAX_LENGTH = 400;

const contextOf = ({ session, purpose }: SessionCookie) => `page_${purpose}:${session.id}`;

/**
 * Over plain http, which only a machine of one's own is reached by, neither prefix nor `Secure`: some browsers refuse
 * both there.
 */
function nameOf({ session, purpose }: Pick<SessionCookie, 'session' | 'purpose'>, isSecure: boolean): string {
  const name = createHash('sha256').update(session.id).digest('hex').slice(0, NAME_LENGTH);
  return `${isSecure ? '__Host-' : ''}ringkey-${name}${purpose === 'known' ? '' : `-${purpose}`}`;
}

const attributesOf = (isSecure: boolean) => `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

/** @param forMs how long it is good, by our own clock */
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

/** @returns null where there is none, or its time is over */
export function readSessionCookie({ headers: { cookie = '' }, protocol }: Asking, asked: SessionCookie): string | null {
  const start = `${nameOf(asked, protocol === 'https')}=`;
  const pair = cookie.split(/;\s*/).find((each) => each.startsWith(start));
  const value = pair?.slice(start.length);
  if (value === undefined || value.length > MAX_LENGTH) return null;
  const [until, ...text] = openOrNull(asked.vault, value, contextOf(asked))?.split(' ') ?? [];
  return Number(until) > asked.now.getTime() ? text.join(' ') : null;
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

/** Then a new code is wanted. */
const KNOWN_FOR_MS = 30 * 60_000;

export function rememberBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  vault: Vault,
  session: KnownSession,
  now: Date,
): void {
  const kept = { text: String(session.callerPhone), forMs: KNOWN_FOR_MS };
  setSessionCookie(request, reply, { session, purpose: 'known', vault, now }, kept);
}

/** Whether this browser's payer has the phone that the session is of. */
export function isKnownBrowser(request: Asking, vault: Vault, session: KnownSession, now: Date): boolean {
  const phone = readSessionCookie(request, { session, purpose: 'known', vault, now });
  return phone !== null && phone === session.callerPhone;
}
