import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { cancelDeliveries, pauseEndpoint } from '../../../src/db/webhooks/deliveries.ts';
import { Connections } from '../../../src/lib/http-client/post.ts';
import { publicLookup } from '../../../src/lib/http-client/public-addresses.ts';
import { relayBatch } from '../../../src/notifications/outbox/relay.ts';
import { DeliveryQueue } from '../../../src/notifications/webhooks/delivery-queue.ts';
import { freePort } from '../../support/ports.ts';
import { createTestMerchant } from '../../support/test-merchants.ts';
import {
  HANG,
  insertTestEvents,
  listDeliveries,
  makeDue,
  OK,
  POLL,
  status,
  useNotificationHarness,
  waitForAttempts,
  waitForStatuses,
} from './notification-harness.ts';

const harness = useNotificationHarness();

const AN_HOUR = 3_600_000;
const delivered = (count: number) => Array.from({ length: count }, () => 'delivered');

describe('a worker', () => {
  it('delivers each event once, also with three workers, in any order but with its sequence', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    for (let worker = 0; worker < 3; worker += 1) harness.start();
    const ids: string[] = [];
    for (let round = 0; round < 5; round += 1) ids.push(...(await insertTestEvents(harness, id, 20)));
    await waitForStatuses(harness, id, delivered(100));
    const bySequence = [...endpoint.received].sort((a, b) => a.sequence - b.sequence);
    expect(bySequence.map((event) => event.id)).toEqual(ids);
  });

  it('sends an endpoint at most 24 events at a time', async () => {
    let [inProgress, most] = [0, 0];
    const held: (() => void)[] = [];
    const endpoint = await harness.endpoint((response, request, count) => {
      inProgress += 1;
      most = Math.max(most, inProgress);
      const answer = () => {
        inProgress -= 1;
        OK(response, request, count);
      };
      if (count <= 24) held.push(answer);
      else answer();
    });
    const { id } = await harness.register(endpoint.url);
    harness.start({ answerLimitMs: AN_HOUR });
    await insertTestEvents(harness, id, 50);
    await expect.poll(() => endpoint.received.length, POLL).toBe(24);
    for (const answer of held) answer();
    await waitForStatuses(harness, id, delivered(50));
    expect(most).toBe(24);
    expect(endpoint.received.length).toBe(50);
  });

  it.each([{}, { 'retry-after': '3600' }])('delays no other event because of one that fails (%j)', async (headers) => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    const [refused] = await insertTestEvents(harness, id, 40);
    endpoint.answer = (response, request, count) =>
      (request.id === refused ? status(503, headers) : OK)(response, request, count);
    harness.start();
    await waitForStatuses(harness, id, ['waiting', ...delivered(39)]);
    await insertTestEvents(harness, id, 40);
    await waitForStatuses(harness, id, ['waiting', ...delivered(79)]);
    expect(endpoint.received.filter((each) => each.id !== refused)).toHaveLength(79);
  });

  it('pauses a failing endpoint, probes it with one event, and continues when it responds', async () => {
    const endpoint = await harness.endpoint(status(500));
    const { id } = await harness.register(endpoint.url);
    const startedAt = await databaseClockMs();
    harness.start();
    const first = insertTestEvents(harness, id, 5);
    await expect.poll(() => circuitOf(id), POLL).toMatchObject({ failures: 5 });
    await expectPaused(id, 10_000, startedAt);
    await pauseEndpoint(harness.database, id, AN_HOUR);
    await first;
    // Each was attempted once. New events now wait.
    await insertTestEvents(harness, id, 20);
    await expect.poll(async () => (await listDeliveries(harness, id)).length, POLL).toBe(25);
    const held: (() => void)[] = [];
    endpoint.answer = (response, request, count) => held.push(() => OK(response, request, count));
    await makeDue(harness, id);
    await expect.poll(() => held.length, POLL).toBe(1);
    // Meanwhile, sweeps have released no other event.
    await insertTestEvents(harness, (await harness.register(endpoint.url)).id);
    await expect.poll(() => held.length, POLL).toBe(2);
    expect(endpoint.received.length).toBe(7);
    endpoint.answer = OK;
    for (const answer of held) answer();
    await expect.poll(() => circuitOf(id), POLL).toMatchObject({ failures: 0 });
    await makeDue(harness, id);
    await waitForStatuses(harness, id, delivered(25));
  });

  it.each([
    ['twice as long after each failed probe', {}, 20_000],
    ['as long as Retry-After says', { 'retry-after': '3600' }, AN_HOUR],
  ])('pauses a failing endpoint %s', async (_name, headers, expectedMs) => {
    const endpoint = await harness.endpoint(status(503, headers));
    const { id } = await harness.register(endpoint.url);
    await harness.database.query('update webhook_endpoints set failures = 5 where id = $1', [id]);
    const startedAt = await databaseClockMs();
    harness.start();
    await insertTestEvents(harness, id);
    await expect.poll(() => circuitOf(id), POLL).toMatchObject({ failures: 6 });
    await expectPaused(id, expectedMs, startedAt);
  });

  it('is not delayed by endpoints that hang', async () => {
    harness.start({ answerLimitMs: AN_HOUR });
    const hanging = await harness.endpoint(HANG);
    const stuck = await Promise.all(Array.from({ length: 30 }, () => harness.register(hanging.url)));
    for (const { id } of stuck) await insertTestEvents(harness, id, 3);
    await expect.poll(() => hanging.received.length, POLL).toBe(90);
    const healthy = await harness.endpoint();
    const { id } = await harness.register(healthy.url);
    await insertTestEvents(harness, id);
    await expect.poll(() => healthy.received.length, POLL).toBe(1);
  });

  it('is not delayed by slow endpoints, however many events wait for those', async () => {
    harness.start({ answerLimitMs: AN_HOUR });
    const slow = await harness.endpoint(HANG);
    const backlogged = await Promise.all(Array.from({ length: 45 }, () => harness.register(slow.url)));
    for (const { id } of backlogged) await insertTestEvents(harness, id, 24);
    await expect.poll(() => slow.received.length, POLL).toBeGreaterThan(800);
    const { id } = await harness.register((await harness.endpoint()).url);
    await insertTestEvents(harness, id, 24);
    await waitForStatuses(harness, id, delivered(24));
    await Promise.all(backlogged.map(({ id }) => cancelDeliveries(harness.database, id)));
  });

  it('finds all deliveries after Redis was flushed', async () => {
    const endpoint = await harness.endpoint(status(500));
    const { id } = await harness.register(endpoint.url);
    harness.start();
    await insertTestEvents(harness, id, 2);
    await waitForAttempts(harness, id, 1);
    await harness.redis.redis.flushdb();
    endpoint.answer = OK;
    await makeDue(harness, id);
    await waitForStatuses(harness, id, delivered(2));
    await insertTestEvents(harness, id);
    await waitForStatuses(harness, id, delivered(3));
  });

  it('takes at most 250 deliveries of an endpoint in a sweep', async () => {
    const { database, redis, vault, log } = harness;
    await database.query(`update webhook_deliveries set status = 'canceled' where status = 'waiting'`);
    const hanging = await harness.endpoint(HANG);
    const backlogged = await Promise.all(Array.from({ length: 4 }, () => harness.register(hanging.url)));
    await Promise.all(backlogged.map(({ id }) => insertTestEvents(harness, id, 260)));
    while ((await relayBatch({ database, docsUrl: '' })).more);
    await Promise.all(backlogged.map(({ id }) => makeDue(harness, id)));
    const [stop, connections] = [new AbortController(), new Connections()];
    const deps = { sql: database, redisUrl: redis.url, vault, connections, privateTargets: true, log };
    const queue = new DeliveryQueue({ ...deps, stop: stop.signal });
    try {
      await queue.sweep();
      const { rows } = await database.query<{ taken: number }>(
        `select count(*) filter (where enqueue_at > now())::integer as taken from webhook_deliveries
          where endpoint_id = any($1) group by endpoint_id`,
        [backlogged.map(({ id }) => id)],
      );
      expect(rows).toEqual(Array(4).fill({ taken: 250 }));
    } finally {
      stop.abort();
      await queue.close();
      connections.close();
      await Promise.all(backlogged.map(({ id }) => cancelDeliveries(database, id)));
    }
  });

  it('delivers without Redis, and closes in time', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    const notifier = harness.start({ redisUrl: `redis://127.0.0.1:${await freePort()}` });
    await insertTestEvents(harness, id, 3);
    await waitForStatuses(harness, id, delivered(3));
    const startedAt = performance.now();
    await notifier.close();
    expect(performance.now() - startedAt).toBeLessThan(60_000);
  });

  it('is woken by the commit, not by the sweep', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    harness.start({ pollMs: AN_HOUR });
    await insertTestEvents(harness, id);
    await waitForStatuses(harness, id, delivered(1));
    await insertTestEvents(harness, id);
    await waitForStatuses(harness, id, delivered(2));
  });

  it('listens again after PostgreSQL closed the connection', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    harness.start({ pollMs: AN_HOUR });
    await insertTestEvents(harness, id);
    await waitForStatuses(harness, id, delivered(1));
    await harness.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()`,
    );
    await insertTestEvents(harness, id);
    await waitForStatuses(harness, id, delivered(2));
  });

  it('sends deliveries of a worker that died between the commit and the queue', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    await insertTestEvents(harness, id);
    await relayBatch({ database: harness.database, docsUrl: '' });
    harness.start();
    await makeDue(harness, id);
    await waitForStatuses(harness, id, delivered(1));
  });

  it('sends a delivery again whose worker died while it processed the job', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    await insertTestEvents(harness, id);
    const { deliveries } = await relayBatch({ database: harness.database, docsUrl: '' });
    const name = '{ringkey-webhooks}';
    const dead = createClient();
    const queue = new Queue(name, { connection: dead });
    for (const { endpointId, eventId } of deliveries) {
      await queue.add('run', { endpointId, eventId }, { jobId: `${endpointId}.${eventId}` });
    }
    const worker = new Worker(name, null, { connection: dead, lockDuration: 1_000 });
    expect(await worker.getNextJob('dead')).toBeDefined();
    dead.disconnect();
    harness.start();
    await makeDue(harness, id);
    await waitForStatuses(harness, id, delivered(1));
    expect(endpoint.received.length).toBe(1);
  });

  it('relays the events of a failed relay later, none of them partially', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    await insertTestEvents(harness, id);
    const broken = {
      ...harness.database,
      transaction: <T>(work: Parameters<typeof harness.database.transaction<T>>[0]) =>
        harness.database.transaction<T>(async (sql) => {
          await work(sql);
          throw new Error('killed before the commit');
        }),
    };
    await expect(relayBatch({ database: broken, docsUrl: '' })).rejects.toThrow('killed');
    expect(await listDeliveries(harness, id)).toEqual([]);
    harness.start();
    await waitForStatuses(harness, id, delivered(1));
  });

  it('aborts requests when it closes, without counting the delivery as failed', async () => {
    const endpoint = await harness.endpoint(HANG);
    const { id } = await harness.register(endpoint.url);
    const notifier = harness.start({ answerLimitMs: 60_000 });
    await insertTestEvents(harness, id);
    await expect.poll(() => endpoint.received.length, POLL).toBe(1);
    await notifier.close();
    expect(await listDeliveries(harness, id)).toMatchObject([{ status: 'waiting', attempts: 0 }]);
    endpoint.answer = OK;
    harness.start();
    await waitForStatuses(harness, id, delivered(1));
  });
});

describe('a webhook to a private network', () => {
  const forbidden = { status: 'waiting', failure: 'forbidden_address', status_code: null };

  it.each(['https://127.0.0.1/', 'https://10.0.0.1/', 'https://[::ffff:127.0.0.1]/', 'https://localhost/'])(
    'is not sent in live mode: %s',
    async (url) => {
      const merchant = await createTestMerchant(harness.database, { mode: 'live' });
      const { id } = await harness.register(url, undefined, merchant);
      harness.start();
      await insertTestEvents(harness, id, 1, merchant);
      expect(await waitForAttempts(harness, id, 1)).toMatchObject(forbidden);
    },
  );

  it('is not sent in test mode unless private targets are allowed', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    harness.start({ privateTargets: false });
    await insertTestEvents(harness, id);
    expect(await waitForAttempts(harness, id, 1)).toMatchObject(forbidden);
    expect(endpoint.received).toEqual([]);
  });

  it('is not sent through a public name, because the connected address counts', async () => {
    const merchant = await createTestMerchant(harness.database, { mode: 'live' });
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url.replace('127.0.0.1', 'hooks.example.com'), undefined, merchant);
    // DNS that resolves the public name to loopback.
    const connections = new Connections((_host, options, callback) => publicLookup('localhost', options, callback));
    harness.start({ connections });
    await insertTestEvents(harness, id, 1, merchant);
    expect(await waitForAttempts(harness, id, 1)).toMatchObject(forbidden);
    expect(endpoint.received).toEqual([]);
  });
});

/** Expects a pause of this length, counted from a failure between `startedAt` and now. */
async function expectPaused(id: string, pauseMs: number, startedAt: number): Promise<void> {
  const { pausedUntil } = await circuitOf(id);
  expect(pausedUntil - pauseMs).toBeGreaterThanOrEqual(startedAt);
  expect(pausedUntil - pauseMs).toBeLessThanOrEqual(await databaseClockMs());
}

async function databaseClockMs(): Promise<number> {
  const statement = 'select extract(epoch from now())::double precision * 1000 as "atMs"';
  return (await harness.database.query<{ atMs: number }>(statement)).rows[0]?.atMs ?? 0;
}

async function circuitOf(id: string): Promise<{ failures: number; pausedUntil: number }> {
  const { rows } = await harness.database.query<{ failures: number; pausedUntil: number }>(
    `select failures, extract(epoch from paused_until)::double precision * 1000 as "pausedUntil"
       from webhook_endpoints where id = $1`,
    [id],
  );
  if (rows[0] === undefined) throw new Error('the endpoint does not exist');
  return rows[0];
}

/** The Redis connection of a worker that is about to die. */
function createClient(): Redis {
  const redis = new Redis(harness.redis.url, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  return redis;
}
