/** PostgreSQL, a private one, restarts in the middle of refunds: asked to, and without a warning. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_KEY } from '../../src/standalone/demo-data.ts';
import type { Database } from '../../src/db/pool.ts';
import type { TestProduct } from '../support/product.ts';
import { seededRandom } from '../support/random.ts';
import { soon } from '../support/checkouts.ts';
import { auditRefunds, letRefundsPass, pendingRefunds, type ToldRefund } from './refund-audit.ts';
import { BRISK, goRefunding, openPaidCharges } from './refund-load.ts';
import { type RestartingRecord, startRestartingRecord } from './restarting-postgres.ts';

const REFUNDERS = 8;
const CHARGES = 200;
const ANSWERS = 40;
const LIMIT_MS = 60_000;

let record: RestartingRecord;
let database: Database;
let product: TestProduct;

beforeAll(async () => {
  record = await startRestartingRecord();
  ({ database, product } = record);
}, 120_000);

afterAll(() => record.close(), 60_000);

test.each(['SIGINT', 'SIGQUIT'] as const)(
  'a restart (%s) costs clean errors at most, no outcome and no second refund',
  async (signal) => {
    const random = seededRandom(7);
    const told: ToldRefund[] = [];
    const odd: string[] = [];
    let isOver = false;
    const refunding = goRefunding({
      ...{ baseUrl: product.baseUrl, keys: [DEMO_KEY], again: [], refunders: REFUNDERS, random, isOver: () => isOver },
      charges: await openPaidCharges(database, CHARGES, { random, urn: BRISK }),
      told: (answer) => told.push(answer),
      odd: (answer) => odd.push(answer),
    });
    const answered = (count: number) => soon(LIMIT_MS, async () => expect(told.length).toBeGreaterThan(count));
    await answered(ANSWERS);
    await record.restart(signal);
    // It comes back by itself: clear answers again.
    await answered(told.length + ANSWERS);
    isOver = true;
    await refunding;
    expect(odd).toEqual([]);
    await soon(LIMIT_MS, async () => {
      await letRefundsPass(database);
      expect(await pendingRefunds(database)).toBe(0);
    });
    expect(await auditRefunds(database, told)).toEqual([]);
  },
  3 * LIMIT_MS,
);
