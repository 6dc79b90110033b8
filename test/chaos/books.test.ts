/** The books of the chaos tests find what they are there to find. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { keyed, openSession, openShop, openTill } from '../integration/payments/support.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { audit } from './books.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  const shop = await openShop(db.database);
  const till = openTill(db.database);
  for (const card of ['visa', 'do_not_honor', 'visa']) {
    await till.pay(shop, await openSession(db.database, shop), keyed(card));
  }
});
afterAll(() => db.close());

const ONE_PAID = `(select id from charges where status = 'succeeded' order by id limit 1)`;
const PAYMENT_AGAIN = `
  insert into sandbox_payments (reference, payment_id, account_id, mode, status, amount_cents, currency)
  select $1, 'again', account_id, mode, status, amount_cents, currency from sandbox_payments limit 1`;

test.each([
  [[`drop index one_live_charge_a_session`, twin('succeeded')], 'two live charges'],
  [[twin('failed'), taken()], 'money taken twice'],
  [[PAYMENT_AGAIN.replace('$1', `'ch_nobody'`)], 'no charge knows'],
  [
    [`update charges set status = 'failed', decline_code = 'do_not_honor' where id = ${ONE_PAID}`],
    'not the processor’s',
  ],
  [[`delete from sandbox_payments where reference = ${ONE_PAID}`], 'not the processor’s'],
  [[`update sandbox_payments set amount_cents = 1`], 'another amount'],
  [[`update charges set processor_payment_id = 'other' where id = ${ONE_PAID}`], 'another payment id'],
  [[`update checkout_sessions set status = 'open'`], 'not complete'],
  [[`delete from events where type = 'checkout.failed'`], 'without its one event'],
  [[`drop index one_event_a_charge_and_kind`, again('checkout.succeeded')], 'without its one event'],
  [[`drop index one_final_event_a_session`, again('checkout.completed')], 'not told of once'],
  [[`delete from events where type = 'checkout.completed'`], 'not told of once'],
])('%j: %s', async (changes, fault) => {
  const faults = await tampered(changes);
  expect(faults.some((found) => found.includes(fault))).toBe(true);
});

test('and nothing where nothing is wrong', async () => {
  expect(await tampered([])).toEqual([]);
});

test('a broken promise to a client', async () => {
  const { rows } = await db.database.query<{ id: string }>(`select id from charges where status = 'failed'`);
  const [declined] = rows;
  const told = (status: 'pending' | 'succeeded' | 'failed') =>
    audit(db.database, [{ chargeId: declined?.id ?? '', status }]);
  expect(await told('failed')).toEqual([]);
  expect(await told('pending')).toEqual([]);
  expect(await told('succeeded')).toHaveLength(1);
  expect(await audit(db.database, [{ chargeId: newId('Charge'), status: 'pending' }])).toHaveLength(1);
});

class Undo extends Error {}

/** What the books show after some changes, which are then undone. */
async function tampered(changes: readonly string[]): Promise<string[]> {
  let faults: string[] = [];
  const undone = db.database.transaction(async (sql) => {
    for (const change of changes) await sql.query(change);
    faults = await audit(sql);
    throw new Undo();
  });
  await expect(undone).rejects.toThrow(Undo);
  return faults;
}

/** A second charge of a paid session. */
function twin(status: string): string {
  return `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor)
    select 'ch_twin', session_id, account_id, mode, merchant_id, '${status}', amount_cents, currency, source, processor
      from charges where id = ${ONE_PAID}`;
}

function taken(): string {
  return PAYMENT_AGAIN.replace('$1', `'ch_twin'`);
}

function again(type: string): string {
  return `insert into events (id, account_id, mode, type, session_id, charge_id, facts)
    select 'evt_again', account_id, mode, type, session_id, charge_id, facts from events where type = '${type}' limit 1`;
}
