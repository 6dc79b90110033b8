/** What the money path's statements read, while the planner knows nothing of the tables: rows by their ids, never a whole index. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProcessorAnswer } from '../../../src/payments/ports.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import type { Sql } from '../../../src/store/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { keyed, openSession, openShop, openTill, saveCard } from './support.ts';

interface Named {
  name: string;
  text: string;
  values: unknown[];
}

const CALLERS = 'charges_account_id_mode_caller_phone_created_at_idx';
const CARDS = 'charges_account_id_mode_card_fingerprint_created_at_idx';
const BEGIN = [CALLERS, CARDS, 'checkout_sessions_pkey', 'merchants_pkey'];
const SETTLE = ['charges_pkey', 'checkout_sessions_pkey'];

let db: TestDatabase;
const asked = new Map<string, Named>();
beforeAll(async () => {
  db = await createTestDatabase();
  const remembering = {
    query: (query: Named) => {
      if (query.name !== undefined) asked.set(query.name, query);
      return db.database.query(query);
    },
  } as unknown as Sql;
  const pay = async (answer: ProcessorAnswer, card?: ReturnType<typeof keyed>) => {
    const shop = await openShop(db.database);
    const processor = { ...createSandbox(db.database), charge: async () => answer };
    const till = openTill(remembering, { processors: [processor] });
    const saved = {
      kind: 'saved',
      instrumentId: await saveCard(db.database, shop),
      at: new Date('2031-04-15T12:00:00Z'),
    } as const;
    return till.pay(shop, await openSession(db.database, shop), card ?? saved);
  };
  const declined = {
    status: 'declined',
    declineCode: 'lost_card',
    processorCode: null,
    processorPaymentId: null,
  } as const;
  expect(await pay({ status: 'succeeded', processorPaymentId: 'p_1' })).toMatchObject({ type: 'succeeded' });
  expect(await pay(declined, keyed('visa'))).toMatchObject({ type: 'declined' });
});
afterAll(() => db.close());

/** The plan for any values, as a connection keeps it. */
async function indexesOf({ name, text, values }: Named): Promise<string[]> {
  return db.database.transaction(async (sql) => {
    await sql.query('set local plan_cache_mode = force_generic_plan');
    // A table of a few rows is read whole otherwise.
    await sql.query('set local enable_seqscan = off');
    await sql.query(`prepare planned as ${text}`);
    const { rows } = await sql.query(`explain (format json) execute planned(${values.map(() => 'null').join(', ')})`);
    await sql.query('deallocate planned');
    const found = [...JSON.stringify(rows).matchAll(/"Index Name":"(\w+)"/g)].map(([, index = '']) => index);
    if (found.length === 0) throw new Error(`no index is read by ${name}`);
    return [...new Set(found)].sort();
  });
}

it.each([
  ['begin_charge', BEGIN],
  ['begin_saved_charge', [...BEGIN, 'consumers_pkey', 'instruments_pkey', 'merchant_processors_pkey'].sort()],
  ['charge_succeeded', SETTLE],
  ['charge_failed', SETTLE],
])('%s reads rows by their ids', async (name, indexes) => {
  const statement = asked.get(name);
  if (statement === undefined) throw new Error(`nobody has asked ${name}`);
  expect(await indexesOf(statement)).toEqual(indexes);
});
