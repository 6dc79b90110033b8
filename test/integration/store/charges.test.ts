import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextDueInMs } from '../../../src/store/charges.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { bookOf, keyed, openSession, openShop, openTill } from '../payments/support.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

test('the next due charge: none, and then the one that went pending', async () => {
  expect(await nextDueInMs(db.database)).toBeNull();
  const shop = await openShop(db.database);
  const sessionId = await openSession(db.database, shop);
  await openTill(db.database, { timings: { processorLimitMs: 300 } }).pay(shop, sessionId, keyed('hangs_taken'));
  expect((await bookOf(db.database, sessionId)).charges).toEqual(['pending']);
  const dueInMs = await nextDueInMs(db.database);
  expect(dueInMs).not.toBeNull();
  expect(dueInMs).toBeGreaterThanOrEqual(0);
});
