/**
 * Which worker sends the events of a call: the first that claims it, so that they keep their order. If it dies, another
 * one takes over when its claim has expired. Redis carries the events, so without it there are none to claim.
 */
import { randomUUID } from 'node:crypto';
import type { CallId } from '../../domain/ids.ts';
import type { RedisConnection } from '../../lib/redis/connect.ts';

/** Longer than the pauses of most calls. */
const CLAIM_MS = 60_000;

export function createCallClaims(redis: RedisConnection): (callId: CallId) => Promise<boolean> {
  const self = randomUUID();
  return async (callId) => {
    const key = `ringkey:call-events:{${callId}}`;
    try {
      if ((await redis.set(key, self, 'PX', CLAIM_MS, 'NX')) !== null) return true;
      if ((await redis.get(key)) !== self) return false;
      await redis.pexpire(key, CLAIM_MS);
      return true;
    } catch {
      return false;
    }
  };
}
