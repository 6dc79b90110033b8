/** A database with a merchant, and `ringkey` commands run on it: for the commands that settle manually. */
import { randomBytes } from 'node:crypto';
import type { Database, Sql } from '../../../src/db/pool.ts';
import { createTestDatabase } from '../../support/database.ts';
import { useFixture } from '../../support/fixtures.ts';
import { type CommandResult, runCommand } from '../../support/run-command.ts';
import { createTestMerchant, type TestMerchant } from '../../support/test-merchants.ts';

interface CommandRunner {
  database: Database;
  merchant: TestMerchant;
  run(line: string, settings?: Record<string, string>): Promise<CommandResult>;
  close(): Promise<void>;
}

/** The audit events of an object, oldest first. */
export async function auditOf(sql: Sql, objectId: string): Promise<object[]> {
  const text =
    'select action, actor_kind, actor_id, source, changes from audit_events where object_id = $1 order by sequence';
  return (await sql.query(text, [objectId])).rows;
}

/** Creates a runner for the file's tests. */
export function useCommandRunner(): CommandRunner {
  return useFixture(createCommandRunner);
}

async function createCommandRunner(): Promise<CommandRunner> {
  const { database, url, close } = await createTestDatabase();
  const settings = {
    DATABASE_URL: url,
    RINGKEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    RINGKEY_LOG_LEVEL: 'info',
  };
  return {
    database,
    merchant: await createTestMerchant(database),
    run: (line, more = {}) => runCommand(line, { ...settings, ...more }),
    close,
  };
}
