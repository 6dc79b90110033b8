/** Signing in to the dashboard: the page, passkeys, the OpenID provider, invitations, and signing out. */
import type { FastifyInstance } from 'fastify';
import { endUserSession } from '../../../accounts/users/sessions.ts';
import { limitGuesses } from '../../api/rate-limiter.ts';
import { assetRoutes } from '../../shared/static-assets.ts';
import { signInScripts } from '../assets.ts';
import { languageCookie, useLanguage } from '../words/language.ts';
import { clearCookie } from './cookies.ts';
import { answerRefusals } from './errors.ts';
import { formOf, refuseForgedRequests, takeForms } from './form-token.ts';
import { invitationRoutes } from './invitation-routes.tsx';
import { SIGN_IN } from './next-page.ts';
import { oidcRoutes } from './oidc-routes.tsx';
import { ownPasskeyRoutes } from './own-passkey-routes.ts';
import { sendRefusal, sourceOf } from './pages.tsx';
import { passkeyRoutes } from './passkey-routes.ts';
import { passwordRoutes } from './password-routes.tsx';
import type { SharedDeps, SignInRoutesDeps } from './ports.ts';
import { requireUser } from './require-user.ts';

/** Call it after `markLocalRequests`. */
export function signInRoutes(app: FastifyInstance, deps: SignInRoutesDeps): void {
  const shared: SharedDeps = { ...deps, wrongAnswers: limitGuesses(deps.rateLimiter, 'signIn') };
  app.register((assets, _options, done) => {
    assetRoutes(assets, signInScripts());
    done();
  });
  app.register(
    (pages, _options, done) => {
      pages.removeAllContentTypeParsers();
      takeForms(pages);
      answerRefusals(pages, sendRefusal);
      useLanguage(pages);
      passwordRoutes(pages, shared);
      passkeyRoutes(pages, shared);
      oidcRoutes(pages, shared);
      invitationRoutes(pages, shared);
      pages.register((signedIn, _nested, ready) => {
        signOutRoutes(signedIn, shared);
        ready();
      });
      pages.register((signedIn, _nested, ready) => {
        ownPasskeyRoutes(signedIn, shared);
        ready();
      });
      done();
    },
    { prefix: '/dashboard' },
  );
}

function signOutRoutes(app: FastifyInstance, deps: SharedDeps): void {
  requireUser(app, deps);
  refuseForgedRequests(app);
  app.post('/sign-out', async (request, reply) => {
    const everywhere = formOf(request).get('everywhere') === '1';
    if (!request.user.isDemo) await endUserSession(deps.database, request.user, sourceOf(request), everywhere);
    clearCookie(request, reply, deps, 'session');
    reply.header('set-cookie', languageCookie(request.user.language));
    reply.headers({ 'cache-control': 'no-store', 'clear-site-data': '"cache", "storage"' });
    return reply.redirect(SIGN_IN, 303);
  });
}
