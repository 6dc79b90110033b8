/**
 * Rate limiter: counts each client's requests in Redis, for all processes together. While Redis is unavailable, requests
 * pass without being counted: an outage can suspend a limit but never blocks a payment.
 */
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { endsWithin } from '../../lib/concurrency/time-limit.ts';
import type { Log } from '../../lib/observability/log.ts';
import { connectRedis, type RedisConnection } from '../../lib/redis/connect.ts';

/** A window starts with the first request of a client. */
export interface RateLimit {
  requests: number;
  windowSeconds: number;
}

/**
 * `key`: requests per API key. All others count per source address. `address`: requests without a key. `failure`: failed
 * authentications. `link`: wrong codes of pay links. `signIn`: failed sign-ins. Wrong transfer codes count per caller of
 * a trunk (`transferCode`) and per account (`accountCode`). `answer`: answers to the bank's challenge, per pay link.
 */
export type RateLimits = Record<
  'key' | 'address' | 'failure' | 'link' | 'answer' | 'signIn' | 'transferCode' | 'accountCode',
  RateLimit
>;

export const RATE_LIMITS: RateLimits = {
  /** 100 per second, 200 at once. */
  key: { requests: 200, windowSeconds: 2 },
  /** 5 per second, 30 at once: `npm run call` can start twenty calls together. */
  address: { requests: 30, windowSeconds: 6 },
  failure: { requests: 20, windowSeconds: 60 },
  link: { requests: 10, windowSeconds: 60 },
  /** Each is a request to the processor. A payer sends one, or a few if the connection is bad. */
  answer: { requests: 10, windowSeconds: 60 },
  /** An office may share an address. */
  signIn: { requests: 30, windowSeconds: 600 },
  transferCode: { requests: 10, windowSeconds: 3_600 },
  /** With 10,000 open sessions, one of 10,000 guesses finds one. A caller who can show any number has these. */
  accountCode: { requests: 300, windowSeconds: 3_600 },
};

/** The state of a client's window, including this request. */
export interface RateUsage {
  limit: RateLimit;
  isAllowed: boolean;
  remaining: number;
  /** Time until the full limit is available again. */
  resetSeconds: number;
}

export interface RateLimiter {
  readonly limits: RateLimits;
  /** Failures of Redis since the start. */
  readonly failures: number;
  /** @param client a key's hash, or an address. @returns null while Redis is unavailable. Never rejects. */
  count(kind: keyof RateLimits, client: string): Promise<RateUsage | null>;
  /** Like {@link count}, but does not count. Also null for a client without a request in this window. */
  peek(kind: keyof RateLimits, client: string): Promise<RateUsage | null>;
  close(): void;
}

const COMMAND_LIMIT_MS = 250;
const CONNECT_LIMIT_MS = 2_000;
/** No command is sent for this long after a failure: while Redis hangs, one request per second waits, not each. */
const PAUSE_MS = 1_000;
const LONGEST_RETRY_MS = 500;

interface RateLimiterOptions {
  redisUrl: string;
  log: Log;
  /** The default is {@link RATE_LIMITS}. */
  limits?: RateLimits;
  /** After this time Redis counts as unavailable. The default is 250 ms. Connecting may take at least two seconds. */
  commandLimitMs?: number;
}

/** Resolves when Redis is connected, or after the connection has failed. */
export async function openRateLimiter(options: RateLimiterOptions): Promise<RateLimiter> {
  const { redisUrl, log, limits = RATE_LIMITS, commandLimitMs = COMMAND_LIMIT_MS } = options;
  const connectLimitMs = Math.max(CONNECT_LIMIT_MS, commandLimitMs);
  const redis = connectRedis(redisUrl, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: connectLimitMs,
    commandTimeout: commandLimitMs,
    retryStrategy: (times) => Math.min(times * 50, LONGEST_RETRY_MS),
  });
  const counters = {
    key: counterOf(redis, 'key', limits.key),
    address: counterOf(redis, 'address', limits.address),
    failure: counterOf(redis, 'failure', limits.failure),
    link: counterOf(redis, 'link', limits.link),
    answer: counterOf(redis, 'answer', limits.answer),
    signIn: counterOf(redis, 'signIn', limits.signIn),
    transferCode: counterOf(redis, 'transferCode', limits.transferCode),
    accountCode: counterOf(redis, 'accountCode', limits.accountCode),
  };
  let [failures, pausedUntil, isAway, isClosed] = [0, 0, false, false];

  const onFailure = (error: unknown) => {
    if (isClosed) return;
    failures += 1;
    pausedUntil = performance.now() + PAUSE_MS;
    if (!isAway) log.warn({ error }, 'redis is unavailable: rate limits do not count');
    isAway = true;
  };
  const onAnswer = () => {
    if (isAway) log.info('redis is back: rate limits count again');
    isAway = false;
  };
  redis.on('error', onFailure);
  // While no Sentinel answers, the library tries again for ever.
  await endsWithin(connectLimitMs, redis.connect().catch(onFailure));

  async function ask(work: () => Promise<RateUsage | null>): Promise<RateUsage | null> {
    if (performance.now() < pausedUntil) return null;
    try {
      const usage = await work();
      onAnswer();
      return usage;
    } catch (error) {
      onFailure(error);
      return null;
    }
  }

  return {
    limits,
    get failures() {
      return failures;
    },
    count: (kind, client) => ask(() => consume(counters[kind], client, limits[kind])),
    peek: (kind, client) =>
      ask(async () => {
        const counts = await counters[kind].get(client);
        return counts === null ? null : usageOf(counts, counts.remainingPoints > 0, limits[kind]);
      }),
    close() {
      isClosed = true;
      redis.disconnect();
    },
  };
}

function counterOf(
  redis: RedisConnection,
  kind: keyof RateLimits,
  { requests, windowSeconds }: RateLimit,
): RateLimiterRedis {
  const keyPrefix = `ringkey:rate:${kind}`;
  return new RateLimiterRedis({ storeClient: redis, keyPrefix, points: requests, duration: windowSeconds });
}

/** @throws Error if Redis fails */
async function consume(counter: RateLimiterRedis, client: string, limit: RateLimit): Promise<RateUsage> {
  try {
    return usageOf(await counter.consume(client), true, limit);
  } catch (refusal) {
    // The library also rejects for a client over its limit.
    if (refusal instanceof RateLimiterRes) return usageOf(refusal, false, limit);
    throw refusal;
  }
}

function usageOf(counts: RateLimiterRes, isAllowed: boolean, limit: RateLimit): RateUsage {
  const resetSeconds = Math.ceil(counts.msBeforeNext / 1_000);
  return { limit, isAllowed, remaining: Math.max(0, counts.remainingPoints), resetSeconds };
}

/**
 * Limits guesses of API keys, pay links, passwords and transfer codes: counts failures per source address, or per caller,
 * and refuses further attempts before PostgreSQL is queried. This process counts as well as Redis, so the limit holds while Redis is away.
 */
export interface GuessLimit {
  /** Null if the address can fail again. */
  refusal(address: string): Promise<RateUsage | null>;
  /** Call it after a failure. */
  count(address: string): Promise<void>;
}

export function limitGuesses(shared: RateLimiter, kind: Exclude<keyof RateLimits, 'key' | 'address'>): GuessLimit {
  const limit = shared.limits[kind];
  const own = new RateLimiterMemory({ points: limit.requests, duration: limit.windowSeconds });
  return {
    async refusal(address) {
      const counts = await own.get(address);
      if (counts !== null && counts.remainingPoints <= 0) return refused(counts, limit);
      const usage = await shared.peek(kind, address);
      return usage?.isAllowed === false ? usage : null;
    },
    async count(address) {
      // It also rejects for an address over its limit, which `refusal` reports.
      await own.consume(address).catch((refusal: unknown) => {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
      });
      await shared.count(kind, address);
    },
  };
}

function refused({ msBeforeNext }: RateLimiterRes, limit: RateLimit): RateUsage {
  return { limit, isAllowed: false, remaining: 0, resetSeconds: Math.ceil(msBeforeNext / 1_000) };
}

/** Fastify's request: `ip` is the peer, or the address that a trusted proxy names in `X-Forwarded-For`. */
interface Source {
  ip: string;
  socket: { remoteAddress?: string | undefined };
}

const NETWORK_PARTS = 4;

/**
 * The source address that requests are counted by: an IPv4 address, or an IPv6 /64 network, because one client has all
 * of it. `unknown` if there is neither.
 */
export function rateLimitedAddress({ ip, socket }: Source): string {
  const text = ipaddr.isValid(ip) ? ip : (socket.remoteAddress ?? '');
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, NETWORK_PARTS).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
