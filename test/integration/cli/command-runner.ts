/** A database with a merchant, and `ringkey` commands run on it: for the commands that settle manually. */
import type { Database } from '../../../src/db/pool.ts';
import { createTestDatabase } from '../../support/database.ts';
import { createTestRedis } from '../../support/redis.ts';
import { type CommandResult, runCommand } from '../../support/run-command.ts';
import { createTestMerchant, type TestMerchant } from '../payments/test-payments.ts';

export interface CommandRunner {
  database: Database;
  merchant: TestMerchant;
  run(line: string): Promise<CommandResult>;
  close(): Promise<void>;
}

export async function createCommandRunner(): Promise<CommandRunner> {
  const [{ database, ...testDatabase }, redis] = [await createTestDatabase(), await createTestRedis()];
  const settings = { DATABASE_URL: testDatabase.url, REDIS_URL: redis.url, RINGKEY_LOG_LEVEL: 'info' };
  return {
    database,
    merchant: await createTestMerchant(database),
    run: (line) => runCommand(line, settings),
    async close() {
      await Promise.all([testDatabase.close(), redis.close()]);
    },
  };
}
