/** Authentication and rate limits: a Bearer key, or no key where the keyless demo is on. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import type { Scope } from '../../domain/account.ts';
import type { AccountId } from '../../domain/ids.ts';
import { hashKey } from '../../domain/key.ts';
import type { KeyCache } from '../../keys/key-cache.ts';
import type { RateLimiter, RateUsage } from '../rate-limiter.ts';
import { rateLimitedAddress } from '../source-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The account and mode that the key stands for. */
    scope: Scope;
  }
}

export interface AuthDeps {
  keyCache: KeyCache;
  rateLimiter: RateLimiter;
  /** The account of requests without a key, in test mode; null where there is no keyless demo. */
  demoAccount: AccountId | null;
}

/** The prefix names the mode, the rest is random. The scheme's case does not matter (RFC 6750, 2.1). */
const BEARER = /^bearer +(rk_(?:test|live)_[A-Za-z0-9_-]{16,200})$/i;

/** Guards the routes of `app`: 401 `invalid_key`, 429 `rate_limit`, or `request.scope` is set. */
export function authenticate(app: FastifyInstance, deps: AuthDeps): void {
  app.decorateRequest('scope');
  app.addHook('onRequest', async (request, reply) => {
    request.scope = await scopeOf(request, reply, deps);
  });
}

async function scopeOf(request: FastifyRequest, reply: FastifyReply, deps: AuthDeps): Promise<Scope> {
  const { authorization } = request.headers;
  if (authorization === undefined && deps.demoAccount !== null) {
    requireWithinLimit(reply, await deps.rateLimiter.count('address', rateLimitedAddress(request)));
    return { accountId: deps.demoAccount, mode: 'test' };
  }
  const text = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (text === undefined) throw new ApiError('invalid_key');
  const keyHash = hashKey(text);
  requireWithinLimit(reply, await deps.rateLimiter.count('key', keyHash.toString('base64url')));
  const key = await deps.keyCache.find(keyHash);
  if (key === null || !text.startsWith(`rk_${key.mode}_`)) throw new ApiError('invalid_key');
  return { accountId: key.accountId, mode: key.mode };
}

/**
 * Sets the headers of draft-ietf-httpapi-ratelimit-headers-05: `RateLimit-Limit` is what a window takes, the policy names
 * its length. @throws ApiError `rate_limit`
 */
function requireWithinLimit(reply: FastifyReply, usage: RateUsage | null): void {
  if (usage === null) return;
  const { requests, windowSeconds } = usage.limit;
  reply.headers({
    'ratelimit-limit': requests,
    'ratelimit-remaining': usage.remaining,
    'ratelimit-reset': usage.resetSeconds,
    'ratelimit-policy': `${requests};w=${windowSeconds}`,
  });
  if (!usage.isAllowed) throw new ApiError('rate_limit', { retryAfterSeconds: usage.resetSeconds });
}
