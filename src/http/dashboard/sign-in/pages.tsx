/** Sends the sign-in pages, and completes a sign-in: the cookie and the redirect. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import type { RelyingParty } from '../../../accounts/users/passkeys.ts';
import { findSessionByToken, type RequestSource, type SignedIn } from '../../../accounts/users/sessions.ts';
import { deleteUserSession } from '../../../db/users/user-sessions.ts';
import { browserUrl } from '../../../lib/http-client/loopback-name.ts';
import { isLoopbackHost } from '../../../lib/http-client/public-addresses.ts';
import { rateLimitedAddress } from '../../api/rate-limiter.ts';
import { setPageHeaders } from '../page/headers.ts';
import { renderBarePage } from '../page/layout.tsx';
import { themeOf } from '../page/theme.tsx';
import { inLanguage, languageOfRequest } from '../words/language.ts';
import { type CookieDeps, clearCookie, isPrivate, keepSession, readCookie, setCookie } from './cookies.ts';
import { DashboardRefusal } from './errors.ts';
import type { SharedDeps } from './ports.ts';
import { SignInNote } from './views.tsx';

export function sendSignInPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { title, body, status = 200 }: { title: string; body: ComponentChildren; status?: number },
): FastifyReply {
  setPageHeaders(request, reply);
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(renderBarePage(title, themeOf(request.headers.cookie), body));
}

/** Sends the refusal as a page, or as JSON to the script. */
export function sendRefusal(refusal: DashboardRefusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status } = refusal;
  return inLanguage(languageOfRequest(request), () => {
    const { title, text } = refusal.words();
    if (request.headers.accept === 'application/json') return reply.code(status).send({ message: text });
    const body = (
      <SignInNote title={title}>
        <p>{text}</p>
      </SignInNote>
    );
    return sendSignInPage(request, reply, { title, body, status });
  });
}

export const sourceOf = (request: FastifyRequest): RequestSource => ({ source: request.ip, requestId: request.id });

/** The first value of a parameter of the query. */
export function queryOf({ query }: FastifyRequest, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** Signs in the browser. Its earlier session and any unfinished sign-in end. */
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

/** Ties the unfinished sign-in to this browser. */
export function keepAttempt(request: FastifyRequest, reply: FastifyReply, deps: CookieDeps, token: string): void {
  setCookie(request, reply, deps, { kind: 'sign-in', value: token, maxAgeSeconds: ATTEMPT_SECONDS });
}

/** Passwords and cookies must not go over plain HTTP to another machine. @throws DashboardRefusal */
export function requirePrivate(request: FastifyRequest, deps: CookieDeps): void {
  if (isPrivate(request, deps)) return;
  throw new DashboardRefusal(403, ({ refusals }) => refusals.insecure);
}

/** @throws DashboardRefusal after too many failures from the IP address */
export async function requireFewFailures(request: FastifyRequest, { wrongAnswers }: SharedDeps): Promise<void> {
  const refusal = await wrongAnswers.refusal(rateLimitedAddress(request));
  if (refusal === null) return;
  const minutes = Math.ceil(refusal.resetSeconds / 60);
  throw new DashboardRefusal(429, ({ refusals }) => refusals.tooMany(minutes));
}

export function countFailure(request: FastifyRequest, { wrongAnswers }: SharedDeps): Promise<void> {
  return wrongAnswers.count(rateLimitedAddress(request));
}

/** Passkeys work at the host of RINGKEY_PUBLIC_URL and at `localhost`. Null if they don't work at this host. */
export function relyingParty(request: FastifyRequest, { publicUrl }: CookieDeps): RelyingParty | null {
  const ours = publicUrl === null ? null : new URL(publicUrl);
  if (ours !== null && ours.host === request.host) return { id: ours.hostname, origin: ours.origin };
  const { hostname, host, protocol } = request;
  // Browsers create no passkeys for IP addresses.
  const isName = isLoopbackHost(hostname) && /localhost$/i.test(hostname);
  return isName ? { id: hostname.toLowerCase(), origin: `${protocol}://${host.toLowerCase()}` } : null;
}

/** The same page at `localhost`, if it was opened at an IP address; otherwise null. */
export function urlByName(request: FastifyRequest, { publicUrl }: CookieDeps): string | null {
  const { protocol, host, url } = request;
  const requested = `${protocol}://${host}`;
  if (publicUrl !== null || !URL.canParse(requested)) return null;
  const named = browserUrl(requested);
  return named === new URL(requested).origin ? null : named + url;
}

/** @throws DashboardRefusal */
export function requireParty(request: FastifyRequest, deps: CookieDeps): RelyingParty {
  const party = relyingParty(request, deps);
  if (party !== null) return party;
  throw new DashboardRefusal(409, ({ refusals }) => refusals.noPasskeysHere);
}
