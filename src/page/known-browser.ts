/**
 * The cookie of a browser whose payer has typed in the code that was texted to the session's number. It is sealed for that
 * session: no other session's page takes it, and nobody can make one.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CheckoutSession } from '../domain/session.ts';
import { openOrNull, type Vault } from '../vault/vault.ts';

type KnownSession = Pick<CheckoutSession, 'id' | 'callerPhone'>;

/** Then a new code is wanted. */
const KNOWN_FOR_MS = 30 * 60_000;
const NAME_LENGTH = 12;
/** Of a sealed value; anything longer is none of ours. */
const MAX_LENGTH = 400;

const contextOf = ({ id }: KnownSession) => `page_known:${id}`;

/**
 * One for each session, so that two windows with two sessions do not take theirs from each other. Over plain http, which only a
 * machine of one's own is reached by, neither prefix nor `Secure`: some browsers refuse both there.
 */
function cookieName({ id }: KnownSession, isSecure: boolean): string {
  const name = createHash('sha256').update(id).digest('hex').slice(0, NAME_LENGTH);
  return `${isSecure ? '__Host-' : ''}ringkey-${name}`;
}

export function rememberBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  vault: Vault,
  session: KnownSession,
  now: Date,
): void {
  const isSecure = request.protocol === 'https';
  const value = vault.seal(`${now.getTime() + KNOWN_FOR_MS} ${session.callerPhone}`, contextOf(session));
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  reply.header('set-cookie', `${cookieName(session, isSecure)}=${value}; ${attributes}`);
}

/** Whether this browser's payer has the phone that the session is of. */
export function isKnownBrowser(
  { headers: { cookie = '' }, protocol }: Pick<FastifyRequest, 'headers' | 'protocol'>,
  vault: Vault,
  session: KnownSession,
  now: Date,
): boolean {
  const start = `${cookieName(session, protocol === 'https')}=`;
  const value = cookie
    .split(/;\s*/)
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
  if (value === undefined || value.length > MAX_LENGTH) return false;
  const [until, phone] = openOrNull(vault, value, contextOf(session))?.split(' ') ?? [];
  return Number(until) > now.getTime() && phone === session.callerPhone;
}
