/** Redis is flushed, hangs, is away: payments go on, everything is told, and a metric says that nobody counts requests. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../support/random.ts';
import { soon } from '../support/checkouts.ts';
import { audit, auditTelling, untold } from './charge-audit.ts';
import { type Rig, startRig } from './chaos-harness.ts';
import { openShop, type Shop } from './saved-card-sessions.ts';

const LIMIT_MS = 60_000;
const CHARGES = 5;
const random = seededRandom(11);

let rig: Rig;
let shop: Shop;
beforeAll(async () => {
  rig = await startRig();
  shop = await openShop(rig.product.record.database, { visa: 1 });
}, 120_000);
afterAll(() => rig.close());

/** Charges so far: each has two events. */
let charged = 0;

/** @returns the answers' statuses */
async function charge(count: number): Promise<number[]> {
  charged += count;
  const orders = await shop.openOrders(count, random);
  const answers = orders.map((order) =>
    fetch(`${rig.product.baseUrl}/v1/charge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rig.keys[0]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ checkout_session_id: order.sessionId, instrument_id: order.draw(random) }),
    }),
  );
  return Promise.all(answers.map(async (answer) => (await answer).status));
}

/** Requests that Redis did not answer, as /metrics has it. */
async function failures(): Promise<number> {
  const text = await (await fetch(`${rig.product.baseUrl}/metrics`)).text();
  return Number(/^ringkey_redis_failures (\d+)$/m.exec(text)?.[1]);
}

test.each<[string, () => unknown, boolean]>([
  ['is flushed', () => rig.product.redis.redis.flushdb(), false],
  ['hangs', () => rig.redis.stall(), true],
  ['is away', () => rig.redis.cut(), true],
])('%s', { timeout: 2 * LIMIT_MS }, async (_name, befall, isMissed) => {
  const { database } = rig.product.record;
  const before = await failures();
  await befall();
  expect(await charge(CHARGES)).toEqual(Array(CHARGES).fill(200));
  // For a second after a failure nobody asks Redis.
  if (isMissed) {
    await soon(LIMIT_MS, async () => {
      expect(await charge(1)).toEqual([200]);
      expect(await failures()).toBeGreaterThan(before);
    });
  }
  // The sweep finds what no wake-up told of.
  await soon(LIMIT_MS, async () => expect(rig.integrator.heard.size).toBe(2 * charged));
  rig.redis.restore();
  expect(await charge(CHARGES)).toEqual(Array(CHARGES).fill(200));
  await soon(LIMIT_MS, async () => expect(await untold(database)).toBe(0));
  expect(rig.integrator.odd).toEqual([]);
  expect(await audit(database)).toEqual([]);
  expect(await auditTelling(database, rig.integrator.heard)).toEqual([]);
});
