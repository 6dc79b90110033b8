/** `/v1/payouts`, `/v1/payout_entries`, and the payout of a charge. */
import { beforeAll, expect, test } from 'vitest';
import { PayoutEntryResource, PayoutResource } from '../../src/contract/payouts.ts';
import { DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { payOut } from '../support/payouts.ts';
import { bearer, expectError, insertTestKeys, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { createCharge } from './refunds-api.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());
beforeAll(() => insertTestKeys(api));

/** 4,000 cents without 2.9% and 30 cents. */
const [FEE, NET] = [146, 3_854];

async function paidOut() {
  const { id: charge } = await createCharge(api, 'visa');
  await payOut(api.database, charge);
  const { body } = await api.get(`/v1/payout_entries?charge=${charge}`);
  const [entry, ...more] = (body.payout_entries as unknown[]).map((item) => PayoutEntryResource.strict().parse(item));
  if (entry === undefined || more.length > 0) throw new Error('the charge should have one entry');
  return { charge, entry };
}

test('lists payouts with what they contain, and shows the fee, the net amount and the payout on the charge', async () => {
  const { charge, entry } = await paidOut();
  expect(entry).toMatchObject({
    kind: 'charge',
    charge,
    merchant_id: DEMO_DINER,
    gross_cents: 4_000,
    fee_cents: FEE,
    net_cents: NET,
    currency: 'USD',
  });
  const { payout_id, arrival_date } = entry;
  const payout = PayoutResource.strict().parse((await api.get(`/v1/payouts/${payout_id}`)).body);
  expect(payout).toMatchObject({
    amount_cents: NET,
    currency: 'USD',
    status: 'paid',
    processor: 'sandbox',
    arrival_date,
  });
  const shown = { payout_id, fee_cents: FEE, net_cents: NET, currency: 'USD', arrival_date };
  expect((await api.get(`/v1/charges/${charge}`)).body.payout).toEqual(shown);
  const { body } = await api.get('/v1/charges?limit=1');
  expect(body.charges).toMatchObject([{ charge_id: charge, payout: shown }]);
});

test('filters payouts and entries by payout, merchant, status and day, page by page', async () => {
  const [older, newer] = [await paidOut(), await paidOut()];
  const idsOf = async (path: string, list: string, id: string) => {
    const { status, text, body } = await api.get(path);
    expect(status, text).toBe(200);
    return (body[list] as Record<string, string>[]).map((item) => item[id]);
  };
  const payouts = (query: string) => idsOf(`/v1/payouts?${query}`, 'payouts', 'payout_id');
  const entries = (query: string) => idsOf(`/v1/payout_entries?${query}`, 'payout_entries', 'charge');
  const day = newer.entry.arrival_date;
  expect((await payouts(`arrival_date=${day}&status=paid&merchant_id=${DEMO_DINER}&limit=2`))[0]).toBe(
    newer.entry.payout_id,
  );
  expect(await payouts(`limit=1&starting_after=${newer.entry.payout_id}`)).toEqual([older.entry.payout_id]);
  expect(await payouts('arrival_date=2001-01-01')).toEqual([]);
  expect(await payouts('status=failed')).toEqual([]);
  expect(await entries(`payout=${older.entry.payout_id}`)).toEqual([older.charge]);
  expect((await entries(`arrival_date=${day}`)).slice(0, 2)).toEqual([newer.charge, older.charge]);
  expect(await entries('arrival_date=2001-01-01')).toEqual([]);
  expectError(await api.get('/v1/payouts?arrival_date=today'), 'invalid_value', 'arrival_date');
  expectError(await api.get('/v1/payout_entries?payout=po_none'), 'not_found', 'payout_id');
});

test('does not show payouts to another account, nor to the other mode', async () => {
  const { entry } = await paidOut();
  expectError(await api.get(`/v1/payouts/${entry.payout_id}`, bearer(OTHER_KEY)), 'not_found', 'payout_id');
  expectError(await api.get(`/v1/payouts/${entry.payout_id}`, bearer(LIVE_KEY)), 'invalid_key');
  for (const key of [OTHER_KEY, LIVE_KEY]) {
    expect((await api.get('/v1/payouts', bearer(key))).body).toEqual({ payouts: [], has_more: false });
    expect((await api.get('/v1/payout_entries', bearer(key))).body).toEqual({ payout_entries: [], has_more: false });
  }
});

test('has no payout on a charge that was not paid out yet', async () => {
  const { id } = await createCharge(api, 'visa');
  expect((await api.get(`/v1/charges/${id}`)).body).not.toHaveProperty('payout');
});
