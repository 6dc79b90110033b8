/** A Redis database for one test file. */
import { Redis } from 'ioredis';
import { requestServerUrl } from './database.ts';

export interface TestRedis {
  url: string;
  redis: Redis;
  /** Call it in `afterAll`. */
  close(): Promise<void>;
}

/** An empty database. BullMQ's connections need `maxRetriesPerRequest: null`: create them from the URL. */
export async function createTestRedis(): Promise<TestRedis> {
  const url = await requestServerUrl('/redis');
  const redis = new Redis(url);
  return {
    url,
    redis,
    async close() {
      await redis.quit();
    },
  };
}
