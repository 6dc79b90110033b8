/** PostgreSQL, a private one, restarts in the middle of refunds: asked to, and without a warning. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_KEY } from '../../src/dev/seed.ts';
import { choosePlace, type Place } from '../../src/dev/servers/place.ts';
import { type PrivatePostgres, startPostgres } from '../../src/dev/servers/postgres.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { freePort, startProduct, type TestProduct } from '../support/product.ts';
import { seededRandom } from '../support/random.ts';
import { soon } from '../support/record.ts';
import { auditRefunds, letRefundsPass, pendingRefunds, type ToldRefund } from './refund-books.ts';
import { BRISK, goRefunding, openPaidCharges } from './refunders.ts';

const REFUNDERS = 8;
const CHARGES = 200;
const ANSWERS = 40;
const LIMIT_MS = 60_000;

let home: string;
let place: Place;
let postgres: PrivatePostgres;
let database: Database;
let product: TestProduct;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'ringkey-chaos-'));
  // PostgreSQL refuses root: its user has to come in.
  await chmod(home, 0o711);
  place = choosePlace(home);
  // One that nobody takes while the server is down.
  postgres = await startPostgres({ place, port: await freePort(), durable: true });
  database = openDatabase({ url: postgres.url, maxConnections: 4, onIdleError: () => undefined });
  product = await startProduct({
    ...{ RINGKEY_ROLES: 'api,worker', RINGKEY_SYNTHESIZER: 'none', RINGKEY_LOG_LEVEL: 'error' },
    DATABASE_URL: postgres.url,
  });
}, 120_000);

afterAll(async () => {
  await product.close();
  await database.close();
  await postgres.stop();
  for (const folder of [home, place.directory]) await rm(folder, { recursive: true, force: true });
}, 60_000);

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
    await restart(signal);
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

/** SIGINT: connections are broken and it ends in order. SIGQUIT: at once, to recover from its log when it starts. */
async function restart(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  const { port } = postgres;
  process.kill(Number(await readFile(join(postgres.directory, 'pid'), 'utf8')), signal);
  await postgres.exited;
  postgres = await startPostgres({ place, port, durable: true });
}
