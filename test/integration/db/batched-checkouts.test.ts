/** Checkouts that are created or read in one statement get the same results as alone. */
import { beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/pool.ts';
import { batchedCheckouts, type Checkouts } from '../../../src/db/sessions/batched-checkouts.ts';
import type { NewSession } from '../../../src/db/sessions/sessions.ts';
import { type CheckoutSessionId, newId, parseId } from '../../../src/domain/ids.ts';
import { DEMO_ACCOUNT, seedDemo } from '../../../src/local/standalone/demo-data.ts';
import { useTestDatabase } from '../../support/fixtures.ts';

const CALLER = '+15550101234';
const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;

const db = useTestDatabase();
let checkouts: Checkouts;
beforeAll(async () => {
  await seedDemo(db.database);
  checkouts = batchedCheckouts(db.database, () => new Date());
});

function newSession(change: Partial<NewSession> = {}): NewSession {
  return {
    id: newId('CheckoutSession'),
    ...scope,
    merchantId: parseId('Merchant', 'mer_demo_diner'),
    consumerId: null,
    ...({ verdict: 'required', amountSource: 'request', amount: { amountCents: 4250, currency: 'USD' } } as const),
    callerPhone: CALLER,
    orderId: null,
    platformCallId: null,
    returnTo: null,
    successMessage: null,
    failureMessage: null,
    lineItems: [],
    metadata: { '\0': '\ud800' },
    transferToken: 'token',
    ttlSeconds: 60,
    ...change,
  };
}

const read = (id: CheckoutSessionId, accountId = DEMO_ACCOUNT) => checkouts.read({ accountId, id });

test.each([1, 40])('returns to each of %i concurrent requests its own merchant and caller', async (count) => {
  const contexts = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      checkouts.findContext({
        scope,
        merchantId: parseId('Merchant', at % 2 === 0 ? 'mer_demo_diner' : 'mer_demo_books'),
        merchantNumber: null,
        orderId: null,
        callerPhone: at % 3 === 2 ? null : CALLER,
      }),
    ),
  );
  expect(contexts.map(({ merchant, cards }) => [merchant?.id, cards.map(({ id }) => id)])).toEqual(
    contexts.map((_, at) => [
      at % 2 === 0 ? 'mer_demo_diner' : 'mer_demo_books',
      at % 2 === 0 && at % 3 !== 2 ? ['card_demo_visa'] : [],
    ]),
  );
});

test('reads concurrently inserted sessions as they were written', async () => {
  const sessions = [1, 2, 3].map((cents) => newSession({ amount: { amountCents: cents, currency: 'USD' } }));
  await Promise.all(sessions.map(checkouts.insert));
  const readings = await Promise.all(sessions.map(({ id }) => read(id)));
  expect(readings.map((reading) => reading?.session)).toEqual(
    sessions.map(({ transferToken: _, ttlSeconds: __, ...session }) => expect.objectContaining(session)),
  );
});

test('inserts the other sessions if the database refuses one', async () => {
  const sessions = [newSession(), newSession({ merchantId: newId('Merchant') }), newSession()];
  const results = await Promise.allSettled(sessions.map(checkouts.insert));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const readings = await Promise.all(sessions.map(({ id }) => read(id)));
  expect(readings.map((reading) => reading !== null)).toEqual([true, false, true]);
});

test('returns a session only to its own account if two accounts read it at once', async () => {
  const session = newSession();
  await checkouts.insert(session);
  const [mine, theirs] = await Promise.all([read(session.id), read(session.id, newId('Account'))]);
  expect([mine?.session.id, theirs]).toEqual([session.id, null]);
});

/** PostgreSQL plans a prepared statement with its values five times before it may cache a generic plan. */
const PLANNED_WITH_VALUES = 5;

test('lets PostgreSQL cache the plans of the statements that create and read a checkout', async () => {
  const session = newSession();
  await checkouts.insert(session);
  const oneConnection = openDatabase({ url: db.url, maxConnections: 1, onIdleError: () => undefined });
  const { findContext, read: readOn } = batchedCheckouts(oneConnection, () => new Date());
  for (let times = 0; times < 2 * PLANNED_WITH_VALUES; times += 1) {
    await findContext({
      scope,
      merchantId: session.merchantId,
      merchantNumber: null,
      orderId: null,
      callerPhone: CALLER,
    });
    await readOn({ accountId: DEMO_ACCOUNT, id: session.id });
  }
  const { rows } = await oneConnection.query(
    `select name, custom_plans::integer as "plannedWithValues" from pg_prepared_statements
      where name in ('checkout_contexts', 'read_checkouts') order by name`,
  );
  await oneConnection.close();
  expect(rows).toEqual([
    { name: 'checkout_contexts', plannedWithValues: PLANNED_WITH_VALUES },
    { name: 'read_checkouts', plannedWithValues: PLANNED_WITH_VALUES },
  ]);
});
