/** What lanes ask of the record at the same moment goes there together, and each gets its own answer. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WebhookEndpointId } from '../../../src/domain/ids.ts';
import { relayBatch } from '../../../src/outbox/relay.ts';
import { type LaneRecord, openLaneRecord } from '../../../src/webhooks/lane-record.ts';
import { resendEvents } from '../../../src/db/events/outbox.ts';
import {
  type AttemptRecord,
  type DueDelivery,
  type LaneReport,
  recordAttempts,
} from '../../../src/db/webhooks/webhook-lanes.ts';
import {
  listDeliveries,
  POLL,
  type NotificationHarness,
  insertTestEvents,
  createNotificationHarness,
} from '../outbox/notification-harness.ts';

let harness: NotificationHarness;
let record: LaneRecord;
beforeAll(async () => {
  harness = await createNotificationHarness();
  record = openLaneRecord({ sql: harness.database, log: harness.log }, new AbortController().signal);
});
afterAll(() => harness.close());

const relay = () => relayBatch({ database: harness.database, docsUrl: '' });

/** A lane with so many deliveries, relayed. */
async function lane(deliveries: number): Promise<WebhookEndpointId> {
  const { id } = await harness.register('http://127.0.0.1:1/');
  await insertTestEvents(harness, id, deliveries);
  await relay();
  return id;
}

const DELIVERED = {
  status: 'delivered',
  nextInMs: null,
  latencyMs: 1,
  statusCode: 200,
  answer: '',
  failure: null,
} as const;
const delivered = (due: readonly DueDelivery[] = []): AttemptRecord[] =>
  due.map(({ eventId, relayedAt }) => ({ eventId, relayedAt, ...DELIVERED }));
const report = (id: WebhookEndpointId, lease: string, attempts: readonly AttemptRecord[]): LaneReport => ({
  ...{ id, lease, attempts, goesOn: true },
  circuit: { failures: 0, pauseMs: 0 },
});
const statusesOf = async (id: WebhookEndpointId) => (await listDeliveries(harness, id)).map((row) => row.status);

it('gives each lane its own deliveries, and none that another worker has', async () => {
  const ids = [await lane(3), await lane(1), await lane(2)] as const;
  const [own, taken] = [[ids[0], ids[2]], ids[1]] as const;
  expect(await record.take({ id: taken, lease: 'other' })).not.toBe(null);
  const lanes = await Promise.all([...own, taken].map((id) => record.take({ id, lease: 'ours' })));
  expect(lanes.map((each) => each?.due.length)).toEqual([3, 2, undefined]);
  const events = await Promise.all(
    own.map(async (id) => (await listDeliveries(harness, id)).map((row) => row.event_id)),
  );
  expect(lanes.slice(0, 2).map((each) => each?.due.map(({ eventId }) => eventId))).toEqual(events);
});

it('hears what was done, and says what came meanwhile, but to no worker that has lost the lane', async () => {
  const [busy, idle, lost] = [await lane(2), await lane(1), await lane(2)] as const;
  const ids = [busy, idle, lost];
  const lanes = await Promise.all(ids.map((id) => record.take({ id, lease: 'ours' })));
  await harness.database.query("update webhook_lanes set lease = 'other' where endpoint_id = $1", [lost]);
  const [late] = await insertTestEvents(harness, busy);
  await relay();
  const next = await Promise.all(ids.map((id, at) => record.report(report(id, 'ours', delivered(lanes[at]?.due)))));
  expect(next.map((each) => each?.due.map(({ eventId }) => eventId))).toEqual([[late], [], undefined]);
  expect(await statusesOf(busy)).toEqual(['delivered', 'delivered', 'waiting']);
  // It was delivered, whoever has the lane by now.
  expect(await statusesOf(lost)).toEqual(['delivered', 'delivered']);
});

it('misses nothing that is relayed between the last look and the leave', async () => {
  const [first, second] = [await lane(1), await lane(1)] as const;
  const ids = [first, second];
  const lanes = await Promise.all(ids.map((id) => record.take({ id, lease: 'ours' })));
  await Promise.all(ids.map((id, at) => record.report(report(id, 'ours', delivered(lanes[at]?.due)))));
  await insertTestEvents(harness, second);
  await relay();
  expect(await Promise.all(ids.map((id) => record.leave({ id, lease: 'ours' })))).toEqual([null, 0]);
});

it('lets no lane suffer for what is wrong with another', async () => {
  const [fine, spoilt] = [await lane(1), await lane(1)] as const;
  const ids = [fine, spoilt];
  const lanes = await Promise.all(ids.map((id) => record.take({ id, lease: 'ours' })));
  const wrong = delivered(lanes[1]?.due).map((attempt) => ({ ...attempt, answer: 'no \u0000 in PostgreSQL' }));
  const results = await Promise.allSettled([
    record.report(report(fine, 'ours', delivered(lanes[0]?.due))),
    record.report(report(spoilt, 'ours', wrong)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await statusesOf(fine)).toEqual(['delivered']);
  expect(await statusesOf(spoilt)).toEqual(['waiting']);
});

/** Waits for so many statements of this database to wait for another's lock. */
async function untilBlocked(statements: number): Promise<void> {
  const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await harness.database.query(text)).rowCount, POLL).toBe(statements);
}

/** An event that is asked for once more while a worker is delivering it. */
async function askedForAgain() {
  const id = await lane(2);
  const due = (await record.take({ id, lease: 'ours' }))?.due ?? [];
  await resendEvents(
    harness.database,
    due.map(({ eventId }) => eventId),
  );
  return { id, done: report(id, 'ours', delivered(due)) };
}

/** Starts each when the one before has come as far as it can: their deliveries are somebody else's until all wait. */
async function besiege(id: WebhookEndpointId, work: readonly (() => Promise<unknown>)[]): Promise<void> {
  const begun = await harness.database.transaction(async (sql) => {
    await sql.query('select 1 from webhook_deliveries where endpoint_id = $1 for update', [id]);
    const promises = [];
    for (const [at, start] of work.entries()) {
      promises.push(start());
      await untilBlocked(at + 1);
    }
    return promises;
  });
  await Promise.all(begun);
}

it.each(['relay first', 'record first'])('hears of events that are asked for again meanwhile: %s', async (order) => {
  const { id, done } = await askedForAgain();
  const work = [relay, () => recordAttempts(harness.database, [done], 10)];
  await besiege(id, order === 'relay first' ? work : work.reverse());
  expect(await statusesOf(id)).toEqual(['waiting', 'waiting']);
});
