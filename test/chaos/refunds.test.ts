/**
 * Kills the app with SIGKILL under a load of refunds, as charges.test.ts does under one of charges, and holds the sandbox's
 * own books against ours. RINGKEY_CHAOS_KILLS and RINGKEY_CHAOS_SEED choose how often, and where.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../support/random.ts';
import { eventually } from '../support/checkouts.ts';
import { auditRefunds, agePendingRefunds, countPendingRefunds, type AnsweredRefund } from './refund-audit.ts';
import { ALL_CARDS, runRefundLoad, insertPaidCharges, type WantedRefund } from './refund-load.ts';
import { type ChaosHarness, startChaosHarness } from './chaos-harness.ts';

const KILLS = Number(process.env.RINGKEY_CHAOS_KILLS ?? 5);
const SEED = Number(process.env.RINGKEY_CHAOS_SEED ?? 1);
const CLIENTS = 24;
const CHARGES_A_ROUND = 60;
/** A refund is some fourteen packets: up to seven from each client, and those that came before are over by then. */
const LATEST_PACKET = 2_400;
const LIMIT_A_KILL_MS = 20_000;
const SETTLED_LIMIT_MS = 120_000;

let harness: ChaosHarness;
const told: AnsweredRefund[] = [];
const odd: string[] = [];

beforeAll(async () => {
  harness = await startChaosHarness();
}, 120_000);

afterAll(() => harness.close());

describe(`killed ${KILLS} times (seed ${SEED})`, () => {
  test(
    'the app gives nothing back twice, never too much, and every refund comes to its end',
    async () => {
      const random = seededRandom(SEED);
      const { database } = harness.product.testDatabase;
      let again: readonly WantedRefund[] = [];
      let left = 0;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const charges = await insertPaidCharges(database, CHARGES_A_ROUND, { random, cardNames: ALL_CARDS });
        // Each kill has its own stretch of the load, so that few kills are no luck.
        const dieAt = Math.ceil(((kill - random.next()) / KILLS) * LATEST_PACKET);
        again = await untilKilled(charges, again, { dieAt, random });
        left += await countPendingRefunds(database);
        // Time passes now and then only: others meet their pending refunds, and their keys, as they were left.
        if (random.oneIn(2)) await agePendingRefunds(database);
        harness.redis.restore();
        await harness.product.startAgain();
      }
      await eventually(SETTLED_LIMIT_MS, async () => {
        await agePendingRefunds(database);
        expect(await countPendingRefunds(database)).toBe(0);
      });
      console.log(`chaos: ${KILLS} kills, ${left} refunds left pending, ${told.length} answers`);
      expect(left).toBeGreaterThan(KILLS);
      expect(told.length).toBeGreaterThan(KILLS);
      expect(odd).toEqual([]);
      expect(await auditRefunds(database, told)).toEqual([]);
    },
    SETTLED_LIMIT_MS + KILLS * LIMIT_A_KILL_MS,
  );
});

/** Load until the app is dead. @returns what was never answered */
function untilKilled(
  charges: readonly string[],
  again: readonly WantedRefund[],
  { dieAt, random }: { dieAt: number; random: Random },
): Promise<WantedRefund[]> {
  const { product, keys } = harness;
  const load = () =>
    runRefundLoad({
      ...{ baseUrl: product.baseUrl, keys, charges, again, random, clients: CLIENTS },
      told: (answer) => told.push(answer),
      odd: (answer) => odd.push(answer),
    });
  return harness.killUnder(load, dieAt, random);
}
