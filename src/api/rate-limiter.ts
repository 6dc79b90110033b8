/**
 * Rate limiter: counts each caller's requests in Redis, for all processes together. While Redis is away requests pass
 * uncounted: losing it may cost a limit, never a payment.
 */
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Log } from '../observability/log.ts';

/** So many requests in each window. A window begins with a caller's first request. */
export interface RateLimit {
  requests: number;
  windowSeconds: number;
}

/** `key`: for each API key. `address`: for each source address that sends no key. */
export type RateLimits = Record<'key' | 'address', RateLimit>;

export const RATE_LIMITS: RateLimits = {
  /** 100 a second, 200 at once. */
  key: { requests: 200, windowSeconds: 2 },
  /** 5 a second, 30 at once: `npm run call` may start twenty calls together. */
  address: { requests: 30, windowSeconds: 6 },
};

/** Where a caller stands in its window, this request included. */
export interface RateUsage {
  limit: RateLimit;
  isAllowed: boolean;
  remaining: number;
  /** Until all requests of the window are back. */
  resetSeconds: number;
}

export interface RateLimiter {
  /** How often Redis failed to count, since the start. */
  readonly failures: number;
  /** @param caller a key's hash, or an address. @returns null while Redis is away. Never rejects. */
  count(kind: keyof RateLimits, caller: string): Promise<RateUsage | null>;
  close(): void;
}

const COMMAND_LIMIT_MS = 250;
const CONNECT_LIMIT_MS = 2_000;
/** After a failure Redis is left alone for so long: one that hangs costs one wait a second, not one a request. */
const PAUSE_MS = 1_000;
const LONGEST_RETRY_MS = 500;

export interface RateLimiterOptions {
  redisUrl: string;
  log: Log;
  /** {@link RATE_LIMITS} where not given. */
  limits?: RateLimits;
  /** How long Redis may take to answer before it counts as away; 250 ms where not given. */
  commandLimitMs?: number;
}

/** Resolves when it is connected, or soon after when Redis is away. */
export async function openRateLimiter(options: RateLimiterOptions): Promise<RateLimiter> {
  const redis = new Redis(options.redisUrl, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_LIMIT_MS,
    commandTimeout: options.commandLimitMs ?? COMMAND_LIMIT_MS,
    retryStrategy: (times) => Math.min(times * 50, LONGEST_RETRY_MS),
  });
  const limiter = new RedisRateLimiter(redis, options.log, options.limits ?? RATE_LIMITS);
  redis.on('error', (error) => limiter.noteFailure(error));
  await redis.connect().catch((error: Error) => limiter.noteFailure(error));
  return limiter;
}

class RedisRateLimiter implements RateLimiter {
  failures = 0;
  readonly #redis: Redis;
  readonly #log: Log;
  readonly #limits: RateLimits;
  readonly #counters: Record<keyof RateLimits, RateLimiterRedis>;
  #pausedUntil = 0;
  #isAway = false;
  #isClosed = false;

  constructor(redis: Redis, log: Log, limits: RateLimits) {
    this.#redis = redis;
    this.#log = log;
    this.#limits = limits;
    const counter = (kind: keyof RateLimits) =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `ringkey:rate:${kind}`,
        points: limits[kind].requests,
        duration: limits[kind].windowSeconds,
      });
    this.#counters = { key: counter('key'), address: counter('address') };
  }

  async count(kind: keyof RateLimits, caller: string): Promise<RateUsage | null> {
    if (performance.now() < this.#pausedUntil) return null;
    try {
      return this.#usage(kind, await this.#counters[kind].consume(caller), true);
    } catch (refusal) {
      // The library rejects with the counts of a caller who is over the limit, and with an error where Redis failed.
      if (refusal instanceof RateLimiterRes) return this.#usage(kind, refusal, false);
      this.noteFailure(refusal);
      return null;
    }
  }

  #usage(kind: keyof RateLimits, counts: RateLimiterRes, isAllowed: boolean): RateUsage {
    if (this.#isAway) this.#log.info('redis is back: requests are counted again');
    this.#isAway = false;
    return {
      limit: this.#limits[kind],
      isAllowed,
      remaining: counts.remainingPoints,
      resetSeconds: Math.ceil(counts.msBeforeNext / 1_000),
    };
  }

  noteFailure(error: unknown): void {
    if (this.#isClosed) return;
    this.failures += 1;
    this.#pausedUntil = performance.now() + PAUSE_MS;
    if (!this.#isAway) this.#log.warn({ error }, 'redis is away: requests are not counted');
    this.#isAway = true;
  }

  close(): void {
    this.#isClosed = true;
    this.#redis.disconnect();
  }
}
