/** The reader of sessions' states: many at once cost one statement. */
import { expect, test } from 'vitest';
import type { Sql } from '../../../src/db/pool.ts';
import { createSessionStateReader } from '../../../src/db/sessions/session-state.ts';
import { type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';

const db = useTestDatabase();

test('reads sessions that are asked for at the same moment in one statement, each for its own caller', async () => {
  const merchant = await createTestMerchant(db.database);
  const open = (await createTestSession(db.database, merchant)) as CheckoutSessionId;
  const expired = (await createTestSession(db.database, merchant)) as CheckoutSessionId;
  await db.database.query(`update checkout_sessions set status = 'expired' where id = $1`, [expired]);
  let statements = 0;
  const query = (...statement: Parameters<Sql['query']>) => {
    statements += 1;
    return db.database.query(...statement);
  };
  const read = createSessionStateReader({ query: query as Sql['query'] });
  const states = await Promise.all([open, newId('CheckoutSession'), expired, open].map(read));
  expect(states.map((state) => state?.status ?? null)).toEqual(['open', null, 'expired', 'open']);
  expect(statements).toBe(1);
  expect((await read(open))?.live).toBeNull();
});
