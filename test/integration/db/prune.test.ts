import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { pruneOldRows } from '../../../src/db/prune-job.ts';
import { relayBatch } from '../../../src/outbox/relay.ts';
import { takePayment } from '../../../src/payments/take-payment.ts';
import { EVENT_TYPES } from '../../../src/db/events/events.ts';
import { insertWebhookEndpoint } from '../../../src/db/webhooks/webhook-endpoints.ts';
import { createFingerprint } from '../../../src/vault/fingerprint.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  keyedCard,
  createTestSession,
  createTestMerchant,
  createTestPayments,
  paymentRequest,
} from '../payments/test-payments.ts';

const NEVER = new AbortController().signal;
const NOTHING = { deliveries: 0, events: 0, texts: 0, velocitySignals: 0 };
const log = { info: () => undefined };

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.close());

/**
 * Makes so many payments and as many declines, with webhooks and texts that are all delivered.
 * @returns the counts of their rows
 */
async function paidAndTold(payments: number) {
  const { database } = db;
  const merchant = await createTestMerchant(database);
  const hook = {
    id: newId('WebhookEndpoint'),
    url: 'https://example.com',
    events: [...EVENT_TYPES],
    signingSecret: 'x',
  };
  await insertWebhookEndpoint(database, merchant, hook, 1);
  const deps = { ...createTestPayments(database), fingerprint: createFingerprint(randomBytes(32)) };
  for (let paid = 0; paid < payments; paid += 1) {
    for (const card of ['visa', 'do_not_honor']) {
      const request = paymentRequest(merchant, await createTestSession(database, merchant), keyedCard(card));
      await takePayment(deps, { ...request, origin: '192.0.2.1' });
    }
  }
  while ((await relayBatch({ database, docsUrl: 'https://docs.example.com' })).more);
  await database.query(`update webhook_deliveries set status = 'delivered'`);
  await database.query(`update texts set status = 'sent'`);
  return { deliveries: 3 * payments, events: 3 * payments, texts: payments, velocitySignals: payments };
}

/** Makes every row this old. */
async function age(interval: string): Promise<void> {
  for (const table of ['charges', 'events', 'webhook_deliveries', 'texts']) {
    await db.database.query(`update ${table} set created_at = created_at - $1::interval`, [interval]);
  }
}

test('each kind is deleted after its time, and not before', async () => {
  const all = await paidAndTold(2);
  const run = () => pruneOldRows(db.database, log, NEVER);
  expect(await run()).toEqual(NOTHING);
  await age('25 hours');
  expect(await run()).toEqual(NOTHING);
  await age('25 hours');
  expect(await run()).toEqual({ ...NOTHING, velocitySignals: all.velocitySignals });
  await age('26 days');
  expect(await run()).toEqual(NOTHING);
  await age('3 days');
  expect(await run()).toEqual({ ...NOTHING, deliveries: all.deliveries });
  await age('60 days');
  expect(await run()).toEqual({ ...NOTHING, events: all.events, texts: all.texts });
  const { rowCount } = await db.database.query(`select from charges where status = 'succeeded'`);
  expect(rowCount).toBe(2);
});

test('only failed charges keep their velocity signals', async () => {
  await paidAndTold(1);
  const { rows } = await db.database.query(
    `select status, card_fingerprint is not null as card, origin_hash is not null as origin from charges order by status`,
  );
  expect(rows).toEqual([
    { status: 'succeeded', card: false, origin: false },
    { status: 'failed', card: true, origin: true },
  ]);
});

test('what is not done yet stays, however old', async () => {
  await paidAndTold(1);
  await db.database.query(`update webhook_deliveries set status = 'waiting'`);
  await db.database.query(`update texts set status = 'sending'`);
  await db.database.query(`update charges set status = 'pending'`);
  await age('80 days');
  expect(await pruneOldRows(db.database, log, NEVER)).toEqual(NOTHING);
  await age('80 days');
  expect(await pruneOldRows(db.database, log, NEVER)).toEqual(NOTHING);
  await db.database.query(`update webhook_deliveries set status = 'failed'`);
  await db.database.query('update events set relayed_at = null');
  expect(await pruneOldRows(db.database, log, NEVER)).toEqual({ ...NOTHING, deliveries: 3 });
});

test('old rows go in batches, by several runs at once, and a stop ends it', async () => {
  const { database } = db;
  await paidAndTold(1);
  await database.query(
    `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, status, created_at)
     select 'txt_' || n, account_id, mode, session_id, 'link', recipient, body, segments, 'sent', now() - interval '1 year'
       from texts, generate_series(1, 1300) n`,
  );
  expect(await pruneOldRows(database, log, AbortSignal.abort())).toEqual(NOTHING);
  const two = await Promise.all([pruneOldRows(database, log, NEVER), pruneOldRows(database, log, NEVER)]);
  const rest = await pruneOldRows(database, log, NEVER);
  expect([...two, rest].reduce((sum, { texts }) => sum + texts, 0)).toBe(1_300);
});
