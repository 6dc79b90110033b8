/** How the product starts and stops: servers that come late, wrong passwords, wrong settings, old databases. */
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { startProduct } from '../support/product.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const QUICK = { RINGKEY_ROLES: 'api', RINGKEY_SYNTHESIZER: 'none' };

test('waits at startup until PostgreSQL and Redis respond', async () => {
  const [postgres, redis] = await Promise.all([startTcpProxy(), startTcpProxy()]);
  postgres.cut();
  redis.cut();
  const starting = startProduct(({ databaseUrl, redisUrl }) => ({
    ...QUICK,
    DATABASE_URL: postgres.forwardTo(databaseUrl),
    REDIS_URL: redis.forwardTo(redisUrl),
  }));
  try {
    await expect.poll(() => postgres.refused).toBeGreaterThan(2);
    postgres.restore();
    await expect.poll(() => redis.refused).toBeGreaterThan(2);
    redis.restore();
    const product = await starting;
    expect(product.output().match(/server does not respond yet, retrying/g)).toHaveLength(2);
    expect((await fetch(`${product.baseUrl}/readyz`)).status).toBe(200);
  } finally {
    await starting.then(
      (product) => product.close(),
      () => undefined,
    );
    await Promise.all([postgres.close(), redis.close()]);
  }
});

test('prints a working pay link at the start of a demo, does not log it, and stops with exit code 0', async () => {
  const product = await startProduct({ ...QUICK, RINGKEY_SHUTDOWN_DELAY_SECONDS: '1' });
  try {
    const pattern = /http:\/\/localhost:\d+\/p\/[a-z2-9]{12}/;
    // It is printed when everything is ready, shortly after `/readyz` returns 200.
    await expect.poll(product.output).toMatch(pattern);
    const [link = ''] = pattern.exec(product.output()) ?? [];
    const page = await fetch(link);
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('Demo Diner');
    expect(html).toContain('$42.50');
    const logged = product
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    expect(logged.filter((line) => line.includes(link.slice(-12)))).toEqual([]);
    expect(await product.stop()).toBe(0);
  } finally {
    await product.close();
  }
});

test('returns 503 from /readyz before it stops listening, and still answers requests', async () => {
  // Long enough for slow machines. The test does not wait for the end.
  const product = await startProduct({ ...QUICK, RINGKEY_SHUTDOWN_DELAY_SECONDS: '60' });
  try {
    process.kill(product.pid(), 'SIGTERM');
    const ready = () => fetch(`${product.baseUrl}/readyz`).then(({ status }) => status);
    await expect.poll(ready).toBe(503);
    const body = JSON.stringify({ caller_phone: '+15550101234' });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${product.baseUrl}/v1/identify`, { method: 'POST', headers, body })).status).toBe(200);
  } finally {
    await product.stop('SIGKILL');
    await product.close();
  }
});

test.each(['DATABASE_URL', 'REDIS_URL'])(
  'does not start with a wrong password in %s, and names the setting',
  async (setting) => {
    const withWrong = (url: string) => Object.assign(new URL(url), { password: 'wrong' }).href;
    const failure = await startProduct(({ databaseUrl, redisUrl }) => ({
      ...QUICK,
      [setting]: withWrong(setting === 'DATABASE_URL' ? databaseUrl : redisUrl),
    })).then(
      (product) => product.close().then(() => 'it started'),
      (error: Error) => error.message,
    );
    expect(failure).toMatch(
      new RegExp(`(PostgreSQL|Redis) at 127\\.0\\.0\\.1:\\d+ refuses the connection .*: check ${setting}\\.`),
    );
    expect(failure).not.toMatch(/\n {4}at /);
  },
);

test('does not start with an external database without encryption keys', async () => {
  const failure = await startProduct({ ...QUICK, RINGKEY_ENCRYPTION_KEYS: '' }).then(
    (product) => product.close().then(() => 'it started'),
    (error: Error) => error.message,
  );
  expect(failure).toContain('RINGKEY_ENCRYPTION_KEYS must be set when DATABASE_URL is');
  expect(failure).not.toMatch(/\n {4}at /);
});

test('warns of an unknown setting with the nearest name, without its value', async () => {
  const product = await startProduct({ ...QUICK, RINGKEY_ENCRYPTION_KEY: 'a-secret', RINGKEY_KITCHEN: 'open' });
  try {
    const warnings = product
      .output()
      .split('\n')
      .filter((line) => line.includes('unknown setting'));
    expect(warnings.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ setting: 'RINGKEY_ENCRYPTION_KEY', nearestSetting: 'RINGKEY_ENCRYPTION_KEYS' }),
      expect.objectContaining({ setting: 'RINGKEY_KITCHEN', nearestSetting: null }),
    ]);
    expect(product.output()).not.toContain('a-secret');
  } finally {
    await product.close();
  }
});

test('does not start on a database of a version before 0.2.0, and says what to do', async () => {
  const old = await createTestDatabase();
  await old.database.query(`update migrations set name = '0001_record'`);
  await old.close();
  const failure = await startProduct({ ...QUICK, DATABASE_URL: old.url }).then(
    (product) => product.close().then(() => 'it started'),
    (error: Error) => error.message,
  );
  expect(failure).toContain('The database was created by a version before 0.2.0, and cannot be upgraded.');
  expect(failure).toContain('set DATABASE_URL to a new, empty one');
  expect(failure).not.toMatch(/\n {4}at /);
});
