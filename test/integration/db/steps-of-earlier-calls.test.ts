/** The migration that writes the steps of calls which earlier versions recorded with a timeline only. */
import { expect, test } from 'vitest';
import { insertEndedCall } from '../../support/ended-call.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant } from '../../support/test-merchants.ts';

const db = useTestDatabase();
const MIGRATION = new URL('../../../src/db/migrations/0120_calls_by_step.js', import.meta.url).href;

const TIMELINE = ['invite', 'answered', 'ask tip', 'ask tip', 'say thanks', 'charge', 'return'].map((step, atMs) => ({
  step,
  atMs,
}));

/** A call without stored steps. @param endedAgo an interval, or null for a live call */
async function earlierCall(endedAgo: string | null, facts: Parameters<typeof insertEndedCall>[2]): Promise<string> {
  const { accountId, merchantId, mode } = await createTestMerchant(db.database);
  const id = await insertEndedCall(db.database, { accountId, mode, merchantId, sessionId: null }, facts);
  await db.database.query('update calls set steps = null, ended_at = now() - $2::interval where id = $1', [
    id,
    endedAgo,
  ]);
  return id;
}

async function stepsOf(id: string): Promise<unknown> {
  return (await db.database.query<{ steps: unknown }>('select steps from calls where id = $1', [id])).rows[0]?.steps;
}

test('writes the steps of earlier calls, not of live calls and of those that were lost just now', async () => {
  const [earlier, silent, lost, live] = [
    await earlierCall('2 hours', { timeline: TIMELINE }),
    await earlierCall('2 hours', { timeline: [] }),
    await earlierCall('1 minute', { timeline: TIMELINE }),
    await earlierCall(null, { timeline: TIMELINE }),
  ];
  const { up } = await import(MIGRATION);
  const statements: string[] = [];
  up({ noTransaction: () => undefined, sql: (text: string) => statements.push(text) });
  for (const statement of statements) await db.database.query(statement);
  expect(await stepsOf(earlier)).toEqual(['ask tip', 'charge', 'return']);
  expect(await stepsOf(silent)).toEqual([]);
  expect([await stepsOf(lost), await stepsOf(live)]).toEqual([null, null]);
});
