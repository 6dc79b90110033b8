/** `/v1/merchants` over HTTP: create, change, list, and access from other accounts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MerchantList } from '../../src/http/api/routes/merchant-shapes.ts';
import { bearer, expectError, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { type MerchantsApi, startMerchantsApi } from './merchants-api.ts';
import type { Answer, TestApi } from './test-api.ts';

let merchantsApi: MerchantsApi;
let api: TestApi;
beforeAll(async () => {
  merchantsApi = await startMerchantsApi();
  ({ api } = merchantsApi);
});
afterAll(() => api.close());

describe('a new merchant', () => {
  test('has defaults for all settings except the name', async () => {
    const merchant = await merchantsApi.create({ business_name: 'Café Zoë' });
    expect(merchant).toMatchObject({
      environment: 'test',
      business_name: 'Café Zoë',
      numbers: [],
      currency: 'USD',
      payment_policy: 'always',
      payment_policy_amount_cents: null,
      language: 'en-US',
      second_language: null,
      time_zone: 'UTC',
      voice: null,
      asks_postal_code: false,
      asks_confirmation: false,
      card_saving: 'never',
      tip_percentages: [],
      partial_minimum_cents: null,
      text_after_drop: false,
      return_mode: null,
      accepted_brands: ['visa', 'mastercard', 'american-express', 'discover'],
      page_accent_color: null,
      page_support_phone: null,
      page_support_email: null,
      page_terms_url: null,
      page_privacy_url: null,
      processor: null,
      order_source: { type: 'sandbox' },
    });
    expect(merchant.slug).toMatch(/^cafe-zoe-[0-9a-f]{8}$/);
    expect((await api.get(`/v1/merchants/${merchant.merchant_id}`)).body).toEqual(merchant);
  });

  test('has a branding of its pages, whose values are changed and removed one by one', async () => {
    const merchant = await merchantsApi.create({ business_name: 'Branded', page_accent_color: '#24569B' });
    expect(merchant.page_accent_color).toBe('#24569b');
    const change = (body: object) => merchantsApi.change(String(merchant.merchant_id), body);
    const support = { page_support_phone: '+442071838750', page_support_email: 'help@bakery.example' };
    const links = { page_terms_url: 'https://bakery.example/terms', page_privacy_url: null };
    expect((await change({ ...support, ...links })).body).toMatchObject({
      page_accent_color: '#24569b',
      page_support_phone: '+442071838750',
      page_support_email: 'help@bakery.example',
      page_terms_url: 'https://bakery.example/terms',
      page_privacy_url: null,
    });
    expect((await change({ page_accent_color: null })).body).toMatchObject({
      page_accent_color: null,
      page_support_phone: '+442071838750',
    });
    for (const [name, value, code] of [
      ['page_accent_color', 'red;}', 'invalid_value'],
      ['page_support_phone', '020', 'invalid_value'],
      ['page_support_email', '"><b>@x', 'invalid_value'],
      ['page_terms_url', 'javascript:alert(1)', 'invalid_url'],
      ['page_privacy_url', 'https://user:secret@bakery.example', 'invalid_url'],
    ] as const) {
      expectError(await change({ [name]: value }), code, name);
    }
  });

  test('accepts all settings, and applies them to a checkout', async () => {
    const settings = {
      slug: 'all-settings',
      numbers: ['+15550100201', '+15550100202'],
      currency: 'EUR',
      payment_policy: 'above',
      payment_policy_amount_cents: 500,
      language: 'de-de',
      second_language: 'en-gb',
      time_zone: 'europe/berlin',
      voice: 'de+f2',
      asks_postal_code: true,
      asks_confirmation: true,
      card_saving: 'ask',
      tip_percentages: [15, 20],
      partial_minimum_cents: 500,
      text_after_drop: true,
      return_mode: 'bridge',
      accepted_brands: ['visa'],
      order_source: { type: 'none' },
    };
    const merchant = await merchantsApi.create(settings);
    expect(merchant).toMatchObject({
      ...settings,
      language: 'de-DE',
      second_language: 'en-GB',
      time_zone: 'Europe/Berlin',
    });
    await merchantsApi.connect(merchant.merchant_id, { processor: 'sandbox' });
    const checkout = (amount_cents: number) => api.checkout({ merchant_number: '+15550100202', amount_cents });
    expect(await checkout(500)).toMatchObject({ payment_required: 'required', currency: 'EUR' });
    expect(await checkout(499)).toMatchObject({ payment_required: 'none' });
  });

  test('gets a slug even if its name has no usable character', async () => {
    expect((await merchantsApi.create({ business_name: '寿司' })).slug).toMatch(/^[0-9a-f]{8}$/);
  });

  test('gets a slug without accents', async () => {
    expect((await merchantsApi.create({ business_name: 'Ünïcödé Café' })).slug).toMatch(/^unicode-cafe-[0-9a-f]{8}$/);
  });
});

describe('updating a merchant', () => {
  test('changes only the fields that are sent', async () => {
    const merchant = await merchantsApi.create({ numbers: ['+15550100401'], voice: 'openai:nova' });
    const changed = await merchantsApi.change(merchant.merchant_id, {
      business_name: 'New name',
      voice: null,
      numbers: ['+15550100402'],
    });
    expect(changed.body).toEqual({ ...merchant, business_name: 'New name', voice: null, numbers: ['+15550100402'] });
    expect((await merchantsApi.change(merchant.merchant_id, {})).body).toEqual(changed.body);
    expect((await merchantsApi.create({ numbers: ['+15550100401'] })).numbers).toEqual(['+15550100401']);
  });

  test('removes or requires the threshold when the policy changes', async () => {
    const { merchant_id } = await merchantsApi.create({ payment_policy: 'above', payment_policy_amount_cents: 100 });
    const read = async (body: unknown) => {
      const { payment_policy, payment_policy_amount_cents } = (await merchantsApi.change(merchant_id, body)).body;
      return [payment_policy, payment_policy_amount_cents];
    };
    expect(await read({ payment_policy_amount_cents: 200 })).toEqual(['above', 200]);
    expect(await read({ payment_policy: 'optional' })).toEqual(['optional', null]);
    expectError(
      await merchantsApi.change(merchant_id, { payment_policy: 'above' }),
      'invalid_payment_policy_amount_cents',
      'payment_policy_amount_cents',
    );
  });

  test('assigns a number to one of two merchants that request it at once', async () => {
    const merchants = await Promise.all([merchantsApi.create(), merchantsApi.create()]);
    const answers = await Promise.all(
      merchants.map(({ merchant_id }) => merchantsApi.change(merchant_id, { numbers: ['+15550100501'] })),
    );
    expect(answers.map(({ status: code }) => code).sort()).toEqual([200, 400]);
  });

  test('shows the secret of an order source once, when its URL is set', async () => {
    const order_source = { type: 'http', url: 'https://shop.example.com/orders' };
    const merchant = await merchantsApi.create({ order_source });
    expect(merchant.order_source).toEqual({ ...order_source, signing_secret: expect.stringMatching(/^whsec_.{44}$/) });
    const read = (await api.get(`/v1/merchants/${merchant.merchant_id}`)).body;
    expect(read.order_source).toEqual(order_source);
    expect((await merchantsApi.change(merchant.merchant_id, { order_source })).body.order_source).toEqual(order_source);
    const { rows } = await api.database.query('select signing_secret from order_sources where merchant_id = $1', [
      merchant.merchant_id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(merchant.order_source.signing_secret);
  });
});

describe('merchants of other accounts and modes', () => {
  const OPERATIONS: [string, (id: string, headers?: Record<string, string>) => Promise<Answer>][] = [
    ['read', (id, headers) => api.get(`/v1/merchants/${id}`, headers)],
    ['changed', (id, headers) => merchantsApi.change(id, {}, headers)],
    ['connected', (id, headers) => merchantsApi.connect(id, { processor: 'sandbox' }, headers)],
    ['asked about', (id, headers) => api.get(`/v1/merchants/${id}/status`, headers)],
  ];
  test.each(OPERATIONS)('merchants of other accounts and modes are not %s', async (_what, ask) => {
    expectError(await ask('mer_demo_diner', bearer(OTHER_KEY)), 'merchant_not_found', 'merchant_id');
    expectError(await ask('mer_demo_diner', bearer(LIVE_KEY)), 'invalid_key');
    for (const id of ['mer_nobody', 'diner', "mer_'--", 'mer_%00', 'x'.repeat(1_000)]) {
      expectError(await ask(id), 'merchant_not_found', 'merchant_id');
    }
  });
});

describe('the list', () => {
  test('lists every merchant once, in pages, newest first', async () => {
    const headers = bearer(OTHER_KEY);
    const created: string[] = [];
    for (let index = 0; index < 5; index += 1) created.unshift((await merchantsApi.create({}, headers)).merchant_id);
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

  test('finds merchants by a part of the name in any case or by ID, in pages', async () => {
    const names = ['Taxi 100% North', 'taxi 100% south', 'Taxi 1000'];
    const ids: string[] = [];
    for (const business_name of names) ids.unshift((await merchantsApi.create({ business_name })).merchant_id);
    const search = async (text: string, more = '', headers?: Record<string, string>) => {
      const { body } = await api.get(`/v1/merchants?search=${encodeURIComponent(text)}${more}`, headers);
      const page = MerchantList.strict().parse(body);
      return { ids: page.merchants.map(({ merchant_id }) => merchant_id), hasMore: page.has_more };
    };
    const [plain = '', south = '', north = ''] = ids;
    expect(await search('TAXI 100%')).toEqual({ ids: [south, north], hasMore: false });
    expect(await search('taxi', '&limit=2')).toEqual({ ids: [plain, south], hasMore: true });
    expect(await search('taxi', `&limit=2&starting_after=${south}`)).toEqual({ ids: [north], hasMore: false });
    expect(await search(south)).toEqual({ ids: [south], hasMore: false });
    expect((await search('taxi_100')).ids).toEqual([]);
    expect((await search('taxi', '', bearer(OTHER_KEY))).ids).toEqual([]);
    expect((await search(south, '', bearer(OTHER_KEY))).ids).toEqual([]);
  });

  test.each([
    ['limit=1&limit=2', 'limit'],
    ['search=', 'search'],
    ['search=%20', 'search'],
    ['search=a%00', 'search'],
    [`search=${'x'.repeat(101)}`, 'search'],
    ['search=a&search=b', 'search'],
    ['starting_after=', 'starting_after'],
    ['starting_after=mer_nobody', 'starting_after'],
    ['starting_after=%00', 'starting_after'],
    ['starting_after=%F0%9F', 'starting_after'],
    ...['0', '101', '-1', '1.5', 'ten', '', '1e1', '١'].map((limit) => [`limit=${limit}`, 'limit']),
  ])('rejects a list with %s', async (query, param) => {
    expectError(await api.get(`/v1/merchants?${query}`), 'invalid_value', param);
  });
});
