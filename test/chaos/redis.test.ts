/**
 * If Redis is flushed, hangs or is unavailable, payments continue, every event is delivered, and a metric counts the
 * requests without a rate limit.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/checkouts.ts';
import { seededRandom } from '../support/random.ts';
import { type ChaosHarness, startChaosHarness } from './chaos-harness.ts';
import { auditCharges, auditNotifications, countUndelivered } from './charge-audit.ts';
import { createSavedCardSessions, type SavedCardSessions } from './saved-card-sessions.ts';

const LIMIT_MS = 600_000;
const CHARGES = 5;
const random = seededRandom(11);

let harness: ChaosHarness;
let merchant: SavedCardSessions;
beforeAll(async () => {
  harness = await startChaosHarness();
  merchant = await createSavedCardSessions(harness.product.testDatabase.database, { visa: 1 });
});
afterAll(() => harness.close());

/** The number of charges so far. Each has two events. */
let charged = 0;

/** @returns the answers' statuses */
async function charge(count: number): Promise<number[]> {
  charged += count;
  const sessions = await merchant.createSessions(count, random);
  const answers = sessions.map((order) =>
    fetch(`${harness.product.baseUrl}/v1/charge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${harness.keys[0]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ checkout_session_id: order.sessionId, instrument_id: order.pickCard(random) }),
    }),
  );
  return Promise.all(answers.map(async (answer) => (await answer).status));
}

/** Requests that Redis did not answer, from /metrics. */
async function failures(): Promise<number> {
  const text = await (await fetch(`${harness.product.baseUrl}/metrics`)).text();
  return Number(/^ringkey_redis_failures (\d+)$/m.exec(text)?.[1]);
}

test.each<[string, () => unknown, boolean]>([
  ['Redis is flushed', () => harness.product.testRedis.redis.flushdb(), false],
  ['Redis hangs', () => harness.redis.stall(), true],
  ['Redis is unavailable', () => harness.redis.cut(), true],
])(
  'charges succeed and all events are delivered when %s',
  { timeout: 2 * LIMIT_MS },
  async (_name, breakRedis, isMissed) => {
    const { database } = harness.product.testDatabase;
    const before = await failures();
    await breakRedis();
    expect(await charge(CHARGES)).toEqual(Array(CHARGES).fill(200));
    // Redis is not used for a second after a failure.
    if (isMissed) {
      await eventually(LIMIT_MS, async () => {
        expect(await charge(1)).toEqual([200]);
        expect(await failures()).toBeGreaterThan(before);
      });
    }
    // The sweep finds events whose wake-up was lost.
    await eventually(LIMIT_MS, async () => expect(harness.integrator.received.size).toBe(2 * charged));
    harness.redis.restore();
    expect(await charge(CHARGES)).toEqual(Array(CHARGES).fill(200));
    await eventually(LIMIT_MS, async () => expect(await countUndelivered(database)).toBe(0));
    expect(harness.integrator.unexpected).toEqual([]);
    expect(await auditCharges(database)).toEqual([]);
    expect(await auditNotifications(database, harness.integrator.received)).toEqual([]);
  },
);
