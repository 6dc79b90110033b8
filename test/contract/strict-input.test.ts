/** Any input to any operation: success, or a 4xx of the catalogue that names the field, never a 500. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ErrorObject } from '../../src/contract/error-object.ts';
import { bearer, CALLER, expectError, insertTestKeys, LIVE_KEY } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

interface Operation {
  method: 'POST' | 'PATCH';
  path: string;
  headers?: Record<string, string>;
  /** Accepted as it stands, as far as the fields go. */
  valid: Record<string, unknown>;
}

const DINER = 'mer_demo_diner';
const CHECKOUT = {
  merchant_id: DINER,
  amount_cents: 5,
  caller_phone: CALLER,
  order_id: 'order_1001',
  return_to: 'sip:a@example.com',
};

const OPERATIONS: Operation[] = [
  { method: 'POST', path: '/v1/create_checkout', valid: { ...CHECKOUT, metadata: { a: 'b' }, ttl_seconds: 60 } },
  { method: 'POST', path: '/v1/charge', valid: { checkout_session_id: 'cs_1', instrument_id: 'card_1' } },
  { method: 'POST', path: '/v1/send_link', valid: { checkout_session_id: 'cs_1' } },
  { method: 'POST', path: '/v1/identify', valid: { caller_phone: CALLER } },
  {
    method: 'POST',
    path: '/v1/merchants',
    valid: {
      business_name: 'Shop',
      payment_policy: 'above',
      payment_policy_amount_cents: 5,
      numbers: [],
      language: 'en',
    },
  },
  {
    method: 'PATCH',
    path: '/v1/account',
    // The account has live keys: by its lists live calls go, too.
    headers: bearer(LIVE_KEY),
    valid: { return_hosts: ['*'], return_number_prefixes: ['+44'] },
  },
  { method: 'PATCH', path: `/v1/merchants/${DINER}`, valid: { voice: null, order_source: { type: 'sandbox' } } },
  {
    method: 'POST',
    path: `/v1/merchants/${DINER}/processor`,
    valid: { processor: 'sandbox', environment: 'test', credentials: { api_key: 'x' } },
  },
  {
    method: 'POST',
    path: '/v1/cards',
    valid: { merchant_id: DINER, caller_phone: CALLER, token: 'tok_no', email: 'a@b.co' },
  },
  {
    method: 'POST',
    path: '/v1/webhook_endpoints',
    valid: { url: 'https://a.example.com/', events: ['checkout.failed'] },
  },
  {
    method: 'POST',
    path: '/api/tools/create_checkout',
    headers: { 'x-ringkey-merchant': 'demo-diner' },
    valid: { amount_cents: 5, line_items: [{ name: 'Soup', quantity: 1, amount_cents: 5 }], success_message: 'Thanks' },
  },
];
const named = OPERATIONS.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await insertTestKeys(api);
});
afterAll(() => api.close());

const send = ({ method, path, headers }: Operation, body: string) => api.send(method, path, body, headers);

/** Success, or an error object with a 4xx status. */
function expectCivil(answer: Answer): void {
  expect({ status: answer.status, is5xx: answer.status >= 500, text: answer.text }).toMatchObject({ is5xx: false });
  if (answer.status >= 400) expect(() => ErrorObject.strict().parse(answer.body.error)).not.toThrow();
}

describe.each(named)('%s', (_name, operation) => {
  const valid = JSON.stringify(operation.valid);
  const [first = ''] = Object.keys(operation.valid);

  test('accepts a body with all its fields', async () => {
    const { status, body } = await send(operation, valid);
    if (status !== 200) expect(['session_not_found', 'card_save_failed']).toContain(body.error.code);
  });

  test.each([
    ['nothing', ''],
    ['half a body', valid.slice(0, -1)],
    ['NaN', valid.replace(/:.*/, ':NaN}')],
    ['a trailing comma', valid.replace(/}$/, ',}')],
    ['a comment', `${valid}/**/`],
  ])('rejects malformed JSON: %s', async (_what, body) => {
    expectError(await send(operation, body), 'invalid_json');
  });

  test.each([
    ['a list', `[${valid}]`],
    ['a text', JSON.stringify(valid)],
    ['a number', '1e999'],
    ['no object', 'true'],
    ['a deep list', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['10 MB', `{"${first}":"${'x'.repeat(10_000_000)}"}`],
  ])('requires an object: %s', async (_what, body) => {
    expectError(await send(operation, body), 'invalid_value', 'body');
  });

  test('rejects names that lead to a prototype', async () => {
    expectError(await send(operation, `{"__proto__":{},${valid.slice(1)}`), 'invalid_value', '__proto__');
    const inside = `{"constructor":{"prototype":{}},${valid.slice(1)}`;
    expectError(await send(operation, inside), 'invalid_value', 'constructor.prototype');
  });

  test('rejects duplicate names, also in nested objects', async () => {
    const twice = `{"${first}":1,${valid.slice(1)}`;
    expectError(await send(operation, twice), 'invalid_value', first);
    const inside = `{"${first}":{"a":1,"\\u0061":2},${valid.slice(valid.indexOf(',') + 1)}`;
    if (valid.includes(',')) expectError(await send(operation, inside), 'invalid_value', `${first}.a`);
  });

  const OTHERS: [string, string][] = [
    ['null', 'null'],
    ['an object', '{"a":1}'],
    ['a deep object', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
    ['a huge number', '1e999'],
    ['a negative one', '-1'],
    ['a fraction', '1.5'],
    ['a long number', '9'.repeat(400)],
    ['half a character', '"\\ud83d"'],
    ['NUL', '"\\u0000"'],
    ['a long text', `"${'x'.repeat(60_000)}"`],
    ['a list of lists', '[[[[]]]]'],
  ];
  test.each(OTHERS)('accepts %s in any field, or rejects it with the name of the field', async (_what, json) => {
    for (const field of Object.keys(operation.valid)) {
      const rest = { ...operation.valid, [field]: 'FIELD' };
      const answer = await send(operation, JSON.stringify(rest).replace('"FIELD"', json));
      expectCivil(answer);
      // Gone past its fields: the value is one that the field may have, or the thing named is not there.
      // One that is null is absent: another may miss it, as an amount misses its policy.
      if (answer.status === 400) expect(answer.body.error.param?.split('.')[0]).toMatch(new RegExp(`^${field}`));
      else expect([200, 404, 422, 424]).toContain(answer.status);
    }
  });

  test('answers any body with success or an error object', async () => {
    const anything = fc.oneof(
      fc.json(),
      fc
        .record(Object.fromEntries(Object.keys(operation.valid).map((field) => [field, fc.jsonValue()])))
        .map((body) => JSON.stringify(body)),
      fc.string({ unit: 'binary' }),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (body) => {
        expectCivil(await send(operation, body));
      }),
      { numRuns: 40 },
    );
  });
});

test('answers any path and query with success or an error object', async () => {
  const segment = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
    fc.constantFrom('%00', '..', 'mer_%F0%9F'),
  );
  const paths = [
    '/v1/merchants/$',
    '/v1/merchants/$/status',
    '/v1/orders/$?merchant_id=mer_demo_diner',
    '/v1/checkout_sessions/$',
  ];
  const queries = [
    '/v1/merchants?limit=$',
    '/v1/merchants?starting_after=$',
    '/v1/merchants?search=$',
    '/v1/events?checkout_session_id=$',
    '/v1/events?type=$',
  ];
  const more = [
    '/v1/cards?merchant_id=mer_demo_diner&caller_phone=$',
    '/v1/cards?merchant_id=$&caller_phone=%2B15550101234',
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths, ...queries, ...more),
      segment,
      fc.boolean(),
      async (path, text, isEncoded) => {
        const written = isEncoded
          ? encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))
          : text.replace(/[^\x21-\x7e]|[#?]/g, '%00');
        expectCivil(await api.get(path.replace('$', () => written)));
      },
    ),
    { numRuns: 200 },
  );
});

interface Parameter {
  in: string;
  name: string;
}

test('rejects any duplicate query parameter', async () => {
  const hook = { url: 'https://hooks.example.com/', events: ['checkout.completed'] };
  const { webhook_endpoint_id: endpoint } = (await api.post('/v1/webhook_endpoints', hook)).body;
  const { paths } = JSON.parse((await api.get('/openapi.json')).text) as {
    paths: Record<string, { get?: { parameters?: Parameter[] } }>;
  };
  const parameters = Object.entries(paths).flatMap(([path, { get }]) => {
    const names = (get?.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    return names.map((name) => [path.replace(/\{\w+\}/, String(endpoint)), name] as const);
  });
  expect(parameters).toContainEqual(['/v1/keys', 'limit']);
  for (const [path, name] of parameters) {
    const answer = await api.get(`${path}?${name}=5&${name}=6`);
    expect([path, answer.body.error?.message]).toEqual([path, 'The query contains a parameter twice. Send it once.']);
    expectError(answer, 'invalid_value', name);
  }
});

describe('an operation that takes no body', () => {
  test.each([
    ['DELETE', '/v1/cards/card_nobody', 'instrument_not_found'],
    ['POST', '/v1/webhook_endpoints/we_nobody/test', 'not_found'],
    ['POST', '/v1/events/evt_nobody/resend', 'not_found'],
  ])('%s %s accepts the JSON content type without a body', async (method, path, code) => {
    const headers = { 'content-type': 'application/json' };
    expect((await api.send(method, path, undefined, headers)).body.error.code).toBe(code);
  });
});

test('rejects a capture whose body is empty, which would take the whole hold', async () => {
  const headers = { 'content-type': 'application/json' };
  expectError(await api.send('POST', '/v1/charges/ch_nobody/capture', undefined, headers), 'invalid_json');
});

test('rejects deep nesting in an unknown field, too', async () => {
  const deep = `${'['.repeat(30_000)}1${']'.repeat(30_000)}`;
  const answer = await api.post('/v1/identify', `{"caller_phone":"+15550101234","note":${deep}}`);
  expectError(answer, 'invalid_value', 'note');
});
