/**
 * The cookie of a browser whose payer has typed in the code that was texted to the session's number. No other session's
 * page takes it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CheckoutSession } from '../../domain/session.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import { type Asking, readSessionCookie, setSessionCookie } from './session-cookie.ts';

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
