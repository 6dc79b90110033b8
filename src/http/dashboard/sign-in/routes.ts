/** Signing in to the dashboard: the page, passkeys, the OpenID provider, invitations, signing out. */
import type { FastifyInstance } from 'fastify';
import { limitGuesses } from '../../api/guess-limit.ts';
import { assetRoutes } from '../../shared/static-assets.ts';
import { signInScripts } from './assets.ts';
import { answerRefusals } from './errors.ts';
import { takeForms } from './form-token.ts';
import { invitationRoutes } from './invitation-routes.tsx';
import { oidcRoutes } from './oidc-routes.tsx';
import { ownPasskeyRoutes } from './own-passkey-routes.ts';
import { sendRefusal } from './pages.tsx';
import { passkeyRoutes } from './passkey-routes.ts';
import { passwordRoutes } from './password-routes.tsx';
import type { SharedDeps, SignInRoutesDeps } from './ports.ts';
import { signOutRoutes } from './sign-out-routes.ts';

/** Call it after `tellLocalRequests`. */
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
