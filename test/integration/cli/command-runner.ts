/** A database with a merchant, and `ringkey` commands run on it: for the commands that settle manually. */
import type { Database } from '../../../src/db/pool.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type CommandResult, runCommand } from '../../support/run-command.ts';
import { createTestMerchant, type TestMerchant } from '../payments/test-payments.ts';

export interface CommandRunner {
  database: Database;
  merchant: TestMerchant;
  run(line: string): Promise<CommandResult>;
  close(): Promise<void>;
}

export async function createCommandRunner(): Promise<CommandRunner> {
  const { database, url, close } = await createTestDatabase();
  const settings = { DATABASE_URL: url, RINGKEY_LOG_LEVEL: 'info' };
  return {
    database,
    merchant: await createTestMerchant(database),
    run: (line) => runCommand(line, settings),
    close,
  };
}
