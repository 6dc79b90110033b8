/**
 * Kills the app (`dist/main.js`, roles api and worker) with SIGKILL under a load of charges, captures, voids and bank debits, between
 * two random packets of its database connections. Then compares the database with the sandbox's payments and the webhooks received.
 *
 * Each kill needs a start of the app, 2 s and more, so `npm test` does a few, each of which interrupts many charges;
 * `npm run chaos` does 500. RINGKEY_CHAOS_KILLS and RINGKEY_CHAOS_SEED set the number and the random seed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/checkouts.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { type ChaosHarness, startChaosHarness } from './chaos-harness.ts';
import {
  agePendingCharges,
  auditCharges,
  auditNotifications,
  countCutCharges,
  countUndelivered,
  releaseClaims,
} from './charge-audit.ts';
import { type AnsweredCharge, type ChargeLoad, startChargeLoad } from './charge-load.ts';
import { debitAccounts, describeDebits, letBankReturn, settleReturning } from './debit-load.ts';
import {
  ALL_CARDS,
  createSavedCardSessions,
  type PayableSession,
  type SavedCardSessions,
} from './saved-card-sessions.ts';

const KILLS = Number(process.env.RINGKEY_CHAOS_KILLS ?? 10);
const SEED = Number(process.env.RINGKEY_CHAOS_SEED ?? 1);
const CLIENTS = 24;
/**
 * As many as there are requests in flight, and some for later requests. Each must expire and send its event at the end.
 */
const SESSIONS_A_ROUND = 48;
/** Few: each has up to six events and texts. */
const DEBITS_A_ROUND = 8;
/** The latest packet to kill at. A charge takes about ten packets, and many charges are in flight at once. */
const LATEST_PACKET = 900;
/** How many interrupted charges are requested again after the restart, as a client would do. */
const RETRIED = 12;
const LIMIT_A_KILL_MS = 120_000;
/** Time to settle and deliver everything at the end, which grows with the number of kills. */
const AFTERWARDS_MS = 600_000 + KILLS * 2_000;

let harness: ChaosHarness;
let merchant: SavedCardSessions;
const answers: AnsweredCharge[] = [];
const unexpected: string[] = [];

beforeAll(async () => {
  harness = await startChaosHarness();
  merchant = await createSavedCardSessions(harness.product.testDatabase.database, ALL_CARDS, true);
});

afterAll(() => harness.close());

describe(`the app, killed ${KILLS} times (seed ${SEED}),`, () => {
  test(
    'never charges twice, and reports every outcome exactly once',
    async () => {
      const random = seededRandom(SEED);
      let again: readonly PayableSession[] = [];
      let cut = 0;
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const sessions = [...again, ...(await merchant.createSessions(SESSIONS_A_ROUND, random))];
        await settleReturning(harness.product.testDatabase.database);
        const since = new Date();
        const [load] = await Promise.all([
          untilKilled(sessions, await heldCharges(), random),
          debitAccounts(harness.product.testDatabase.database, DEBITS_A_ROUND, random),
        ]);
        cut += await countCutCharges(harness.product.testDatabase.database, since);
        again = load.interrupted.slice(0, RETRIED);
        // Only sometimes, so that some requests meet charges that are still pending.
        if (random.oneIn(2)) await agePendingCharges(harness.product.testDatabase.database);
        if (random.oneIn(2) || kill === KILLS) await releaseClaims(harness.product.testDatabase.database);
        harness.redis.restore();
        await harness.product.startAgain();
      }
      const returned = await letBankReturn(harness.product.testDatabase.database, AFTERWARDS_MS);
      await harness.settleAll();
      await expireOpenSessions();
      await everythingDelivered();
      const { received } = harness.integrator;
      const twice = [...received.values()].filter((times) => times > 1).length;
      console.log(`chaos: ${KILLS} kills, ${cut} charges cut in the middle, ${answers.length} answers`);
      console.log(`chaos: holds ${await describeHolds()}`);
      console.log(`chaos: debits ${await describeDebits(harness.product.testDatabase.database)}, ${returned} returned`);
      console.log(`chaos: ${received.size} events received, ${twice} of them more than once`);
      expect(cut).toBeGreaterThan(KILLS);
      expect(returned).toBeGreaterThan(0);
      expect(await auditCharges(harness.product.testDatabase.database, answers)).toEqual([]);
      expect(await auditNotifications(harness.product.testDatabase.database, received)).toEqual([]);
      expect([...unexpected, ...harness.integrator.unexpected]).toEqual([]);
    },
    2 * AFTERWARDS_MS + KILLS * LIMIT_A_KILL_MS,
  );
});

async function heldCharges(): Promise<string[]> {
  const { rows } = await harness.product.testDatabase.database.query<{ id: string }>(
    `select id from charges where status = 'authorized' order by created_at desc limit 20`,
  );
  return rows.map(({ id }) => id);
}

/** The statuses of all holds and of their captures and voids, for the log. */
async function describeHolds(): Promise<string> {
  const { rows } = await harness.product.testDatabase.database.query<{ text: string }>(
    `select string_agg(what || ' ' || n, ', ' order by what) as text from (
       select status::text as what, count(*) as n from charges where capture = 'manual' group by 1
       union all select kind || ' ' || status || coalesce(' (' || failure || ')', ''), count(*) from hold_changes group by 1) counted`,
  );
  return rows[0]?.text ?? 'none';
}

/** Runs the load until the app is killed. */
function untilKilled(
  sessions: readonly PayableSession[],
  held: readonly string[],
  random: Random,
): Promise<ChargeLoad> {
  const { product, keys } = harness;
  const startLoad = async () => {
    const load = startChargeLoad({
      baseUrl: product.baseUrl,
      keys,
      sessions,
      held,
      random,
      clients: CLIENTS,
      endsWithService: true,
      onAnswer: (answer) => answers.push(answer),
      onUnexpected: (answer) => unexpected.push(answer),
    });
    await load.over;
    return load;
  };
  return harness.killUnder(startLoad, 1 + random.below(LATEST_PACKET), random);
}

/** Expires all open sessions and waits for their last events. */
async function expireOpenSessions(): Promise<void> {
  const { database } = harness.product.testDatabase;
  await database.query(`update checkout_sessions set expires_at = now() where status = 'open'`);
  await eventually(AFTERWARDS_MS, async () => {
    const { rows } = await database.query(`select id from checkout_sessions where status = 'open' limit 1`);
    expect(rows).toEqual([]);
  });
}

/** Waits until every event is delivered and every text sent. */
async function everythingDelivered(): Promise<void> {
  await eventually(AFTERWARDS_MS, async () =>
    expect(await countUndelivered(harness.product.testDatabase.database)).toBe(0),
  );
}
