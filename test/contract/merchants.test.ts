/** `/v1/merchants` over HTTP: settings, processor, readiness. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MerchantList, MerchantStatusResource } from '../../src/api/schemas/merchants.ts';
import type { ErrorCode } from '../../src/domain/error-catalogue.ts';
import { MerchantResource } from '../../src/merchants/resources.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import { createStripe } from '../../src/payments/stripe/index.ts';
import { createVault } from '../../src/vault/vault.ts';
import { addKeys, bearer, expectError, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './support.ts';

/** Port 0: nobody can be asked there. */
const NOWHERE = { host: '127.0.0.1', port: 0, protocol: 'http' } as const;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await addKeys(api);
});
afterAll(() => api.close());

let names = 0;
/** A merchant of its own, as it was answered. */
async function create(body: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  names += 1;
  const answer = await api.post('/v1/merchants', { business_name: `Shop ${names}`, ...body }, headers);
  expect(answer).toMatchObject({ status: 200 });
  return MerchantResource.strict().parse(answer.body);
}

const change = (id: string, body: unknown, headers = {}) => api.send('PATCH', `/v1/merchants/${id}`, body, headers);
const connect = (id: string, body: unknown, headers = {}) => api.post(`/v1/merchants/${id}/processor`, body, headers);
const status = async (id: string, headers = {}) =>
  MerchantStatusResource.strict().parse((await api.get(`/v1/merchants/${id}/status`, headers)).body);

describe('a new merchant', () => {
  test('has defaults for all but its name', async () => {
    const merchant = await create({ business_name: 'Café Zoë' });
    expect(merchant).toMatchObject({
      environment: 'test',
      business_name: 'Café Zoë',
      numbers: [],
      currency: 'USD',
      payment_policy: 'always',
      payment_policy_amount_cents: null,
      language: 'en-US',
      time_zone: 'UTC',
      voice: null,
      asks_postal_code: false,
      asks_confirmation: false,
      card_saving: 'never',
      return_mode: null,
      accepted_brands: ['visa', 'mastercard', 'american-express', 'discover'],
      processor: null,
      order_source: { type: 'sandbox' },
    });
    expect(merchant.slug).toMatch(/^cafe-zoe-[0-9a-f]{8}$/);
    expect((await api.get(`/v1/merchants/${merchant.merchant_id}`)).body).toEqual(merchant);
  });

  test('takes every setting, and a checkout follows them', async () => {
    const settings = {
      slug: 'all-settings',
      numbers: ['+15550100201', '+15550100202'],
      currency: 'EUR',
      payment_policy: 'above',
      payment_policy_amount_cents: 500,
      language: 'de-de',
      time_zone: 'europe/berlin',
      voice: 'de+f2',
      asks_postal_code: true,
      asks_confirmation: true,
      card_saving: 'ask',
      return_mode: 'bridge',
      accepted_brands: ['visa'],
      order_source: { type: 'none' },
    };
    const merchant = await create(settings);
    expect(merchant).toMatchObject({ ...settings, language: 'de-DE', time_zone: 'Europe/Berlin' });
    await connect(merchant.merchant_id, { processor: 'sandbox' });
    const checkout = (amount_cents: number) => api.checkout({ merchant_number: '+15550100202', amount_cents });
    expect(await checkout(500)).toMatchObject({ payment_required: 'required', currency: 'EUR' });
    expect(await checkout(499)).toMatchObject({ payment_required: 'none' });
  });

  test('without a usable character in its name still has a slug', async () => {
    expect((await create({ business_name: '寿司' })).slug).toMatch(/^[0-9a-f]{8}$/);
  });

  test('has a slug of its letters, whatever stands on them', async () => {
    expect((await create({ business_name: 'Ünïcödé Café' })).slug).toMatch(/^unicode-cafe-[0-9a-f]{8}$/);
  });
});

describe('wrong settings', () => {
  test.each<[string, Record<string, unknown>, ErrorCode, string]>([
    ['no name', { business_name: undefined }, 'missing_required_fields', 'business_name'],
    ['an empty name', { business_name: '' }, 'invalid_value', 'business_name'],
    ['half a character', { business_name: '\ud83d' }, 'invalid_value', 'business_name'],
    ['an unknown setting', { payment_polcy: 'never' }, 'invalid_value', 'payment_polcy'],
    ['a slug with blanks', { slug: 'a b' }, 'invalid_value', 'slug'],
    ['a slug that is taken', { slug: 'demo-diner' }, 'invalid_value', 'slug'],
    ['a number that is taken', { numbers: ['+15550100001'] }, 'invalid_value', 'numbers'],
    ['a number twice', { numbers: ['+15550100301', '+15550100301'] }, 'invalid_value', 'numbers'],
    ['no number', { numbers: ['front desk'] }, 'invalid_value', 'numbers.0'],
    ['a currency we do not count in', { currency: 'XXX' }, 'invalid_value', 'currency'],
    ['an unknown policy', { payment_policy: 'sometimes' }, 'invalid_payment_policy', 'payment_policy'],
    ['a policy that is no text', { payment_policy: 1 }, 'invalid_payment_policy', 'payment_policy'],
    [
      'above without a threshold',
      { payment_policy: 'above' },
      'invalid_payment_policy_amount_cents',
      'payment_policy_amount_cents',
    ],
    [
      'a threshold without above',
      { payment_policy: 'always', payment_policy_amount_cents: 1 },
      'invalid_payment_policy_amount_cents',
      'payment_policy_amount_cents',
    ],
    ...[0, -1, 1.5, '100', 100_000_000].map((amount): [string, Record<string, unknown>, ErrorCode, string] => [
      `the threshold ${JSON.stringify(amount)}`,
      { payment_policy: 'above', payment_policy_amount_cents: amount },
      'invalid_payment_policy_amount_cents',
      'payment_policy_amount_cents',
    ]),
    ['no language', { language: 'english please' }, 'invalid_value', 'language'],
    ...['Mars/Olympus', '+02:00', '', 'Europe/Berlin\n', 'A'.repeat(51)].map(
      (time_zone): [string, Record<string, unknown>, ErrorCode, string] => [
        `the time zone ${JSON.stringify(time_zone)}`,
        { time_zone },
        'invalid_value',
        'time_zone',
      ],
    ),
    ['an unknown return mode', { return_mode: 'teleport' }, 'invalid_value', 'return_mode'],
    ['no brand', { accepted_brands: [] }, 'invalid_value', 'accepted_brands'],
    ['an unknown brand', { accepted_brands: ['store card'] }, 'invalid_value', 'accepted_brands.0'],
    ['a way of saving cards that is none', { card_saving: 'always' }, 'invalid_value', 'card_saving'],
    ['a flag as text', { asks_confirmation: 'yes' }, 'invalid_value', 'asks_confirmation'],
    ['an unknown order source', { order_source: { type: 'ftp' } }, 'invalid_value', 'order_source.type'],
    ['no URL', { order_source: { type: 'http' } }, 'missing_required_fields', 'order_source.url'],
    [
      'http to the world',
      { order_source: { type: 'http', url: 'http://a.example.com' } },
      'invalid_url',
      'order_source.url',
    ],
    [
      'a password in the URL',
      { order_source: { type: 'http', url: 'https://a:b@c.com' } },
      'invalid_url',
      'order_source.url',
    ],
    [
      'another scheme',
      { order_source: { type: 'http', url: 'file:///etc/passwd' } },
      'invalid_url',
      'order_source.url',
    ],
  ])('%s', async (_what, body, code, param) => {
    expectError(await api.post('/v1/merchants', { business_name: 'Shop', ...body }), code, param);
  });

  test.each(['https://127.0.0.1/', 'https://[::1]/', 'https://localhost/', 'http://127.0.0.1/', 'https://10.1.2.3/'])(
    'a live merchant’s orders are not at %s',
    async (url) => {
      const body = { business_name: 'Live', order_source: { type: 'http', url } };
      expectError(await api.post('/v1/merchants', body, bearer(LIVE_KEY)), 'invalid_url', 'order_source.url');
    },
  );

  test('the sandbox’s orders are for test merchants', async () => {
    const body = { business_name: 'Live', order_source: { type: 'sandbox' } };
    expectError(await api.post('/v1/merchants', body, bearer(LIVE_KEY)), 'invalid_value', 'order_source.type');
  });

  test('change nothing', async () => {
    const merchant = await create();
    const body = { business_name: 'New name', numbers: ['+15550100001'] };
    expectError(await change(merchant.merchant_id, body), 'invalid_value', 'numbers');
    expect((await api.get(`/v1/merchants/${merchant.merchant_id}`)).body).toEqual(merchant);
  });
});

describe('a change', () => {
  test('is of what it names, and of nothing else', async () => {
    const merchant = await create({ numbers: ['+15550100401'], voice: 'a' });
    const changed = await change(merchant.merchant_id, {
      business_name: 'New name',
      voice: null,
      numbers: ['+15550100402'],
    });
    expect(changed.body).toEqual({ ...merchant, business_name: 'New name', voice: null, numbers: ['+15550100402'] });
    expect((await change(merchant.merchant_id, {})).body).toEqual(changed.body);
    expect((await create({ numbers: ['+15550100401'] })).numbers).toEqual(['+15550100401']);
  });

  test('of the policy takes its threshold along', async () => {
    const { merchant_id } = await create({ payment_policy: 'above', payment_policy_amount_cents: 100 });
    const read = async (body: unknown) => {
      const { payment_policy, payment_policy_amount_cents } = (await change(merchant_id, body)).body;
      return [payment_policy, payment_policy_amount_cents];
    };
    expect(await read({ payment_policy_amount_cents: 200 })).toEqual(['above', 200]);
    expect(await read({ payment_policy: 'optional' })).toEqual(['optional', null]);
    expectError(
      await change(merchant_id, { payment_policy: 'above' }),
      'invalid_payment_policy_amount_cents',
      'payment_policy_amount_cents',
    );
  });

  test('of one number by two at once has one winner', async () => {
    const merchants = await Promise.all([create(), create()]);
    const answers = await Promise.all(
      merchants.map(({ merchant_id }) => change(merchant_id, { numbers: ['+15550100501'] })),
    );
    expect(answers.map(({ status: code }) => code).sort()).toEqual([200, 400]);
  });

  test('shows an order source’s secret once: when its URL is set', async () => {
    const order_source = { type: 'http', url: 'https://shop.example.com/orders' };
    const merchant = await create({ order_source });
    expect(merchant.order_source).toEqual({ ...order_source, signing_secret: expect.stringMatching(/^whsec_.{44}$/) });
    const read = (await api.get(`/v1/merchants/${merchant.merchant_id}`)).body;
    expect(read.order_source).toEqual(order_source);
    expect((await change(merchant.merchant_id, { order_source })).body.order_source).toEqual(order_source);
    const { rows } = await api.database.query('select signing_secret from order_sources where merchant_id = $1', [
      merchant.merchant_id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(merchant.order_source.signing_secret);
  });
});

describe('merchants of others', () => {
  const OPERATIONS: [string, (id: string, headers?: Record<string, string>) => Promise<Answer>][] = [
    ['read', (id, headers) => api.get(`/v1/merchants/${id}`, headers)],
    ['changed', (id, headers) => change(id, {}, headers)],
    ['connected', (id, headers) => connect(id, { processor: 'sandbox' }, headers)],
    ['asked about', (id, headers) => api.get(`/v1/merchants/${id}/status`, headers)],
  ];
  test.each(OPERATIONS)('are not %s', async (_what, ask) => {
    expectError(await ask('mer_demo_diner', bearer(OTHER_KEY)), 'merchant_not_found', 'merchant_id');
    expectError(await ask('mer_demo_diner', bearer(LIVE_KEY)), 'invalid_key');
    for (const id of ['mer_nobody', 'diner', "mer_'--", 'mer_%00', 'x'.repeat(1_000)]) {
      expectError(await ask(id), 'merchant_not_found', 'merchant_id');
    }
  });
});

describe('the list', () => {
  test('has every merchant once, newest first, a page at a time', async () => {
    const headers = bearer(OTHER_KEY);
    const created: string[] = [];
    for (let index = 0; index < 5; index += 1) created.unshift((await create({}, headers)).merchant_id);
    const seen: string[] = [];
    for (let after = ''; ; after = `&starting_after=${seen.at(-1)}`) {
      const answer = await api.get(`/v1/merchants?limit=2${after}`, headers);
      const page = MerchantList.strict().parse(answer.body);
      seen.push(...page.merchants.map(({ merchant_id }) => merchant_id));
      if (!page.has_more) break;
      expect(page.merchants).toHaveLength(2);
    }
    expect(seen).toEqual(created);
    expect((await api.get(`/v1/merchants?starting_after=${seen.at(-1)}`, headers)).body).toEqual({
      merchants: [],
      has_more: false,
    });
  });

  test.each([
    ...['0', '101', '-1', '1.5', 'ten', '', '1e1', '١'].map((limit) => [`limit=${limit}`, 'limit']),
    ['limit=1&limit=2', 'limit'],
    ['starting_after=', 'starting_after'],
    ['starting_after=mer_nobody', 'starting_after'],
    ['starting_after=%00', 'starting_after'],
    ['starting_after=%F0%9F', 'starting_after'],
  ])('refuses %s', async (query, param) => {
    expectError(await api.get(`/v1/merchants?${query}`), 'invalid_value', param);
  });
});

describe('a processor', () => {
  test('is connected with its credentials, which are sealed and never shown', async () => {
    const { merchant_id } = await create();
    const answer = await connect(merchant_id, {
      processor: 'sandbox',
      environment: 'test',
      credentials: { api_key: 'sk_very_secret' },
    });
    expect(answer.status).toBe(200);
    expect(MerchantResource.strict().parse(answer.body).processor).toBe('sandbox');
    const { rows } = await api.database.query<{ credentials: string }>(
      'select credentials from merchant_processors where merchant_id = $1',
      [merchant_id],
    );
    expect(rows[0]?.credentials).toMatch(/^[0-9a-f]{8}\./);
    expect(JSON.stringify([rows, answer.text, api.log])).not.toContain('sk_very_secret');
  });

  test.each<[Record<string, unknown>, ErrorCode, string | undefined]>([
    [{}, 'missing_required_fields', 'processor'],
    [{ processor: 'nobody' }, 'invalid_processor', 'processor'],
    [{ processor: 5 }, 'invalid_processor', 'processor'],
    [{ processor: 'sandbox', environment: 'production' }, 'invalid_environment', 'environment'],
    [{ processor: 'sandbox', environment: 'live' }, 'invalid_environment', 'environment'],
    [{ processor: 'sandbox', credentials: 'key' }, 'invalid_value', 'credentials'],
    [{ processor: 'sandbox', credentials: { api_key: 5 } }, 'invalid_value', 'credentials.api_key'],
    [{ processor: 'sandbox', credentials: { api_key: 'sandbox_invalid' } }, 'invalid_credentials', 'credentials'],
    [
      { processor: 'sandbox', credentials: { api_key: 'sandbox_not_provisioned' } },
      'vendor_not_provisioned',
      undefined,
    ],
    [{ processor: 'sandbox', credentials: { api_key: 'sk_é' } }, 'invalid_value', 'credentials.api_key'],
    [{ processor: 'sandbox', secret: 'x' }, 'invalid_value', 'secret'],
  ])('%j is not', async (body, code, param) => {
    const { merchant_id } = await create();
    expectError(await connect(merchant_id, body), code, param);
    expect((await api.get(`/v1/merchants/${merchant_id}`)).body.processor).toBeNull();
  });

  test.each([
    [{}, 'secret_key', 'is missing'],
    [{ secret_key: 'sk_live_0123456789abcdef' }, 'secret_key', 'is not written as stripe writes it in test mode'],
    [{ secret_key: 'sk_test_0123456789abcdef', password: 'x' }, 'password', 'is none of those of stripe'],
  ])('of Stripe, %j are refused before anybody is asked', async (credentials, name, fault) => {
    const own = await startTestApi({ processors: [createStripe({ address: NOWHERE })] });
    try {
      const { body } = await own.post('/v1/merchants', { business_name: 'Bakery' });
      const path = `/v1/merchants/${String(body.merchant_id)}/processor`;
      const { error } = (await own.post(path, { processor: 'stripe', credentials })).body;
      const param = `credentials.${name}`;
      expect(error).toMatchObject({ code: 'invalid_credentials', param, message: `${param} ${fault}.` });
    } finally {
      await own.close();
    }
  });

  test('that cannot be asked is not connected, says nothing of a payment, and is asked anew', async () => {
    const own = await startTestApi({ processors: [createStripe({ address: NOWHERE })] });
    try {
      const { body } = await own.post('/v1/merchants', { business_name: 'Bakery' });
      const request = { processor: 'stripe', credentials: { secret_key: 'sk_test_0123456789abcdef' } };
      const path = `/v1/merchants/${String(body.merchant_id)}/processor`;
      for (const _again of [false, true]) {
        const answer = await own.post(path, request, { 'idempotency-key': 'connect' });
        expect(answer).toMatchObject({ status: 424, body: { error: { code: 'processor_unavailable' } } });
        expect(answer.body.error.agent_message).toMatch(/Nothing has been charged/);
        expect(answer.headers.get('idempotent-replayed')).toBeNull();
      }
    } finally {
      await own.close();
    }
  });

  test('of test mode takes no live merchant', async () => {
    const { merchant_id } = await create({}, bearer(LIVE_KEY));
    expectError(
      await connect(merchant_id, { processor: 'sandbox' }, bearer(LIVE_KEY)),
      'invalid_processor',
      'processor',
    );
  });
});

describe('the status', () => {
  test('says what is missing, and then only that it is a test', async () => {
    const { merchant_id } = await create({ payment_policy: 'never' });
    expect(await status(merchant_id)).toMatchObject({
      can_take_payments: false,
      requirements: [{ code: 'test_environment' }, { code: 'processor_missing' }, { code: 'policy_never' }],
    });
    await connect(merchant_id, { processor: 'sandbox' });
    await change(merchant_id, { payment_policy: 'always' });
    expect(await status(merchant_id)).toMatchObject({
      processor: 'sandbox',
      can_take_payments: true,
      can_take_live_payments: false,
      requirements: [{ code: 'test_environment' }],
    });
  });

  test('tells when the processor has changed its mind, and when the key is gone', async () => {
    const { merchant_id } = await create();
    await connect(merchant_id, { processor: 'sandbox', credentials: { api_key: 'x' } });
    await api.database.query('update merchant_processors set credentials = $2 where merchant_id = $1', [
      merchant_id,
      createVault([randomBytes(32)]).seal('{}', `processor:${merchant_id}:sandbox`),
    ]);
    expect((await status(merchant_id)).requirements[1]?.code).toBe('credentials_unreadable');
    await api.database.query(`update merchants set processor = 'gone' where id = $1`, [merchant_id]);
    expect((await status(merchant_id)).requirements[1]?.code).toBe('processor_unknown');
  });
});

test('a live merchant that lacks nothing can take live payments', async () => {
  const own = await startTestApi({
    processors: [{ ...createSandbox(api.database), name: 'bank', modes: ['live'] }],
  });
  try {
    await addKeys(own);
    const headers = bearer(LIVE_KEY);
    const { body } = await own.post('/v1/merchants', { business_name: 'Live' }, headers);
    await own.post(`/v1/merchants/${body.merchant_id}/processor`, { processor: 'bank' }, headers);
    expect((await own.get(`/v1/merchants/${body.merchant_id}/status`, headers)).body).toMatchObject({
      can_take_payments: true,
      can_take_live_payments: true,
      requirements: [],
    });
  } finally {
    await own.close();
  }
});

test('without encryption keys nothing secret can be kept', async () => {
  const own = await startTestApi({ vault: null });
  try {
    const credentials = { api_key: 'x' };
    const body = { processor: 'sandbox', credentials };
    expectError(await own.post('/v1/merchants/mer_demo_diner/processor', body), 'not_configured');
    const order_source = { type: 'http', url: 'https://a.example.com/' };
    expectError(await own.post('/v1/merchants', { business_name: 'Shop', order_source }), 'not_configured');
    expect((await own.post('/v1/merchants/mer_demo_diner/processor', { processor: 'sandbox' })).status).toBe(200);
  } finally {
    await own.close();
  }
});
