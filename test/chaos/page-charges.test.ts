/**
 * Like charges.test.ts, for payers on the pay page, most with cards whose bank asks for authentication (3-D Secure).
 * The app is killed at every step of such a charge. Afterwards no payer has paid twice, every receipt has a payment,
 * and no payment is waiting.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPayLink } from '../../src/checkout/pay-link.ts';
import { insertPayLink } from '../../src/db/pay-links/pay-links.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { type ChaosHarness, startChaosHarness } from './chaos-harness.ts';
import { agePendingCharges, auditCharges, countPendingCharges, releaseClaims } from './charge-audit.ts';
import { type PageSession, payUntilStopped } from './page-load.ts';
import { createSavedCardSessions, FAST_CARDS, type SavedCardSessions } from './saved-card-sessions.ts';
import { ENCRYPTION_KEY } from './webhook-receiver.ts';

const KILLS = Number(process.env.RINGKEY_CHAOS_KILLS ?? 5);
const SEED = Number(process.env.RINGKEY_CHAOS_SEED ?? 1);
const PAYERS = 24;
const SESSIONS_A_ROUND = 96;
/** The latest packet to kill at. With so many payers, each of them is in the middle of a step. */
const LATEST_PACKET = 6_000;
const LIMIT_A_KILL_MS = 120_000;
const AFTERWARDS_MS = 600_000 + KILLS * 1_000;

let harness: ChaosHarness;
let merchant: SavedCardSessions;

beforeAll(async () => {
  harness = await startChaosHarness();
  merchant = await createSavedCardSessions(harness.product.testDatabase.database, FAST_CARDS);
});

afterAll(() => harness.close());

test(
  `the pay page, killed ${KILLS} times (seed ${SEED}), never charges twice and shows no receipt without a payment`,
  async () => {
    const { database } = harness.product.testDatabase;
    const random = seededRandom(SEED);
    const receipts = new Set<string>();
    const unexpected: string[] = [];
    let cut = 0;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const sessions = await linkedSessions(random);
      const since = new Date();
      const load = {
        payers: PAYERS,
        random,
        paid: (id: string) => receipts.add(id),
        onUnexpected: (page: string) => unexpected.push(page),
      };
      const startLoad = () => payUntilStopped({ ...load, sessions });
      await harness.killUnder(startLoad, 1 + random.below(LATEST_PACKET), random);
      cut += await countPendingCharges(database, since);
      if (random.oneIn(2)) await agePendingCharges(database);
      await releaseClaims(database);
      harness.redis.restore();
      await harness.product.startAgain();
    }
    const waiting = await countWaiting();
    await harness.settleAll();
    console.log(
      `chaos: ${KILLS} kills, ${cut} charges cut or waiting, ${waiting} waiting at the end, ${receipts.size} receipts`,
    );
    expect(cut).toBeGreaterThan(KILLS);
    expect(unexpected).toEqual([]);
    expect(await auditCharges(database)).toEqual([]);
    expect(await countWaiting()).toBe(0);
    const { rows } = await database.query<{ id: string }>(
      `select id from unnest($1::text[]) paid (id)
        where not exists (select from charges c where c.session_id = paid.id and c.status = 'succeeded')`,
      [[...receipts]],
    );
    expect(rows).toEqual([]);
  },
  AFTERWARDS_MS + KILLS * LIMIT_A_KILL_MS,
);

/** Payments of the sandbox that wait for their payer. */
async function countWaiting(): Promise<number> {
  const { database } = harness.product.testDatabase;
  return (await database.query(`select 1 from sandbox_payments where status = 'action_required'`)).rowCount ?? 0;
}

async function linkedSessions(random: Random): Promise<PageSession[]> {
  const { baseUrl, testDatabase } = harness.product;
  const vault = createVault([Buffer.from(ENCRYPTION_KEY, 'base64')]);
  const sessions = await merchant.createSessions(SESSIONS_A_ROUND, random);
  return Promise.all(
    sessions.map(async ({ sessionId }) => {
      const link = newPayLink(vault, sessionId, { accountId: DEMO_ACCOUNT, mode: 'test' });
      await insertPayLink(testDatabase.database, link);
      return { sessionId, url: `${baseUrl}/p/${link.codes.short}` };
    }),
  );
}
