/** What signing in is given by `app/`. */
import type { GuessLimit } from '../../api/guess-limit.ts';
import type { RateLimiter } from '../../api/rate-limiter.ts';
import type { Vault } from '../../vault/vault.ts';
import type { OidcSettings } from '../../users/oidc.ts';
import type { RequireUserDeps } from './require-user.ts';

export interface SignInRoutesDeps extends RequireUserDeps {
  /** Seals the secrets of authenticator apps; null: passwords cannot be used. */
  vault: Vault | null;
  rateLimiter: RateLimiter;
  now: () => Date;
  /** Null where the operator has set no OpenID provider. */
  oidc: OidcSettings | null;
  /** A wrong password is answered no sooner, so that the time does not tell whether there is such a user; 500 ms where not given. */
  failureMs?: number;
}

/** With what the routes share. */
export interface SharedDeps extends SignInRoutesDeps {
  wrongAnswers: GuessLimit;
}
