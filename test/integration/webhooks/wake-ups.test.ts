import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { newId, type WebhookEndpointId } from '../../../src/domain/ids.ts';
import { openWakeUps, type WakeUps } from '../../../src/webhooks/wake-ups.ts';
import { createTestRedis, type TestRedis } from '../../support/redis.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { createRecordingLog } from '../payments/test-payments.ts';
import { POLL } from '../outbox/notification-harness.ts';

let redis: TestRedis;
const opened: WakeUps[] = [];
beforeAll(async () => {
  redis = await createTestRedis();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((wakeUps) => wakeUps.close()));
  // What was not carried in time would wake the next test.
  await redis.redis.flushdb();
});
afterAll(() => redis.close());

function open(redisUrl = redis.url) {
  const [woken, log] = [[] as WebhookEndpointId[], createRecordingLog()];
  const wakeUps = openWakeUps({ redisUrl, onWake: (id) => woken.push(id), log });
  opened.push(wakeUps);
  return { wakeUps, woken, lines: log.lines };
}

/** Until Redis takes it. */
const told = (wakeUps: WakeUps, id: WebhookEndpointId) =>
  expect
    .poll(
      () =>
        wakeUps.now([id]).then(
          () => true,
          () => false,
        ),
      POLL,
    )
    .toBe(true);

it('are carried by Redis to one worker, now or later, and leave nothing behind', async () => {
  const [one, other] = [open(), open()];
  const ids = Array.from({ length: 20 }, () => newId('WebhookEndpoint'));
  const late = newId('WebhookEndpoint');
  await told(one.wakeUps, late);
  await one.wakeUps.now(ids);
  await one.wakeUps.later(late, 300);
  const woken = () => [...one.woken, ...other.woken];
  await expect.poll(() => woken().length, POLL).toBe(22);
  expect(woken().sort()).toEqual([...ids, late, late].sort());
  const names = await redis.redis.keys('*');
  expect(names.every((name) => name.includes('{ringkey-webhooks}'))).toBe(true);
  await expect.poll(async () => (await redis.redis.keys('*:*:[0-9]*')).length, POLL).toBe(0);
});

it('are refused while Redis is away, at the start too, and carried when it is back', async () => {
  const proxy = await startTcpProxy();
  try {
    const url = proxy.forwardTo(redis.url);
    proxy.cut();
    const { wakeUps, woken, lines } = open(url);
    const id = newId('WebhookEndpoint');
    await expect(wakeUps.now([id])).rejects.toThrow('redis is away');
    await expect.poll(() => lines, POLL).toEqual(['redis is away: webhooks are found by sweeping the record']);
    proxy.restore();
    await told(wakeUps, id);
    await expect.poll(() => woken, POLL).toContain(id);
    proxy.stall();
    await expect(wakeUps.now([id])).rejects.toThrow();
    proxy.restore();
    await told(wakeUps, id);
  } finally {
    await Promise.all(opened.splice(0).map((wakeUps) => wakeUps.close()));
    await proxy.close();
  }
});

it('outlive a flush', async () => {
  const { wakeUps, woken } = open();
  const [first, second] = [newId('WebhookEndpoint'), newId('WebhookEndpoint')];
  await told(wakeUps, first);
  await expect.poll(() => woken, POLL).toContain(first);
  await redis.redis.flushdb();
  await wakeUps.now([second]);
  await expect.poll(() => woken, POLL).toContain(second);
});
