/** The totals of refunds, disputes, payouts, payout entries, texts and events: sums or counts of all that match the list's filters. */
import { beforeAll, expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import type { Scope } from '../../src/domain/account.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedOfCharge, seedPayout } from '../support/seed-money.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { until } from '../support/until.ts';
import { bearer, expectError } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());

let merchant = '';
let headers: Record<string, string> = {};

const EARLY = '2026-10-31T23:59:59.999Z';
const AT = '2026-11-10T12:00:00.000Z';

beforeAll(async () => {
  const { database } = api;
  const { accountId, mode, merchantId } = await createTestMerchant(database);
  const scope: Scope = { accountId, mode };
  merchant = merchantId;
  headers = bearer((await issueKey(database, SYSTEM, { accountId, mode })).text);
  for (const currency of ['USD', 'EUR'])
    await seedPayment(database, scope, { merchant, at: EARLY, status: 'succeeded', cents: 90_000, currency });
  for (const [at, cents, status, currency] of [
    [EARLY, 700, 'succeeded', 'USD'],
    [AT, 1_001, 'succeeded', 'USD'],
    [AT, 2_002, 'pending', 'USD'],
    [AT, 4_004, 'failed', 'USD'],
    [AT, 8_008, 'succeeded', 'EUR'],
  ] as const)
    await seedOfCharge(database, scope, 'refunds', { merchant, at, cents, status, currency });
  for (const [cents, status] of [
    [101, 'needs_response'],
    [202, 'under_review'],
    [404, 'won'],
    [808, 'lost'],
    [1_616, 'closed'],
  ] as const)
    await seedOfCharge(database, scope, 'disputes', { merchant, at: AT, cents, status });
  for (const [cents, status, arrival] of [
    [10_000, 'paid', '2026-11-20'],
    [-500, 'paid', '2026-11-21'],
    [300, 'pending', '2026-12-01'],
    [7_000, 'failed', '2026-11-20'],
  ] as const)
    await seedPayout(database, scope, { merchant, at: AT, cents, status, arrival });
});

/** On a busy machine, the database can take too long at first. */
async function totals(list: string, query = '', by = headers): Promise<unknown> {
  let found: unknown = null;
  await until(120_000, async () => {
    const { status, text, body } = await api.get(`/v1/${list}/totals?${query}`, by);
    expect(status, text).toBe(200);
    found = body.totals;
    return found !== null;
  });
  return found;
}

test('sums refunds by currency at the time when they were created, without failed ones', async () => {
  const usd = { currency: 'USD', refunds: 3, succeeded: 1, refunded_cents: 3_003, pending_cents: 2_002 };
  const eur = { currency: 'EUR', refunds: 1, succeeded: 1, refunded_cents: 8_008, pending_cents: 0 };
  expect(await totals('refunds', 'created_after=2026-11-01T00:00:00Z')).toEqual([eur, usd]);
  expect(await totals('refunds', `merchant_id=${merchant}&created_before=2026-11-01T00:00:00Z`)).toEqual([
    { currency: 'USD', refunds: 1, succeeded: 1, refunded_cents: 700, pending_cents: 0 },
  ]);
  expect(await totals('refunds', 'status=failed')).toEqual([
    { currency: 'USD', refunds: 1, succeeded: 0, refunded_cents: 0, pending_cents: 0 },
  ]);
});

test('sums disputes by currency and status', async () => {
  expect(await totals('disputes')).toEqual([
    {
      currency: 'USD',
      disputes: 5,
      disputed_cents: 3_131,
      open_cents: 303,
      won_cents: 404,
      lost_cents: 808,
    },
  ]);
  expect(await totals('disputes', 'created_before=2026-11-01T00:00:00Z')).toEqual([]);
});

test('sums payouts by currency, debits subtracted, and their entries gross, fees and net', async () => {
  expect(await totals('payouts')).toEqual([{ currency: 'USD', payouts: 4, paid_cents: 9_500, pending_cents: 300 }]);
  expect(await totals('payout_entries', 'arrival_date=2026-11-20')).toEqual([
    { currency: 'USD', payout_entries: 2, gross_cents: 18_700, fee_cents: 1_700, net_cents: 17_000 },
  ]);
});

test('sums a payout once if merchants share an account at the processor', async () => {
  const { database } = api;
  const { accountId, mode, merchantId: first } = await createTestMerchant(database);
  const scope: Scope = { accountId, mode };
  const own = bearer((await issueKey(database, SYSTEM, { accountId, mode })).text);
  const { body } = await api.post('/v1/merchants', { business_name: 'Corner Shop' }, own);
  const second = String(body.merchant_id);
  for (const shop of [first, second])
    await seedPayout(database, scope, { merchant: shop, at: AT, cents: 10_000, status: 'paid', arrival: '2026-11-20' });
  await database.query(
    `with entry as (update payout_entries set processor_entry_id = 'shared_entry' where account_id = $1)
     update payouts set processor_payout_id = 'shared_payout' where account_id = $1`,
    [accountId],
  );
  const [payouts] = (await totals('payouts', '', own)) as object[];
  expect(payouts).toMatchObject({ payouts: 1, paid_cents: 10_000 });
  const [entries] = (await totals('payout_entries', '', own)) as { net_cents: number }[];
  expect(entries).toMatchObject({ payout_entries: 1, net_cents: 10_000 });
  for (const shop of [first, second])
    expect(await totals('payouts', `merchant_id=${shop}`, own)).toMatchObject([{ payouts: 1, paid_cents: 10_000 }]);
  expect((await api.get('/v1/payouts', own)).body.payouts).toHaveLength(2);
});

test('counts texts by delivery status: the report of the carrier, or the status before it', async () => {
  const { database } = api;
  const { accountId, mode, merchantId } = await createTestMerchant(database);
  const own = bearer((await issueKey(database, SYSTEM, { accountId, mode })).text);
  await seedPayment(database, { accountId, mode }, { merchant: merchantId, at: AT, status: 'succeeded', cents: 1_000 });
  const insertTexts = `
    insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, status, delivery, created_at)
    select 'txt_state_' || n, $1, $2, s.id, 'receipt', '+15550101234', 'Paid.', 1, t.status, t.delivery, $3
      from checkout_sessions s, (values (1, 'sent', null), (2, 'sent', 'delivered'), (3, 'sent', 'delivered'),
             (4, 'sent', 'undelivered'), (5, 'failed', null), (6, 'unknown', 'unconfirmed')) t (n, status, delivery)
     where s.account_id = $1`;
  await database.query(insertTexts, [accountId, mode, AT]);
  const none = { waiting: 0, sending: 0, sent: 0, delivered: 0, unconfirmed: 0, undelivered: 0, failed: 0, unknown: 0 };
  const counts = { texts: 6, ...none, sent: 1, delivered: 2, unconfirmed: 1, undelivered: 1, failed: 1, opted_out: 0 };
  expect(await totals('texts', '', own)).toEqual(counts);
  expect(await totals('texts', `created_before=${EARLY}`, own)).toEqual({ texts: 0, ...none, opted_out: 0 });
  expect(await totals('texts', 'undelivered=true', own)).toMatchObject({
    texts: 2,
    undelivered: 1,
    failed: 1,
    sent: 0,
  });
  for (const [state, ids] of [
    ['sent', ['txt_state_1']],
    ['delivered', ['txt_state_3', 'txt_state_2']],
    ['unconfirmed', ['txt_state_6']],
    ['unknown', []],
  ] as const) {
    const { body } = await api.get(`/v1/texts?delivery_status=${state}`, own);
    expect((body.texts as { text_id: string }[]).map(({ text_id: id }) => id)).toEqual(ids);
    expect(await totals('texts', `delivery_status=${state}`, own)).toMatchObject({
      texts: ids.length,
      [state]: ids.length,
    });
  }
  expectError(await api.get('/v1/texts?delivery_status=read', own), 'invalid_value', 'delivery_status');
  // Those of another account are not counted.
  expect(await totals('texts')).toMatchObject({ texts: 0 });
});

test('counts events, and those with a delivery in each state, as the list filters them', async () => {
  const { database } = api;
  const { accountId, mode } = await createTestMerchant(database);
  const own = bearer((await issueKey(database, SYSTEM, { accountId, mode })).text);
  await database.query(
    `insert into webhook_endpoints (id, account_id, mode, url, events, signing_secret, deleted_at)
     select 'we_counted_' || name, $1, $2, 'https://' || name || '.example.com/', '{}', 'x', deleted_at
       from (values ('a', null), ('b', null), ('deleted', now())) e (name, deleted_at)`,
    [accountId, mode],
  );
  await database.query(
    `insert into events (id, account_id, mode, type, facts, webhook_endpoint_id, relayed_at, created_at)
     select 'evt_counted_' || n, $1, $2, 'test', '{}', 'we_counted_a', now(), $3 from generate_series(1, 5) n`,
    [accountId, mode, AT],
  );
  await database.query(
    `insert into webhook_deliveries (endpoint_id, event_id, sequence, status, attempts, enqueue_at)
     select 'we_counted_' || endpoint, events.id, events.sequence, status, attempts, 'infinity'
       from (values (1, 'a', 'delivered', 1), (1, 'b', 'failed', 10), (2, 'a', 'waiting', 1), (3, 'a', 'waiting', 0),
                    (4, 'b', 'canceled', 0), (4, 'deleted', 'failed', 10)) d (n, endpoint, status, attempts)
       join events on events.id = 'evt_counted_' || n`,
  );
  const all = { events: 5, waiting: 1, failing: 1, delivered: 1, failed: 1, canceled: 1 };
  const none = { events: 0, waiting: 0, failing: 0, delivered: 0, failed: 0, canceled: 0 };
  expect(await totals('events', '', own)).toEqual(all);
  expect(await totals('events', 'delivery=failed', own)).toEqual({ ...none, events: 1, failed: 1, delivered: 1 });
  const toOne = { ...none, events: 3, waiting: 1, failing: 1, delivered: 1 };
  expect(await totals('events', 'webhook_endpoint_id=we_counted_a', own)).toEqual(toOne);
  expect(await totals('events', `type=test&created_after=${AT}`, own)).toEqual(all);
  expect(await totals('events', `created_before=${AT}`, own)).toEqual(none);
  for (const state of ['waiting', 'failing', 'delivered', 'failed', 'canceled']) {
    const { body } = await api.get(`/v1/events?delivery=${state}`, own);
    expect([state, (body.events as object[]).length]).toEqual([state, 1]);
  }
  // Endpoints of another account match no event.
  expect(await totals('events', 'webhook_endpoint_id=we_counted_a')).toEqual(none);
  expectError(await api.get('/v1/events/totals?delivery=lost', own), 'invalid_value', 'delivery');
});

test('lists the refunds of a period, a merchant and a status', async () => {
  const listed = async (query: string) => {
    const { body } = await api.get(`/v1/refunds?${query}`, headers);
    return (body.refunds as { amount_cents: number }[]).map(({ amount_cents: cents }) => cents);
  };
  expect(await listed('created_before=2026-11-01T00:00:00Z')).toEqual([700]);
  expect((await listed(`created_after=2026-11-01T00:00:00Z&merchant_id=${merchant}`)).sort()).toEqual([
    1_001, 2_002, 4_004, 8_008,
  ]);
  expect(await listed('status=pending')).toEqual([2_002]);
  expectError(await api.get('/v1/refunds?merchant_id=mer_none', headers), 'merchant_not_found', 'merchant_id');
});
