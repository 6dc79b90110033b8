/** `GET /v1/charges/totals`: sums of all charges that match the filters of the list. */
import { expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { ChargeTotalsResource } from '../../src/contract/charges.ts';
import { readChargeTotals } from '../../src/db/charges/charge-totals.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { MOST_SUMMED } from '../../src/db/list-totals.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { newId } from '../../src/domain/ids.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { until } from '../support/until.ts';
import { bearer, expectError } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());

async function newMerchant() {
  const accountId = newId('Account');
  await insertAccount(api.database, { id: accountId, name: 'Test account' });
  const { text } = await issueKey(api.database, SYSTEM, { accountId, mode: 'test' });
  const headers = bearer(text);
  const { body } = await api.post('/v1/merchants', { business_name: 'Bakery', slug: 'bakery' }, headers);
  return { scope: { accountId, mode: 'test' } as const, merchant: String(body.merchant_id), headers };
}

/** On a busy machine, the database can take too long at first. */
async function read<Name extends keyof ChargeTotalsResource>(
  name: Name,
  query: string,
  headers: Record<string, string>,
): Promise<ChargeTotalsResource[Name] | null> {
  let found: ChargeTotalsResource[Name] | null = null;
  await until(120_000, async () => {
    const { status, text, body } = await api.get(`/v1/charges/totals?${query}`, headers);
    expect(status, text).toBe(200);
    found = ChargeTotalsResource.strict().parse(body)[name];
    return found !== null;
  });
  return found;
}

const totals = (query: string, headers: Record<string, string>) => read('totals', query, headers);

const AT = '2026-11-10T12:00:00.000Z';

test('sums all charges that match the filters, by currency, gross and net of refunds', async () => {
  const { scope, merchant, headers } = await newMerchant();
  expect(await totals('', headers)).toEqual([]);
  const seed = (payment: Partial<Parameters<typeof seedPayment>[2]>) =>
    seedPayment(api.database, scope, { merchant, at: AT, status: 'succeeded', cents: 4_000, ...payment });
  for (let made = 0; made < 3; made += 1) await seed({});
  await seed({ status: 'failed', code: 'do_not_honor' });
  await seed({ status: 'pending' });
  await seed({ currency: 'EUR', cents: 300, at: '2026-11-11T12:00:00.000Z' });
  await api.database.query(
    `update charges set refunded_cents = 1000
      where id = (select id from charges where account_id = $1 and currency = 'USD' and status = 'succeeded' limit 1)`,
    [scope.accountId],
  );
  const usd = {
    currency: 'USD',
    charges: 5,
    succeeded: 3,
    gross_cents: 12_000,
    refunded_cents: 1_000,
    net_cents: 11_000,
  };
  const eur = { currency: 'EUR', charges: 1, succeeded: 1, gross_cents: 300, refunded_cents: 0, net_cents: 300 };
  expect(await totals('', headers)).toEqual([usd, eur]);
  expect(await totals('created_before=2026-11-11T00:00:00Z', headers)).toEqual([usd]);
  expect(await totals(`merchant_id=${merchant}&created_after=2026-11-11T00:00:00Z`, headers)).toEqual([eur]);
  expect(await totals('status=failed', headers)).toEqual([
    { currency: 'USD', charges: 1, succeeded: 0, gross_cents: 0, refunded_cents: 0, net_cents: 0 },
  ]);
  expect(await totals('caller_phone=%2B15550101234', headers)).toEqual([]);
  const other = await newMerchant();
  expect(await totals('', other.headers)).toEqual([]);
});

test('counts the reasons of failed charges, the most frequent first, only if the filters match no others', async () => {
  const { scope, merchant, headers } = await newMerchant();
  const seed = async (count: number, code?: 'do_not_honor' | 'insufficient_funds') => {
    const payment = { merchant, at: AT, status: 'failed', cents: 4_000, ...(code && { code }) } as const;
    for (let made = 0; made < count; made += 1) await seedPayment(api.database, scope, payment);
  };
  await seed(2, 'do_not_honor');
  await seed(3, 'insufficient_funds');
  await seed(1);
  await seedPayment(api.database, scope, { merchant, at: AT, status: 'succeeded', cents: 4_000 });
  const funds = { decline_code: 'insufficient_funds', count: 3 };
  const all = [funds, { decline_code: 'do_not_honor', count: 2 }, { decline_code: null, count: 1 }];
  expect(await read('declines', 'status=failed', headers)).toEqual(all);
  expect(await read('declines', `counted_as=failed&merchant_id=${merchant}`, headers)).toEqual(all);
  expect(await read('declines', 'decline_code=insufficient_funds', headers)).toEqual([funds]);
  expect(await read('declines', 'status=failed&caller_phone=%2B15550101234', headers)).toEqual([]);
  const { body } = await api.get('/v1/charges/totals?last_four=4242', headers);
  expect(body.declines).toBeNull();
  const other = await newMerchant();
  expect(await read('declines', 'status=failed', other.headers)).toEqual([]);
});

test('counts the captured part of a hold, and nothing of a hold that was not captured', async () => {
  const { scope, merchant, headers } = await newMerchant();
  for (let made = 0; made < 2; made += 1)
    await seedPayment(api.database, scope, { merchant, at: AT, status: 'succeeded', cents: 4_000 });
  const { rows } = await api.database.query<{ id: string }>('select id from charges where account_id = $1', [
    scope.accountId,
  ]);
  const hold = `update charges set capture = 'manual', status = $2, captured_cents = $3 where id = $1`;
  await api.database.query(hold, [rows[0]?.id, 'succeeded', 1_500]);
  await api.database.query(hold, [rows[1]?.id, 'authorized', null]);
  expect(await totals('', headers)).toMatchObject([{ charges: 2, succeeded: 2, gross_cents: 1_500, net_cents: 1_500 }]);
});

test('subtracts the refund of a bank debit that the bank has returned since', async () => {
  const { scope, merchant, headers } = await newMerchant();
  for (let made = 0; made < 2; made += 1)
    await seedPayment(api.database, scope, { merchant, at: AT, status: 'succeeded', cents: 4_000 });
  const { rows } = await api.database.query<{ id: string }>('select id from charges where account_id = $1', [
    scope.accountId,
  ]);
  await api.database.query(
    `update charges set payment_method = 'us_bank_account', status = 'failed', decline_code = 'generic_decline',
                        returned_at = now(), refunded_cents = 1000 where id = $1`,
    [rows[0]?.id],
  );
  expect(await totals('', headers)).toMatchObject([
    { charges: 2, succeeded: 1, gross_cents: 4_000, refunded_cents: 1_000, net_cents: 3_000 },
  ]);
});

test('has no totals of more charges than it sums, nor of those for which the database takes too long', async () => {
  const { scope } = await newMerchant();
  const filter = {
    after: null,
    before: null,
    merchantId: null,
    status: null,
    orderId: null,
    callers: null,
    platformCallId: null,
    lastFour: null,
    sessionId: null,
    needsSettling: false,
    needsAttention: false,
    countedAs: null,
    declineCode: null,
  };
  const answering = (query: () => Promise<unknown>) => {
    const sql = { query: (text: unknown) => (String(text).includes('set_config') ? Promise.resolve() : query()) };
    return { transaction: (run: (given: never) => unknown) => run(sql as never) } as never;
  };
  const row = {
    currency: 'USD',
    rowsRead: MOST_SUMMED + 1,
    charges: MOST_SUMMED + 1,
    succeeded: 0,
    grossCents: 0,
    refundedCents: 0,
  };
  expect(
    await readChargeTotals(
      answering(async () => ({ rows: [row] })),
      scope,
      filter,
    ),
  ).toBeNull();
  const canceled = () => Promise.reject(Object.assign(new Error('canceled'), { code: '57014' }));
  expect(await readChargeTotals(answering(canceled), scope, filter)).toBeNull();
});

test('refuses an unknown merchant, and the parameters of pages', async () => {
  expectError(await api.get('/v1/charges/totals?merchant_id=mer_none'), 'merchant_not_found', 'merchant_id');
  expectError(await api.get('/v1/charges/totals?limit=5'), 'invalid_value', 'limit');
});
