/** Card data in any string of a request is rejected and stored nowhere. */
import { expect, test } from 'vitest';
import { DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { eventually } from '../support/checkouts.ts';
import { useFixture } from '../support/fixtures.ts';
import { expectError } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi({ logsRequests: true }));
const LIMIT_MS = 120_000;

const CARD = '4000 0566 5566 5556';
const SPELLED = 'four zero zero zero zero five six six five five six six five five five six';
const CHECKOUT = { merchant_id: DEMO_DINER, amount_cents: 4_250, caller_phone: '+15550101234' };

test.each([
  ['/v1/create_checkout', { ...CHECKOUT, platform_call_id: '4000056655665556' }, 'platform_call_id'],
  ['/v1/create_checkout', { ...CHECKOUT, order_id: '4000-0566-5566-5556' }, 'order_id'],
  ['/v1/create_checkout', { ...CHECKOUT, success_message: `Paid with ${CARD}.` }, 'success_message'],
  ['/v1/create_checkout', { ...CHECKOUT, failure_message: SPELLED }, 'failure_message'],
  ['/v1/create_checkout', { ...CHECKOUT, metadata: { note: `card ${CARD}` } }, 'metadata.note'],
  ['/v1/create_checkout', { ...CHECKOUT, metadata: { number: 4_000_056_655_665_556 } }, 'metadata.number'],
  ['/v1/create_checkout', { ...CHECKOUT, metadata: { phone: '+378282246310005' } }, 'metadata.phone'],
  ['/v1/create_checkout', { ...CHECKOUT, platform_call_id: '+3782 822463 10005' }, 'platform_call_id'],
  ['/v1/create_checkout', { ...CHECKOUT, metadata: { [CARD]: 'x' } }, 'metadata'],
  ['/v1/create_checkout', { ...CHECKOUT, metadata: { cvv: '737' } }, 'metadata.cvv'],
  ['/v1/create_checkout', { ...CHECKOUT, metadata: { cardCvv: 737 } }, 'metadata.cardCvv'],
  ['/v1/create_checkout', { ...CHECKOUT, metadata: { said: 'my security code is 737' } }, 'metadata.said'],
  [
    '/v1/create_checkout',
    { ...CHECKOUT, return_to: `sip:${CARD.replaceAll(' ', '')}@agents.example.com` },
    'return_to',
  ],
  ['/v1/create_checkout', { ...CHECKOUT, card_number: CARD }, 'card_number'],
  ['/v1/create_checkout', { ...CHECKOUT, merchant_id: CARD }, 'merchant_id'],
  [
    '/api/tools/create_checkout',
    { amount_cents: 100, line_items: [{ name: SPELLED, quantity: 1, amount_cents: 100 }] },
    'line_items.0.name',
  ],
  ['/v1/merchants', { slug: 'x', business_name: CARD }, 'business_name'],
  ['/v1/keys', { name: CARD }, 'name'],
  ['/v1/refunds', { charge: 'ch_x', metadata: { reason: CARD } }, 'metadata.reason'],
  ['/v1/send_link', { checkout_session_id: CARD }, 'checkout_session_id'],
  ['/v1/identify', { caller_phone: CARD }, 'caller_phone'],
])('%s rejects card data with invalid_value: %j', async (path, body, param) => {
  const answer = await api.post(path, body, { 'x-ringkey-merchant': 'demo-diner' });
  expectError(answer, 'invalid_value', param);
  expect(answer.text).not.toMatch(/4000|0566|5566|four zero|737|3782|10005/);
});

test('rejects card data in a path or query', async () => {
  const inPath = await api.get(`/v1/orders/4000056655665556?merchant_id=${DEMO_DINER}`);
  expectError(inPath, 'invalid_value', 'id');
  const inQuery = await api.get(`/v1/checkout_sessions?order_id=${encodeURIComponent(CARD)}`);
  expectError(inQuery, 'invalid_value', 'order_id');
});

/** The number in digits or words, or the named security code. */
const LEAKED = /zero[^a-z]{1,3}zero|4000.?0566|cvv\W{1,9}737/;

test('stores rejected card data nowhere: not in a column, the request log or a log line', {
  timeout: LIMIT_MS,
}, async () => {
  const metadata = { note: `card ${CARD}`, spelled: SPELLED, cvv: '737', [`key ${CARD}`]: 'x' };
  const sent = [
    await api.post('/v1/create_checkout', { ...CHECKOUT, metadata }, { 'idempotency-key': 'card-1' }),
    await api.post('/v1/create_checkout', { ...CHECKOUT, success_message: SPELLED, other: SPELLED }),
    await api.post(`/v1/create_checkout?note=${encodeURIComponent(SPELLED)}`, { ...CHECKOUT, [SPELLED]: CARD }),
    await api.get(`/v1/orders/${encodeURIComponent(SPELLED)}?merchant_id=${DEMO_DINER}`),
    await api.get(`/v1/checkout_sessions?order_id=${encodeURIComponent(SPELLED)}`),
    await api.get(`/v1/nothing/${encodeURIComponent(SPELLED)}?card=${encodeURIComponent(SPELLED)}`),
  ];
  for (const { status, text } of sent) {
    expect([400, 404]).toContain(status);
    expect(text).not.toMatch(/zero zero|0566|737/);
  }
  // The last one has no route, and belongs to no account.
  const ids = sent.slice(0, -1).map(({ headers }) => headers.get('x-request-id'));
  await eventually(LIMIT_MS, async () => {
    await api.requestLog.flush();
    const { rowCount } = await api.database.query('select from request_log where id = any($1)', [ids]);
    expect(rowCount).toBe(ids.length);
  });
  const tables = await api.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables.rows) {
    const found = await api.database.query(`select t::text from "${name}" t where t::text ~* $1`, [LEAKED.source]);
    expect([name, found.rows]).toEqual([name, []]);
  }
  expect(api.log.join('')).not.toMatch(LEAKED);
});

test('does not claim an Idempotency-Key for card data, and rejects a card number as the key', async () => {
  const claims = async () => (await api.database.query('select count(*)::integer as n from idempotency_keys')).rows[0];
  const before = await claims();
  const inBody = await api.post(
    '/v1/create_checkout',
    { ...CHECKOUT, order_id: CARD },
    { 'idempotency-key': 'card-2' },
  );
  expectError(inBody, 'invalid_value', 'order_id');
  const inKey = await api.post('/v1/create_checkout', CHECKOUT, { 'idempotency-key': `order ${CARD}` });
  expectError(inKey, 'invalid_value', 'Idempotency-Key');
  expect(inKey.text).not.toMatch(/0566/);
  // A claim stores unkeyed hashes, from which a card number could be found by brute force.
  expect(await claims()).toEqual(before);
});

test('rejects a card number that is split into a list', async () => {
  const inParts = { ...CHECKOUT, metadata: { digits: ['4000', '0566', '5566', '5556'] } };
  expectError(await api.post('/v1/create_checkout', inParts), 'invalid_value', 'metadata.digits');
  const inNumbers = { ...CHECKOUT, other: [[4000, 566, 5566, 5556], CARD.replaceAll(' ', '').split('')] };
  expectError(await api.post('/v1/create_checkout', inNumbers), 'invalid_value', 'other.1');
});

test('accepts values that only resemble card data', async () => {
  const metadata = {
    from: '+4915112345678',
    // Passes the Luhn check and begins like a card, but is a valid phone number.
    mobile: '+4915112345009',
    to: '4915112345678',
    uuid: '550e8400-e29b-41d4-a716-446655440000',
    at: 1_763_922_322_000,
  };
  await api.checkout({
    ...CHECKOUT,
    platform_call_id: '1763922322.12345',
    success_message: 'Order 42, table 4.',
    metadata,
  });
});
