/** The filter `caller_phone` with a number as dialled in the country of one of the account's merchants. */
import { expect, test } from 'vitest';
import { type MerchantId, parseId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { createTestPayments, keyedCard } from '../integration/payments/test-payments.ts';
import { insertEndedCall } from '../support/ended-call.ts';
import { useFixture } from '../support/fixtures.ts';
import { expectError } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());

async function merchantWith(fields: object): Promise<MerchantId> {
  const { body } = await api.post('/v1/merchants', { business_name: 'Abroad', ...fields });
  const id = parseId('Merchant', String(body.merchant_id));
  if (id === null) throw new Error(JSON.stringify(body));
  await api.post(`/v1/merchants/${id}/processor`, { processor: 'sandbox' });
  return id;
}

/** A checkout of the caller, its call and its charge. */
async function paidBy(merchantId: MerchantId, callerPhone: string) {
  const body = { merchant_id: merchantId, amount_cents: 900, caller_phone: callerPhone };
  const sessionId = parseId('CheckoutSession', (await api.checkout(body)).checkout_session_id);
  if (sessionId === null) throw new Error('no session');
  const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
  const paid = await createTestPayments(api.database).pay({ ...scope, merchantId }, sessionId, keyedCard('visa'));
  if (paid.type !== 'succeeded') throw new Error(paid.type);
  const call = await insertEndedCall(api.database, { ...scope, sessionId, merchantId });
  return { calls: [call], charges: [paid.charge.id], checkout_sessions: [sessionId] };
}

const LISTS = { calls: 'call_id', charges: 'charge_id', checkout_sessions: 'checkout_session_id' } as const;

/** The IDs that each list finds with the filter. */
async function found(typed: string) {
  const lists = Object.entries(LISTS).map(async ([list, id]) => {
    const { body } = await api.get(`/v1/${list}?caller_phone=${encodeURIComponent(typed)}`);
    return [list, (body[list] as Record<string, string>[]).map((item) => item[id])];
  });
  return Object.fromEntries(await Promise.all(lists)) as Record<keyof typeof LISTS, string[]>;
}

test.each([
  ['the language of a German merchant', { language: 'de-DE' }, '+491701234567', ['0170 1234567', '0170/1234567']],
  ['the currency of a British one', { currency: 'GBP' }, '+442079460018', ['020 7946 0018', '(020) 7946-0018']],
  ['the number of a German one', { numbers: ['+4930123456'] }, '+493098765432', ['030 98765432', '0049 30 98765432']],
])('finds calls, charges and checkouts of a number with a leading 0, by %s', async (_, fields, caller, typed) => {
  const mine = await paidBy(await merchantWith(fields), caller);
  for (const text of typed) expect([text, await found(text)]).toEqual([text, mine]);
});

test('finds nothing for a number with a leading 0 that another caller of the country has', async () => {
  await paidBy(await merchantWith({ language: 'de-DE' }), '+491709876543');
  expect(await found('0170 9876544')).toEqual({ calls: [], charges: [], checkout_sessions: [] });
});

test('rejects a text that is no number', async () => {
  expectError(await api.get('/v1/calls?caller_phone=0170-x'), 'invalid_value', 'caller_phone');
});
