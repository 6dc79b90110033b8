/** Publishes a change of a session from a command, which has no Redis connection yet. */
import { Redis } from 'ioredis';
import type { CheckoutSessionId } from '../../domain/ids.ts';
import type { NewsType } from './ports.ts';
import { channelOf } from './progress.ts';

const LIMIT_MS = 5_000;

/** Never rejects. If Redis is unavailable, listeners read the database a little later. */
export async function publishOnce(
  redisUrl: string,
  sessionId: CheckoutSessionId,
  news: Exclude<NewsType, 'missed'>,
): Promise<void> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: LIMIT_MS,
    commandTimeout: LIMIT_MS,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    // Instead of the publishing process's ID: for every process, it comes from another one.
    await redis.publish(channelOf(sessionId), `command ${news}`);
  } catch {
    // See above.
  } finally {
    redis.disconnect();
  }
}
