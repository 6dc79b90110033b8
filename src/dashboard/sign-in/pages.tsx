/** How the sign-in pages are answered, and how a sign-in ends: the cookie, and the way on. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { rateLimitedAddress } from '../../api/source-address.ts';
import { deleteUserSession } from '../../db/users/user-sessions.ts';
import { browserUrl } from '../../outgoing-http/loopback-name.ts';
import { isLoopbackHost } from '../../outgoing-http/public-addresses.ts';
import type { RelyingParty } from '../../users/passkeys.ts';
import { findSessionByToken, type RequestSource, type SignedIn } from '../../users/sessions.ts';
import { setPageHeaders } from '../headers.ts';
import { renderBarePage } from '../views/layout.tsx';
import { clearCookie, type CookieDeps, isPrivate, keepSession, readCookie, setCookie } from './cookies.ts';
import { DashboardRefusal } from './errors.ts';
import type { SharedDeps } from './ports.ts';
import { SignInNote } from './views.tsx';

export function sendSignInPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { title, body, status = 200 }: { title: string; body: ComponentChildren; status?: number },
): FastifyReply {
  setPageHeaders(request, reply);
  return reply.code(status).type('text/html; charset=utf-8').send(renderBarePage(title, body));
}

/** As a page, or for the script as JSON. */
export function sendRefusal(refusal: DashboardRefusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, title, message } = refusal;
  if (request.headers.accept === 'application/json') return reply.code(status).send({ message });
  const body = (
    <SignInNote title={title}>
      <p>{message}</p>
    </SignInNote>
  );
  return sendSignInPage(request, reply, { title, body, status });
}

export const sourceOf = (request: FastifyRequest): RequestSource => ({ source: request.ip, requestId: request.id });

/** The first value of a parameter of the query. */
export function queryOf({ query }: FastifyRequest, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** Signs in the browser: its session from before ends, and what it had begun is forgotten. */
export async function finishSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: SharedDeps,
  signedIn: SignedIn,
): Promise<void> {
  const old = readCookie(request, deps, 'session');
  const session = old === null ? null : await findSessionByToken(deps.database, old);
  if (session !== null) await deleteUserSession(deps.database, session.sessionId);
  keepSession(request, reply, deps, signedIn);
  clearCookie(request, reply, deps, 'sign-in');
}

const ATTEMPT_SECONDS = 600;

/** Ties what was begun to this browser. */
export function keepAttempt(request: FastifyRequest, reply: FastifyReply, deps: CookieDeps, token: string): void {
  setCookie(request, reply, deps, { kind: 'sign-in', value: token, maxAgeSeconds: ATTEMPT_SECONDS });
}

/** No password, and no cookie, goes over plain http to another machine. @throws DashboardRefusal */
export function requirePrivate(request: FastifyRequest, deps: CookieDeps): void {
  if (isPrivate(request, deps)) return;
  throw new DashboardRefusal(
    403,
    'Use https to sign in',
    'This address is not encrypted. The operator sets RINGKEY_PUBLIC_URL to the https address of the dashboard, and RINGKEY_TRUSTED_PROXIES to the proxy in front of it.',
  );
}

/** @throws DashboardRefusal where too many wrong answers came from the address */
export async function requireFewFailures(request: FastifyRequest, { wrongAnswers }: SharedDeps): Promise<void> {
  const refusal = await wrongAnswers.refusal(rateLimitedAddress(request));
  if (refusal === null) return;
  const minutes = Math.ceil(refusal.resetSeconds / 60);
  throw new DashboardRefusal(
    429,
    'Too many attempts',
    `Too many sign-ins from your network have failed. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
  );
}

export function countFailure(request: FastifyRequest, { wrongAnswers }: SharedDeps): Promise<void> {
  return wrongAnswers.count(rateLimitedAddress(request));
}

/** Passkeys belong to the host of RINGKEY_PUBLIC_URL, or to `localhost`. Null: at this address there are none. */
export function relyingParty(request: FastifyRequest, { publicUrl }: CookieDeps): RelyingParty | null {
  const ours = publicUrl === null ? null : new URL(publicUrl);
  if (ours !== null && ours.host === request.host) return { id: ours.hostname, origin: ours.origin };
  const { hostname, host, protocol } = request;
  // Browsers make none for addresses.
  const isName = isLoopbackHost(hostname) && /localhost$/i.test(hostname);
  return isName ? { id: hostname.toLowerCase(), origin: `${protocol}://${host.toLowerCase()}` } : null;
}

/** The same page by the name of this machine, where it was opened by an address. Null where it was not. */
export function urlByName(request: FastifyRequest, { publicUrl }: CookieDeps): string | null {
  const { protocol, host, url } = request;
  const asked = `${protocol}://${host}`;
  if (publicUrl !== null || !URL.canParse(asked)) return null;
  const named = browserUrl(asked);
  return named === new URL(asked).origin ? null : named + url;
}

/** @throws DashboardRefusal */
export function requireParty(request: FastifyRequest, deps: CookieDeps): RelyingParty {
  const party = relyingParty(request, deps);
  if (party !== null) return party;
  throw new DashboardRefusal(
    409,
    'No passkeys at this address',
    'Passkeys work at the address of RINGKEY_PUBLIC_URL, and at localhost.',
  );
}
