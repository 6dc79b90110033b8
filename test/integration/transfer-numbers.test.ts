/** Warnings at startup about transfer numbers whose calls would find no session. */
import { expect, test } from 'vitest';
import { warnOfTransferNumbers } from '../../src/app/start-warnings.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { seedDemo } from '../../src/local/standalone/demo-data.ts';
import { useTestDatabase } from '../support/fixtures.ts';
import { createTestMerchant } from '../support/test-merchants.ts';

const db = useTestDatabase();

async function warnings(environment: Record<string, string>): Promise<string> {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', instance: 'test', destination: { write: (line) => lines.push(line) } });
  await warnOfTransferNumbers({ config: readConfig(environment), database: db.database, log });
  return lines.join('');
}

test('warns of a transfer number without an owner once there are two accounts', async () => {
  const unassigned = { RINGKEY_TRANSFER_NUMBER: '+15550109999' };
  await seedDemo(db.database);
  expect(await warnings(unassigned)).toBe('');
  const { accountId } = await createTestMerchant(db.database);
  expect(await warnings(unassigned)).toBe('');
  await createTestMerchant(db.database);
  expect(await warnings(unassigned)).toMatch(/RINGKEY_TRANSFER_NUMBER has no effect/);
  expect(await warnings({ RINGKEY_TRANSFER_NUMBERS: `+15550109999=${accountId}:live` })).toBe('');
  const wrong = await warnings({ RINGKEY_TRANSFER_NUMBERS: '+15550109999=acct_nobody:live' });
  expect(wrong).toMatch(/does not exist/);
  expect(wrong).toContain('acct_nobody');
});
