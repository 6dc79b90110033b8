/** Migration 0014 on a record that has charges and events already: they are as they were, and the rules are. */
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../src/db/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const dir = fileURLToPath(new URL('../../../src/db/migrations', import.meta.url));
/** 0001 … 0013; there is no 0010. */
const EARLIER = 12;

const BEFORE = `
  insert into accounts (id, name, header_signing_secret) values ('acct_a', 'A', 'x'), ('acct_b', 'B', 'x');
  insert into merchants (id, account_id, mode, slug, business_name, currency, policy)
    values ('mer_a', 'acct_a', 'test', 'a', 'A', 'USD', 'always'), ('mer_b', 'acct_b', 'test', 'b', 'B', 'USD', 'always');
  insert into checkout_sessions (id, account_id, mode, merchant_id, status, verdict, amount_cents, currency, amount_source, expires_at)
    select 'cs_' || name, 'acct_a', 'test', 'mer_a', status::session_status, 'required', 100, 'USD', 'order', now()
      from (values ('paid', 'complete'), ('failed', 'open'), ('pending', 'open'), ('expired', 'expired')) s (name, status);
  insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor,
                       card_fingerprint, origin_hash)
    select 'ch_' || name, 'cs_' || name, 'acct_a', 'test', 'mer_a', status::charge_status, 100, 'USD', 'phone', 'sandbox', '\\x01', '\\x02'
      from (values ('paid', 'succeeded'), ('failed', 'failed'), ('pending', 'pending')) c (name, status);
  insert into refunds (id, charge_id, session_id, account_id, mode, merchant_id, amount_cents, currency, processor,
                       processor_payment_id, resolve_at)
    values ('re_a', 'ch_paid', 'cs_paid', 'acct_a', 'test', 'mer_a', 60, 'USD', 'sandbox', 'p', now());
  insert into webhook_endpoints (id, account_id, mode, url, events, signing_secret)
    values ('we_a', 'acct_a', 'test', 'https://example.com', '{}', 'x');
  insert into events (id, account_id, mode, type, session_id, charge_id, refund_id, webhook_endpoint_id, facts)
    values ('evt_1', 'acct_a', 'test', 'checkout.succeeded', 'cs_paid', 'ch_paid', null, null, '{}'),
           ('evt_2', 'acct_a', 'test', 'checkout.completed', 'cs_paid', 'ch_paid', null, null, '{}'),
           ('evt_3', 'acct_a', 'test', 'refund.failed', 'cs_paid', 'ch_paid', 're_a', null, '{}'),
           ('evt_4', 'acct_a', 'test', 'checkout.failed', 'cs_failed', 'ch_failed', null, null, '{}'),
           ('evt_5', 'acct_a', 'test', 'checkout.pending', 'cs_pending', 'ch_pending', null, null, '{}'),
           ('evt_6', 'acct_a', 'test', 'checkout.expired', 'cs_expired', null, null, null, '{}'),
           ('evt_7', 'acct_a', 'test', 'test', null, null, null, 'we_a', '{}')`;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.database.query('drop schema public cascade; create schema public');
  const connection = { databaseUrl: db.url, migrationsTable: 'migrations', log: () => undefined };
  await runner({ ...connection, dir, direction: 'up', count: EARLIER });
  await db.database.query(BEFORE);
  await migrate(db.url, () => undefined);
});
afterAll(() => db.close());

test('what was there is there, and of marks no more than is of use', async () => {
  const { rows: charges } = await db.database.query(
    `select id, status, source, refunded_cents, card_fingerprint is not null as card, origin_hash is not null as origin
       from charges order by id`,
  );
  const common = { source: 'phone', refunded_cents: 0, card: true, origin: true };
  expect(charges).toEqual([
    { ...common, id: 'ch_failed', status: 'failed' },
    { ...common, id: 'ch_paid', status: 'succeeded', refunded_cents: 60, card: false, origin: false },
    { ...common, id: 'ch_pending', status: 'pending' },
  ]);
  const { rows: sessions } = await db.database.query('select distinct amount_source from checkout_sessions');
  expect(sessions).toEqual([{ amount_source: 'order' }]);
  expect((await db.database.query('select from events')).rowCount).toBe(7);
});

const charge = (id: string, session: string, more: Partial<Record<'merchant' | 'source' | 'status', string>> = {}) =>
  `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor)
   values ('${id}', '${session}', 'acct_a', 'test', '${more.merchant ?? 'mer_a'}', '${more.status ?? 'pending'}', 100, 'USD',
           '${more.source ?? 'phone'}', 'sandbox')`;
const event = (type: string, session: string, chargeId: string, refund = 'null') =>
  `insert into events (id, account_id, mode, type, session_id, charge_id, refund_id, facts)
   values ('evt_new', 'acct_a', 'test', '${type}', '${session}', '${chargeId}', ${refund}, '{}')`;

test.each([
  ['a second charge of a paid session', charge('ch_new', 'cs_paid'), 'one_live_charge_a_session'],
  ['one beside a pending one', charge('ch_new', 'cs_pending', { status: 'succeeded' }), 'one_live_charge_a_session'],
  ['a charge of nowhere', charge('ch_new', 'cs_new'), 'charges_session_id_fkey'],
  [
    'one for another account’s merchant',
    charge('ch_new', 'cs_failed', { merchant: 'mer_b' }),
    'charges_merchant_of_account_fkey',
  ],
  ['one by another way', charge('ch_new', 'cs_failed', { source: 'fax' }), 'charge_source_check'],
  [
    'an amount from elsewhere',
    `update checkout_sessions set amount_source = 'caller' where id = 'cs_paid'`,
    'amount_source_check',
  ],
  ['a refund too many', `update refunds set amount_cents = 101`, 'never_more_back_than_was_paid'],
  ['a second outcome', event('checkout.succeeded', 'cs_paid', 'ch_paid'), 'one_event_of_a_kind'],
  ['a second end', event('checkout.completed', 'cs_paid', 'ch_paid'), 'one_event_of_a_kind'],
  ['a second end, without a charge', event('checkout.expired', 'cs_expired', 'ch_failed'), 'one_event_of_a_kind'],
  ['a second word on a refund', event('refund.succeeded', 'cs_paid', 'ch_paid', `'re_a'`), 'one_event_of_a_kind'],
  ['an event of no charge that there is', event('checkout.failed', 'cs_failed', 'ch_new'), 'events_charge_id_fkey'],
])('%s is refused', async (_, statement, rule) => {
  await expect(db.database.query(statement)).rejects.toThrow(rule);
});

test('what may be more than one may be', async () => {
  const again = [
    charge('ch_failed_2', 'cs_failed', { status: 'failed' }),
    charge('ch_failed_3', 'cs_failed'),
    event('checkout.failed', 'cs_failed', 'ch_failed_2').replace('evt_new', 'evt_8'),
    event('checkout.pending', 'cs_failed', 'ch_failed_3').replace('evt_new', 'evt_9'),
    event('checkout.failed', 'cs_failed', 'ch_failed_3').replace('evt_new', 'evt_10'),
  ];
  const undone = db.database.transaction(async (sql) => {
    for (const statement of again) expect((await sql.query(statement)).rowCount).toBe(1);
    await sql.query(`update charges set status = 'pending' where id = 'ch_failed_2'`);
  });
  // The last one puts a second charge beside that which is pending, and undoes it all.
  await expect(undone).rejects.toThrow('one_live_charge_a_session');
});
