/** Warnings at startup if live mode has no SMS carrier or cannot create pay links. */
import { expect, test } from 'vitest';
import { warnOfMissingCarrier } from '../../src/app/start-warnings.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { seedDemo } from '../../src/local/standalone/demo-data.ts';
import { useTestDatabase } from '../support/fixtures.ts';

const db = useTestDatabase();

async function warnings(environment: Record<string, string> = {}): Promise<string> {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', instance: 'test', destination: { write: (line) => lines.push(line) } });
  await warnOfMissingCarrier({ config: readConfig(environment), database: db.database, log });
  return lines.join('');
}

test('warns of a missing SMS carrier and link URL once there is a live merchant', async () => {
  await seedDemo(db.database);
  expect(await warnings()).toBe('');
  await db.database.query(
    `insert into merchants
     select (jsonb_populate_record(m, '{"id": "mer_live", "mode": "live", "slug": "live"}')).*
       from merchants m where m.id = 'mer_demo_diner'`,
  );
  expect(await warnings()).toMatch(/RINGKEY_SMS names no carrier/);
  expect(await warnings()).toMatch(/RINGKEY_LINK_URL names no https address/);
  expect(await warnings({ RINGKEY_LINK_URL: 'http://pay.example.com' })).toMatch(/RINGKEY_LINK_URL/);
  expect(await warnings({ RINGKEY_LINK_URL: 'https://pay.example.com' })).not.toMatch(/RINGKEY_LINK_URL/);
});
