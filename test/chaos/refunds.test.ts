/**
 * Kills the app with SIGKILL under a load of refunds, as charges.test.ts does with charges, and compares the database
 * with the sandbox's refunds. RINGKEY_CHAOS_KILLS and RINGKEY_CHAOS_SEED set the number of kills and the random seed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/checkouts.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { type ChaosHarness, startChaosHarness } from './chaos-harness.ts';
import { type AnsweredRefund, agePendingRefunds, auditRefunds, countPendingRefunds } from './refund-audit.ts';
import { ALL_CARDS, insertPaidCharges, type RefundRequest, runRefundLoad } from './refund-load.ts';

const KILLS = Number(process.env.RINGKEY_CHAOS_KILLS ?? 5);
const SEED = Number(process.env.RINGKEY_CHAOS_SEED ?? 1);
const CLIENTS = 24;
const CHARGES_A_ROUND = 60;
/** The latest packet to kill at. A refund takes a dozen packets or more, and many refunds are in flight at once. */
const LATEST_PACKET = 2_400;
const LIMIT_A_KILL_MS = 120_000;
const SETTLED_LIMIT_MS = 600_000;

let harness: ChaosHarness;
const answers: AnsweredRefund[] = [];
const unexpected: string[] = [];

beforeAll(async () => {
  harness = await startChaosHarness();
});

afterAll(() => harness.close());

describe(`the app, killed ${KILLS} times (seed ${SEED}),`, () => {
  test(
    'never refunds twice or more than was charged, and settles every refund',
    async () => {
      const random = seededRandom(SEED);
      const { database } = harness.product.testDatabase;
      let again: readonly RefundRequest[] = [];
      let left = 0;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const charges = await insertPaidCharges(database, CHARGES_A_ROUND, { random, cardNames: ALL_CARDS });
        // Each kill covers its own part of the packets, so that a few kills cover the whole range.
        const dieAt = Math.ceil(((kill - random.next()) / KILLS) * LATEST_PACKET);
        again = await untilKilled(charges, again, { dieAt, random });
        left += await countPendingRefunds(database);
        // Only sometimes, so that some requests meet refunds and keys that are still pending.
        if (random.oneIn(2)) await agePendingRefunds(database);
        harness.redis.restore();
        await harness.product.startAgain();
      }
      await eventually(SETTLED_LIMIT_MS, async () => {
        await agePendingRefunds(database);
        expect(await countPendingRefunds(database)).toBe(0);
      });
      console.log(`chaos: ${KILLS} kills, ${left} refunds left pending, ${answers.length} answers`);
      expect(left).toBeGreaterThan(KILLS);
      expect(answers.length).toBeGreaterThan(KILLS);
      expect(unexpected).toEqual([]);
      expect(await auditRefunds(database, answers)).toEqual([]);
    },
    SETTLED_LIMIT_MS + KILLS * LIMIT_A_KILL_MS,
  );
});

/** Runs the load until the app is killed. @returns the unanswered requests */
function untilKilled(
  charges: readonly string[],
  again: readonly RefundRequest[],
  { dieAt, random }: { dieAt: number; random: Random },
): Promise<RefundRequest[]> {
  const { product, keys } = harness;
  const load = () =>
    runRefundLoad({
      baseUrl: product.baseUrl,
      keys,
      charges,
      again,
      random,
      clients: CLIENTS,
      onAnswer: (answer) => answers.push(answer),
      onUnexpected: (answer) => unexpected.push(answer),
    });
  return harness.killUnder(load, dieAt, random);
}
