/** Wrong requests and their errors, over HTTP. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import { ErrorObject } from '../../src/contract/error-object.ts';
import { errorEntry } from '../../src/contract/errors.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { insertKey } from '../../src/db/keys/keys.ts';
import { parseId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

const OTHER_KEY = 'rk_test_other_0123456789abcdef';
const LIVE_KEY = 'rk_live_demo_0123456789abcdef';
const REVOKED_KEY = 'rk_test_revoked_0123456789abcdef';
const ENDED_KEY = 'rk_test_ended_0123456789abcdef';

let api: TestApi;
let keyed: TestApi;
beforeAll(async () => {
  [api, keyed] = await Promise.all([startTestApi(), startTestApi({ demoAccount: null })]);
  const other = parseId('Account', 'acct_other');
  if (other === null) throw new Error('no account id');
  await insertAccount(api.database, { id: other, name: 'Other' });
  await insertKey(api.database, { accountId: other, mode: 'test', key: OTHER_KEY });
  await insertKey(api.database, { accountId: DEMO_ACCOUNT, mode: 'live', key: LIVE_KEY });
  await insertKey(api.database, { accountId: DEMO_ACCOUNT, mode: 'test', key: REVOKED_KEY });
  await insertKey(api.database, { accountId: DEMO_ACCOUNT, mode: 'test', key: ENDED_KEY });
  await api.database.query(`update keys set revoked_at = now() where prefix = 'rk_test_revo'`);
  await api.database.query(`update keys set expires_at = now() where prefix = 'rk_test_ende'`);
});
afterAll(() => Promise.all([api.close(), keyed.close()]));

const DINER = { merchant_id: 'mer_demo_diner', amount_cents: 4250 };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Compares the whole error object with the catalogue. */
function expectError(answer: Answer, code: ErrorCode, param?: string): void {
  const entry = errorEntry(code);
  expect({ status: answer.status, code: answer.body.error?.code, param: answer.body.error?.param }).toEqual({
    status: entry.status,
    code,
    param,
  });
  expect(Object.keys(answer.body)).toEqual(['error']);
  expect(() => ErrorObject.strict().parse(answer.body.error)).not.toThrow();
  expect(answer.body.error).toMatchObject({
    type: entry.type,
    audience: entry.audience,
    advice_code: entry.advice,
    agent_message: entry.agentMessage,
    display_message: entry.displayMessage,
    agent_action: entry.action,
    doc_url: `https://docs.example.com/api-reference/error-codes#${code}`,
    request_id: answer.headers.get('x-request-id'),
  });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
}

describe('keys', () => {
  test.each([
    ['unknown', 'Bearer rk_test_unknown_0123456789abcdef'],
    ['malformed', 'Bearer rk_test_'],
    ['without a mode', 'Bearer 0123456789abcdef0123456789abcdef'],
    ['of another scheme', 'Basic cmtfdGVzdDo='],
    ['empty', ''],
    ['revoked', `Bearer ${REVOKED_KEY}`],
    ['past its time', `Bearer ${ENDED_KEY}`],
  ])('%s', async (_what, authorization) => {
    expectError(await api.post('/v1/create_checkout', DINER, { authorization }), 'invalid_key');
    const answer = await api.get('/v1/checkout_sessions/cs_1', { authorization });
    expectError(answer, 'invalid_key');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="ringkey"');
  });

  test('rejects a missing key without the keyless demo', async () => {
    const response = await fetch(`${keyed.url}/v1/checkout_sessions/cs_1`);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_key', type: 'authentication_error' } });
  });

  test('checks the key before the body', async () => {
    expectError(await api.post('/v1/create_checkout', '{', { authorization: 'Bearer x' }), 'invalid_key');
  });
});

describe('objects of other accounts and modes', () => {
  test('does not find a session of another account', async () => {
    const { checkout_session_id } = await api.checkout(DINER);
    const answer = await api.get(`/v1/checkout_sessions/${checkout_session_id}`, bearer(OTHER_KEY));
    expectError(answer, 'session_not_found', 'checkout_session_id');
  });

  test('rejects a session of the other mode', async () => {
    const { checkout_session_id } = await api.checkout(DINER);
    expectError(await api.get(`/v1/checkout_sessions/${checkout_session_id}`, bearer(LIVE_KEY)), 'invalid_key');
  });

  test('does not find a merchant of another account', async () => {
    expectError(await api.post('/v1/create_checkout', DINER, bearer(OTHER_KEY)), 'merchant_not_found', 'merchant_id');
  });

  test('rejects a merchant of the other mode', async () => {
    expectError(await api.post('/v1/create_checkout', DINER, bearer(LIVE_KEY)), 'invalid_key');
  });

  test('does not know a number of another account or mode', async () => {
    const body = { merchant_number: '+15550100001', amount_cents: 1, caller_phone: '+15550101234' };
    for (const key of [OTHER_KEY, LIVE_KEY]) {
      expect(await api.checkout(body, bearer(key))).toMatchObject({
        merchant_id: '',
        payment_required: 'none',
        cards: [],
      });
    }
  });
});

describe('sessions', () => {
  test.each(['cs_unknown', 'ch_1', '1', 'cs_%00', `cs_${'x'.repeat(1_000)}`, "cs_'--", 'cs_%F0%9F%98%80'])(
    'unknown: %s',
    async (id) => {
      expectError(await api.get(`/v1/checkout_sessions/${id}`), 'session_not_found', 'checkout_session_id');
    },
  );
});

describe('bodies', () => {
  test.each([
    ['cut short', '{"merchant_id":'],
    ['empty', ''],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['trailing text', '{} x'],
    ['a single quote', "{'merchant_id': 'mer_1'}"],
  ])('%s', async (_what, body) => {
    expectError(await api.post('/v1/create_checkout', body), 'invalid_json');
  });

  test.each([
    ['an array', '[]'],
    ['a string', '"mer_demo_diner"'],
    ['a number', '1'],
    ['deep', '['.repeat(30_000) + ']'.repeat(30_000)],
  ])('%s', async (_what, body) => {
    expectError(await api.post('/v1/create_checkout', body), 'invalid_value', 'body');
  });

  test('rejects a duplicate parameter', async () => {
    const body = '{"merchant_id":"mer_demo_diner","amount_cents":1,"amount_\\u0063ents":99}';
    expectError(await api.post('/v1/create_checkout', body), 'invalid_value', 'amount_cents');
  });

  test('rejects a duplicate metadata name', async () => {
    const body = '{"merchant_id":"mer_demo_diner","amount_cents":1,"metadata":{"a":"1","a":"2"}}';
    expectError(await api.post('/v1/create_checkout', body), 'invalid_value', 'metadata.a');
  });

  test('rejects __proto__', async () => {
    const body = '{"merchant_id":"mer_demo_diner","amount_cents":1,"metadata":{"__proto__":"x"}}';
    expectError(await api.post('/v1/create_checkout', body), 'invalid_value', 'metadata.__proto__');
  });

  test('rejects a body larger than 64 KiB', async () => {
    const metadata = { a: 'x'.repeat(65_000) };
    expectError(await api.post('/v1/create_checkout', { ...DINER, metadata }), 'invalid_value', 'metadata.a');
    expectError(
      await api.post('/v1/create_checkout', { ...DINER, metadata: { a: 'x'.repeat(66_000) } }),
      'invalid_value',
      'body',
    );
  });

  test('rejects another content type', async () => {
    const answer = await api.post('/v1/create_checkout', DINER, { 'content-type': 'text/plain' });
    expectError(answer, 'invalid_value', 'Content-Type');
  });

  test('rejects a missing body', async () => {
    const response = await fetch(`${api.url}/v1/create_checkout`, { method: 'POST' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'missing_required_fields', param: 'merchant_id' } });
  });
});

describe('parameters', () => {
  test.each<[string, Record<string, unknown>, ErrorCode, string]>([
    ['no merchant', { amount_cents: 1 }, 'missing_required_fields', 'merchant_id'],
    ['no amount', { merchant_id: 'mer_demo_diner' }, 'missing_required_fields', 'amount_cents'],
    ['unknown merchant', { ...DINER, merchant_id: 'mer_nobody' }, 'merchant_not_found', 'merchant_id'],
    ['odd merchant', { ...DINER, merchant_id: "mer_' or 1" }, 'merchant_not_found', 'merchant_id'],
    ['merchants that disagree', { ...DINER, merchant_number: '+15550100002' }, 'invalid_value', 'merchant_number'],
    ['an unknown number', { ...DINER, merchant_number: '+15550100777' }, 'invalid_value', 'merchant_number'],
    [
      'merchant number not E.164',
      { merchant_number: '5550100001', amount_cents: 1 },
      'invalid_value',
      'merchant_number',
    ],
    ['caller not E.164', { ...DINER, caller_phone: '555-0101' }, 'invalid_value', 'caller_phone'],
    ['caller with blanks', { ...DINER, caller_phone: '+1 555 010 1234' }, 'invalid_value', 'caller_phone'],
    ['caller too short', { ...DINER, caller_phone: '+1555010' }, 'invalid_value', 'caller_phone'],
    ['caller a number', { ...DINER, caller_phone: 15550101234 }, 'invalid_value', 'caller_phone'],
    ['amount zero', { ...DINER, amount_cents: 0 }, 'invalid_value', 'amount_cents'],
    ['amount negative', { ...DINER, amount_cents: -1 }, 'invalid_value', 'amount_cents'],
    ['amount too large', { ...DINER, amount_cents: 100_000_000 }, 'invalid_value', 'amount_cents'],
    ['amount a fraction', { ...DINER, amount_cents: 42.5 }, 'invalid_value', 'amount_cents'],
    ['amount a string', { ...DINER, amount_cents: '4250' }, 'invalid_value', 'amount_cents'],
    ['amount null', { ...DINER, amount_cents: null }, 'missing_required_fields', 'amount_cents'],
    ['unknown order', { merchant_id: 'mer_demo_diner', order_id: 'order_9' }, 'order_lookup_failed', 'order_id'],
    ['order empty', { merchant_id: 'mer_demo_diner', order_id: '' }, 'missing_required_fields', 'amount_cents'],
    ['order with NUL', { merchant_id: 'mer_demo_diner', order_id: 'a\u0000' }, 'invalid_value', 'order_id'],
    ['order too long', { merchant_id: 'mer_demo_diner', order_id: 'x'.repeat(256) }, 'invalid_value', 'order_id'],
    ['return_to too long', { ...DINER, return_to: `sip:${'a'.repeat(1_020)}@b` }, 'invalid_value', 'return_to'],
    ['return_to nothing', { ...DINER, return_to: 'the front desk' }, 'invalid_value', 'return_to'],
    ['return_to two lines', { ...DINER, return_to: 'sip:a@b\r\nX-Bad: 1' }, 'invalid_value', 'return_to'],
    ['return_to a script', { ...DINER, return_to: 'javascript:alert(1)' }, 'invalid_value', 'return_to'],
    ['message too long', { ...DINER, success_message: 'x'.repeat(501) }, 'invalid_value', 'success_message'],
    ['message half a character', { ...DINER, failure_message: '\ud83d' }, 'invalid_value', 'failure_message'],
    ['metadata a list', { ...DINER, metadata: [] }, 'invalid_value', 'metadata'],
    ['metadata with an object', { ...DINER, metadata: { table: {} } }, 'invalid_value', 'metadata.table'],
    ['metadata with a list', { ...DINER, metadata: { ok: 1, table: [1] } }, 'invalid_value', 'metadata.table'],
    ['metadata value too long', { ...DINER, metadata: { a: 'x'.repeat(501) } }, 'invalid_value', 'metadata.a'],
    ['metadata key too long', { ...DINER, metadata: { ['k'.repeat(41)]: '' } }, 'invalid_value', 'metadata'],
    ['51 metadata keys', { ...DINER, metadata: keys(51) }, 'invalid_value', 'metadata'],
    ['ttl too short', { ...DINER, ttl_seconds: 59 }, 'invalid_ttl', 'ttl_seconds'],
    ['ttl too long', { ...DINER, ttl_seconds: 86_401 }, 'invalid_ttl', 'ttl_seconds'],
    ['ttl a string', { ...DINER, ttl_seconds: '60' }, 'invalid_ttl', 'ttl_seconds'],
  ])('%s', async (_what, body, code, param) => {
    expectError(await api.post('/v1/create_checkout', body), code, param);
  });

  test.each([
    ['too large for a number', '1e999'],
    ['that JSON readers round', '9007199254740993'],
    ['that is a negative one of those', '-9007199254740992'],
    ['that is long', '9'.repeat(300)],
  ])('rejects a metadata number %s', async (_what, number) => {
    const body = `{"merchant_id":"mer_demo_diner","amount_cents":5,"metadata":{"ok":1,"table":${number}}}`;
    expectError(await api.post('/v1/create_checkout', body), 'invalid_value', 'metadata.table');
  });

  test('accepts parameters at their limits', async () => {
    await api.checkout({
      ...DINER,
      amount_cents: 99_999_999,
      order_id: undefined,
      return_to: `sip:${'a'.repeat(1_008)}@example.com`,
      success_message: '😀'.repeat(500),
      metadata: { ...keys(49), ['k'.repeat(40)]: '😀'.repeat(500) },
    });
  });
});

describe('merchants that can’t be paid', () => {
  test('returns an error for a merchant without a processor, unless nothing is to be paid', async () => {
    await api.database.query(
      `insert into merchants (id, account_id, mode, slug, business_name, currency, policy, policy_amount_cents)
       values ('mer_bare', $1, 'test', 'bare', 'Bare', 'USD', 'above', 100)`,
      [DEMO_ACCOUNT],
    );
    expectError(
      await api.post('/v1/create_checkout', { merchant_id: 'mer_bare', amount_cents: 100 }),
      'merchant_not_connected',
    );
    expect(await api.checkout({ merchant_id: 'mer_bare', amount_cents: 99 })).toMatchObject({
      payment_required: 'none',
    });
  });

  test('does not look up sandbox orders for a live merchant', async () => {
    await api.database.query(
      `insert into merchants (id, account_id, mode, slug, business_name, currency, policy, processor)
       values ('mer_live', $1, 'live', 'live', 'Live', 'USD', 'always', 'sandbox')`,
      [DEMO_ACCOUNT],
    );
    const body = { merchant_id: 'mer_live', order_id: 'order_1001' };
    expectError(await api.post('/v1/create_checkout', body, bearer(LIVE_KEY)), 'order_lookup_unsupported', 'order_id');
  });
});

describe('routes', () => {
  test.each([
    ['GET', '/v1/nothing'],
    ['GET', '/v1/create_checkout'],
    ['DELETE', '/v1/checkout_sessions/cs_1'],
    ['GET', '/v1/%zz'],
    ['POST', '/v1/../etc/passwd'],
  ])('%s %s', async (method, path) => {
    const response = await fetch(api.url + path, { method });
    const text = await response.text();
    expectError({ status: response.status, headers: response.headers, text, body: JSON.parse(text) }, 'not_found');
  });
});

describe('the socket', () => {
  /** Sends bytes, answers with all that comes back until the server ends the connection. */
  function raw(text: string, url = api.url): Promise<{ status: number; body: { error: ErrorObject } }> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.setEncoding('utf8');
      socket.on('data', (chunk: string) => {
        answer += chunk;
      });
      socket.on('error', reject);
      socket.on('close', () => {
        const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
        resolve({ status: Number(answer.split(' ')[1]), body: JSON.parse(body) as { error: ErrorObject } });
      });
    });
  }

  test('answers malformed HTTP', async () => {
    const { status, body } = await raw('INVITE sip:a@b SIP/2.0\r\n\r\n');
    expect(status).toBe(400);
    expect(() => ErrorObject.strict().parse(body.error)).not.toThrow();
  });

  test('answers headers that are too large', async () => {
    const { status, body } = await raw(
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    expect(status).toBe(431);
    expect(body.error.code).toBe('invalid_value');
  });

  test('answers a body that never ends', async () => {
    const hasty = await startTestApi({ requestLimitMs: 400 });
    const head =
      'POST /v1/create_checkout HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100';
    const { status, body } = await raw(`${head}\r\n\r\n{"merchant_id":`, hasty.url).finally(hasty.close);
    expect(status).toBe(408);
    expect(body.error).toMatchObject({ code: 'invalid_json', advice_code: 'try_again_later' });
  });
});

function keys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, 'value']));
}
