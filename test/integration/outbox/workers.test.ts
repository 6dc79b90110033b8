import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { relayBatch } from '../../../src/outbox/relay.ts';
import { publicLookup } from '../../../src/outgoing-http/public-addresses.ts';
import { Connections } from '../../../src/outgoing-http/post.ts';
import { takeLanes } from '../../../src/db/webhooks/webhook-lanes.ts';
import { freePort } from '../../support/ports.ts';
import { openShop } from '../payments/test-payments.ts';
import {
  deliveriesOf,
  HANG,
  makeDue,
  OK,
  PATIENT,
  type Stage,
  say,
  setStage,
  status,
  untilAttempts,
  untilStatuses,
} from './notification-harness.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterEach(() => stage.stop());
afterAll(() => stage.close());

const AN_HOUR = 3_600_000;
const delivered = (count: number) => Array.from({ length: count }, () => 'delivered');
const ascending = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);

describe('workers', () => {
  it('deliver to an endpoint in the order of sequence, each once, though three share the load', async () => {
    const endpoint = await stage.endpoint();
    const { id } = await stage.register(endpoint.url);
    for (let worker = 0; worker < 3; worker += 1) stage.start();
    for (let round = 0; round < 5; round += 1) await say(stage, id, 20);
    await untilStatuses(stage, id, delivered(100));
    const sequences = endpoint.received.map(({ sequence }) => sequence);
    expect(sequences.length).toBe(100);
    expect(sequences).toEqual(ascending(sequences));
  });

  it('keep the order through a blip', async () => {
    const endpoint = await stage.endpoint((response, request, count) =>
      (count === 2 ? status(500) : OK)(response, request, count),
    );
    const { id } = await stage.register(endpoint.url);
    stage.start();
    await say(stage, id, 5);
    await expect.poll(async () => (await deliveriesOf(stage, id))[1]?.attempts, PATIENT).toBe(1);
    expect((await deliveriesOf(stage, id)).map((row) => row.attempts)).toEqual([1, 1, 0, 0, 0]);
    await makeDue(stage, id);
    await untilStatuses(stage, id, delivered(5));
    expect(endpoint.received.map(({ sequence }) => sequence)).toEqual(
      ascending(endpoint.received.map(({ sequence }) => sequence)),
    );
  });

  it('do not let one event that is always refused hold up the others', async () => {
    const endpoint = await stage.endpoint();
    const { id } = await stage.register(endpoint.url);
    const [poison] = await say(stage, id, 3);
    endpoint.answer = (response, request, count) =>
      (request.id === poison ? status(500) : OK)(response, request, count);
    stage.start();
    await untilAttempts(stage, id, 1);
    await makeDue(stage, id);
    await untilStatuses(stage, id, ['waiting', 'delivered', 'delivered']);
  });

  it('open the circuit of an endpoint that fails, and find it again when it is back', async () => {
    const endpoint = await stage.endpoint(status(500));
    const { id } = await stage.register(endpoint.url);
    stage.start();
    await say(stage, id, 5);
    await expect.poll(() => failuresOf(id), PATIENT).toBe(1);
    await makeDue(stage, id);
    // The first again, then the second: it is not this one event that the endpoint does not like.
    await expect.poll(() => failuresOf(id), PATIENT).toBe(3);
    await makeDue(stage, id);
    await expect.poll(() => failuresOf(id), PATIENT).toBe(4);
    expect(endpoint.received.length).toBe(4);
    const { rows } = await stage.database.query<{ pause: number }>(
      `select extract(epoch from paused_until - now())::double precision as pause from webhook_lanes where endpoint_id = $1`,
      [id],
    );
    expect(rows[0]?.pause).toBeGreaterThan(15);
    endpoint.answer = OK;
    await makeDue(stage, id);
    await untilStatuses(stage, id, delivered(5));
    expect(await failuresOf(id)).toBe(0);
  });

  it('are not held up by endpoints that hang', async () => {
    stage.start({ answerLimitMs: 60_000 });
    const hanging = await stage.endpoint(HANG);
    const stuck = await Promise.all(Array.from({ length: 30 }, () => stage.register(hanging.url)));
    for (const { id } of stuck) await say(stage, id, 3);
    await expect.poll(() => hanging.received.length, PATIENT).toBe(30);
    const healthy = await stage.endpoint();
    const { id } = await stage.register(healthy.url);
    const startedAt = Date.now();
    await say(stage, id);
    await expect.poll(() => healthy.received.length, PATIENT).toBe(1);
    // A sixth of what the others are waited for.
    expect((healthy.received[0]?.at ?? Number.POSITIVE_INFINITY) - startedAt).toBeLessThan(10_000);
  });

  it('find everything again after Redis was flushed', async () => {
    const endpoint = await stage.endpoint(status(500));
    const { id } = await stage.register(endpoint.url);
    stage.start();
    await say(stage, id, 2);
    await untilAttempts(stage, id, 1);
    await stage.redis.redis.flushdb();
    endpoint.answer = OK;
    await makeDue(stage, id);
    await untilStatuses(stage, id, delivered(2));
    await say(stage, id);
    await untilStatuses(stage, id, delivered(3));
  });

  it('deliver without any Redis, and end in time', async () => {
    const endpoint = await stage.endpoint();
    const { id } = await stage.register(endpoint.url);
    const notifier = stage.start({ redisUrl: `redis://127.0.0.1:${await freePort()}` });
    await say(stage, id, 3);
    await untilStatuses(stage, id, delivered(3));
    const startedAt = performance.now();
    await notifier.close();
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  it('are woken by the commit, not by the sweep', async () => {
    const endpoint = await stage.endpoint();
    const { id } = await stage.register(endpoint.url);
    stage.start({ pollMs: AN_HOUR });
    await say(stage, id);
    await untilStatuses(stage, id, delivered(1));
    await say(stage, id);
    await untilStatuses(stage, id, delivered(2));
  });

  it('listen again after the record cut them off', async () => {
    const endpoint = await stage.endpoint();
    const { id } = await stage.register(endpoint.url);
    stage.start({ pollMs: AN_HOUR });
    await say(stage, id);
    await untilStatuses(stage, id, delivered(1));
    await stage.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()`,
    );
    await say(stage, id);
    await untilStatuses(stage, id, delivered(2));
  });

  it('take up what a dead worker had in hand, and send it again', async () => {
    const endpoint = await stage.endpoint();
    const { id } = await stage.register(endpoint.url);
    await say(stage, id);
    await relayBatch({ database: stage.database, docsUrl: '' });
    // The dead one: it took the lane, and nobody heard of it again.
    expect((await takeLanes(stage.database, [{ id, lease: 'dead' }], 10))[0]?.due.length).toBe(1);
    expect(await takeLanes(stage.database, [{ id, lease: 'other' }], 10)).toEqual([null]);
    stage.start();
    await stage.database.query('update webhook_lanes set leased_until = now() where endpoint_id = $1', [id]);
    await untilStatuses(stage, id, delivered(1));
  });

  it('relay nothing by half: a relay that fails leaves its events for the next', async () => {
    const endpoint = await stage.endpoint();
    const { id } = await stage.register(endpoint.url);
    await say(stage, id);
    const broken = {
      ...stage.database,
      transaction: <T>(work: Parameters<typeof stage.database.transaction<T>>[0]) =>
        stage.database.transaction<T>(async (sql) => {
          await work(sql);
          throw new Error('killed before the commit');
        }),
    };
    await expect(relayBatch({ database: broken, docsUrl: '' })).rejects.toThrow('killed');
    expect(await deliveriesOf(stage, id)).toEqual([]);
    stage.start();
    await untilStatuses(stage, id, delivered(1));
  });

  it('cut their waits short when they close, and the delivery is not counted as failed', async () => {
    const endpoint = await stage.endpoint(HANG);
    const { id } = await stage.register(endpoint.url);
    const notifier = stage.start({ answerLimitMs: 60_000 });
    await say(stage, id);
    await expect.poll(() => endpoint.received.length, PATIENT).toBe(1);
    await notifier.close();
    expect(await deliveriesOf(stage, id)).toMatchObject([{ status: 'waiting', attempts: 0 }]);
    endpoint.answer = OK;
    stage.start();
    await untilStatuses(stage, id, delivered(1));
  });
});

describe('live webhooks stay out of private networks', () => {
  const forbidden = { status: 'waiting', failure: 'forbidden_address', status_code: null };

  it.each(['https://127.0.0.1/', 'https://10.0.0.1/', 'https://[::ffff:127.0.0.1]/', 'https://localhost/'])(
    'not to %s',
    async (url) => {
      const shop = await openShop(stage.database, { mode: 'live' });
      const { id } = await stage.register(url, undefined, shop);
      stage.start();
      await say(stage, id, 1, shop);
      expect(await untilAttempts(stage, id, 1)).toMatchObject(forbidden);
    },
  );

  it('nor those of test mode, unless the service is its user’s own machine', async () => {
    const endpoint = await stage.endpoint();
    const { id } = await stage.register(endpoint.url);
    stage.start({ privateTargets: false });
    await say(stage, id);
    expect(await untilAttempts(stage, id, 1)).toMatchObject(forbidden);
    expect(endpoint.received).toEqual([]);
  });

  it('nor to a public name that DNS leads there: what counts is the address that is connected to', async () => {
    const shop = await openShop(stage.database, { mode: 'live' });
    const endpoint = await stage.endpoint();
    const { id } = await stage.register(endpoint.url.replace('127.0.0.1', 'hooks.example.com'), undefined, shop);
    // As a lying DNS would have it.
    const connections = new Connections((_host, options, callback) => publicLookup('localhost', options, callback));
    stage.start({ connections });
    await say(stage, id, 1, shop);
    expect(await untilAttempts(stage, id, 1)).toMatchObject(forbidden);
    expect(endpoint.received).toEqual([]);
  });
});

async function failuresOf(id: string): Promise<number | undefined> {
  const { rows } = await stage.database.query<{ failures: number }>(
    'select failures from webhook_lanes where endpoint_id = $1',
    [id],
  );
  return rows[0]?.failures;
}
