/**
 * Kills the app with SIGKILL under a load of refunds, as charges.test.ts does under one of charges, and holds the sandbox's
 * own books against ours. RINGKEY_CHAOS_KILLS and RINGKEY_CHAOS_SEED choose how often, and where.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../support/random.ts';
import { soon } from '../support/checkouts.ts';
import { auditRefunds, letRefundsPass, pendingRefunds, type ToldRefund } from './refund-audit.ts';
import { ALL_TEMPERS, goRefunding, openPaidCharges, type Wish } from './refund-load.ts';
import { type Rig, startRig } from './chaos-harness.ts';

const KILLS = Number(process.env.RINGKEY_CHAOS_KILLS ?? 5);
const SEED = Number(process.env.RINGKEY_CHAOS_SEED ?? 1);
const REFUNDERS = 24;
const CHARGES_A_ROUND = 60;
/** A refund is some fourteen packets: up to seven from each refunder, and those that came before are over by then. */
const LATEST_PACKET = 2_400;
const LIMIT_A_KILL_MS = 20_000;
const SETTLED_LIMIT_MS = 120_000;

let rig: Rig;
const told: ToldRefund[] = [];
const odd: string[] = [];

beforeAll(async () => {
  rig = await startRig();
}, 120_000);

afterAll(() => rig.close());

describe(`killed ${KILLS} times (seed ${SEED})`, () => {
  test(
    'the app gives nothing back twice, never too much, and every refund comes to its end',
    async () => {
      const random = seededRandom(SEED);
      const { database } = rig.product.record;
      let again: readonly Wish[] = [];
      let left = 0;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const charges = await openPaidCharges(database, CHARGES_A_ROUND, { random, urn: ALL_TEMPERS });
        // Each kill has its own stretch of the load, so that few kills are no luck.
        const dieAt = Math.ceil(((kill - random.next()) / KILLS) * LATEST_PACKET);
        again = await untilKilled(charges, again, { dieAt, random });
        left += await pendingRefunds(database);
        // Time passes now and then only: others meet their pending refunds, and their keys, as they were left.
        if (random.oneIn(2)) await letRefundsPass(database);
        rig.redis.restore();
        await rig.product.startAgain();
      }
      await soon(SETTLED_LIMIT_MS, async () => {
        await letRefundsPass(database);
        expect(await pendingRefunds(database)).toBe(0);
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
  again: readonly Wish[],
  { dieAt, random }: { dieAt: number; random: Random },
): Promise<Wish[]> {
  const { product, keys } = rig;
  const load = () =>
    goRefunding({
      ...{ baseUrl: product.baseUrl, keys, charges, again, random, refunders: REFUNDERS },
      told: (answer) => told.push(answer),
      odd: (answer) => odd.push(answer),
    });
  return rig.killUnder(load, dieAt, random);
}
