/** The rules that the schema enforces, whatever the code does. */
import { beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '../../support/fixtures.ts';

const ROWS = `
  insert into accounts (id, name, header_signing_secret) values ('acct_a', 'A', 'x');
  insert into merchants (id, account_id, mode, slug, business_name, currency, policy)
    values ('mer_a', 'acct_a', 'test', 'a', 'A', 'USD', 'always');
  insert into checkout_sessions (id, account_id, mode, merchant_id, status, verdict, amount_cents, currency, amount_source, expires_at)
    select 'cs_' || name, 'acct_a', 'test', 'mer_a', status::session_status, 'required', 100, 'USD', 'order', now()
      from (values ('paid', 'complete'), ('failed', 'open'), ('pending', 'open'), ('expired', 'expired')) s (name, status);
  insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor)
    select 'ch_' || name, 'cs_' || name, 'acct_a', 'test', 'mer_a', status::charge_status, 100, 'USD', 'phone', 'sandbox'
      from (values ('paid', 'succeeded'), ('failed', 'failed'), ('pending', 'pending')) c (name, status);
  insert into refunds (id, charge_id, session_id, account_id, mode, merchant_id, amount_cents, currency, processor,
                       processor_payment_id, resolve_at)
    values ('re_a', 'ch_paid', 'cs_paid', 'acct_a', 'test', 'mer_a', 60, 'USD', 'sandbox', 'p', now());
  insert into events (id, account_id, mode, type, session_id, charge_id, refund_id, facts)
    values ('evt_1', 'acct_a', 'test', 'checkout.succeeded', 'cs_paid', 'ch_paid', null, '{}'),
           ('evt_2', 'acct_a', 'test', 'checkout.completed', 'cs_paid', 'ch_paid', null, '{}'),
           ('evt_3', 'acct_a', 'test', 'refund.failed', 'cs_paid', 'ch_paid', 're_a', '{}'),
           ('evt_4', 'acct_a', 'test', 'checkout.expired', 'cs_expired', null, null, '{}')`;

const db = useTestDatabase();
beforeAll(async () => {
  await db.database.query(ROWS);
});

const charge = (id: string, session: string, { source = 'phone', status = 'pending' } = {}) =>
  `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor)
   values ('${id}', '${session}', 'acct_a', 'test', 'mer_a', '${status}', 100, 'USD', '${source}', 'sandbox')`;
const event = (type: string, session: string, chargeId: string, refund = 'null') =>
  `insert into events (id, account_id, mode, type, session_id, charge_id, refund_id, facts)
   values ('evt_new', 'acct_a', 'test', '${type}', '${session}', '${chargeId}', ${refund}, '{}')`;

test.each([
  ['a second charge of a paid session', charge('ch_new', 'cs_paid'), 'one_live_charge_of_session'],
  [
    'a charge beside a pending one',
    charge('ch_new', 'cs_pending', { status: 'succeeded' }),
    'one_live_charge_of_session',
  ],
  [
    'a failed charge that becomes pending beside another',
    `${charge('ch_f', 'cs_pending', { status: 'failed' })};
    update charges set status = 'pending' where id = 'ch_f'`,
    'one_live_charge_of_session',
  ],
  ['a charge of an unknown session', charge('ch_new', 'cs_new'), 'charges_session_id_fkey'],
  ['a charge from an unknown source', charge('ch_new', 'cs_failed', { source: 'fax' }), 'charges_source_check'],
  ['a refund of more than was paid', 'update refunds set amount_cents = 101', 'never_more_back_than_was_captured'],
  ['a second outcome of a charge', event('checkout.succeeded', 'cs_paid', 'ch_paid'), 'one_event_a_charge_and_kind'],
  [
    'a second completion of a session',
    event('checkout.completed', 'cs_paid', 'ch_failed'),
    'one_final_event_a_session',
  ],
  ['a second expiry of a session', event('checkout.expired', 'cs_expired', 'ch_failed'), 'one_final_event_a_session'],
  [
    'the same outcome of a refund twice',
    event('refund.failed', 'cs_paid', 'ch_paid', `'re_a'`),
    'one_event_a_change_of_refund',
  ],
  ['an event of an unknown charge', event('checkout.failed', 'cs_failed', 'ch_new'), 'events_charge_id_fkey'],
  ['an event of an unknown session', event('checkout.failed', 'cs_new', 'ch_failed'), 'events_session_id_fkey'],
])('refuses %s', async (_, statement, rule) => {
  await expect(db.database.query(statement)).rejects.toThrow(rule);
});

test('allows any number of failed charges in a session, each with its outcome', async () => {
  await db.database.query(charge('ch_failed_2', 'cs_failed', { status: 'failed' }));
  await db.database.query(charge('ch_failed_3', 'cs_failed'));
  await db.database.query(event('checkout.failed', 'cs_failed', 'ch_failed_2').replace('evt_new', 'evt_8'));
  await db.database.query(event('checkout.pending', 'cs_failed', 'ch_failed_3').replace('evt_new', 'evt_9'));
  await db.database.query(event('checkout.failed', 'cs_failed', 'ch_failed_3').replace('evt_new', 'evt_10'));
});
