/** The BullMQ queue for webhooks and texts: shared by workers, and replaced by each process itself while Redis is away. */
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type JobQueue, openJobQueue } from '../../../src/lib/concurrency/job-queue.ts';
import { createTestRedis, type TestRedis } from '../../support/redis.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { createRecordingLog } from '../payments/test-payments.ts';
import { POLL } from './notification-harness.ts';

const NAME = '{ringkey-test}';
let redis: TestRedis;
const opened: JobQueue<string>[] = [];
beforeAll(async () => {
  redis = await createTestRedis();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((queue) => queue.close()));
  await redis.redis.flushdb();
});
afterAll(() => redis.close());

function openTestQueue(redisUrl = redis.url, run = async (_data: string): Promise<number | null> => null) {
  const [ran, log] = [[] as string[], createRecordingLog()];
  const runAndRemember = (data: string) => {
    ran.push(data);
    return run(data);
  };
  const queue = openJobQueue({ name: NAME, redisUrl, concurrency: 5, run: runAndRemember, log });
  opened.push(queue);
  return { queue, ran, lines: log.lines };
}

const jobsOf = (...data: string[]) => data.map((each) => ({ id: `job-${each}`, data: each }));

it('runs each job in one of its workers, and leaves nothing behind in Redis', async () => {
  const [one, other] = [openTestQueue(), openTestQueue()];
  const data = Array.from({ length: 50 }, (_, at) => `n${at}`);
  await one.queue.add(jobsOf(...data));
  await expect.poll(() => [...one.ran, ...other.ran].sort(), POLL).toEqual([...data].sort());
  const names = await redis.redis.keys('*');
  expect(names.every((name) => name.includes(NAME))).toBe(true);
  await expect.poll(() => redis.redis.keys('*:job-*'), POLL).toEqual([]);
});

it('runs a job again if it returns a delay, and never queues a job twice', async () => {
  let runs = 0;
  const { queue, ran } = openTestQueue(redis.url, async (data) => (data === 'later' && ++runs < 3 ? 20 : null));
  await queue.add([...jobsOf('later'), ...jobsOf('later')]);
  await expect.poll(() => runs, POLL).toBe(3);
  await queue.add(jobsOf('last'));
  await expect.poll(() => ran, POLL).toEqual(['later', 'later', 'later', 'last']);
});

it('runs jobs itself while Redis is away, also at startup, and shares them when it is back', async () => {
  const proxy = await startTcpProxy();
  try {
    const url = proxy.forwardTo(redis.url);
    proxy.cut();
    const { queue, ran, lines } = openTestQueue(url, async () => null);
    await queue.add(jobsOf('alone'));
    await expect.poll(() => ran, POLL).toEqual(['alone']);
    await expect.poll(() => lines, POLL).toContain('redis is unavailable: jobs run without it');
    proxy.restore();
    const other = openTestQueue();
    let count = 0;
    await expect
      .poll(async () => {
        count += 1;
        await queue.add(jobsOf(`shared${count}`));
        return other.ran.length;
      }, POLL)
      .toBeGreaterThan(0);
  } finally {
    await Promise.all(opened.splice(0).map((queue) => queue.close()));
    await proxy.close();
  }
});

it('runs a job once if Redis accepted it without responding, and runs jobs itself until Redis responds again', async () => {
  const proxy = await startTcpProxy();
  try {
    const { queue, ran } = openTestQueue(proxy.forwardTo(redis.url));
    const other = openTestQueue();
    const runsOf = (data: string) => [...ran, ...other.ran].filter((each) => each === data);
    // Jobs go through Redis once it is connected.
    await expect.poll(() => queue.add(jobsOf('shared')).then(() => other.ran), POLL).toContain('shared');
    proxy.stall();
    await queue.add(jobsOf('unanswered'));
    expect(runsOf('unanswered')).toEqual([]);
    await queue.add(jobsOf('alone'));
    await expect.poll(() => ran, POLL).toContain('alone');
    proxy.restore();
    await expect.poll(() => runsOf('unanswered'), POLL).toHaveLength(1);
    await expect.poll(() => queue.add(jobsOf('back')).then(() => other.ran), POLL).toContain('back');
    expect(runsOf('unanswered')).toHaveLength(1);
  } finally {
    await Promise.all(opened.splice(0).map((queue) => queue.close()));
    await proxy.close();
  }
});

it('uses Redis again after a timeout of its first version check', async () => {
  const info = Redis.prototype.info;
  let slow = true;
  let failed = 0;
  // The client's own check of a new connection passes a callback.
  const spy = vi.spyOn(Redis.prototype, 'info').mockImplementation(function (this: Redis, ...args: unknown[]) {
    const mustFail = slow && args.length === 0 && this.options.commandTimeout !== undefined;
    if (!mustFail) return Reflect.apply(info, this, args);
    failed += 1;
    return Promise.reject(new Error('Command timed out'));
  });
  try {
    const { queue } = openTestQueue();
    const other = openTestQueue();
    let count = 0;
    const addOne = () => queue.add(jobsOf(`n${++count}`));
    await expect.poll(() => addOne().then(() => failed), POLL).toBeGreaterThan(0);
    slow = false;
    await expect.poll(() => addOne().then(() => other.ran.length), POLL).toBeGreaterThan(0);
  } finally {
    spy.mockRestore();
  }
});

it('runs as many jobs at a time without Redis as with it, and leaves the rest to the sweep', async () => {
  let [underWay, most] = [0, 0];
  const { queue, ran } = openTestQueue('redis://127.0.0.1:1', async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    return null;
  });
  await queue.add(jobsOf(...Array.from({ length: 6_000 }, (_, at) => `n${at}`)));
  await expect.poll(() => ran.length, POLL).toBe(5_000);
  expect(most).toBe(5);
});
