/** Errors say what to change: the parameter, a suggestion, or the position in the JSON. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLER, expectError, insertTestKeys } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await insertTestKeys(api);
});
afterAll(() => api.close());

const CHECKOUT = { merchant_id: 'mer_demo_diner', amount_cents: 500, caller_phone: CALLER };
const messageOf = ({ body }: Answer): string => body.error?.message ?? '';

test('names a missing parameter', async () => {
  const { amount_cents: _left, ...rest } = CHECKOUT;
  const answer = await api.post('/v1/create_checkout', rest);
  expectError(answer, 'missing_required_fields', 'amount_cents');
  expect(messageOf(answer)).toBe('`amount_cents` is missing.');
});

test('suggests a name for a misspelt parameter of a strict operation', async () => {
  const answer = await api.post('/v1/charge', {
    checkout_session_id: 'cs_1',
    instrument_id: 'card_1',
    instrumentid: 'x',
  });
  expectError(answer, 'invalid_value', 'instrumentid');
  expect(messageOf(answer)).toBe('This operation has no such parameter. Did you mean instrument_id?');
});

test('names unknown fields in a header for other operations', async () => {
  const answer = await api.post('/v1/create_checkout', { ...CHECKOUT, retrun_to: 'sip:a@b', colour: 'red' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-ringkey-unknown-fields')).toBe('retrun_to (did you mean return_to?), colour');
});

test.each([['u4jhvmgnzgedp95w77zvrmrfv9'], ['sk_test_4eC39HqLyjWDarjtT1zdp7dc'], ['abcdefghijkmnpqrstvwxyzabc']])(
  'the name %s, which could be a token, is not repeated',
  async (name) => {
    const taken = await api.post('/v1/create_checkout', { ...CHECKOUT, [name]: 1, paymentPolicyAmountCents: 1 });
    expect(taken.status).toBe(200);
    expect(taken.headers.get('x-ringkey-unknown-fields')).toBe('paymentPolicyAmountCents');
    const charge = { checkout_session_id: 'cs_1', instrument_id: 'card_1', [name]: 1 };
    expectError(await api.post('/v1/charge', charge), 'invalid_value', 'body');
    expect(api.log.join('')).not.toContain(name);
  },
);

test.each(['4242424242424242', 'card_4242424242424242'])('rejects the name %s without repeating it', async (name) => {
  const refused = await api.post('/v1/create_checkout', { ...CHECKOUT, [name]: 1 });
  expectError(refused, 'invalid_value', 'body');
  expect(refused.text + JSON.stringify([...refused.headers]) + api.log.join('')).not.toContain(name);
});

test('rejects an unknown filter', async () => {
  const answer = await api.get('/v1/refunds?chrage=ch_1');
  expectError(answer, 'invalid_value', 'chrage');
  expect(messageOf(answer)).toContain('Did you mean charge?');
});

test('lists the known event types for an unknown one', async () => {
  const answer = await api.post('/v1/webhook_endpoints', { url: 'https://a.example.com/', events: ['checkout.paid'] });
  expectError(answer, 'invalid_events', 'events.0');
  expect(messageOf(answer)).toMatch(/must be one of .*checkout\.completed/);
});

test.each([
  ['GET', '/v1/create_checkout', 'POST'],
  ['POST', '/v1/events', 'GET'],
  ['PUT', '/v1/webhook_endpoints/we_1', 'PATCH, DELETE'],
] as const)('%s %s: the path takes %s', async (method, path, allowed) => {
  const answer = await api.send(method, path);
  expectError(answer, 'not_found');
  expect(answer.headers.get('allow')).toBe(allowed);
  expect(messageOf(answer)).toBe(`This path takes ${allowed.replace(', ', ' and ')}.`);
});

test.each([
  ['{"merchant_id": "mer_demo_diner",\n "amount_cents": 5,}', /line 2, column 20, a name/],
  ['{"merchant_id" "mer_demo_diner"}', /line 1, column 16, a colon/],
  ['{"merchant_id": mer_demo_diner}', /line 1, column 17, an invalid value/],
  ['{"merchant_id": "mer_demo', /(does not end|ends too early)/],
  ['{"amount_cents": 5', /ends too early/],
  ["{'amount_cents': 5}", /line 1, column 2/],
  ['', /The body is empty/],
])('names the position of the error in %j', async (text, message) => {
  const answer = await api.post('/v1/create_checkout', text);
  expectError(answer, 'invalid_json');
  expect(messageOf(answer)).toMatch(message);
  expect(messageOf(answer)).not.toContain('mer_demo');
});

test.each([
  ['Basic cmluZ2tleTo=', /must have the form `Bearer <key>`/],
  ['Bearer sk_test_OfAnotherService00', /Stripe key/],
  ['Bearer whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', /signing secret/],
  ['Bearer key_0123456789abcdefghij', /ID of a key/],
  ['Bearer rk_test_short', /not a complete API key/],
  ['Bearer rk_live_0123456789abcdefghijklmn', /This live key does not exist/],
])('says what is wrong with the key %j', async (authorization, message) => {
  const answer = await api.post('/v1/identify', { caller_phone: CALLER }, { authorization });
  expectError(answer, 'invalid_key');
  expect(messageOf(answer)).toMatch(message);
});

test('logs code and parameter of a rejected request', async () => {
  await api.post('/v1/create_checkout', { ...CHECKOUT, amount_cents: 0 });
  await expect.poll(() => api.log.join('\n')).toMatch(/"code":"invalid_value","param":"amount_cents"/);
});
