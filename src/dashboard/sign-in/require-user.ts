/** Who is signed in to the dashboard: every request of its pages has a user, or is sent to the sign-in page. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findAccount } from '../../db/keys/accounts.ts';
import type { Database } from '../../db/pool.ts';
import type { AccountId, UserId, UserSessionId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import { type Role, roleCovers } from '../../domain/user.ts';
import { isLoopbackHost } from '../../outgoing-http/public-addresses.ts';
import { actorOfUser, findSessionByToken, noteActivity, type UserSession } from '../../users/sessions.ts';
import { type CookieDeps, readCookie } from './cookies.ts';
import { RoleTooSmall } from './errors.ts';
import { FRONT_PAGE, signInPage } from './next-page.ts';

export interface DashboardUser {
  userId: UserId;
  accountId: AccountId;
  accountName: string;
  role: Role;
  name: string;
  email: string;
  /** The only mode that the user may see; both where it is not there. */
  mode?: Mode;
  sessionId: UserSessionId;
  lastActive: Date;
  /** Nothing was done for 15 minutes: see {@link requireFreshUser}. */
  isIdle: boolean;
  /** Signed in within the last 15 minutes: see {@link requireRecentSignIn}. */
  isRecent: boolean;
  /** Nobody signed in: the demo, on its user's own machine. */
  isDemo: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in. Set behind {@link requireUser}. */
    user: DashboardUser;
  }
  interface FastifyContextConfig {
    /** Pages ask it by themselves, for news: it does not count as something that the user does. */
    isBackground?: boolean;
  }
}

export interface RequireUserDeps extends CookieDeps {
  database: Database;
  /** The account that opens without signing in, in test mode and on this machine alone; null where there is no demo. */
  demoAccount: AccountId | null;
  /** The demo can be reached from other machines: nobody gets in without signing in. */
  isPublicDemo?: boolean;
}

/** In the audit trail the demo has no user: its actor is `demo`. */
const DEMO_USER: Omit<DashboardUser, 'accountId' | 'accountName' | 'lastActive'> = {
  userId: 'usr_demo' as UserId,
  sessionId: 'uses_demo' as UserSessionId,
  ...{
    role: 'owner',
    name: 'Demo owner',
    email: 'demo@localhost',
    mode: 'test',
    isIdle: false,
    isRecent: true,
    isDemo: true,
  },
};

/**
 * Guards the routes of `app`: sets `request.user` and `request.actor`, or answers 303 to the sign-in page; a request of htmx
 * gets 401 with `HX-Redirect`. To be called after `tellLocalRequests`.
 */
export function requireUser(app: FastifyInstance, deps: RequireUserDeps): void {
  const demoKey = randomBytes(32).toString('base64url');
  /** An account's name stays. */
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

/** A Host header alone proves nothing where the service listens on all addresses: the connection must be of this machine, too. */
function opensDemo(request: FastifyRequest, deps: RequireUserDeps): deps is WithDemo {
  if (deps.demoAccount === null || deps.isPublicDemo === true) return false;
  return request.isLocal && isLoopbackHost(request.socket.remoteAddress ?? '');
}

/** Pages lead back to where the user wanted to go; what only a form asks for leads to the front page. */
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

/** A preHandler for routes that take a role. Throws {@link RoleTooSmall}. */
export function requireRole(needed: Role) {
  return async ({ user }: FastifyRequest): Promise<void> => {
    if (!roleCovers(user.role, needed)) throw new RoleTooSmall(needed);
  };
}

/**
 * For what changes something in live mode: after 15 minutes in which the user did nothing they show again who they are (PCI DSS
 * 8.2.8). @returns false where the request was answered with the way to the sign-in page
 */
export function requireFreshUser(request: FastifyRequest, reply: FastifyReply, mode: Mode): boolean {
  if (mode === 'test' || !request.user.isIdle) return true;
  sendToSignIn(request, reply, true);
  return false;
}

/**
 * For what changes who gets in: users, passkeys, passwords. Whoever finds a browser open, or has a session's cookie, cannot stay.
 * @returns false where the request was answered with the way to the sign-in page, and from there to the form's
 */
export function requireRecentSignIn(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.user.isRecent) return true;
  sendToSignIn(request, reply, true, pathOf(request.headers.referer));
  return false;
}
