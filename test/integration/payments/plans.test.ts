/** What the money path's statements read, while the planner knows nothing of the tables: rows by their ids, never a whole index. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProcessorAnswer } from '../../../src/payments/ports.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Named, planOf, remembering } from '../../support/plans.ts';
import {
  keyedCard,
  createTestSession,
  createTestMerchant,
  createTestPayments,
  insertSavedCard,
} from './test-payments.ts';

const CALLERS = 'charges_account_id_mode_caller_phone_created_at_idx';
const CARDS = 'charges_account_id_mode_card_fingerprint_created_at_idx';
const BEGIN = [CALLERS, CARDS, 'checkout_sessions_pkey', 'merchants_of_accounts'];
const SETTLE = ['checkout_sessions_pkey', 'one_live_charge_a_session'];

let db: TestDatabase;
let asked: ReadonlyMap<string, Named>;
beforeAll(async () => {
  db = await createTestDatabase();
  const record = remembering(db.database);
  asked = record.asked;
  const pay = async (answer: ProcessorAnswer, card?: ReturnType<typeof keyedCard>) => {
    const merchant = await createTestMerchant(db.database);
    const processor = { ...createSandbox(db.database), charge: async () => answer };
    const payments = createTestPayments(record.sql, { processors: [processor] });
    const saved = {
      kind: 'saved',
      instrumentId: await insertSavedCard(db.database, merchant),
      at: new Date('2031-04-15T12:00:00Z'),
    } as const;
    return payments.pay(merchant, await createTestSession(db.database, merchant), card ?? saved);
  };
  const declined = {
    status: 'declined',
    declineCode: 'lost_card',
    processorCode: null,
    processorPaymentId: null,
  } as const;
  expect(await pay({ status: 'succeeded', processorPaymentId: 'p_1' })).toMatchObject({ type: 'succeeded' });
  expect(await pay(declined, keyedCard('visa'))).toMatchObject({ type: 'declined' });
});
afterAll(() => db.close());

async function indexesOf(statement: Named): Promise<string[]> {
  const nodes = await planOf(db.database, statement);
  return [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))].sort();
}

it.each([
  ['begin_charge', BEGIN],
  [
    'begin_saved_charge',
    [...BEGIN, 'consumers_account_id_mode_phone_key', 'instruments_pkey', 'merchant_processors_pkey'].sort(),
  ],
  ['charge_succeeded', SETTLE],
  ['charge_failed', SETTLE],
])('%s reads rows by their ids', async (name, indexes) => {
  const statement = asked.get(name);
  if (statement === undefined) throw new Error(`nobody has asked ${name}`);
  expect(await indexesOf(statement)).toEqual(indexes);
});
