/** Rate limits: counted in Redis, shown in headers, and not applied while Redis is unavailable. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { ErrorObject } from '../../src/contract/error-object.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { limitGuesses, openRateLimiter } from '../../src/http/api/rate-limiter.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { freePort } from '../support/ports.ts';
import { startTestApi, type TestApi } from './test-api.ts';

/** A window that is longer than any test. */
const SLOW = { requests: 3, windowSeconds: 300 };
const rateLimits = {
  key: SLOW,
  address: SLOW,
  failure: { requests: 20, windowSeconds: 300 },
  link: SLOW,
  answer: SLOW,
  signIn: SLOW,
  transferCode: SLOW,
  accountCode: SLOW,
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ rateLimits, trustedProxies: ['127.0.0.0/8'] });
});
afterAll(() => api.close());

const newKey = async () => (await issueKey(api.database, SYSTEM, { accountId: DEMO_ACCOUNT, mode: 'test' })).text;
const withKey = (key: string) => fetch(`${api.url}/v1/keys?limit=1`, { headers: { authorization: `Bearer ${key}` } });
const keyless = (headers: Record<string, string> = {}) => fetch(`${api.url}/v1/keys?limit=1`, { headers });
const statuses = async (count: number, ask: () => Promise<Response>) => {
  const answers: number[] = [];
  for (let index = 0; index < count; index += 1) answers.push((await ask()).status);
  return answers;
};

describe('a key', () => {
  test('limits a key, and shows the rest of the limit in each answer', async () => {
    const key = await newKey();
    const answers = [await withKey(key), await withKey(key), await withKey(key), await withKey(key)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const tell = (name: string) => answers.map(({ headers }) => headers.get(name));
    expect(tell('ratelimit-limit')).toEqual(['3', '3', '3', '3']);
    expect(tell('ratelimit-remaining')).toEqual(['2', '1', '0', '0']);
    // Whole seconds, less those that the test itself took.
    const early = tell('ratelimit-reset').map((seconds) => 300 - Number(seconds));
    for (const seconds of early) expect(seconds).toSatisfy((gone: number) => gone >= 0 && gone < 150);
    expect(tell('ratelimit-policy')).toEqual(Array.from({ length: 4 }, () => '3;w=300'));
    expect(tell('retry-after').slice(0, 3)).toEqual([null, null, null]);
    expect(Number(tell('retry-after')[3])).toBeGreaterThan(150);
  });

  test('refuses further requests with rate_limit', async () => {
    const key = await newKey();
    await statuses(3, () => withKey(key));
    const { error } = (await (await withKey(key)).json()) as { error: ErrorObject };
    expect(ErrorObject.strict().parse(error)).toMatchObject({ code: 'rate_limit', audience: 'caller' });
  });

  test('counts each key separately', async () => {
    const [one, two] = [await newKey(), await newKey()];
    expect(await statuses(4, () => withKey(one))).toEqual([200, 200, 200, 429]);
    expect((await withKey(two)).status).toBe(200);
  });

  test('limits an invalid key separately', async () => {
    const unknown = `rk_test_${'x'.repeat(40)}`;
    expect(await statuses(4, () => withKey(unknown))).toEqual([401, 401, 401, 429]);
    expect((await withKey(await newKey())).status).toBe(200);
  });
});

describe('guessing keys', () => {
  const guess = (address: string, authorization = `Bearer rk_test_${randomBytes(32).toString('base64url')}`) =>
    api.get('/v1/keys', { authorization, 'x-forwarded-for': address });

  /** Key look-ups that PostgreSQL was asked for. */
  function lookups(): { count: number; restore(): void } {
    const { query } = api.database;
    const seen = { count: 0, restore: () => Object.assign(api.database, { query }) };
    Object.assign(api.database, {
      query: (...args: Parameters<typeof query>) => {
        if (JSON.stringify(args[0]).includes('find_key')) seen.count += 1;
        return query(...args);
      },
    });
    return seen;
  }

  test('refuses an address after twenty guesses without a database query, and no other address', async () => {
    const seen = lookups();
    try {
      for (let index = 0; index < 20; index += 1) expect((await guess('198.51.100.1')).status).toBe(401);
      expect(seen.count).toBe(20);
      const { status, headers, body } = await guess('198.51.100.1');
      expect([status, body.error.code, headers.get('ratelimit-remaining')]).toEqual([429, 'rate_limit', '0']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(150);
      // A malformed key counts as a guess, too. So does a valid key that is not cached yet.
      expect((await guess('198.51.100.1', 'Bearer secret')).status).toBe(429);
      expect((await guess('198.51.100.1', `Bearer ${await newKey()}`)).status).toBe(429);
      expect(seen.count).toBe(20);
    } finally {
      seen.restore();
    }
    expect((await guess('198.51.100.2')).status).toBe(401);
  });

  test('still accepts a cached key from an address that guesses', async () => {
    const key = await newKey();
    const own = () => guess('198.51.100.3', `Bearer ${key}`);
    expect((await own()).status).toBe(200);
    for (let index = 0; index < 20; index += 1) await guess('198.51.100.3');
    expect((await guess('198.51.100.3')).status).toBe(429);
    expect((await own()).status).toBe(200);
  });

  test('counts guesses across processes, and per process while Redis is unavailable', async () => {
    const log = createLog({ level: 'silent', instance: 'test' });
    const limits = { ...rateLimits, failure: { requests: 3, windowSeconds: 300 } };
    const [one, two] = await Promise.all(
      [1, 2].map(() => openRateLimiter({ redisUrl: api.redis.url, log, limits, commandLimitMs: 120_000 })),
    );
    const away = await openRateLimiter({ redisUrl: `redis://127.0.0.1:${await freePort()}`, log, limits });
    if (one === undefined || two === undefined) throw new Error('no limiters');
    try {
      for (const limiter of [one, away]) {
        const failed = limitGuesses(limiter, 'failure');
        for (let index = 0; index < 3; index += 1) {
          expect(await failed.refusal('198.51.100.4')).toBeNull();
          await failed.count('198.51.100.4');
        }
        expect(await failed.refusal('198.51.100.4')).toMatchObject({ isAllowed: false, remaining: 0 });
      }
      expect(await limitGuesses(two, 'failure').refusal('198.51.100.4')).toMatchObject({ isAllowed: false });
      expect(await limitGuesses(two, 'failure').refusal('198.51.100.5')).toBeNull();
    } finally {
      for (const limiter of [one, two, away]) limiter.close();
    }
  });
});

describe('the keyless demo', () => {
  test('counts keyless requests by the address that a trusted proxy names', async () => {
    const from = (address: string) => () => keyless({ 'x-forwarded-for': address });
    expect(await statuses(4, from('203.0.113.1'))).toEqual([200, 200, 200, 429]);
    expect(await statuses(1, from('203.0.113.2'))).toEqual([200]);
    // What stands before the address that the proxy saw is anybody's word.
    expect(await statuses(1, from('203.0.113.9, 203.0.113.1'))).toEqual([429]);
  });

  test('counts keyless requests by IPv6 network', async () => {
    const from = (address: string) => () => keyless({ 'x-forwarded-for': address });
    expect(await statuses(3, from('2001:db8:1:2::1'))).toEqual([200, 200, 200]);
    expect(await statuses(1, from('2001:db8:1:2:ffff::7'))).toEqual([429]);
    expect(await statuses(1, from('2001:db8:1:3::1'))).toEqual([200]);
  });

  test('counts keyless requests by the last untrusted address, also in IPv6 chains', async () => {
    const trustedProxies = ['127.0.0.0/8', '2001:db8:ffff::/48', '10.0.0.0/8'];
    const chained = await startTestApi({ rateLimits, trustedProxies });
    const from = (chain: string) => () => fetch(`${chained.url}/v1/keys`, { headers: { 'x-forwarded-for': chain } });
    try {
      expect(await statuses(3, from('2001:db8:1:2::9, 2001:db8:ffff::1, ::ffff:10.0.0.7'))).toEqual([200, 200, 200]);
      // Another host of the same network, by another way in, with something made up before it.
      expect(await statuses(1, from('192.0.2.1, 2001:db8:1:2::a, 2001:db8:ffff::2'))).toEqual([429]);
      expect(await statuses(1, from('2001:db8:1:3::9, 2001:db8:ffff::1'))).toEqual([200]);
      // Where the header names no address, the proxy's own is counted.
      const odd = ['unknown', '[2001:db8::1]:443', '_hidden', '2001:db8::zz'];
      const answers = [];
      for (const text of odd) answers.push(...(await statuses(1, from(text))));
      expect(answers).toEqual([200, 200, 200, 429]);
      const metrics = await fetch(`${chained.url}/metrics`, { headers: { 'x-forwarded-for': '2001:db8:1:2::9' } });
      expect(metrics.status).toBe(404);
    } finally {
      await chained.close();
    }
  });

  test('rejects keyless requests from an unknown proxy', async () => {
    const open = await startTestApi({ rateLimits });
    let host = 0;
    const ask = () => fetch(`${open.url}/v1/keys`, { headers: { 'x-forwarded-for': `203.0.113.${++host}` } });
    expect(await statuses(4, ask).finally(() => open.close())).toEqual([401, 401, 401, 401]);
  });
});

describe('without Redis', () => {
  test('lets requests pass uncounted while Redis is unavailable, and logs it once', async () => {
    const log: string[] = [];
    const logger = createLog({ level: 'debug', instance: 'test', destination: { write: (line) => log.push(line) } });
    const redisUrl = `redis://127.0.0.1:${await freePort()}`;
    const rateLimiter = await openRateLimiter({ redisUrl, log: logger, limits: rateLimits });
    const away = await startTestApi({ rateLimiter });
    try {
      for (let index = 0; index < 5; index += 1) {
        const { status, headers } = await away.get('/v1/keys');
        expect([status, headers.get('ratelimit-limit')]).toEqual([200, null]);
      }
      expect((await away.get('/v1/keys', { authorization: `Bearer rk_test_${'x'.repeat(40)}` })).status).toBe(401);
      expect(rateLimiter.failures).toBeGreaterThan(0);
      expect(log.filter((line) => line.includes('redis is unavailable'))).toHaveLength(1);
    } finally {
      await away.close();
      rateLimiter.close();
    }
  });
});
