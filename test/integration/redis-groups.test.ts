/** Sentinels and clusters: what the service does with them, and while a master dies or hangs under load. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { openRateLimiter, RATE_LIMITS } from '../../src/http/api/rate-limiter.ts';
import { openJobQueue } from '../../src/lib/concurrency/job-queue.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { checkRedis } from '../../src/lib/redis/check.ts';
import { connectRedis } from '../../src/lib/redis/connect.ts';
import { openProgress } from '../../src/notifications/progress/progress.ts';
import { startProduct } from '../support/product.ts';
import { type RedisGroup, startCluster, startSentinels } from '../support/redis-groups.ts';
import { insertTestEvents, POLL, useNotificationHarness, waitForStatuses } from './outbox/notification-harness.ts';

const harness = useNotificationHarness();
const quiet = createLog({ level: 'silent', instance: 'test' });
const delivered = (count: number) => Array.from({ length: count }, () => 'delivered');

describe.each([
  ['Sentinels', startSentinels],
  ['a cluster', startCluster],
] as const)('with %s', (_name, start) => {
  let group: RedisGroup;
  beforeAll(async () => {
    group = await start();
  });
  afterAll(() => group.close());

  test('a URL of a single server ends the start with a sentence', async () => {
    for (const url of group.serverUrls) {
      await expect(checkRedis(url)).rejects.toThrow(/^REDIS_URL leads to a (Redis Sentinel|node of a Redis Cluster)/);
    }
    const settings = { RINGKEY_ROLES: 'api', RINGKEY_SYNTHESIZER: 'none', REDIS_URL: group.serverUrls[0] ?? '' };
    const failure = await startProduct(settings).then(
      (product) => product.close().then(() => 'it started'),
      (error: Error) => error.message,
    );
    expect(failure).toMatch(/REDIS_URL leads to a .*: write it as redis\+(sentinel|cluster):/);
    expect(failure).not.toMatch(/\n {4}at /);
  });

  test('every webhook is delivered, though a master dies under load', async () => {
    const own = await start();
    try {
      await checkRedis(own.url);
      const endpoint = await harness.endpoint();
      const { id } = await harness.register(endpoint.url);
      for (let worker = 0; worker < 2; worker += 1) harness.start({ redisUrl: own.url });
      const ids: string[] = [];
      const load = async (rounds: number) => {
        for (let round = 0; round < rounds; round += 1) ids.push(...(await insertTestEvents(harness, id, 10)));
      };
      await load(5);
      await expect.poll(() => endpoint.received.length, POLL).toBeGreaterThan(10);
      const loading = load(20);
      await own.signalMaster('SIGKILL');
      await loading;
      await own.failedOver();
      await load(5);
      await waitForStatuses(harness, id, delivered(300));
      expect(new Set(endpoint.received.map((event) => event.id))).toEqual(new Set(ids));
    } finally {
      await harness.stop();
      await own.close();
    }
  });

  test.each(['SIGKILL', 'SIGSTOP'] as const)('every queued job runs, though a master gets %s', async (signal) => {
    const own = await start();
    const redis = connectRedis(own.url, { commandTimeout: 2_000 });
    redis.on('error', () => undefined);
    const waiting = new Set<string>();
    const run = async (job: string) => {
      waiting.delete(job);
      return null;
    };
    const options = { name: '{ringkey-webhooks}', redisUrl: own.url, concurrency: 2, run, log: quiet };
    const queues = [1, 2].map(() => openJobQueue<string>(options));
    /** Like a sweep: adds what has not run yet. */
    const addWaiting = async () => {
      const jobs = [...waiting].map((data) => ({ id: data, data }));
      await Promise.all(queues.map((queue) => queue.add(jobs)));
      return waiting.size;
    };
    const load = (name: string) => {
      for (let at = 0; at < 500; at += 1) waiting.add(`${name}-${at}`);
      return addWaiting();
    };
    /** Jobs run, and by the queue: without Redis, the process itself runs them. */
    const runThrough = async (name: string) => {
      const key = 'bull:{ringkey-webhooks}:id';
      const isQueueUsed = async () => {
        await redis.del(key);
        await load(name);
        return redis.exists(key);
      };
      await expect.poll(isQueueUsed, POLL).toBe(1);
      await expect.poll(addWaiting, POLL).toBe(0);
    };
    try {
      await runThrough('before');
      const loading = load('during');
      await own.signalMaster(signal);
      await loading;
      await expect.poll(addWaiting, POLL).toBe(0);
      await own.failedOver();
      await runThrough('after');
    } finally {
      redis.disconnect();
      await Promise.all(queues.map((queue) => queue.close()));
      await own.close();
    }
  });

  test('rate limits count again, and messages arrive again, after a failover', async () => {
    const own = await start();
    const options = { redisUrl: own.url, log: quiet };
    const limiter = await openRateLimiter({ ...options, limits: RATE_LIMITS, commandLimitMs: 1_000 });
    const pollMs = { away: 100, connected: 600_000 };
    const [here, there] = [1, 2].map(() => openProgress({ ...options, pollMs }));
    const received: string[] = [];
    const sessionId = newId('CheckoutSession');
    there?.subscribe(sessionId, (news) => received.push(news));
    const clients = Array.from({ length: 30 }, (_, at) => `client ${at}`);
    const countAll = () => Promise.all(clients.map((client) => limiter.count('key', client)));
    const arrives = async () => {
      received.length = 0;
      await expect
        .poll(() => {
          here?.publish(sessionId, 'charge_changed');
          return received;
        }, POLL)
        .toContain('charge_changed');
    };
    try {
      await expect.poll(async () => (await countAll()).every((usage) => usage?.isAllowed), POLL).toBe(true);
      await arrives();
      await own.signalMaster('SIGKILL');
      await own.failedOver();
      await expect.poll(async () => (await countAll()).every((usage) => usage?.isAllowed), POLL).toBe(true);
      await arrives();
    } finally {
      limiter.close();
      here?.close();
      there?.close();
      await own.close();
    }
  });
});

test('a queue that Redis refuses runs its jobs in the process, and logs few of the refusals', async () => {
  const cluster = await startCluster();
  const [lines, ran] = [[] as string[], new Set<string>()];
  const write = (_fields: unknown, message?: string) => void lines.push(message ?? '');
  const log = { info: write, warn: write } as Parameters<typeof openJobQueue>[0]['log'];
  const run = async (job: string) => {
    ran.add(job);
    return null;
  };
  // Replicas refuse every command to the queue.
  const replica = cluster.serverUrls.at(-1) ?? '';
  const queue = openJobQueue<string>({ name: '{ringkey-webhooks}', redisUrl: replica, concurrency: 2, run, log });
  try {
    const jobs = Array.from({ length: 20 }, (_, at) => ({ id: `job-${at}`, data: `job-${at}` }));
    await expect
      .poll(() => queue.add(jobs).then(() => [...lines]), POLL)
      .toContain('job queue failed: the sweep takes its jobs from the database');
    await expect.poll(() => ran.size, POLL).toBe(20);
    expect(lines.length).toBeLessThan(8);
  } finally {
    await queue.close();
    await cluster.close();
  }
});

test('a form of the URL that does not fit, or an unknown master, ends the start with a sentence', async () => {
  const single = harness.redis.url.replace(/\/\d+$/, '');
  await expect(checkRedis(single.replace('redis://', 'redis+cluster://'))).rejects.toThrow(
    'REDIS_URL leads to a single Redis server: write it as redis://host:6379',
  );
  const sentinels = await startSentinels();
  try {
    await expect(checkRedis(sentinels.url.replace('ringkey-master', 'other'))).rejects.toThrow(
      'REDIS_URL names the master "other", which its Sentinels do not know.',
    );
  } finally {
    await sentinels.close();
  }
});
