/** A record, a shop in it, and the person at the keyboard: for the commands that settle by hand. */
import { type Config, readConfig } from '../../../src/config.ts';
import type { Database } from '../../../src/db/pool.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type Overheard, overheard } from '../../support/run-command.ts';
import { createTestRedis } from '../../support/redis.ts';
import { openShop, type Shop } from '../payments/test-payments.ts';

export interface Keyboard {
  database: Database;
  shop: Shop;
  /** Runs the command with these words. */
  types(line: string): Promise<Overheard>;
  close(): Promise<void>;
}

export async function sitDown(command: (words: string[], config: Config) => Promise<number>): Promise<Keyboard> {
  const [record, redis] = [await createTestDatabase(), await createTestRedis()];
  const config = readConfig({ DATABASE_URL: record.url, REDIS_URL: redis.url, RINGKEY_LOG_LEVEL: 'info' });
  return {
    database: record.database,
    shop: await openShop(record.database),
    types: (line) => overheard(() => command(line.split(' '), config)),
    async close() {
      await Promise.all([record.close(), redis.close()]);
    },
  };
}
