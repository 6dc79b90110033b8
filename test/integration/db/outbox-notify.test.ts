/** The NOTIFY of the outbox: sent at the commit of every event except those of a charge. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expireSessions } from '../../../src/checkout/expire.ts';
import { insertTestEvent } from '../../../src/db/events/event-log.ts';
import { EVENTS_CHANNEL } from '../../../src/db/events/events.ts';
import { resendEvents } from '../../../src/db/events/outbox.ts';
import { insertWebhookEndpoint } from '../../../src/db/webhooks/webhook-endpoints.ts';
import { newId } from '../../../src/domain/ids.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { createTestPayments, keyedCard, listSessionEvents } from '../payments/test-payments.ts';
import { createPaidCharge, createTestRefunds } from '../payments/test-refunds.ts';

const END = 'end_of_outbox_notify_test';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
let listener: pg.Client;
beforeAll(async () => {
  listener = new pg.Client({ connectionString: db.url });
  await listener.connect();
  await listener.query(`listen ${EVENTS_CHANNEL}`);
  await listener.query(`listen ${END}`);
});
afterAll(async () => {
  await listener.end();
});

/** Whether `work` notifies the outbox. Notifications come in commit order: after the end marker there are no more. */
async function notifiesOutbox(work: () => Promise<unknown>): Promise<boolean> {
  const channels: string[] = [];
  const ended = new Promise<void>((resolve) => {
    const onNotification = ({ channel }: pg.Notification) => {
      channels.push(channel);
      if (channel !== END) return;
      listener.off('notification', onNotification);
      resolve();
    };
    listener.on('notification', onNotification);
  });
  await work();
  await db.database.query(`notify ${END}`);
  await ended;
  return channels.includes(EVENTS_CHANNEL);
}

test('sends a NOTIFY for a test event', async () => {
  const hook = { id: newId('WebhookEndpoint'), url: 'https://example.com', events: [], signingSecret: 'x' };
  await insertWebhookEndpoint(db.database, merchant, hook, 1);
  expect(await notifiesOutbox(() => insertTestEvent(db.database, merchant, hook.id))).toBe(true);
});

test('sends a NOTIFY for the last events of an expired session', async () => {
  await createTestSession(db.database, merchant, { secondsLeft: -1 });
  expect(await notifiesOutbox(() => expireSessions(db.database))).toBe(true);
});

test('sends a NOTIFY for the outcome of a refund', async () => {
  const chargeId = await createPaidCharge(db.database, merchant);
  expect(await notifiesOutbox(() => createTestRefunds(db.database, merchant).refund(chargeId))).toBe(true);
});

test('sends a NOTIFY for resent events, if there are any', async () => {
  const sessionId = await createTestSession(db.database, merchant);
  await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('visa'));
  const ids = (await listSessionEvents(db.database, sessionId)).map(({ id }) => id);
  expect(await notifiesOutbox(() => resendEvents(db.database, ids))).toBe(true);
  expect(await notifiesOutbox(() => resendEvents(db.database, [newId('Event')]))).toBe(false);
});

test('sends no NOTIFY for the events of a charge, because it would serialize all their commits', async () => {
  const sessionId = await createTestSession(db.database, merchant);
  expect(await notifiesOutbox(() => createTestPayments(db.database).pay(merchant, sessionId, keyedCard('visa')))).toBe(
    false,
  );
});
