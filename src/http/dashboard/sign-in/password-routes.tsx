/** The sign-in page: `GET /dashboard/sign-in`, and its form with password and code. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TooBusy } from '../../../accounts/users/password.ts';
import { findSessionByToken, type UserSession } from '../../../accounts/users/sessions.ts';
import { signInWithPassword } from '../../../accounts/users/sign-in-password.ts';
import { inLanguage, languageOfRequest } from '../words/language.ts';
import { readCookie } from './cookies.ts';
import { DashboardRefusal } from './errors.ts';
import { formOf, requireFromOurPage } from './form-token.ts';
import { nextPage } from './next-page.ts';
import {
  countFailure,
  finishSignIn,
  queryOf,
  relyingParty,
  requireFewFailures,
  requirePrivate,
  sendSignInPage,
  sourceOf,
  urlByName,
} from './pages.tsx';
import type { SharedDeps } from './ports.ts';
import { SignInForm, type SignInView } from './views.tsx';
import { signInWords } from './words/index.ts';

const FAILURE_MS = 500;

export function passwordRoutes(app: FastifyInstance, deps: SharedDeps): void {
  app.get('/sign-in', async (request, reply) => {
    requirePrivate(request, deps);
    const next = nextPage(queryOf(request, 'next'));
    const again = queryOf(request, 'again') === '1';
    const session = await sessionOf(request, deps);
    if (session !== null && !again) return reply.redirect(next, 303);
    return inLanguageOf(session, request, () => sendForm(request, reply, deps, { next, again: session !== null }));
  });

  app.post('/sign-in', async (request, reply) => {
    const arrived = performance.now();
    requirePrivate(request, deps);
    requireFromOurPage(request);
    await requireFewFailures(request, deps);
    const form = formOf(request);
    const field = (name: string) => form.get(name) ?? '';
    const given = { email: field('email'), password: field('password'), code: field('code') };
    const signedIn = await signInWithPassword(deps, given, sourceOf(request)).catch(busy);
    const next = nextPage(field('next'));
    if (signedIn !== null) {
      await finishSignIn(request, reply, deps, signedIn);
      return reply.redirect(next, 303);
    }
    await countFailure(request, deps);
    await delay(Math.max(0, arrived + (deps.failureMs ?? FAILURE_MS) - performance.now()));
    return inLanguageOf(await sessionOf(request, deps), request, () => {
      // The same message for every error, so that it does not reveal whether the user exists.
      const problem = signInWords().wrong;
      return sendForm(request, reply, deps, { next, email: given.email.slice(0, 254), problem });
    });
  });
}

/** The session of a signed-in user, who signs in again. */
async function sessionOf(request: FastifyRequest, deps: SharedDeps): Promise<UserSession | null> {
  const token = readCookie(request, deps, 'session');
  return token === null ? null : findSessionByToken(deps.database, token);
}

/** A signed-in user has perhaps chosen a language. */
const inLanguageOf = <T,>(session: UserSession | null, { headers }: FastifyRequest, send: () => T): T =>
  inLanguage(languageOfRequest({ user: session ?? undefined, headers }), send);

/** @throws DashboardRefusal */
export function busy(error: unknown): never {
  if (!(error instanceof TooBusy)) throw error;
  throw new DashboardRefusal(503, ({ refusals }) => refusals.busy);
}

function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: SharedDeps,
  view: Pick<SignInView, 'next'> & Partial<SignInView>,
): FastifyReply {
  const shown: SignInView = {
    again: false,
    problem: null,
    email: '',
    hasPasskeys: relyingParty(request, deps) !== null,
    hasPasswords: deps.vault !== null,
    provider: deps.oidc?.name ?? null,
    byName: urlByName(request, deps),
    ...view,
  };
  const status = shown.problem === null ? 200 : 422;
  return sendSignInPage(request, reply, { title: signInWords().signIn, body: <SignInForm {...shown} />, status });
}
