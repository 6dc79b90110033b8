/** A private PostgreSQL restarts during charges: in order (SIGINT) and at once (SIGQUIT). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/db/pool.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { eventually } from '../support/checkouts.ts';
import type { TestProduct } from '../support/product.ts';
import { seededRandom } from '../support/random.ts';
import { agePendingCharges, auditCharges, countPendingCharges } from './charge-audit.ts';
import { type AnsweredCharge, startChargeLoad } from './charge-load.ts';
import { type RestartingPostgres, startOnRestartingPostgres } from './restarting-postgres.ts';
import { createSavedCardSessions, FAST_CARDS, type SavedCardSessions } from './saved-card-sessions.ts';

const CLIENTS = 8;
const ORDERS = 60;
const ANSWERS = 40;
const LIMIT_MS = 600_000;

let record: RestartingPostgres;
let database: Database;
let product: TestProduct;
let merchant: SavedCardSessions;

beforeAll(async () => {
  record = await startOnRestartingPostgres();
  ({ database, product } = record);
  merchant = await createSavedCardSessions(database, FAST_CARDS);
});

afterAll(() => record.close());

test.each(['SIGINT', 'SIGQUIT'] as const)(
  'a restart (%s) causes clean errors at most, without a lost outcome or a second charge',
  async (signal) => {
    const random = seededRandom(7);
    const answers: AnsweredCharge[] = [];
    const unexpected: string[] = [];
    const load = startChargeLoad({
      baseUrl: product.baseUrl,
      keys: [DEMO_KEY],
      clients: CLIENTS,
      random,
      endsWithService: false,
      sessions: await merchant.createSessions(ORDERS, random),
      onAnswer: (answer) => answers.push(answer),
      onUnexpected: (answer) => unexpected.push(answer),
    });
    const answered = (count: number) => eventually(LIMIT_MS, async () => expect(answers.length).toBeGreaterThan(count));
    await answered(ANSWERS);
    await record.restart(signal);
    // The app recovers by itself.
    await answered(answers.length + ANSWERS);
    load.stop();
    await load.over;
    expect(unexpected).toEqual([]);
    await settleAll();
    expect(await auditCharges(database, answers)).toEqual([]);
  },
  2 * LIMIT_MS,
);

async function settleAll(): Promise<void> {
  await eventually(LIMIT_MS, async () => {
    // Requests under way end within their time limits; charges still pending then are left to the resolver.
    expect(await countPendingInFlight()).toBe(0);
  });
}

/** Makes pending charges older than the processor's time limit. */
async function countPendingInFlight(): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::integer as count from charges
      where status = 'pending' and not exists (select from events e where e.charge_id = charges.id)`,
  );
  if (rows[0]?.count === 0) await agePendingCharges(database);
  return countPendingCharges(database);
}
