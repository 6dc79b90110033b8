/** `POST /v1/create_checkout`, over HTTP: the successful answers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertKey } from '../../src/db/keys/keys.ts';
import { findSessionForTransfer } from '../../src/db/sessions/sessions.ts';
import { optIn, optOut } from '../../src/db/texts/texts.ts';
import { parseId } from '../../src/domain/ids.ts';
import { newKey } from '../../src/domain/key.ts';
import { CreateCheckoutResponse } from '../../src/http/api/routes/create-checkout.ts';
import { DEMO_ACCOUNT, DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { createTestMerchant } from '../support/test-merchants.ts';
import { bearer } from './fixtures.ts';
import { DOMAIN, LIVE_TRANSFER_NUMBER, startTestApi, type TestApi, TRANSFER_NUMBER } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const DINER = { merchant_id: 'mer_demo_diner', amount_cents: 4250 };
const CALLER = { caller_phone: '+15550101234' };

describe('a caller who withholds the number', () => {
  test.each(['anonymous', 'Unavailable', '', null])(
    'creates a session without a number for %j',
    async (caller_phone) => {
      const body = await api.checkout({ ...DINER, caller_phone });
      expect(body).toMatchObject({ payment_required: 'required', cards: [] });
      expect(body.transfer_to).toMatch(/^sip:cs_/);
      const read = await api.get(`/v1/checkout_sessions/${body.checkout_session_id}`);
      expect(read.body.caller_phone).toBeNull();
    },
  );
});

describe('offering a link', () => {
  const optional = async (own: TestApi) => {
    const shop = { business_name: 'Corner Bakery', payment_policy: 'optional' };
    const { merchant_id } = (await own.post('/v1/merchants', shop)).body;
    await own.post(`/v1/merchants/${merchant_id}/processor`, { processor: 'sandbox' });
    return (await own.checkout({ merchant_id, amount_cents: 100, ...CALLER })).agent_message;
  };

  test('offers a link only if one can be sent', async () => {
    expect(await optional(api)).toMatch(/link I text you/);
    for (const without of [{ linkBase: () => null }, { vault: null }]) {
      const own = await startTestApi(without);
      try {
        expect(await optional(own)).not.toMatch(/link/);
      } finally {
        await own.close();
      }
    }
  });

  test('offers no link to a number that answered STOP', async () => {
    await optOut(api.database, CALLER.caller_phone, 'STOP');
    try {
      expect(await optional(api)).not.toMatch(/link/);
    } finally {
      await optIn(api.database, CALLER.caller_phone);
    }
  });
});

describe('the answer', () => {
  test('returns exactly the documented fields', async () => {
    const body = await api.checkout({ ...DINER, ...CALLER, metadata: { table: '7' } });
    expect(() => CreateCheckoutResponse.strict().parse(body)).not.toThrow();
    expect(body).toMatchObject({
      merchant_id: 'mer_demo_diner',
      payment_required: 'required',
      amount_cents: 4250,
      currency: 'USD',
      amount_source: 'request',
      transfer_to_number: TRANSFER_NUMBER,
      cards: [{ instrument_id: 'card_demo_visa', brand: 'VISA', last_four: '4242', expiry: '12/2049' }],
      default_card_id: 'card_demo_visa',
      metadata: { table: '7' },
    });
  });

  test('returns a request ID and forbids caching', async () => {
    const { headers } = await api.post('/v1/create_checkout', DINER);
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('server')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test('returns equal metadata', async () => {
    const text = String.raw`{ "2":"b", "1" : "a","caf\u00e9":"\ud83d\ude00 ☕",   "": "\u0000 \/ \ud800" }`;
    const numbers = '{"a":1.0,"b":1e3, "c":-0,"d":0.1,"e":true,"f":null,"g":-9007199254740991}';
    for (const metadata of [text, numbers]) {
      const created = await api.post(
        '/v1/create_checkout',
        `{"metadata":${metadata}, ${JSON.stringify(DINER).slice(1)}`,
      );
      // As JSON writes it: -0 and 0 are one number.
      const meaning = JSON.parse(JSON.stringify(JSON.parse(metadata)));
      expect(created.body.metadata).toEqual(meaning);
      const read = await api.get(`/v1/checkout_sessions/${created.body.checkout_session_id}`);
      expect(read.body.metadata).toEqual(meaning);
    }
  });

  test('returns an empty object without metadata', async () => {
    expect((await api.checkout(DINER)).metadata).toEqual({});
  });
});

describe('the merchant', () => {
  test('finds the merchant by its dialed number', async () => {
    const body = await api.checkout({ merchant_number: '+15550100002', amount_cents: 2000 });
    expect(body).toMatchObject({ merchant_id: 'mer_demo_books', payment_required: 'required' });
  });

  test('accepts merchant ID and number if they match', async () => {
    const body = await api.checkout({ ...DINER, merchant_number: '+15550100001' });
    expect(body.merchant_id).toBe('mer_demo_diner');
  });

  test('returns an empty merchant ID and requires no payment for an unknown number', async () => {
    const body = await api.checkout({ merchant_number: '+15550100777', amount_cents: 900, ...CALLER });
    expect(body).toMatchObject({
      merchant_id: '',
      payment_required: 'none',
      amount_cents: 900,
      currency: 'USD',
      amount_source: 'request',
      transfer_to: null,
      cards: [],
      default_card_id: null,
    });
    expect(body.agent_message).toMatch(/can't take a payment/);
    expect(body.transfer_to_number).toBeNull();
  });

  test('accepts an order for an unknown number', async () => {
    const body = await api.checkout({ merchant_number: '+15550100777', order_id: 'order_1001' });
    expect(body).toMatchObject({ merchant_id: '', payment_required: 'none', amount_cents: 0 });
  });

  test.each([
    ['never', 'mer_demo_free', 99_999_999, 'none'],
    ['always', 'mer_demo_diner', 1, 'required'],
    ['above its threshold', 'mer_demo_books', 2_000, 'required'],
    ['below its threshold', 'mer_demo_books', 1_999, 'none'],
  ])('applies the policy %s', async (_policy, merchant_id, amount_cents, verdict) => {
    const body = await api.checkout({ merchant_id, amount_cents });
    expect(body.payment_required).toBe(verdict);
    expect(body.transfer_to === null).toBe(verdict !== 'required');
  });

  test('offers cards and no transfer with the policy optional', async () => {
    await api.database.query(
      `insert into merchants (id, account_id, mode, slug, business_name, currency, policy, processor)
       values ('mer_optional', $1, 'test', 'optional', 'Optional', 'EUR', 'optional', 'sandbox')`,
      [DEMO_ACCOUNT],
    );
    const body = await api.checkout({ merchant_id: 'mer_optional', amount_cents: 100, ...CALLER });
    expect(body).toMatchObject({ payment_required: 'optional', currency: 'EUR', transfer_to: null, cards: [] });
  });

  test('returns different agent messages for a required payment, none, and an unknown merchant number', async () => {
    const lines = [
      await api.checkout(DINER),
      await api.checkout({ merchant_id: 'mer_demo_free', amount_cents: 1 }),
      await api.checkout({ merchant_number: '+15550100777', amount_cents: 1 }),
    ].map((body) => body.agent_message);
    expect(new Set(lines).size).toBe(3);
  });
});

describe('the amount', () => {
  test('uses the amount of the order instead of the one from the request', async () => {
    const body = await api.checkout({ merchant_id: 'mer_demo_diner', order_id: 'order_1001', amount_cents: 1 });
    expect(body).toMatchObject({ amount_cents: 4250, amount_source: 'order' });
  });
});

describe('the cards', () => {
  test('returns the cards of this merchant only', async () => {
    const body = await api.checkout({ merchant_id: 'mer_demo_books', amount_cents: 5000, ...CALLER });
    expect(body).toMatchObject({ cards: [], default_card_id: null });
  });

  test('returns cards newest first, without expired, deleted and unchargeable ones', async () => {
    const add = (id: string, brand: string, year: number, processor: string, age: string, deleted: boolean) =>
      api.database.query(
        `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand,
                                  last_four, expiry_month, expiry_year, created_at, deleted_at)
         values ($1, $2, 'test', 'con_many_cards', 'mer_demo_diner', $3, 'handle', $4, '1111', 1, $5,
                 now() - $6::interval, case when $7::boolean then now() end)`,
        [id, DEMO_ACCOUNT, processor, brand, year, age, deleted],
      );
    await api.database.query(
      `insert into consumers (id, account_id, mode, phone) values ('con_many_cards', $1, 'test', '+15550105555')`,
      [DEMO_ACCOUNT],
    );
    await add('card_older', 'VISA', 2049, 'sandbox', '2 days', false);
    await add('card_newer', 'MASTERCARD', 2049, 'sandbox', '1 day', false);
    await add('card_expired', 'VISA', 2020, 'sandbox', '1 hour', false);
    await add('card_deleted', 'VISA', 2049, 'sandbox', '1 hour', true);
    await add('card_elsewhere', 'VISA', 2049, 'another', '1 hour', false);
    const body = await api.checkout({ ...DINER, caller_phone: '+15550105555' });
    expect(body.cards.map((card) => card.instrument_id)).toEqual(['card_newer', 'card_older']);
    expect(body.default_card_id).toBeNull();
  });

  test('returns no cards for an unknown or missing caller, and does not store the caller', async () => {
    const count = async () =>
      (await api.database.query('select count(*) from consumers where phone = $1', ['+15550108888'])).rows[0];
    expect(await api.checkout({ ...DINER, caller_phone: '+15550108888' })).toMatchObject({ cards: [] });
    expect(await api.checkout(DINER)).toMatchObject({ cards: [] });
    expect(await count()).toEqual({ count: '0' });
  });
});

describe('the transfer', () => {
  test('returns a SIP URI with a token for the session, and stores only the hash of the token', async () => {
    const body = await api.checkout(DINER);
    const match = /^sip:(cs_[a-z0-9]+)-([a-z0-9]{26})@(.+)$/.exec(body.transfer_to);
    const [, session = '', token = '', domain] = match ?? [];
    expect(session).toBe(body.checkout_session_id);
    expect(domain).toBe(DOMAIN);
    const id = parseId('CheckoutSession', session);
    if (id === null) throw new Error('no session id');
    expect((await findSessionForTransfer(api.database, id, token))?.session.id).toBe(session);
    const other = `${token.slice(0, -1)}${token.endsWith('9') ? '8' : '9'}`;
    expect(await findSessionForTransfer(api.database, id, other)).toBeNull();
    const row = await api.database.query('select to_jsonb(s) as row from checkout_sessions s where id = $1', [session]);
    expect(JSON.stringify(row.rows)).not.toContain(token);
  });

  test('returns the transfer number of the account and mode only', async () => {
    const unpaid = { merchant_number: '+15550100777', amount_cents: 100, ...CALLER };
    const [live, rival] = [newKey('live'), newKey('test')];
    const { accountId, merchantId } = await createTestMerchant(api.database);
    await insertKey(api.database, { accountId: DEMO_ACCOUNT, mode: 'live', key: live });
    await insertKey(api.database, { accountId, mode: 'test', key: rival });
    const { merchant_id } = (await api.post('/v1/merchants', { business_name: 'Live' }, bearer(live))).body;
    await api.database.query(`update merchants set processor = 'stripe' where id = $1`, [merchant_id]);
    const numberOf = async (body: Record<string, unknown>, key: string) =>
      (await api.checkout({ ...unpaid, merchant_number: undefined, ...body }, bearer(key))).transfer_to_number;
    expect(await numberOf({ merchant_id: 'mer_demo_diner' }, DEMO_KEY)).toBe(TRANSFER_NUMBER);
    expect(await numberOf({ merchant_id }, live)).toBe(LIVE_TRANSFER_NUMBER);
    expect(await numberOf({ merchant_id: merchantId }, rival)).toBeNull();
    expect((await api.checkout(unpaid)).transfer_to_number).toBeNull();
  });

  test('returns a transfer number only with a caller_phone', async () => {
    expect((await api.checkout(DINER)).transfer_to_number).toBeNull();
  });

  test('returns a transfer code if the account has a number, and stores no digits of it', async () => {
    const { transfer_code: code, checkout_session_id: id } = await api.checkout(DINER);
    expect(code).toMatch(/^\d{8}$/);
    const row = await api.database.query('select to_jsonb(s) as row from checkout_sessions s where id = $1', [id]);
    expect(JSON.stringify([row.rows, api.log])).not.toContain(code);
    expect((await api.checkout({ ...DINER, merchant_id: 'mer_demo_free' })).transfer_code).toBeNull();
    const rival = newKey('test');
    const { accountId, merchantId } = await createTestMerchant(api.database);
    await insertKey(api.database, { accountId, mode: 'test', key: rival });
    const theirs = await api.checkout({ merchant_id: merchantId, amount_cents: 100 }, bearer(rival));
    expect(theirs.transfer_code).toBeNull();
  });

  test('replaces a transfer code that another open session has', async () => {
    const hashes = ['a', 'a', 'b'].map((text) => Buffer.from(text));
    const own = await startTestApi({ fingerprint: () => hashes.shift() ?? Buffer.from('c') });
    const first = await own.checkout(DINER);
    const second = await own.checkout(DINER);
    expect([first.transfer_code, second.transfer_code]).toEqual([
      expect.stringMatching(/^\d{8}$/),
      expect.stringMatching(/^\d{8}$/),
    ]);
    expect(hashes).toEqual([]);
    // A paid session frees its code.
    await own.database.query(`update checkout_sessions set status = 'complete' where id = $1`, [
      first.checkout_session_id,
    ]);
    hashes.push(Buffer.from('a'));
    await own.checkout(DINER);
    expect(hashes).toEqual([]);
    await own.close();
  });

  test('renders the speech of the call', async () => {
    await api.checkout({
      ...DINER,
      amount_cents: 7_777,
      return_to: 'sip:agent@agents.example.com',
      success_message: 'Enjoy!',
    });
    expect(api.prepared).toContainEqual(
      expect.objectContaining({
        businessName: 'Demo Diner',
        amountCents: 7_777,
        returns: true,
        successMessage: 'Enjoy!',
      }),
    );
    await api.checkout({ merchant_id: 'mer_demo_free', amount_cents: 8_888 });
    expect(api.prepared).not.toContainEqual(expect.objectContaining({ amountCents: 8_888 }));
  });
});

describe('the time', () => {
  test.each([
    [undefined, 1_800],
    [60, 60],
    [86_400, 86_400],
  ])('expires with ttl_seconds %s after %s s', async (ttl_seconds, seconds) => {
    const before = Date.now();
    const body = await api.checkout({ ...DINER, ...(ttl_seconds !== undefined && { ttl_seconds }) });
    const openedAt = Date.parse(body.expires_at) - seconds * 1_000;
    expect(openedAt).toBeGreaterThanOrEqual(before);
    expect(openedAt).toBeLessThanOrEqual(Date.now());
  });
});

describe('the keyless demo', () => {
  test('uses the demo account in test mode for keyless requests', async () => {
    const response = await fetch(`${api.url}/v1/create_checkout`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(DINER),
    });
    expect(response.status).toBe(200);
    const { checkout_session_id } = (await response.json()) as { checkout_session_id: string };
    expect((await api.get(`/v1/checkout_sessions/${checkout_session_id}`)).status).toBe(200);
  });
});

test('ignores unknown properties', async () => {
  expect(await api.checkout({ ...DINER, tip: 3 })).not.toHaveProperty('tip');
});

test('logs one line per request, without the token, the key or the number', async () => {
  const body = await api.checkout({ ...DINER, caller_phone: '+15550104321' });
  const text = api.log.join('');
  expect(text).toContain('"route":"/v1/create_checkout"');
  expect(text).not.toContain(body.transfer_to);
  expect(text).not.toContain(DEMO_KEY);
  expect(text).not.toContain('15550104321');
});

describe('changes of the merchant', () => {
  const change = (set: string) => api.database.query(`update merchants set ${set} where id = 'mer_demo_free'`);
  const free = () => api.post('/v1/create_checkout', { merchant_id: 'mer_demo_free', amount_cents: 4250 });

  test('applies a changed policy, currency or processor to the next checkout', async () => {
    expect((await free()).body.payment_required).toBe('none');
    await change("policy = 'always', currency = 'EUR'");
    expect((await free()).body).toMatchObject({ payment_required: 'required', currency: 'EUR' });
    await change('processor = null');
    expect((await free()).body.error.code).toBe('merchant_not_connected');
    await change("processor = 'sandbox', policy = 'never', currency = 'USD'");
    expect((await free()).body).toMatchObject({ payment_required: 'none', currency: 'USD' });
  });

  test('keeps a changed merchant unknown to other accounts', async () => {
    expect((await free()).status).toBe(200);
    await api.database.query(
      "insert into accounts (id, name, header_signing_secret) values ('acct_other', 'Other', 'x')",
    );
    const key = newKey('test');
    const other = parseId('Account', 'acct_other');
    if (other === null) throw new Error('no account id');
    await insertKey(api.database, { accountId: other, mode: 'test', key });
    const { body } = await api.post(
      '/v1/create_checkout',
      { merchant_id: 'mer_demo_free', amount_cents: 4250 },
      { authorization: `Bearer ${key}` },
    );
    expect(body.error.code).toBe('merchant_not_found');
  });
});
