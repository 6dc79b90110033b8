/** The cookies of the dashboard: the session's token, and the token of an unfinished sign-in. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../../accounts/users/sessions.ts';
import { isLoopbackHost } from '../../../lib/http-client/public-addresses.ts';

export interface CookieDeps {
  /** RINGKEY_PUBLIC_URL, or null. */
  publicUrl: string | null;
}

/** `session`: the signed-in user. `sign-in`: ties the response of a passkey or an OpenID provider to the browser. */
type CookieKind = 'session' | 'sign-in';

const NAMES: Record<CookieKind, string> = { session: 'ringkey', 'sign-in': 'ringkey-sign-in' };

type Origin = Pick<FastifyRequest, 'protocol' | 'host' | 'hostname'>;

/** Whether the browser uses HTTPS: from the request, or from RINGKEY_PUBLIC_URL if a proxy hides it. */
function isSecure(request: Origin, { publicUrl }: CookieDeps): boolean {
  if (request.protocol === 'https') return true;
  if (publicUrl === null) return false;
  const url = new URL(publicUrl);
  return url.protocol === 'https:' && url.host === request.host;
}

/** Whether passwords and cookies are safe: over HTTPS, or on this machine. */
export function isPrivate(request: Origin, deps: CookieDeps): boolean {
  return isSecure(request, deps) || isLoopbackHost(request.hostname);
}

/**
 * `__Host-`: no other host, and no plain http, can set it (RFC 6265bis, 4.1.3.2). Browsers accept it over HTTPS only.
 */
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

/** Lax, not Strict, so that links in emails and redirects from an OpenID provider keep the session. */
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

/** The cookie lasts as long as the session. */
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
