/**
 * A connection keeps the plans of named statements, also those that it made while the tables were empty: each must find its
 * rows by an index that it looks something up in. Read from end to end, an index costs more with every row of everybody's.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Named, planOf, remembering } from '../support/plans.ts';
import { CALLER } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

const DINER = { merchant_id: 'mer_demo_diner', caller_phone: CALLER };

let api: TestApi;
let asked: ReadonlyMap<string, Named>;
beforeAll(async () => {
  api = await startTestApi();
  const { query } = api.database;
  const record = remembering({ query });
  asked = record.asked;
  api.database.query = record.sql.query;
  try {
    await askForEverything();
  } finally {
    api.database.query = query;
  }
});
afterAll(() => api.close());

const once = (key: string) => ({ 'idempotency-key': key });

/** What a voice agent asks for, by every way that has a statement of its own. */
async function askForEverything(): Promise<void> {
  const { checkout_session_id } = await api.checkout({ ...DINER, amount_cents: 700 });
  await api.checkout({ ...DINER, order_id: 'order_1001' });
  await api.checkout({ merchant_number: '+15550109999', amount_cents: 700 });
  await api.get(`/v1/checkout_sessions/${checkout_session_id}`);
  const charge = (instrument_id: string, headers = {}) =>
    api.post('/v1/charge', { checkout_session_id, instrument_id }, headers);
  await charge('card_nobody');
  const { body: paid } = await charge('card_demo_visa', once('charge'));
  const { status } = await api.post('/v1/refunds', { charge: paid.charge_id }, once('refund'));
  expect(status).toBe(200);
}

test('no kept plan reads an index, or a table, from end to end', async () => {
  expect([...asked.keys()]).toEqual(expect.arrayContaining(['find_key', 'charge_context', 'settle_refund']));
  const whole: string[] = [];
  for (const statement of asked.values()) {
    for (const node of await planOf(api.database, statement)) {
      const isBounded = node['Index Name'] === undefined || node['Index Cond'] !== undefined;
      if (!isBounded || node['Node Type'] === 'Seq Scan') {
        whole.push(`${statement.name}: ${node['Node Type']} of ${node['Index Name'] ?? node['Relation Name']}`);
      }
    }
  }
  expect(whole).toEqual([]);
});
