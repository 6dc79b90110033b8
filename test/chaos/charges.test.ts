/**
 * Kills the app (`dist/main.js`, roles api and worker) with SIGKILL under a load of charges, between two packets of its
 * conversation with the record that chance picks, and holds the sandbox's own books, and what an integrator heard, against
 * ours.
 *
 * A kill costs a start of the whole app, 2 s and more, so `npm test` does a few, each of which cuts many charges at points of
 * their own; `npm run chaos` does 500 kills. RINGKEY_CHAOS_KILLS and RINGKEY_CHAOS_SEED choose otherwise.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../support/random.ts';
import { soon } from '../support/checkouts.ts';
import { audit, auditTelling, endClaims, letTimePass, pendingCharges, untold } from './charge-audit.ts';
import { type Rig, startRig } from './chaos-harness.ts';
import { ALL_TEMPERS, type Order, openShop, type Shop } from './saved-card-sessions.ts';
import { goShopping, type Shopping, type Told } from './charge-load.ts';

const KILLS = Number(process.env.RINGKEY_CHAOS_KILLS ?? 10);
const SEED = Number(process.env.RINGKEY_CHAOS_SEED ?? 1);
const SHOPPERS = 24;
const ORDERS_A_ROUND = 96;
/** A charge is some ten packets, and so many are under way at once. */
const LATEST_PACKET = 900;
/** Of what was cut short, this many are asked for again after the restart, as a client would. */
const ASKED_AGAIN = 12;
const LIMIT_A_KILL_MS = 20_000;
/** The more kills, the more sessions and events are left for the end. */
const AFTERWARDS_MS = 60_000 + KILLS * 1_000;

let rig: Rig;
let shop: Shop;
const told: Told[] = [];
const odd: string[] = [];

beforeAll(async () => {
  rig = await startRig();
  shop = await openShop(rig.product.record.database, ALL_TEMPERS);
}, 120_000);

afterAll(() => rig.close());

describe(`killed ${KILLS} times (seed ${SEED})`, () => {
  test(
    'the app never charges twice, loses no outcome, and tells of each once',
    async () => {
      const random = seededRandom(SEED);
      let again: readonly Order[] = [];
      let cut = 0;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const orders = [...again, ...(await shop.openOrders(ORDERS_A_ROUND, random))];
        const since = new Date();
        const shopping = await untilKilled(orders, random);
        cut += await pendingCharges(rig.product.record.database, since);
        again = shopping.cutShort.slice(0, ASKED_AGAIN);
        // Time passes now and then only: others meet their pending charges again.
        if (random.oneIn(2)) await letTimePass(rig.product.record.database);
        if (random.oneIn(2) || kill === KILLS) await endClaims(rig.product.record.database);
        rig.redis.restore();
        await rig.product.startAgain();
      }
      await rig.settleAll();
      await closeTheDay();
      await everythingTold();
      const { heard } = rig.integrator;
      const twice = [...heard.values()].filter((times) => times > 1).length;
      console.log(`chaos: ${KILLS} kills, ${cut} charges cut in the middle, ${told.length} answers`);
      console.log(`chaos: ${heard.size} events heard, ${twice} of them more than once`);
      expect(cut).toBeGreaterThan(KILLS);
      expect([...odd, ...rig.integrator.odd]).toEqual([]);
      expect(await audit(rig.product.record.database, told)).toEqual([]);
      expect(await auditTelling(rig.product.record.database, heard)).toEqual([]);
    },
    2 * AFTERWARDS_MS + KILLS * LIMIT_A_KILL_MS,
  );
});

/** Load until the app is dead. */
function untilKilled(orders: readonly Order[], random: Random): Promise<Shopping> {
  const { product, keys } = rig;
  const load = async () => {
    const shopping = goShopping({
      ...{ baseUrl: product.baseUrl, keys, orders, random, shoppers: SHOPPERS, endsWithService: true },
      told: (answer) => told.push(answer),
      odd: (answer) => odd.push(answer),
    });
    await shopping.over;
    return shopping;
  };
  return rig.killUnder(load, 1 + random.below(LATEST_PACKET), random);
}

/** Every session comes to its end, and its last event. */
async function closeTheDay(): Promise<void> {
  const { database } = rig.product.record;
  await database.query(`update checkout_sessions set expires_at = now() where status = 'open'`);
  await soon(AFTERWARDS_MS, async () => {
    const { rows } = await database.query(`select id from checkout_sessions where status = 'open' limit 1`);
    expect(rows).toEqual([]);
  });
}

/** Every event has been relayed and delivered, every text sent; more of them than one endpoint hears in a moment. */
async function everythingTold(): Promise<void> {
  await soon(AFTERWARDS_MS, async () => expect(await untold(rig.product.record.database)).toBe(0));
}
