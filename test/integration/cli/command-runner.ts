/** A record, a shop in it, and the person at the keyboard: for the commands that settle by hand. */
import { type Config, readConfig } from '../../../src/config.ts';
import type { Database } from '../../../src/db/pool.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type CommandResult, runCommand } from '../../support/run-command.ts';
import { createTestRedis } from '../../support/redis.ts';
import { createTestMerchant, type TestMerchant } from '../payments/test-payments.ts';

export interface CommandRunner {
  database: Database;
  merchant: TestMerchant;
  /** Runs the command with these words. */
  run(line: string): Promise<CommandResult>;
  close(): Promise<void>;
}

export async function createCommandRunner(
  command: (words: string[], config: Config) => Promise<number>,
): Promise<CommandRunner> {
  const [record, redis] = [await createTestDatabase(), await createTestRedis()];
  const config = readConfig({ DATABASE_URL: record.url, REDIS_URL: redis.url, RINGKEY_LOG_LEVEL: 'info' });
  return {
    database: record.database,
    merchant: await createTestMerchant(record.database),
    run: (line) => runCommand(() => command(line.split(' '), config)),
    async close() {
      await Promise.all([record.close(), redis.close()]);
    },
  };
}
