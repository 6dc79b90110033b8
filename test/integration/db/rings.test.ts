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
import { openDesk, paidCharge } from '../payments/test-refunds.ts';
import { eventsOfSession, keyed, openSession, openShop, openTill, type Shop } from '../payments/test-payments.ts';

const END = 'end_of_rings_test';

let db: TestDatabase;
let shop: Shop;
let listener: pg.Client;
beforeAll(async () => {
  db = await createTestDatabase();
  shop = await openShop(db.database);
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
  await insertWebhookEndpoint(db.database, shop, hook, 1);
  expect(await rings(() => insertTestEvent(db.database, shop, hook.id))).toBe(true);
});

test('the last events of a session whose time is over', async () => {
  await openSession(db.database, shop, { secondsLeft: -1 });
  expect(await rings(() => expireSessions(db.database))).toBe(true);
});

test('the outcome of a refund', async () => {
  const chargeId = await paidCharge(db.database, shop);
  expect(await rings(() => openDesk(db.database, shop).refund(chargeId))).toBe(true);
});

test('events that are to go out again, where there are such', async () => {
  const sessionId = await openSession(db.database, shop);
  await openTill(db.database).pay(shop, sessionId, keyed('visa'));
  const ids = (await eventsOfSession(db.database, sessionId)).map(({ id }) => id);
  expect(await rings(() => resendEvents(db.database, ids))).toBe(true);
  expect(await rings(() => resendEvents(db.database, [newId('Event')]))).toBe(false);
});

test('but a charge does not ring in its transaction, which would make all commits take turns', async () => {
  const sessionId = await openSession(db.database, shop);
  expect(await rings(() => openTill(db.database).pay(shop, sessionId, keyed('visa')))).toBe(false);
});
