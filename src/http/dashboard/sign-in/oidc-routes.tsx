/** Signing in with the operator's OpenID provider: the redirect, the callback, and the choice of account. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  chooseOidcUser,
  createOidcProvider,
  finishOidc,
  ProviderFailed,
  startOidc,
} from '../../../accounts/users/oidc.ts';
import { hashUserToken } from '../../../accounts/users/tokens.ts';
import { listAccountChoices } from '../../../db/users/sign-in-attempts.ts';
import { isLoopbackHost } from '../../../lib/http-client/public-addresses.ts';
import { type CookieDeps, readCookie } from './cookies.ts';
import { DashboardRefusal } from './errors.ts';
import { formOf, requireFromOurPage } from './form-token.ts';
import { nextPage } from './next-page.ts';
import {
  countFailure,
  finishSignIn,
  keepAttempt,
  queryOf,
  requireFewFailures,
  requirePrivate,
  sendSignInPage,
  sourceOf,
} from './pages.tsx';
import type { SharedDeps } from './ports.ts';
import { AccountChoices } from './views.tsx';
import { signInWords } from './words/index.ts';

const CALLBACK = '/dashboard/sign-in/oidc/callback';
const ACCOUNTS = '/dashboard/sign-in/oidc/account';

export function oidcRoutes(app: FastifyInstance, deps: SharedDeps): void {
  if (deps.oidc === null) return;
  const provider = createOidcProvider(deps.oidc);

  // A link, not a form: the policy's `form-action` would also apply to the provider's redirects.
  app.get('/sign-in/oidc', async (request, reply) => {
    requirePrivate(request, deps);
    requireFromOurPage(request);
    const start = { redirectUri: redirectUri(request, deps), next: nextPage(queryOf(request, 'next')) };
    const again = queryOf(request, 'again') === '1';
    const { url, token } = await startOidc(deps.database, provider, { ...start, again }).catch(outage(request));
    keepAttempt(request, reply, deps, token);
    return reply.header('cache-control', 'no-store').redirect(url, 303);
  });

  app.get('/sign-in/oidc/callback', async (request, reply) => {
    requirePrivate(request, deps);
    await requireFewFailures(request, deps);
    const query = new URL(request.url, 'http://localhost').search;
    const answer = { token: readCookie(request, deps, 'sign-in'), query };
    const result = await finishOidc(deps.database, provider, answer, sourceOf(request)).catch(outage(request));
    if (result.kind === 'signed_in') {
      await finishSignIn(request, reply, deps, result.signedIn);
      return reply.header('cache-control', 'no-store').redirect(result.next, 303);
    }
    if (result.kind === 'choose') {
      keepAttempt(request, reply, deps, result.token);
      return reply.header('cache-control', 'no-store').redirect(ACCOUNTS, 303);
    }
    const name = deps.oidc?.name ?? '';
    // A user who cancels at the provider has not guessed anything.
    if (result.kind === 'denied') throw notSignedIn(name);
    await countFailure(request, deps);
    throw result.kind === 'unknown' ? noSuchUser(name) : notAnswered();
  });

  app.get('/sign-in/oidc/account', async (request, reply) => {
    const token = readCookie(request, deps, 'sign-in');
    const choices = token === null ? [] : await listAccountChoices(deps.database, hashUserToken(token));
    if (choices.length === 0) throw notAnswered();
    return sendSignInPage(request, reply, {
      title: signInWords().chooseAccount,
      body: <AccountChoices choices={choices} action={ACCOUNTS} />,
    });
  });

  app.post('/sign-in/oidc/account', async (request, reply) => {
    requireFromOurPage(request);
    const token = readCookie(request, deps, 'sign-in');
    const userId = formOf(request).get('user') ?? '';
    const chosen = await chooseOidcUser(deps.database, token, userId, sourceOf(request));
    if (chosen === null) throw notAnswered();
    await finishSignIn(request, reply, deps, chosen.signedIn);
    return reply.header('cache-control', 'no-store').redirect(chosen.next, 303);
  });
}

/** The URI registered with the provider. @throws DashboardRefusal if the request came to another host */
function redirectUri({ protocol, host, hostname }: FastifyRequest, { publicUrl }: CookieDeps): string {
  if (publicUrl !== null) return publicUrl + CALLBACK;
  if (isLoopbackHost(hostname)) return `${protocol}://${host}${CALLBACK}`;
  throw new DashboardRefusal(409, ({ refusals }) => refusals.notHere);
}

/** Logs the provider's error and shows a page. */
const outage =
  ({ log }: FastifyRequest) =>
  (error: unknown): never => {
    if (!(error instanceof ProviderFailed)) throw error;
    log.warn({ err: error.cause }, 'OpenID provider failed');
    throw new DashboardRefusal(503, ({ refusals }) => refusals.providerAway);
  };

const noSuchUser = (provider: string) => new DashboardRefusal(403, ({ refusals }) => refusals.noSuchUser(provider));

const notSignedIn = (provider: string) => new DashboardRefusal(403, ({ refusals }) => refusals.notSignedIn(provider));

const notAnswered = () => new DashboardRefusal(403, ({ refusals }) => refusals.notAnswered);
