/** A process that freezes during a transaction, and a server that falls silent: other processes continue. */
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { lockSession } from '../../../src/db/charges/charged-session.ts';
import { isTransient } from '../../../src/db/error-kinds.ts';
import { lockMerchantRecord } from '../../../src/db/merchants/merchant-records.ts';
import { openDatabase, type Sql, withSilenceLimit } from '../../../src/db/pool.ts';
import { expireDueSessions } from '../../../src/db/sessions/sessions.ts';
import { relayBatch } from '../../../src/notifications/outbox/relay.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import {
  APPROVED,
  agePendingCharges,
  createTestPayments,
  keyedCard,
  readPaymentState,
  scriptedProcessor,
} from '../payments/test-payments.ts';

const NEVER = new AbortController().signal;

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const frozen: pg.Client[] = [];

afterEach(async () => {
  await Promise.all(frozen.splice(0).map((client) => client.end()));
});

/** Runs `work` in a transaction that never ends, on a connection without limits. */
async function freezeAfter<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: db.url });
  await client.connect();
  frozen.push(client);
  await client.query('begin');
  return work(client);
}

it('sends events and texts although a process froze while it expired sessions', async () => {
  const payments = createTestPayments(db.database);
  const [expired, paid] = [
    await createTestSession(db.database, merchant),
    await createTestSession(db.database, merchant),
  ];
  await payments.pay(merchant, expired, keyedCard('breaks_then_declines'));
  await agePendingCharges(db.database, expired, 120);
  await resolveDueCharges(payments, NEVER);
  expect(await readPaymentState(db.database, expired)).toMatchObject({ session: 'open', charges: ['failed'] });
  await payments.pay(merchant, paid, keyedCard('visa'));
  await db.database.query('update checkout_sessions set expires_at = now() where id = $1', [expired]);
  expect(await freezeAfter((sql) => expireDueSessions(sql, 10))).toMatchObject([{ id: expired }]);
  const { texts } = await relayBatch({ database: db.database, docsUrl: 'https://docs.example.com' });
  const { rows } = await db.database.query('select session_id as id, kind from texts where id = any($1)', [texts]);
  expect(rows).toEqual(
    expect.arrayContaining([
      { id: expired, kind: 'not_charged' },
      { id: paid, kind: 'receipt' },
    ]),
  );
});

it('creates checkouts although a process froze while it changed their merchant', async () => {
  await freezeAfter((sql) => lockMerchantRecord(sql, merchant.accountId, merchant.merchantId));
  await expect(createTestSession(db.database, merchant)).resolves.toMatch(/^cs_/);
});

it('frees the connections of processes that wait for a row that a frozen process has locked', async () => {
  const id = await createTestSession(db.database, merchant);
  await freezeAfter((sql) => lockSession(sql, id));
  const database = openDatabase({ url: db.url, maxConnections: 2, onIdleError: () => undefined });
  try {
    const waiting = Promise.allSettled([1, 2].map(() => database.transaction((sql) => lockSession(sql, id))));
    expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    const ended = await waiting;
    expect(ended.map((one) => one.status === 'rejected' && isTransient(one.reason))).toEqual([true, true]);
  } finally {
    await database.close();
  }
});

it('writes the outcome on another connection if the server falls silent', async () => {
  const proxy = await startTcpProxy();
  const through = openDatabase({ url: proxy.forwardTo(db.url), maxConnections: 8, onIdleError: () => undefined });
  const limited = withSilenceLimit(through, 1_500);
  try {
    // Idle connections, all of which will fall silent.
    await Promise.all(Array.from({ length: 8 }, () => through.query('select pg_sleep(0.1)')));
    let silent = 0;
    const database = {
      ...limited,
      transaction: <T>(work: (sql: Sql) => Promise<T>) =>
        limited.transaction(work).catch((error: unknown) => {
          silent += 1;
          proxy.failOver();
          throw error;
        }),
    };
    const processor = scriptedProcessor(db.database, async () => {
      proxy.stall();
      return APPROVED;
    });
    const payments = createTestPayments(database, { processors: [processor], timings: { recordLimitMs: 3_000 } });
    const id = await createTestSession(db.database, merchant);
    expect(await payments.pay(merchant, id, keyedCard('visa'))).toMatchObject({ type: 'succeeded' });
    expect(silent).toBe(1);
    expect(await readPaymentState(db.database, id)).toMatchObject({ session: 'complete', charges: ['succeeded'] });
  } finally {
    await through.close();
    await proxy.close();
  }
});
