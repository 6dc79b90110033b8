/** The rate limiter on a real Redis: shared by all processes, and without effect while Redis is away. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTransferCodes } from '../../../src/app/transfer-codes.ts';
import { parseId } from '../../../src/domain/ids.ts';
import { openRateLimiter, RATE_LIMITS, type RateLimiter, type RateLimits } from '../../../src/http/api/rate-limiter.ts';
import { createLog } from '../../../src/lib/observability/log.ts';
import { createFingerprint } from '../../../src/lib/vault/fingerprint.ts';
import type { CodeCaller } from '../../../src/phone/deps.ts';
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

test('has the documented limits for keys, addresses, failed authentications, wrong links and codes, answers and sign-ins', () => {
  expect(RATE_LIMITS).toEqual({
    key: { requests: 200, windowSeconds: 2 },
    address: { requests: 30, windowSeconds: 6 },
    failure: { requests: 20, windowSeconds: 60 },
    link: { requests: 10, windowSeconds: 60 },
    answer: { requests: 10, windowSeconds: 60 },
    signIn: { requests: 30, windowSeconds: 600 },
    transferCode: { requests: 10, windowSeconds: 3_600 },
    accountCode: { requests: 300, windowSeconds: 3_600 },
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

test('limits wrong transfer codes per caller of a trunk and per account', async () => {
  const wrong = (requests: number) => ({ requests, windowSeconds: 3_600 });
  const limits = { ...RATE_LIMITS, transferCode: wrong(2), accountCode: wrong(4) };
  const codes = createTransferCodes(createFingerprint(randomBytes(32)), await openLimiter(limits));
  const callerOf = (number: string, accountId = 'acct_a'): CodeCaller => {
    const id = parseId('Account', accountId);
    if (id === null) throw new Error('no account ID');
    return { accountId: id, trunk: '192.0.2.0/24', number };
  };
  const [one, other, third] = ['+15550100001', '+15550100002', 'withheld'].map((number) => callerOf(number));
  if (!one || !other || !third) throw new Error('three callers');
  expect(await codes.mayTry(one)).toBe(true);
  for (const caller of [one, one]) await codes.countWrong(caller);
  expect([await codes.mayTry(one), await codes.mayTry(other)]).toEqual([false, true]);
  for (const caller of [other, third]) await codes.countWrong(caller);
  expect(await codes.mayTry(third)).toBe(false);
  expect(await codes.mayTry(callerOf('+15550100001', 'acct_b'))).toBe(true);
  const keys = await redis.redis.keys('ringkey:rate:transferCode:*');
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.join()).not.toMatch(/5550100001/);
});
