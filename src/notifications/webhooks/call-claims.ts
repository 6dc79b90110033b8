/**
 * Which worker sends the events of a call: the first that claims it, so that they keep their order. If it dies, another
 * one takes over when its claim has expired. Redis carries the events, so without it there are none to claim.
 */
import { randomUUID } from 'node:crypto';
import { type CallEvent, FIRST_AFTER_LOSS } from '../../domain/call-progress.ts';
import type { RedisConnection } from '../../lib/redis/connect.ts';

/** Longer than the pauses of most calls. */
const CLAIM_MS = 60_000;

type Claimed = Pick<CallEvent, 'callId' | 'sequence'>;

export function createCallClaims(redis: RedisConnection): (event: Claimed) => Promise<boolean> {
  const self = randomUUID();
  return async ({ callId, sequence }) => {
    // The worker that had the claim may have died with the call's process.
    const key = `ringkey:call-events:{${callId}}${sequence < FIRST_AFTER_LOSS ? '' : ':lost'}`;
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
