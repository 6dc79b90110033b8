/**
 * Authentication, scopes and rate limits: a Bearer key, no key where the keyless demo is on, or a user of the
 * dashboard.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KeyCache } from '../../../accounts/keys/key-cache.ts';
import { DEMO_KEY } from '../../../contract/demo.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { ValidKey } from '../../../db/keys/keys.ts';
import type { Scope } from '../../../domain/account.ts';
import { addressMatcher } from '../../../domain/address-range.ts';
import type { Actor } from '../../../domain/audit.ts';
import type { AccountId, KeyId } from '../../../domain/ids.ts';
import { hashKey, type KeyScope } from '../../../domain/key.ts';
import { type Role, roleCovers } from '../../../domain/user.ts';
import { isStrictlyFromOurPage } from '../from-our-page.ts';
import type { GuessLimit } from '../guess-limit.ts';
import { type Principal, principalInProcess } from '../in-process.ts';
import type { RateLimiter, RateUsage } from '../rate-limiter.ts';
import { rateLimitedAddress } from '../source-address.ts';
import { keyOfOtherSite, malformedKey, unknownKey } from './key-fault.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The account and mode that the key stands for. */
    scope: Scope;
    /** Who asks, for the audit trail. */
    actor: Actor;
    /** Asked by the dashboard of this process, in a user's name: see in-process.ts. */
    isInProcess: boolean;
  }
}

export interface AuthDeps {
  keyCache: KeyCache;
  rateLimiter: RateLimiter;
  failedAuthentication: GuessLimit;
  /** The account of requests without a key, in test mode; null where there is no keyless demo. */
  demoAccount: AccountId | null;
  /** As in {@link MetricsDeps}. */
  trustedProxies?: readonly string[];
}

/** The prefix names the mode, the rest is random. The scheme's case does not matter (RFC 6750, 2.1). */
const BEARER = /^bearer +(rk_(?:test|live)_[A-Za-z0-9_-]{16,200})$/i;

/** Guards the routes of `app`: 401 `invalid_key`, 429 `rate_limit`, or `request.scope` is set. */
export function authenticate(app: FastifyInstance, deps: AuthDeps): void {
  app.decorateRequest('scope');
  app.decorateRequest('actor');
  app.decorateRequest('isInProcess', false);
  app.addHook('onRequest', async (request, reply) => {
    const principal = principalInProcess();
    if (principal !== null) return admitUser(principal, request);
    const { accountId, mode, id, scope } = await requesterOf(request, reply, deps);
    request.scope = { accountId, mode };
    request.actor = { kind: id === null ? 'demo' : 'key', id, source: request.ip, requestId: request.id };
    requireScope(scope, request);
  });
}

/** @throws ApiError `invalid_key` with the status 403 where the operation takes another role */
function admitUser({ accountId, mode, actor, role, isLocal }: Principal, request: FastifyRequest): void {
  const needed = roleFor(request);
  if (!roleCovers(role, needed)) {
    const message = `You need the role "${needed}" for this. Your role is "${role}".`;
    throw new ApiError('invalid_key', { status: 403, message });
  }
  request.scope = { accountId, mode };
  request.actor = { ...actor, requestId: request.id };
  request.isLocal = isLocal;
  request.isInProcess = true;
}

/** Who reads changes nothing. */
function roleFor({ method, routeOptions: { config } }: FastifyRequest): Role {
  return config.operation?.role ?? (method === 'GET' || method === 'HEAD' ? 'viewer' : 'developer');
}

/** An account's mode, and the key that opens it; its id is null in the keyless demo. */
type Requester = Scope & { id: KeyId | null; scope: KeyScope };

async function requesterOf(request: FastifyRequest, reply: FastifyReply, deps: AuthDeps): Promise<Requester> {
  const { authorization } = request.headers;
  if (authorization !== undefined) return keyOf(authorization, request, reply, deps);
  if (deps.demoAccount === null || !takesNoKey(request, deps)) throw malformedKey(null);
  if (!isStrictlyFromOurPage(request)) throw keyOfOtherSite();
  requireWithinLimit(reply, await deps.rateLimiter.count('address', rateLimitedAddress(request)));
  return { accountId: deps.demoAccount, mode: 'test', id: null, scope: 'full' };
}

/**
 * Local requests, and those behind a proxy that the operator named: it says where they come from, so each source has
 * its limit.
 */
function takesNoKey({ isLocal }: FastifyRequest, { trustedProxies = [] }: AuthDeps): boolean {
  return isLocal || trustedProxies.length > 0;
}

/** @throws ApiError `invalid_key`; `rate_limit`, also where too many from the address were no keys */
async function keyOf(
  authorization: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { keyCache, rateLimiter, failedAuthentication, demoAccount }: AuthDeps,
): Promise<ValidKey> {
  const address = rateLimitedAddress(request);
  const text = BEARER.exec(authorization)?.[1];
  const keyHash = hashKey(text ?? '');
  // An address that many share is not shut to their keys because of one who guesses.
  if (!keyCache.knows(keyHash)) requireWithinLimit(reply, await failedAuthentication.refusal(address));
  try {
    if (text === undefined) throw malformedKey(authorization);
    // Where the demo is off, the key that everybody knows is none, whatever the database says.
    if (demoAccount === null && text === DEMO_KEY) throw unknownKey(text);
    requireWithinLimit(reply, await rateLimiter.count('key', keyHash.toString('base64url')));
    const key = await keyCache.find(keyHash);
    if (key === null || !text.startsWith(`rk_${key.mode}_`)) throw unknownKey(text);
    requireSource(key, request);
    return key;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_key') await failedAuthentication.count(address);
    throw error;
  }
}

/** @throws ApiError `invalid_key` */
function requireSource({ allowedSources }: ValidKey, { ip }: FastifyRequest): void {
  if (allowedSources.length === 0 || addressMatcher(allowedSources)(ip)) return;
  throw new ApiError('invalid_key', {
    message: 'This address may not use the key. Its allowed addresses are in `allowed_sources`.',
  });
}

/** @throws ApiError `invalid_key` */
function requireScope(scope: KeyScope, { routeOptions }: FastifyRequest): void {
  const operation = routeOptions.config.operation;
  if (scope === 'full' || operation?.scope === scope) return;
  const message = `The key has the scope "${scope}", which does not allow ${operation?.id ?? 'this'}. Use a key with the scope "full".`;
  throw new ApiError('invalid_key', { message });
}

/**
 * Sets the headers of draft-ietf-httpapi-ratelimit-headers-05: `RateLimit-Limit` is what a window takes, the policy
 * names its length. @throws ApiError `rate_limit`
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
