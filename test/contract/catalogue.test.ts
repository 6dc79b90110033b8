/** Provokes each code of the catalogue over HTTP and compares the answer with the table of the specification. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import { ErrorObject } from '../../src/contract/error-object.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { ERROR_TABLE } from '../support/error-table.ts';
import { CALLER } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const DINER = 'mer_demo_diner';
const VISA = 'card_demo_visa';
const post = (path: string, body: unknown) => api.post(path, body);

type Provocation = () => Promise<Answer>;

/** How to provoke each code, or why it cannot be provoked. */
const PROVOCATIONS: Record<ErrorCode, Provocation | { never: string }> = {
  invalid_json: () => post('/v1/charge', '{'),
  missing_required_fields: () => post('/v1/charge', {}),
  invalid_value: () => post('/v1/charge', { checkout_session_id: 'cs_1', instrument_id: 'card_1', amount_cents: 1 }),
  invalid_key: () => api.post('/v1/charge', {}, { authorization: 'Bearer rk_live_nobody_0123456789abcdef' }),
  card_declined: async () => charge(await session(), await savedCard('tok_do_not_honor')),
  instrument_not_authorized: async () => charge(await session({ caller_phone: '+15550106001' }), VISA),
  consent_missing: () => chargeAlone(VISA),
  consent_exceeded: async () =>
    chargeAlone(await savedCard('tok_discover', { save_terms: 'merchant_initiated', max_amount_cents: 99 })),
  session_not_found: () => charge('cs_nobody', VISA),
  instrument_not_found: async () => charge(await session(), 'card_nobody'),
  not_found: () => post('/v1/refund_everything', {}),
  processor_mismatch: async () => {
    // A card that no other code is about: kept twice, it is one row.
    const card = await savedCard('tok_amex');
    await api.database.query(`update instruments set processor = 'another' where id = $1`, [card]);
    return charge(await session(), card);
  },
  charge_details_mismatch: async () => {
    const id = await session();
    await charge(id, VISA);
    return charge(id, await savedCard('tok_mastercard'));
  },
  session_expired: async () => {
    const id = await session();
    await api.database.query('update checkout_sessions set expires_at = now() where id = $1', [id]);
    return charge(id, VISA);
  },
  session_missing_consumer: async () => charge(await session({ caller_phone: undefined }), VISA),
  merchant_not_connected: async () => post('/v1/create_checkout', { merchant_id: await merchant(), amount_cents: 1 }),
  merchant_credentials_invalid: async () => {
    const merchant_id = await merchant();
    const credentials = { processor: 'sandbox', credentials: { api_key: 'x' } };
    await post(`/v1/merchants/${merchant_id}/processor`, credentials);
    const card = await savedCard('tok_visa', { merchant_id });
    const sealed = createVault([randomBytes(32)]).seal('{}', 'with a key that is gone');
    await api.database.query('update merchant_processors set credentials = $2 where merchant_id = $1', [
      merchant_id,
      sealed,
    ]);
    return charge(await session({ merchant_id }), card);
  },
  needs_enrollment: async () => charge(await session({ merchant_id: 'mer_demo_books' }), VISA),
  processor_unavailable: async () => charge(await session(), await savedCard('tok_hangs_taken')),
  rate_limit: async () => {
    const [id, card] = [await session(), await savedCard('tok_do_not_honor')];
    for (let decline = 0; decline < 5; decline += 1) await charge(id, card);
    return charge(id, card);
  },
  charge_not_authorized: async () => capture(String((await charge(await session(), VISA)).body.charge_id)),
  charge_already_captured: async () => {
    const id = await hold();
    await capture(id);
    return post(`/v1/charges/${id}/void`, {});
  },
  charge_already_voided: async () => {
    const id = await hold();
    await post(`/v1/charges/${id}/void`, {});
    return capture(id);
  },
  authorization_expired: async () => {
    const id = await hold();
    const text = 'update sandbox_payments set capture_before = created_at where reference = $1';
    await api.database.query(text, [id]);
    return capture(id);
  },
  capture_in_progress: async () => {
    const id = await hold('tok_hold_hangs');
    await capture(id);
    return capture(id);
  },
  capture_amount_too_large: async () => capture(await hold(), { amount_cents: 4_251 }),
  partial_capture_unsupported: {
    never: 'The processors of test mode capture parts of a hold. The payment tests cover Square, which does not.',
  },
  capture_refused: async () => capture(await hold('tok_hold_refused')),
  vendor_not_provisioned: () => connect({ processor: 'sandbox', credentials: { api_key: 'sandbox_not_provisioned' } }),
  merchant_not_found: () => post('/v1/create_checkout', { merchant_id: 'mer_nobody', amount_cents: 1 }),
  invalid_processor: () => connect({ processor: 'piggy_bank' }),
  invalid_credentials: () => connect({ processor: 'sandbox', credentials: { api_key: 'sandbox_invalid' } }),
  invalid_payment_policy: () => post('/v1/merchants', { business_name: 'Shop', payment_policy: 'maybe' }),
  invalid_payment_policy_amount_cents: () => post('/v1/merchants', { business_name: 'Shop', payment_policy: 'above' }),
  session_create_failed: () =>
    withStatement('alter table checkout_sessions add constraint no_more check (false) not valid', (own) =>
      own.post('/v1/create_checkout', { merchant_id: DINER, amount_cents: 1 }),
    ),
  missing_checkout_session_id: () => post('/v1/send_link', {}),
  order_lookup_failed: () => api.get(`/v1/orders/order_nobody?merchant_id=${DINER}`),
  order_lookup_unsupported: async () => {
    const merchant_id = await merchant({ order_source: { type: 'none' } });
    return api.get(`/v1/orders/order_1001?merchant_id=${merchant_id}`);
  },
  missing_instrument_fields: () => post('/v1/cards', {}),
  card_save_failed: () => post('/v1/cards', { merchant_id: DINER, caller_phone: CALLER, token: 'tok_nothing' }),
  invalid_vault: () =>
    post('/v1/cards', { merchant_id: DINER, caller_phone: CALLER, token: 'tok_visa', vault: 'attic' }),
  key_not_found: () => api.send('DELETE', '/v1/keys/key_nobody'),
  invalid_environment: () => connect({ processor: 'sandbox', environment: 'production' }),
  invalid_url: () => post('/v1/webhook_endpoints', { url: 'http://example.com/', events: ['checkout.completed'] }),
  invalid_events: () => post('/v1/webhook_endpoints', { url: 'https://example.com/', events: [] }),
  invalid_ttl: () => post('/v1/create_checkout', { merchant_id: DINER, amount_cents: 1, ttl_seconds: 1 }),
  invalid_state_key: {
    never: 'No operation takes a state key: processors are connected by credentials, not by redirects.',
  },
  not_configured: async () => {
    const own = await startTestApi({ vault: null });
    const hook = { url: 'https://example.com/', events: ['checkout.completed'] };
    return own.post('/v1/webhook_endpoints', hook).finally(own.close);
  },
  internal_error: () => withStatement('alter table merchants rename to hidden', (own) => own.get('/v1/merchants')),
};

/** Their answers name the charge. */
const OF_A_CHARGE = new Set([
  'card_declined',
  'processor_unavailable',
  'charge_details_mismatch',
  'charge_already_captured',
  'charge_already_voided',
  'authorization_expired',
  'capture_in_progress',
  'charge_not_authorized',
  'capture_amount_too_large',
  'capture_refused',
]);

test('provokes every code of the specification, or says why not', () => {
  expect(Object.keys(PROVOCATIONS).sort()).toEqual(ERROR_TABLE.map(({ code }) => code).sort());
});

test.each(ERROR_TABLE.map((row) => [row.code, row] as const))('%s', async (code, row) => {
  const provocation = PROVOCATIONS[code as ErrorCode];
  if (typeof provocation !== 'function') {
    expect(provocation.never).toMatch(/^[A-Z].{20,}\.$/);
    return;
  }
  const answer = await provocation();
  const { error } = answer.body;
  expect({ status: answer.status, code: error?.code }).toEqual({ status: row.status, code });
  expect(() => ErrorObject.strict().parse(error)).not.toThrow();
  expect(error.audience).toBe(row.audience);
  if (row.type !== null)
    expect({ type: error.type, advice: error.advice_code }).toEqual({ type: row.type, advice: row.advice });
  if (row.action !== undefined) expect(error.agent_action).toBe(row.action);
  expect(error.message).toMatch(/^[\w`].+\.$/);
  expect(error.decline_code).toBe(code === 'card_declined' ? 'do_not_honor' : undefined);
  if (OF_A_CHARGE.has(code)) expect(error.charge).toMatch(/^ch_/);
  expect(error.agent_message === null).toBe(row.audience === 'developer');
  expect(error.display_message === null).toBe(row.audience === 'developer');
  expect(error.doc_url).toBe(`https://docs.example.com/api-reference/error-codes#${code}`);
  expect(error.request_id).toBe(answer.headers.get('x-request-id'));
});

async function session(body: Record<string, unknown> = {}): Promise<string> {
  const checkout = { merchant_id: DINER, amount_cents: 4_250, caller_phone: CALLER, ...body };
  return (await api.checkout(checkout)).checkout_session_id;
}

function charge(checkout_session_id: string, instrument_id: string): Promise<Answer> {
  return post('/v1/charge', { checkout_session_id, instrument_id });
}

function chargeAlone(instrument_id: string): Promise<Answer> {
  const body = { merchant_id: DINER, instrument_id, amount_cents: 100, order_id: 'fee_1', initiator: 'merchant' };
  return api.post('/v1/charges', body, { 'idempotency-key': instrument_id });
}

/** @returns the ID of an authorized charge */
async function hold(token = 'tok_visa'): Promise<string> {
  const id = await session({ capture: 'manual' });
  return String((await charge(id, await savedCard(token))).body.charge_id);
}

const capture = (id: string, body: object = {}) => post(`/v1/charges/${id}/capture`, body);

async function savedCard(token: string, terms: Record<string, unknown> = {}): Promise<string> {
  const { body } = await post('/v1/cards', { merchant_id: DINER, caller_phone: CALLER, token, ...terms });
  return String(body.instrument_id);
}

async function merchant(settings: Record<string, unknown> = {}): Promise<string> {
  return String((await post('/v1/merchants', { business_name: 'Shop', ...settings })).body.merchant_id);
}

async function connect(body: Record<string, unknown>): Promise<Answer> {
  return post(`/v1/merchants/${await merchant()}/processor`, body);
}

/** On a service of its own, whose record is broken. */
async function withStatement(statement: string, ask: (own: TestApi) => Promise<Answer>): Promise<Answer> {
  const own = await startTestApi();
  try {
    await own.database.query(statement);
    return await ask(own);
  } finally {
    await own.close();
  }
}
