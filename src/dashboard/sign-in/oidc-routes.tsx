/** Signing in by the operator's OpenID provider: the way there, the way back, and which account where there are several. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listAccountChoices } from '../../db/users/choices.ts';
import { isLoopbackHost } from '../../outgoing-http/public-addresses.ts';
import { beginOidc, chooseOidcUser, createOidcProvider, finishOidc, ProviderFailed } from '../../users/oidc.ts';
import { hashUserToken } from '../../users/tokens.ts';
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

const CALLBACK = '/dashboard/sign-in/oidc/callback';
const ACCOUNTS = '/dashboard/sign-in/oidc/account';

export function oidcRoutes(app: FastifyInstance, deps: SharedDeps): void {
  if (deps.oidc === null) return;
  const provider = createOidcProvider(deps.oidc);

  // A link, not a form: `form-action` of the policy would hold for where the provider's pages lead, too.
  app.get('/sign-in/oidc', async (request, reply) => {
    requirePrivate(request, deps);
    requireFromOurPage(request);
    const begin = { redirectUri: redirectUri(request, deps), next: nextPage(queryOf(request, 'next')) };
    const again = queryOf(request, 'again') === '1';
    const { url, token } = await beginOidc(deps.database, provider, { ...begin, again }).catch(outage(request));
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
    // Who has turned back there has guessed nothing.
    if (result.kind === 'denied') throw notSignedIn(name);
    await countFailure(request, deps);
    throw result.kind === 'unknown' ? noSuchUser(name) : notAnswered();
  });

  app.get('/sign-in/oidc/account', async (request, reply) => {
    const token = readCookie(request, deps, 'sign-in');
    const choices = token === null ? [] : await listAccountChoices(deps.database, hashUserToken(token));
    if (choices.length === 0) throw notAnswered();
    return sendSignInPage(request, reply, {
      title: 'Choose an account',
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

/** The address that is registered with the provider. @throws DashboardRefusal where it would be another than ours */
function redirectUri({ protocol, host, hostname }: FastifyRequest, { publicUrl }: CookieDeps): string {
  if (publicUrl !== null) return publicUrl + CALLBACK;
  if (isLoopbackHost(hostname)) return `${protocol}://${host}${CALLBACK}`;
  throw new DashboardRefusal(409, 'Not at this address', 'The operator sets RINGKEY_PUBLIC_URL to sign in this way.');
}

/** Logs what the provider did, and says so. */
const outage =
  ({ log }: FastifyRequest) =>
  (error: unknown): never => {
    if (!(error instanceof ProviderFailed)) throw error;
    log.warn({ err: error.cause }, 'the OpenID provider failed');
    const message = 'The service that you sign in with does not answer as it should. Try again, or use another way.';
    throw new DashboardRefusal(503, 'Your sign-in service does not answer', message);
  };

const noSuchUser = (provider: string) =>
  new DashboardRefusal(
    403,
    'You have no user here',
    `${provider} has told us no verified e-mail address of a user here. Ask an owner of the account to invite you with that address.`,
  );

const notSignedIn = (provider: string) =>
  new DashboardRefusal(
    403,
    'You were not signed in',
    `${provider} has not signed you in. Try again, or use another way.`,
  );

const notAnswered = () =>
  new DashboardRefusal(
    403,
    'That sign-in cannot be used',
    'It was begun elsewhere, used before, or took too long. Start again.',
  );
