/** Invalid merchant settings, each with its code and field. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import { bearer, expectError, LIVE_KEY } from './fixtures.ts';
import { type MerchantsApi, startMerchantsApi } from './merchants-api.ts';
import { LIVE_TRANSFER_NUMBER, type TestApi, TRANSFER_NUMBER } from './test-api.ts';

let merchants: MerchantsApi;
let api: TestApi;
beforeAll(async () => {
  merchants = await startMerchantsApi();
  ({ api } = merchants);
});
afterAll(() => api.close());

describe('wrong settings', () => {
  test.each<[string, Record<string, unknown>, ErrorCode, string]>([
    ['no name', { business_name: undefined }, 'missing_required_fields', 'business_name'],
    ['a name of blanks', { business_name: '  ' }, 'invalid_value', 'business_name'],
    ['half a character', { business_name: '\ud83d' }, 'invalid_value', 'business_name'],
    ['an unknown setting', { payment_polcy: 'never' }, 'invalid_value', 'payment_polcy'],
    ['a slug with blanks', { slug: 'a b' }, 'invalid_value', 'slug'],
    ['a slug that is taken', { slug: 'demo-diner' }, 'invalid_value', 'slug'],
    ['a number that is taken', { numbers: ['+15550100001'] }, 'invalid_value', 'numbers'],
    ['a number of our own', { numbers: ['+15550100302', TRANSFER_NUMBER] }, 'invalid_value', 'numbers'],
    ['a number of our own, of live mode', { numbers: [LIVE_TRANSFER_NUMBER] }, 'invalid_value', 'numbers'],
    ['a number twice', { numbers: ['+15550100301', '+15550100301'] }, 'invalid_value', 'numbers'],
    ['no number', { numbers: ['front desk'] }, 'invalid_value', 'numbers.0'],
    ['a voice of a synthesizer that is not set up', { voice: 'polly:Joanna' }, 'invalid_value', 'voice'],
    ['a voice of nobody', { voice: 'nobody:nova' }, 'invalid_value', 'voice'],
    ['a voice that its synthesizer does not have', { voice: 'openai:Joanna' }, 'invalid_value', 'voice'],
    ['a voice that can be no name', { voice: '--help; id' }, 'invalid_value', 'voice'],
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
    ['no second language', { second_language: 'otra' }, 'invalid_value', 'second_language'],
    ['a second language without words', { second_language: 'it' }, 'invalid_value', 'second_language'],
    ['the same language twice', { language: 'es-MX', second_language: 'es' }, 'invalid_value', 'second_language'],
    [
      'English for callers who hear it already',
      { language: 'it', second_language: 'en' },
      'invalid_value',
      'second_language',
    ],
    ...['Mars/Olympus', '+02:00', ' ', 'Europe/Berlin\n', 'A'.repeat(51)].map(
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
    ['four tips', { tip_percentages: [5, 10, 15, 20] }, 'invalid_value', 'tip_percentages'],
    ['a tip twice', { tip_percentages: [10, 10] }, 'invalid_value', 'tip_percentages'],
    ['a tip over 50%', { tip_percentages: [51] }, 'invalid_value', 'tip_percentages.0'],
    ['no smallest part', { partial_minimum_cents: 0 }, 'invalid_value', 'partial_minimum_cents'],
    ['a part of a cent', { partial_minimum_cents: 0.5 }, 'invalid_value', 'partial_minimum_cents'],
    ['texting after a drop that is no boolean', { text_after_drop: 'yes' }, 'invalid_value', 'text_after_drop'],
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
  ])('rejects %s', async (_what, body, code, param) => {
    expectError(await api.post('/v1/merchants', { business_name: 'Shop', ...body }), code, param);
  });

  test.each(['https://127.0.0.1/', 'https://[::1]/', 'https://localhost/', 'http://127.0.0.1/', 'https://10.1.2.3/'])(
    'a live merchant’s orders are not at %s',
    async (url) => {
      const body = { business_name: 'Live', order_source: { type: 'http', url } };
      expectError(await api.post('/v1/merchants', body, bearer(LIVE_KEY)), 'invalid_url', 'order_source.url');
    },
  );

  test('rejects sandbox orders for a live merchant', async () => {
    const body = { business_name: 'Live', order_source: { type: 'sandbox' } };
    expectError(await api.post('/v1/merchants', body, bearer(LIVE_KEY)), 'invalid_value', 'order_source.type');
  });

  test('changes nothing after a rejected update', async () => {
    const merchant = await merchants.create();
    const body = { business_name: 'New name', numbers: ['+15550100001'] };
    expectError(await merchants.change(merchant.merchant_id, body), 'invalid_value', 'numbers');
    expect((await api.get(`/v1/merchants/${merchant.merchant_id}`)).body).toEqual(merchant);
  });
});
