/** Forged jobs in Redis: workers send only what PostgreSQL says is due, and only to its addresses. */
import { Queue, QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { createTestMerchant } from '../../support/test-merchants.ts';
import { insertTestEvents, listDeliveries, useNotificationHarness, waitForStatuses } from './notification-harness.ts';

const harness = useNotificationHarness();

/** Adds the jobs, and waits until a worker has processed each. */
async function runForged(queueName: string, jobs: readonly unknown[]): Promise<void> {
  const connect = () => new Redis(harness.redis.url, { maxRetriesPerRequest: null });
  const [connection, listening] = [connect(), connect()];
  const queue = new Queue(queueName, { connection });
  const events = new QueueEvents(queueName, { connection: listening });
  await events.waitUntilReady();
  for (const data of jobs) {
    const job = await queue.add('job', data);
    await job.waitUntilFinished(events).catch(() => undefined);
  }
  await Promise.all([queue.close(), events.close()]);
  connection.disconnect();
  listening.disconnect();
}

test('sends no delivered webhook again, and none to another account or address', async () => {
  const [own, others] = [await harness.endpoint(), await harness.endpoint()];
  const other = await createTestMerchant(harness.database);
  const { id } = await harness.register(own.url);
  const stranger = await harness.register(others.url, undefined, other);
  harness.start();
  await insertTestEvents(harness, id);
  await waitForStatuses(harness, id, ['delivered']);
  const [delivery] = await listDeliveries(harness, id);
  const eventId = delivery?.event_id;
  await runForged('{ringkey-webhooks}', [
    { endpointId: id, eventId },
    { endpointId: stranger.id, eventId },
    { endpointId: id, eventId, url: others.url },
    { endpointId: { $ne: null }, eventId: ['evt_1', 'evt_2'] },
    null,
    'not a job',
  ]);
  expect([own.received.length, others.received.length]).toEqual([1, 0]);
  // The workers still run.
  await insertTestEvents(harness, id);
  await waitForStatuses(harness, id, ['delivered', 'delivered']);
});

test('sends no unknown text', async () => {
  harness.start();
  await runForged('{ringkey-texts}', ['txt_nobody', { to: '+15550100000', body: 'forged' }, null]);
  expect(harness.log.lines.filter((line) => line.includes('forged') || line.includes('+15550100000'))).toEqual([]);
  const { rowCount } = await harness.database.query('select from texts');
  expect(rowCount).toBe(0);
});
