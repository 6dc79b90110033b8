/** The cookies of the dashboard: the session's token, and that of a sign-in that has begun. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackHost } from '../../outgoing-http/public-addresses.ts';
import type { SignedIn } from '../../users/sessions.ts';

export interface CookieDeps {
  /** RINGKEY_PUBLIC_URL; null where not set. */
  publicUrl: string | null;
}

/** `session`: who is signed in. `sign-in`: ties the answer of a passkey or an OpenID provider to the browser that asked. */
export type CookieKind = 'session' | 'sign-in';

const NAMES: Record<CookieKind, string> = { session: 'ringkey', 'sign-in': 'ringkey-sign-in' };

type Origin = Pick<FastifyRequest, 'protocol' | 'host' | 'hostname'>;

/** The browser came by https: as the request has it, or as the operator says where a proxy does not tell. */
export function isSecure(request: Origin, { publicUrl }: CookieDeps): boolean {
  if (request.protocol === 'https') return true;
  if (publicUrl === null) return false;
  const url = new URL(publicUrl);
  return url.protocol === 'https:' && url.host === request.host;
}

/** Passwords and cookies go over https, or stay on this machine. */
export function isPrivate(request: Origin, deps: CookieDeps): boolean {
  return isSecure(request, deps) || isLoopbackHost(request.hostname);
}

/** `__Host-`: no other host, and no plain http, can set it (RFC 6265bis, 4.1.3.2). Browsers take that over https only. */
function cookieName(kind: CookieKind, secure: boolean): string {
  return secure ? `__Host-${NAMES[kind]}` : NAMES[kind];
}

export function readCookie(
  request: Origin & Pick<FastifyRequest, 'headers'>,
  deps: CookieDeps,
  kind: CookieKind,
): string | null {
  const start = `${cookieName(kind, isSecure(request, deps))}=`;
  const pair = (request.headers.cookie ?? '').split(/;\s*/).find((each) => each.startsWith(start));
  return pair?.slice(start.length) ?? null;
}

/** Lax, not Strict: a link in an e-mail, and the way back from an OpenID provider, find the user signed in. */
export function setCookie(
  request: Origin,
  reply: FastifyReply,
  deps: CookieDeps,
  { kind, value, maxAgeSeconds }: { kind: CookieKind; value: string; maxAgeSeconds: number },
): void {
  const secure = isSecure(request, deps);
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  reply.header('set-cookie', `${cookieName(kind, secure)}=${value}; ${attributes}`);
}

/** The browser has the session for as long as it lasts. */
export function keepSession(
  request: Origin,
  reply: FastifyReply,
  deps: CookieDeps,
  { token, expiresAt }: SignedIn,
): void {
  const maxAgeSeconds = Math.floor((expiresAt.getTime() - Date.now()) / 1_000);
  setCookie(request, reply, deps, { kind: 'session', value: token, maxAgeSeconds });
}

export function clearCookie(request: Origin, reply: FastifyReply, deps: CookieDeps, kind: CookieKind): void {
  setCookie(request, reply, deps, { kind, value: '', maxAgeSeconds: 0 });
}
