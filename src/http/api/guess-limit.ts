/**
 * Limits guesses, of API keys, pay links and passwords: counts failures of each source address, and refuses more before
 * PostgreSQL is asked. Counted in this process, and in Redis for all together: while Redis is away, or lies, this
 * process' own count holds.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimit, RateLimiter, RateUsage } from './rate-limiter.ts';

export interface GuessLimit {
  /** Null where the address has failures left. */
  refusal(address: string): Promise<RateUsage | null>;
  /** To be called after a failure. */
  count(address: string): Promise<void>;
}

/** @param kind which of the shared limits */
export function limitGuesses(shared: RateLimiter, kind: 'failure' | 'link' | 'signIn'): GuessLimit {
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
      // It rejects for an address that is over the limit, which 'refusal' tells.
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
