/** The rate limiter on a real Redis: shared by all processes, and without effect while Redis is away. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRateLimiter, RATE_LIMITS, type RateLimiter, type RateLimits } from '../../../src/http/api/rate-limiter.ts';
import { createLog } from '../../../src/lib/observability/log.ts';
import { createTestRedis, type TestRedis } from '../../support/redis.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const log = createLog({ level: 'silent', instance: 'test' });
/** So long that Redis counts as available even on a busy machine. */
const PATIENT_MS = 120_000;

let redis: TestRedis;
beforeAll(async () => {
  redis = await createTestRedis();
});
afterAll(() => redis.close());

const open: RateLimiter[] = [];
afterEach(() => {
  for (const limiter of open.splice(0)) limiter.close();
});

async function openLimiter(limits: RateLimits = RATE_LIMITS): Promise<RateLimiter> {
  const limiter = await openRateLimiter({ redisUrl: redis.url, log, limits, commandLimitMs: PATIENT_MS });
  open.push(limiter);
  return limiter;
}

test('has the documented limits for keys, addresses, failed authentications, wrong links and sign-ins', () => {
  expect(RATE_LIMITS).toEqual({
    key: { requests: 200, windowSeconds: 2 },
    address: { requests: 30, windowSeconds: 6 },
    failure: { requests: 20, windowSeconds: 60 },
    link: { requests: 10, windowSeconds: 60 },
    signIn: { requests: 30, windowSeconds: 600 },
  });
});

test('counts over all processes', async () => {
  const limits = { ...RATE_LIMITS, key: { requests: 50, windowSeconds: 600 } };
  const limiters = await Promise.all([1, 2, 3].map(() => openLimiter(limits)));
  const usages = await Promise.all(
    Array.from({ length: 90 }, (_, index) => limiters[index % 3]?.count('key', 'shared')),
  );
  expect(usages.filter((usage) => usage?.isAllowed === true)).toHaveLength(50);
});

test('allows requests again when the window ends', async () => {
  const limiter = await openLimiter({ ...RATE_LIMITS, address: { requests: 2, windowSeconds: 3_600 } });
  const count = () => limiter.count('address', 'refilled');
  await count();
  await count();
  const refused = await count();
  expect(refused).toMatchObject({ isAllowed: false, remaining: 0 });
  expect(refused?.resetSeconds).toBeGreaterThan(3_500);
  expect(refused?.resetSeconds).toBeLessThanOrEqual(3_600);
  await redis.redis.pexpire('ringkey:rate:address:refilled', 10);
  await expect.poll(async () => (await count())?.isAllowed, { interval: 20 }).toBe(true);
});

test('lets counters in Redis expire', async () => {
  const limiter = await openLimiter({ ...RATE_LIMITS, address: { requests: 2, windowSeconds: 3_600 } });
  await limiter.count('address', 'gone');
  const leftSeconds = await redis.redis.ttl('ringkey:rate:address:gone');
  expect(leftSeconds).toBeGreaterThan(0);
  expect(leftSeconds).toBeLessThanOrEqual(3_600);
});

test('counts a key and an address with the same name separately', async () => {
  const limiter = await openLimiter();
  await limiter.count('key', 'same');
  expect(await limiter.count('address', 'same')).toMatchObject({ remaining: 29 });
});

let proxy: TcpProxy;
beforeEach(async () => {
  proxy = await startTcpProxy();
});
afterEach(() => proxy.close());

test('waits for a hanging Redis once a second at most, and uses it again when it responds', async () => {
  const limiter = await openRateLimiter({ redisUrl: proxy.forwardTo(redis.url), log });
  open.push(limiter);
  const count = () => limiter.count('address', '203.0.113.1');
  proxy.stall();
  for (let index = 0; index < 20; index += 1) expect(await count()).toBeNull();
  // Each wait counts as a failure. There is one a second, and more only if the machine freezes in between.
  expect(limiter.failures).toBeGreaterThan(0);
  expect(limiter.failures).toBeLessThan(10);
  proxy.restore();
  await expect.poll(async () => (await count())?.isAllowed).toBe(true);
});
