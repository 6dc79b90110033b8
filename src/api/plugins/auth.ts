/** Who asks, and whether not too often: a Bearer key, known by its hash; or nobody, where the keyless demo is on. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../../domain/account.ts';
import { ApiError } from '../../contract/errors.ts';
import type { AccountId } from '../../domain/ids.ts';
import { hashKey } from '../../domain/key.ts';
import type { Sql } from '../../db/pool.ts';
import type { Allowance, Gate, Limit } from '../gate.ts';
import { findKey, type ValidKey } from '../../db/keys/keys.ts';
import { countedAddress } from '../source-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The account and mode that the key speaks for. */
    scope: Scope;
  }
}

/** What a caller may ask for: a key, and an address without one. */
export interface RateLimits {
  key: Limit;
  keyless: Limit;
}

/** As decided: 100 a second and 200 at once for a key, 5 a second for an address without one. */
export const RATE_LIMITS: RateLimits = {
  key: { perSecond: 100, burst: 200 },
  // Twenty calls started together by `npm run call` and the like are no abuse.
  keyless: { perSecond: 5, burst: 30 },
};

export interface AuthDeps {
  database: Sql;
  gate: Pick<Gate, 'enter' | 'remember'>;
  demoAccount: AccountId | null;
  /** {@link RATE_LIMITS} where not given. */
  rateLimits?: RateLimits;
}

/** The mode stands in the prefix; the rest is random. RFC 6750, 2.1: the scheme's case does not matter. */
const BEARER = /^bearer +(rk_(?:test|live)_[A-Za-z0-9_-]{16,200})$/i;

/** Guards the routes of `app`: 401 `invalid_key`, 429 `rate_limit`, or `request.scope` is set. */
export function authenticate(app: FastifyInstance, deps: AuthDeps): void {
  app.decorateRequest('scope');
  app.addHook('onRequest', async (request, reply) => {
    request.scope = await admit(request, reply, deps);
  });
}

async function admit(request: FastifyRequest, reply: FastifyReply, deps: AuthDeps): Promise<Scope> {
  const { authorization } = request.headers;
  const limits = deps.rateLimits ?? RATE_LIMITS;
  if (authorization === undefined && deps.demoAccount !== null) {
    const { allowance } = await deps.gate.enter({ address: countedAddress(request) }, limits.keyless);
    keepToLimit(reply, allowance);
    return { accountId: deps.demoAccount, mode: 'test' };
  }
  const key = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (key === undefined) throw new ApiError('invalid_key');
  const keyHash = hashKey(key);
  const entry = await deps.gate.enter({ keyHash }, limits.key);
  keepToLimit(reply, entry.allowance);
  const known = entry.key ?? (await askRecord(keyHash, deps));
  if (known === null || !key.startsWith(`rk_${known.mode}_`)) throw new ApiError('invalid_key');
  return { accountId: known.accountId, mode: known.mode };
}

async function askRecord(keyHash: Buffer, { database, gate }: AuthDeps): Promise<ValidKey | null> {
  const known = await findKey(database, keyHash);
  if (known !== null) gate.remember(keyHash, known);
  return known;
}

/**
 * The headers of draft-ietf-httpapi-ratelimit-headers-05: `RateLimit-Limit` is the whole bucket, and the policy tells in
 * which time it fills.
 */
function keepToLimit(reply: FastifyReply, allowance: Allowance | null): void {
  if (allowance === null) return;
  const { burst, perSecond } = allowance.limit;
  reply.headers({
    'ratelimit-limit': burst,
    'ratelimit-remaining': allowance.remaining,
    'ratelimit-reset': allowance.resetSeconds,
    'ratelimit-policy': `${burst};w=${Math.ceil(burst / perSecond)}`,
  });
  if (!allowance.allowed) throw new ApiError('rate_limit', { retryAfterSeconds: allowance.retryAfterSeconds });
}
