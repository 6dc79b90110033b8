/** Dependencies that `app/` passes to the sign-in routes. */

import type { OidcSettings } from '../../../accounts/users/oidc.ts';
import type { Vault } from '../../../lib/vault/vault.ts';
import type { GuessLimit, RateLimiter } from '../../api/rate-limiter.ts';
import type { RequireUserDeps } from './require-user.ts';

export interface SignInRoutesDeps extends RequireUserDeps {
  /** Encrypts the secrets of authenticator apps. If null, passwords cannot be used. */
  vault: Vault | null;
  rateLimiter: RateLimiter;
  now: () => Date;
  /** Null if no OpenID provider is configured. */
  oidc: OidcSettings | null;
  /**
   * The minimum response time for a wrong password, so that timing does not reveal whether the user exists.
   * Default 500 ms.
   */
  failureMs?: number;
}

/** Dependencies shared by the routes. */
export interface SharedDeps extends SignInRoutesDeps {
  wrongAnswers: GuessLimit;
}
