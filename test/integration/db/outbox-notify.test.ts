/** What is written into the outbox besides charges' events is told to the relays when it is committed. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { expireSessions } from '../../../src/checkout/expire.ts';
import { insertTestEvent } from '../../../src/db/events/event-log.ts';
import { EVENTS_CHANNEL } from '../../../src/db/events/events.ts';
import { resendEvents } from '../../../src/db/events/outbox.ts';
import { insertWebhookEndpoint } from '../../../src/db/webhooks/webhook-endpoints.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestRefunds, createPaidCharge } from '../payments/test-refunds.ts';
import {
  listSessionEvents,
  keyedCard,
  createTestSession,
  createTestMerchant,
  createTestPayments,
  type TestMerchant,
} from '../payments/test-payments.ts';

const END = 'end_of_rings_test';

let db: TestDatabase;
let merchant: TestMerchant;
let listener: pg.Client;
beforeAll(async () => {
  db = await createTestDatabase();
  merchant = await createTestMerchant(db.database);
  listener = new pg.Client({ connectionString: db.url });
  await listener.connect();
  await listener.query(`listen ${EVENTS_CHANNEL}`);
  await listener.query(`listen ${END}`);
});
afterAll(async () => {
  await listener.end();
  await db.close();
});

/** Whether `work` rings: rings come in the order of commits, so what comes before the end is all there is. */
async function rings(work: () => Promise<unknown>): Promise<boolean> {
  const heard: string[] = [];
  const ended = new Promise<void>((resolve) => {
    const hear = ({ channel }: pg.Notification) => {
      heard.push(channel);
      if (channel !== END) return;
      listener.off('notification', hear);
      resolve();
    };
    listener.on('notification', hear);
  });
  await work();
  await db.database.query(`notify ${END}`);
  await ended;
  return heard.includes(EVENTS_CHANNEL);
}

test('a test event', async () => {
  const hook = { id: newId('WebhookEndpoint'), url: 'https://example.com', events: [], signingSecret: 'x' };
  await insertWebhookEndpoint(db.database, merchant, hook, 1);
  expect(await rings(() => insertTestEvent(db.database, merchant, hook.id))).toBe(true);
});

test('the last events of a session whose time is over', async () => {
  await createTestSession(db.database, merchant, { secondsLeft: -1 });
  expect(await rings(() => expireSessions(db.database))).toBe(true);
});

test('the outcome of a refund', async () => {
  const chargeId = await createPaidCharge(db.database, merchant);
  expect(await rings(() => createTestRefunds(db.database, merchant).refund(chargeId))).toBe(true);
});

test('events that are to go out again, where there are such', async () => {
  const sessionId = await createTestSession(db.database, merchant);
  await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('visa'));
  const ids = (await listSessionEvents(db.database, sessionId)).map(({ id }) => id);
  expect(await rings(() => resendEvents(db.database, ids))).toBe(true);
  expect(await rings(() => resendEvents(db.database, [newId('Event')]))).toBe(false);
});

test('but a charge does not ring in its transaction, which would make all commits take turns', async () => {
  const sessionId = await createTestSession(db.database, merchant);
  expect(await rings(() => createTestPayments(db.database).pay(merchant, sessionId, keyedCard('visa')))).toBe(false);
});
