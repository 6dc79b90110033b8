import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { relayBatch } from '../../../src/outbox/relay.ts';
import { publicLookup } from '../../../src/outgoing-http/public-addresses.ts';
import { Connections } from '../../../src/outgoing-http/post.ts';
import { takeLanes } from '../../../src/db/webhooks/webhook-lanes.ts';
import { freePort } from '../../support/ports.ts';
import { createTestMerchant } from '../payments/test-payments.ts';
import {
  listDeliveries,
  HANG,
  makeDue,
  OK,
  POLL,
  type NotificationHarness,
  insertTestEvents,
  createNotificationHarness,
  status,
  waitForAttempts,
  waitForStatuses,
} from './notification-harness.ts';

let harness: NotificationHarness;
beforeAll(async () => {
  harness = await createNotificationHarness();
});
afterEach(() => harness.stop());
afterAll(() => harness.close());

const AN_HOUR = 3_600_000;
const delivered = (count: number) => Array.from({ length: count }, () => 'delivered');
const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

describe('workers', () => {
  it('deliver to an endpoint in the order of sequence, each once, though three share the load', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    for (let worker = 0; worker < 3; worker += 1) harness.start();
    for (let round = 0; round < 5; round += 1) await insertTestEvents(harness, id, 20);
    await waitForStatuses(harness, id, delivered(100));
    const sequences = endpoint.received.map(({ sequence }) => sequence);
    expect(sequences.length).toBe(100);
    expect(sequences).toEqual(ascending(sequences));
  });

  it('keep the order through a blip', async () => {
    const endpoint = await harness.endpoint((response, request, count) =>
      (count === 2 ? status(500) : OK)(response, request, count),
    );
    const { id } = await harness.register(endpoint.url);
    harness.start();
    await insertTestEvents(harness, id, 5);
    await expect.poll(async () => (await listDeliveries(harness, id))[1]?.attempts, POLL).toBe(1);
    expect((await listDeliveries(harness, id)).map((row) => row.attempts)).toEqual([1, 1, 0, 0, 0]);
    await makeDue(harness, id);
    await waitForStatuses(harness, id, delivered(5));
    expect(endpoint.received.map(({ sequence }) => sequence)).toEqual(
      ascending(endpoint.received.map(({ sequence }) => sequence)),
    );
  });

  it('do not let one event that is always refused hold up the others', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    const [poison] = await insertTestEvents(harness, id, 3);
    endpoint.answer = (response, request, count) =>
      (request.id === poison ? status(500) : OK)(response, request, count);
    harness.start();
    await waitForAttempts(harness, id, 1);
    await makeDue(harness, id);
    await waitForStatuses(harness, id, ['waiting', 'delivered', 'delivered']);
  });

  it('open the circuit of an endpoint that fails, and find it again when it is back', async () => {
    const endpoint = await harness.endpoint(status(500));
    const { id } = await harness.register(endpoint.url);
    harness.start();
    await insertTestEvents(harness, id, 5);
    await expect.poll(() => failuresOf(id), POLL).toBe(1);
    await makeDue(harness, id);
    // The first again, then the second: it is not this one event that the endpoint does not like.
    await expect.poll(() => failuresOf(id), POLL).toBe(3);
    await makeDue(harness, id);
    await expect.poll(() => failuresOf(id), POLL).toBe(4);
    expect(endpoint.received.length).toBe(4);
    const { rows } = await harness.database.query<{ pause: number }>(
      `select extract(epoch from paused_until - now())::double precision as pause from webhook_lanes where endpoint_id = $1`,
      [id],
    );
    expect(rows[0]?.pause).toBeGreaterThan(15);
    endpoint.answer = OK;
    await makeDue(harness, id);
    await waitForStatuses(harness, id, delivered(5));
    expect(await failuresOf(id)).toBe(0);
  });

  it('are not held up by endpoints that hang', async () => {
    harness.start({ answerLimitMs: 60_000 });
    const hanging = await harness.endpoint(HANG);
    const stuck = await Promise.all(Array.from({ length: 30 }, () => harness.register(hanging.url)));
    for (const { id } of stuck) await insertTestEvents(harness, id, 3);
    await expect.poll(() => hanging.received.length, POLL).toBe(30);
    const healthy = await harness.endpoint();
    const { id } = await harness.register(healthy.url);
    const startedAt = Date.now();
    await insertTestEvents(harness, id);
    await expect.poll(() => healthy.received.length, POLL).toBe(1);
    // A sixth of what the others are waited for.
    expect((healthy.received[0]?.at ?? Number.POSITIVE_INFINITY) - startedAt).toBeLessThan(10_000);
  });

  it('find everything again after Redis was flushed', async () => {
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

  it('deliver without any Redis, and end in time', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    const notifier = harness.start({ redisUrl: `redis://127.0.0.1:${await freePort()}` });
    await insertTestEvents(harness, id, 3);
    await waitForStatuses(harness, id, delivered(3));
    const startedAt = performance.now();
    await notifier.close();
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  it('are woken by the commit, not by the sweep', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    harness.start({ pollMs: AN_HOUR });
    await insertTestEvents(harness, id);
    await waitForStatuses(harness, id, delivered(1));
    await insertTestEvents(harness, id);
    await waitForStatuses(harness, id, delivered(2));
  });

  it('listen again after the record cut them off', async () => {
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

  it('take up what a dead worker had in hand, and send it again', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    await insertTestEvents(harness, id);
    await relayBatch({ database: harness.database, docsUrl: '' });
    // The dead one: it took the lane, and nobody heard of it again.
    expect((await takeLanes(harness.database, [{ id, lease: 'dead' }], 10))[0]?.due.length).toBe(1);
    expect(await takeLanes(harness.database, [{ id, lease: 'other' }], 10)).toEqual([null]);
    harness.start();
    await harness.database.query('update webhook_lanes set leased_until = now() where endpoint_id = $1', [id]);
    await waitForStatuses(harness, id, delivered(1));
  });

  it('relay nothing by half: a relay that fails leaves its events for the next', async () => {
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

  it('cut their waits short when they close, and the delivery is not counted as failed', async () => {
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

describe('live webhooks stay out of private networks', () => {
  const forbidden = { status: 'waiting', failure: 'forbidden_address', status_code: null };

  it.each(['https://127.0.0.1/', 'https://10.0.0.1/', 'https://[::ffff:127.0.0.1]/', 'https://localhost/'])(
    'not to %s',
    async (url) => {
      const merchant = await createTestMerchant(harness.database, { mode: 'live' });
      const { id } = await harness.register(url, undefined, merchant);
      harness.start();
      await insertTestEvents(harness, id, 1, merchant);
      expect(await waitForAttempts(harness, id, 1)).toMatchObject(forbidden);
    },
  );

  it('nor those of test mode, unless the service is its user’s own machine', async () => {
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url);
    harness.start({ privateTargets: false });
    await insertTestEvents(harness, id);
    expect(await waitForAttempts(harness, id, 1)).toMatchObject(forbidden);
    expect(endpoint.received).toEqual([]);
  });

  it('nor to a public name that DNS leads there: what counts is the address that is connected to', async () => {
    const merchant = await createTestMerchant(harness.database, { mode: 'live' });
    const endpoint = await harness.endpoint();
    const { id } = await harness.register(endpoint.url.replace('127.0.0.1', 'hooks.example.com'), undefined, merchant);
    // As a lying DNS would have it.
    const connections = new Connections((_host, options, callback) => publicLookup('localhost', options, callback));
    harness.start({ connections });
    await insertTestEvents(harness, id, 1, merchant);
    expect(await waitForAttempts(harness, id, 1)).toMatchObject(forbidden);
    expect(endpoint.received).toEqual([]);
  });
});

async function failuresOf(id: string): Promise<number | undefined> {
  const { rows } = await harness.database.query<{ failures: number }>(
    'select failures from webhook_lanes where endpoint_id = $1',
    [id],
  );
  return rows[0]?.failures;
}
