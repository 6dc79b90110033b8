/** Authentication, scopes and rate limits: by Bearer key, without a key in the keyless demo, or as a dashboard user. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KeyCache } from '../../../accounts/keys/key-cache.ts';
import type { NoteKeyNearLimit } from '../../../accounts/keys/near-limit.ts';
import { DEMO_KEY } from '../../../contract/demo.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { ValidKey } from '../../../db/keys/keys.ts';
import type { Scope } from '../../../domain/account.ts';
import { addressMatcher } from '../../../domain/address-range.ts';
import type { Actor } from '../../../domain/audit.ts';
import type { AccountId, KeyId } from '../../../domain/ids.ts';
import { hashKey, type KeyScope } from '../../../domain/key.ts';
import { NEAR_LIMIT } from '../../../domain/texts.ts';
import { type Role, roleCovers } from '../../../domain/user.ts';
import { isCountedInProcess, type Principal, principalInProcess } from '../in-process.ts';
import { type GuessLimit, type RateLimiter, type RateUsage, rateLimitedAddress } from '../rate-limiter.ts';
import { isStrictlyFromOurPage } from './local-requests.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The route carries requests to operations. Each of them is checked for the key's scope and added to the request log
     * on its own, so the route itself is not.
     */
    isEnvelope?: true;
  }
  interface FastifyRequest {
    /** The account and mode of the key. */
    scope: Scope;
    /** The requester, for the audit log. */
    actor: Actor;
    /** Sent by the dashboard of this process for a user: see in-process.ts. */
    isInProcess: boolean;
  }
}

interface AuthDeps {
  keyCache: KeyCache;
  /** A key has used 80% of its limit of requests. */
  noteKeyNearLimit: NoteKeyNearLimit;
  rateLimiter: RateLimiter;
  failedAuthentication: GuessLimit;
  /** The account of requests without a key, in test mode. Null if there is no keyless demo. */
  demoAccount: AccountId | null;
  /** As in {@link MetricsDeps}. */
  trustedProxies?: readonly string[];
}

/** The prefix names the mode; the rest is random. The scheme is case-insensitive (RFC 9110, 11.1). */
const BEARER = /^bearer +(rk_(?:test|live)_[A-Za-z0-9_-]{16,200})$/i;

/** Guards the routes of `app`: sets `request.scope`, or answers 401 `invalid_key` or 429 `rate_limit`. */
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

/** @throws ApiError `invalid_key` with the status 403 if the user's role does not cover the operation */
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

function roleFor({ method, routeOptions: { config } }: FastifyRequest): Role {
  return config.operation?.role ?? (method === 'GET' || method === 'HEAD' ? 'viewer' : 'developer');
}

/** The scope of a request and its key. The key's ID is null in the keyless demo. */
type Requester = Scope & { id: KeyId | null; scope: KeyScope };

async function requesterOf(request: FastifyRequest, reply: FastifyReply, deps: AuthDeps): Promise<Requester> {
  const { authorization } = request.headers;
  if (authorization !== undefined) return keyOf(authorization, request, reply, deps);
  if (deps.demoAccount === null || !acceptsNoKey(request, deps)) throw malformedKey(null);
  if (!isStrictlyFromOurPage(request)) throw keyOfOtherSite();
  const address = rateLimitedAddress(request);
  if (!isCountedInProcess()) requireWithinLimit(reply, await deps.rateLimiter.count('address', address));
  return { accountId: deps.demoAccount, mode: 'test', id: null, scope: 'full' };
}

/** Local requests, and those behind a trusted proxy, which reports their source, so that each source has its own limit. */
function acceptsNoKey({ isLocal }: FastifyRequest, { trustedProxies = [] }: AuthDeps): boolean {
  return isLocal || trustedProxies.length > 0;
}

/** @throws ApiError `invalid_key`; `rate_limit`, also after too many failed authentications from the address */
async function keyOf(
  authorization: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { keyCache, noteKeyNearLimit, rateLimiter, failedAuthentication, demoAccount }: AuthDeps,
): Promise<ValidKey> {
  const address = rateLimitedAddress(request);
  const text = BEARER.exec(authorization)?.[1];
  const keyHash = hashKey(text ?? '');
  // Cached keys still work from a shared address on which another client guesses keys.
  if (!keyCache.knows(keyHash)) requireWithinLimit(reply, await failedAuthentication.refusal(address));
  try {
    if (text === undefined) throw malformedKey(authorization);
    // The public demo key is invalid if the demo is off, even if the database has it.
    if (demoAccount === null && text === DEMO_KEY) throw unknownKey(text);
    const name = keyHash.toString('base64url');
    const usage = isCountedInProcess() ? null : await rateLimiter.count('key', name);
    requireWithinLimit(reply, usage);
    const key = await keyCache.find(keyHash);
    if (key === null || !text.startsWith(`rk_${key.mode}_`)) throw unknownKey(text);
    requireSource(key, request);
    if (usage !== null && isNearLimit(usage)) void noteKeyNearLimit(key.id);
    return key;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_key') await failedAuthentication.count(address);
    throw error;
  }
}

/** Of an accepted request: a client that goes on until it is refused was near the limit before. */
const isNearLimit = ({ limit, remaining }: RateUsage) => limit.requests - remaining >= NEAR_LIMIT * limit.requests;

/** @throws ApiError `invalid_key` */
function requireSource({ allowedSources }: ValidKey, { ip }: FastifyRequest): void {
  if (allowedSources.length === 0 || addressMatcher(allowedSources)(ip)) return;
  throw new ApiError('invalid_key', {
    message: 'This address may not use the key. Its allowed addresses are in `allowed_sources`.',
  });
}

/** @throws ApiError `invalid_key` */
function requireScope(scope: KeyScope, { routeOptions: { config } }: FastifyRequest): void {
  const { operation, isEnvelope } = config;
  if (scope === 'full' || operation?.scope === scope || isEnvelope === true) return;
  const message = `The key has the scope "${scope}", which does not allow ${operation?.id ?? 'this'}. Use a key with the scope "full".`;
  throw new ApiError('invalid_key', { message });
}

/**
 * Sets the headers of draft-ietf-httpapi-ratelimit-headers-05. `RateLimit-Limit` is the limit of a window; the policy has
 * its length. @throws ApiError `rate_limit`
 */
export function requireWithinLimit(reply: FastifyReply, usage: RateUsage | null): void {
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

const OTHER_SECRETS: readonly (readonly [RegExp, string])[] = [
  [/^whsec_/, "This is a webhook endpoint's signing secret."],
  [/^(sk|pk|rk)_(test|live)_[A-Za-z0-9]{8,}$/, 'This looks like a Stripe key.'],
  [/^(EAAA|sq0)/, 'This looks like a Square token.'],
  [/^key_/, 'This is the ID of a key, not the key itself. The key is shown once, when you create it.'],
  [/^acct_/, 'This is the ID of an account, not a key.'],
];

/** Never repeats a part of the header. @param header null if there was none */
function malformedKey(header: string | null): ApiError {
  if (header === null) {
    return new ApiError('invalid_key', { message: 'The API key is missing. Send `Authorization: Bearer <key>`.' });
  }
  const bearer = /^bearer +(.*)$/i.exec(header)?.[1];
  if (bearer === undefined) {
    return new ApiError('invalid_key', { message: 'The Authorization header must have the form `Bearer <key>`.' });
  }
  const other = OTHER_SECRETS.find(([form]) => form.test(bearer))?.[1] ?? 'This is not a complete API key.';
  return new ApiError('invalid_key', { message: `${other} API keys start with rk_test_ or rk_live_.` });
}

/** @param key well-formed, but unknown, revoked or expired */
function unknownKey(key: string): ApiError {
  const mode = key.startsWith('rk_live_') ? 'live' : 'test';
  return new ApiError('invalid_key', { message: `This ${mode} key does not exist, was revoked or has expired.` });
}

/** Without this, any page open in the user's browser could send keyless requests to the demo. */
function keyOfOtherSite(): ApiError {
  const message = 'According to the browser, a page of another site sent this request. Send it with an API key.';
  return new ApiError('invalid_key', { message });
}
