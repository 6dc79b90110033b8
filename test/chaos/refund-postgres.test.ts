/** A private PostgreSQL restarts during refunds: in order (SIGINT) and at once (SIGQUIT). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/db/pool.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { eventually } from '../support/checkouts.ts';
import type { TestProduct } from '../support/product.ts';
import { seededRandom } from '../support/random.ts';
import { type AnsweredRefund, agePendingRefunds, auditRefunds, countPendingRefunds } from './refund-audit.ts';
import { FAST_CARDS, insertPaidCharges, runRefundLoad } from './refund-load.ts';
import { type RestartingPostgres, startOnRestartingPostgres } from './restarting-postgres.ts';

const CLIENTS = 8;
const CHARGES = 200;
const ANSWERS = 40;
const LIMIT_MS = 600_000;

let record: RestartingPostgres;
let database: Database;
let product: TestProduct;

beforeAll(async () => {
  record = await startOnRestartingPostgres();
  ({ database, product } = record);
});

afterAll(() => record.close());

test.each(['SIGINT', 'SIGQUIT'] as const)(
  'a restart (%s) costs clean errors at most, no outcome and no second refund',
  async (signal) => {
    const random = seededRandom(7);
    const answers: AnsweredRefund[] = [];
    const unexpected: string[] = [];
    let isOver = false;
    const refunding = runRefundLoad({
      baseUrl: product.baseUrl,
      keys: [DEMO_KEY],
      again: [],
      clients: CLIENTS,
      random,
      isOver: () => isOver,
      charges: await insertPaidCharges(database, CHARGES, { random, cardNames: FAST_CARDS }),
      onAnswer: (answer) => answers.push(answer),
      onUnexpected: (answer) => unexpected.push(answer),
    });
    const answered = (count: number) => eventually(LIMIT_MS, async () => expect(answers.length).toBeGreaterThan(count));
    await answered(ANSWERS);
    await record.restart(signal);
    // The app recovers by itself.
    await answered(answers.length + ANSWERS);
    isOver = true;
    await refunding;
    expect(unexpected).toEqual([]);
    await eventually(LIMIT_MS, async () => {
      await agePendingRefunds(database);
      expect(await countPendingRefunds(database)).toBe(0);
    });
    expect(await auditRefunds(database, answers)).toEqual([]);
  },
  3 * LIMIT_MS,
);
