/** What is told to Redis of a key's change arrives, whatever happens to Redis meanwhile. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { hashKey, newKey } from '../../../src/domain/key.ts';
import { createLog } from '../../../src/observability/log.ts';
import { type Gate, openGate } from '../../../src/api/gate.ts';
import type { ValidKey } from '../../../src/db/keys/keys.ts';
import { createTestRedis, type TestRedis } from '../../support/redis.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const quiet = createLog({ level: 'silent', instance: 'test' });
const LIMIT = { perSecond: 1_000, burst: 1_000 };

let redis: TestRedis;
beforeAll(async () => {
  redis = await createTestRedis();
});
afterAll(() => redis.close());

let proxy: TcpProxy;
/** Loses Redis in a test; the other one never does. */
let ours: Gate;
let theirs: Gate;
let keyHash: Buffer;
beforeEach(async () => {
  proxy = await startTcpProxy();
  ours = await openGate(proxy.forwardTo(redis.url), quiet);
  theirs = await openGate(redis.url, quiet, 10_000);
  keyHash = hashKey(newKey('test'));
});
afterEach(async () => {
  ours.close();
  theirs.close();
  await proxy.close();
});

function validKey(expiresAt: Date | null = null): ValidKey {
  return { id: newId('Key'), accountId: newId('Account'), mode: 'live', expiresAt };
}
const known = async (gate: Gate) => (await gate.enter({ keyHash }, LIMIT)).key;

test('what one process remembers all know', async () => {
  const key = validKey(new Date(Date.now() + 60_000));
  ours.remember(keyHash, key);
  await expect.poll(() => known(theirs), { interval: 5 }).toEqual(key);
});

test('nothing is remembered longer than the key lives', async () => {
  const key = validKey(new Date(Date.now() + 2_000));
  ours.remember(keyHash, key);
  await expect.poll(() => known(theirs), { interval: 5 }).toEqual(key);
  await expect.poll(() => known(theirs), { interval: 5 }).toBeNull();
  ours.remember(keyHash, validKey(new Date(Date.now() - 1)));
  expect(await known(theirs)).toBeNull();
});

test('what is forgotten stays so, although somebody late remembers it', async () => {
  ours.remember(keyHash, validKey());
  expect(await (await theirs.forget(keyHash)).everywhere).toBe(true);
  ours.remember(keyHash, validKey());
  expect([await known(ours), await known(theirs)]).toEqual([null, null]);
});

test('what could not be told is told when Redis is back', async () => {
  theirs.remember(keyHash, validKey());
  expect(await known(theirs)).not.toBeNull();
  proxy.cut();
  const { everywhere } = await ours.forget(keyHash);
  expect(await known(theirs)).not.toBeNull();
  proxy.restore();
  expect(await everywhere).toBe(true);
  expect(await known(theirs)).toBeNull();
});

test('close ends the trying', async () => {
  proxy.cut();
  const { everywhere } = await ours.forget(keyHash);
  ours.close();
  expect(await everywhere).toBe(false);
});

test('a process that was kept from running does not take that for a Redis that hangs', async () => {
  const gate = await openGate(redis.url, quiet, 500);
  const entry = gate.enter({ address: '203.0.113.2' }, LIMIT);
  // By then the question is on its way; the answer comes while nobody listens, and its time is over before anybody does.
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
  const { allowance } = await entry;
  gate.close();
  expect(allowance?.allowed).toBe(true);
});

test('a Redis that hangs costs one wait, and is used again when it answers', async () => {
  proxy.stall();
  const began = performance.now();
  for (let index = 0; index < 20; index += 1) {
    expect(await ours.enter({ address: '203.0.113.1' }, LIMIT)).toEqual({ allowance: null, key: null });
  }
  // Twenty waits would be five seconds.
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(ours.failures).toBeGreaterThan(0);
  proxy.restore();
  await expect.poll(async () => (await ours.enter({ address: '203.0.113.1' }, LIMIT)).allowance?.allowed).toBe(true);
});
