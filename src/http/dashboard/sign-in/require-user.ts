/** Sign-in to the dashboard: every request for its pages has a user or is redirected to the sign-in page. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actorOfUser, findSessionByToken, noteActivity, type UserSession } from '../../../accounts/users/sessions.ts';
import { findAccount } from '../../../db/keys/accounts.ts';
import type { Database } from '../../../db/pool.ts';
import type { AccountId, UserId, UserSessionId } from '../../../domain/ids.ts';
import type { Mode } from '../../../domain/session.ts';
import { isLoopbackHost } from '../../../lib/http-client/public-addresses.ts';
import { type CookieDeps, readCookie } from './cookies.ts';
import { FRONT_PAGE, signInPage } from './next-page.ts';

export interface DashboardUser extends Omit<UserSession, 'isTouchDue' | 'expiresAt'> {
  /** The only mode that the user may see. Both modes if absent. */
  mode?: Mode;
  /** The demo, which is open without sign-in on the user's own machine. */
  isDemo: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in user. Set by {@link requireUser}. */
    user: DashboardUser;
  }
  interface FastifyContextConfig {
    /** Requested by the page itself, to poll for updates. It does not count as user activity. */
    isBackground?: boolean;
  }
}

export interface RequireUserDeps extends CookieDeps {
  database: Database;
  /** The account that opens without sign-in, only in test mode and on this machine. Null if there is no demo. */
  demoAccount: AccountId | null;
  /** The demo is reachable from other machines, so everyone must sign in. */
  isPublicDemo?: boolean;
}

/** The demo has no user in the audit trail: its actor is `demo`. */
const DEMO_USER: Omit<DashboardUser, 'accountId' | 'accountName' | 'lastActive'> = {
  userId: 'usr_demo' as UserId,
  sessionId: 'uses_demo' as UserSessionId,

  role: 'owner',
  merchants: null,
  name: 'Demo owner',
  email: 'demo@localhost',
  language: null,
  mode: 'test',
  isIdle: false,
  isRecent: true,
  isDemo: true,
};

/**
 * Guards the routes of `app`: sets `request.user` and `request.actor`, or redirects (303) to the sign-in page. Requests
 * of htmx get 401 with `HX-Redirect`. Call it after `markLocalRequests`.
 */
export function requireUser(app: FastifyInstance, deps: RequireUserDeps): void {
  const demoKey = randomBytes(32).toString('base64url');
  /** Cached, because an account's name never changes. */
  let demoName: string | undefined;
  app.decorateRequest('user');
  app.decorateRequest('formTokenKey', null);
  if (!app.hasRequestDecorator('actor')) app.decorateRequest('actor');
  app.addHook('onRequest', async (request, reply) => {
    const token = readCookie(request, deps, 'session');
    const session = token === null ? null : await findSessionByToken(deps.database, token);
    if (session !== null) {
      await signedIn(request, session, deps);
      request.formTokenKey = token;
    } else if (opensDemo(request, deps)) {
      demoName ??= (await findAccount(deps.database, deps.demoAccount))?.name;
      const accountName = demoName ?? '';
      request.user = { ...DEMO_USER, accountId: deps.demoAccount, accountName, lastActive: new Date() };
      request.actor = { kind: 'demo', id: null, source: request.ip, requestId: request.id };
      request.formTokenKey = demoKey;
    } else {
      return sendToSignIn(request, reply);
    }
  });
}

async function signedIn(request: FastifyRequest, session: UserSession, { database }: RequireUserDeps): Promise<void> {
  if (request.routeOptions.config.isBackground !== true) await noteActivity(database, session);
  const { expiresAt: _, isTouchDue: __, ...user } = session;
  request.user = { ...user, isDemo: false };
  request.actor = actorOfUser(session.userId, { source: request.ip, requestId: request.id });
}

type WithDemo = RequireUserDeps & { demoAccount: AccountId };

/**
 * A Host header alone proves nothing if the service listens on all addresses, so the connection must also come from
 * this machine.
 */
function opensDemo(request: FastifyRequest, deps: RequireUserDeps): deps is WithDemo {
  if (deps.demoAccount === null || deps.isPublicDemo === true) return false;
  return request.isLocal && isLoopbackHost(request.socket.remoteAddress ?? '');
}

/** After sign-in, pages lead back to the requested page, and form submissions to the form's page. */
function sendToSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  again = false,
  formsPage = FRONT_PAGE,
): FastifyReply {
  const current = request.headers['hx-current-url'];
  const isHtmx = request.headers['hx-request'] === 'true';
  const wanted = isHtmx ? pathOf(current) : request.method === 'GET' ? request.url : formsPage;
  const page = signInPage(wanted, again);
  reply.header('cache-control', 'no-store');
  return isHtmx ? reply.code(401).header('hx-redirect', page).send() : reply.redirect(page, 303);
}

function pathOf(url: unknown): string {
  if (typeof url !== 'string' || !URL.canParse(url)) return FRONT_PAGE;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/**
 * For changes in live mode: after 15 minutes without activity, the user must sign in again (PCI DSS 8.2.8).
 * @returns false if the request was redirected to the sign-in page
 */
export function requireFreshUser(request: FastifyRequest, reply: FastifyReply, mode: Mode): boolean {
  if (mode === 'test' || !request.user.isIdle) return true;
  sendToSignIn(request, reply, true);
  return false;
}

/**
 * For changes to who can sign in: users, passkeys, passwords. Otherwise anyone with an open browser or a stolen cookie
 * could keep access.
 * @returns false if the request was redirected to the sign-in page, which leads back to the form's page
 */
export function requireRecentSignIn(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.user.isRecent) return true;
  sendToSignIn(request, reply, true, pathOf(request.headers.referer));
  return false;
}
