/** Connecting a merchant's processor, and the merchant's status, over HTTP. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import { MerchantResource } from '../../src/contract/merchants.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import { createStripe } from '../../src/payments/stripe/index.ts';
import { bearer, expectError, insertTestKeys, LIVE_KEY } from './fixtures.ts';
import { type MerchantsApi, startMerchantsApi } from './merchants-api.ts';
import { LINK_BASE, startTestApi, type TestApi } from './test-api.ts';

/** Port 0: no connection is possible. */
const NOWHERE = { host: '127.0.0.1', port: 0, protocol: 'http' } as const;

let merchants: MerchantsApi;
let api: TestApi;
beforeAll(async () => {
  merchants = await startMerchantsApi();
  ({ api } = merchants);
});
afterAll(() => api.close());

describe('connecting a processor', () => {
  test('connects a processor, stores the credentials encrypted, and never shows them', async () => {
    const { merchant_id } = await merchants.create();
    const answer = await merchants.connect(merchant_id, {
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
  ])('rejects %j', async (body, code, param) => {
    const { merchant_id } = await merchants.create();
    expectError(await merchants.connect(merchant_id, body), code, param);
    expect((await api.get(`/v1/merchants/${merchant_id}`)).body.processor).toBeNull();
  });

  test.each([
    [{}, 'secret_key', 'is missing'],
    [
      { secret_key: 'sk_live_0123456789abcdef' },
      'secret_key',
      'must have the form of a test mode credential of stripe',
    ],
    [{ secret_key: 'sk_test_0123456789abcdef', password: 'x' }, 'password', 'is not a credential of stripe'],
  ])('rejects the Stripe credentials %j without a request to Stripe', async (credentials, name, fault) => {
    const own = await startTestApi({ processors: [createStripe({ address: NOWHERE })] });
    try {
      const { body } = await own.post('/v1/merchants', { business_name: 'Bakery' });
      const path = `/v1/merchants/${String(body.merchant_id)}/processor`;
      const { error } = (await own.post(path, { processor: 'stripe', credentials })).body;
      const param = `credentials.${name}`;
      expect(error).toMatchObject({ code: 'invalid_credentials', param, message: `\`${param}\` ${fault}.` });
    } finally {
      await own.close();
    }
  });

  test('does not connect an unreachable processor, and connects it later', async () => {
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

  test('does not connect a test processor to a live merchant', async () => {
    const { merchant_id } = await merchants.create({}, bearer(LIVE_KEY));
    expectError(
      await merchants.connect(merchant_id, { processor: 'sandbox' }, bearer(LIVE_KEY)),
      'invalid_processor',
      'processor',
    );
  });
});

describe('the status', () => {
  test('lists missing requirements, and finally only the test mode', async () => {
    const { merchant_id } = await merchants.create({ payment_policy: 'never' });
    expect(await merchants.status(merchant_id)).toMatchObject({
      can_take_payments: false,
      requirements: [{ code: 'test_environment' }, { code: 'processor_missing' }, { code: 'policy_never' }],
    });
    await merchants.connect(merchant_id, { processor: 'sandbox' });
    await merchants.change(merchant_id, { payment_policy: 'always' });
    expect(await merchants.status(merchant_id)).toMatchObject({
      processor: 'sandbox',
      can_take_payments: true,
      can_take_live_payments: false,
      requirements: [{ code: 'test_environment' }],
    });
  });

  test('reports rejected credentials and a missing encryption key', async () => {
    const { merchant_id } = await merchants.create();
    await merchants.connect(merchant_id, { processor: 'sandbox', credentials: { api_key: 'x' } });
    await api.database.query('update merchant_processors set credentials = $2 where merchant_id = $1', [
      merchant_id,
      createVault([randomBytes(32)]).seal('{}', `processor:${merchant_id}:sandbox`),
    ]);
    expect((await merchants.status(merchant_id)).requirements[1]?.code).toBe('credentials_unreadable');
    await api.database.query(`update merchants set processor = 'gone' where id = $1`, [merchant_id]);
    expect((await merchants.status(merchant_id)).requirements[1]?.code).toBe('processor_unknown');
  });
});

test.each([
  [true, LINK_BASE, []],
  [false, LINK_BASE, ['sms_carrier_missing']],
  [true, null, ['pay_links_unavailable']],
])(
  'a live merchant takes live payments, with texts (%j) and pay links (%j) or without',
  async (hasSmsCarrier, linkBase, codes) => {
    const own = await startTestApi({
      hasSmsCarrier,
      linkBase: () => linkBase,
      processors: [{ ...createSandbox(api.database), name: 'bank', modes: ['live'] }],
    });
    try {
      await insertTestKeys(own);
      const headers = bearer(LIVE_KEY);
      const { body } = await own.post('/v1/merchants', { business_name: 'Live' }, headers);
      await own.post(`/v1/merchants/${body.merchant_id}/processor`, { processor: 'bank' }, headers);
      expect((await own.get(`/v1/merchants/${body.merchant_id}/status`, headers)).body).toMatchObject({
        can_take_payments: true,
        can_take_live_payments: true,
        requirements: codes.map((code) => expect.objectContaining({ code })),
      });
    } finally {
      await own.close();
    }
  },
);

test('rejects credentials without encryption keys', async () => {
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
