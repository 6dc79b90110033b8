/** `POST /v1/identify` and `/v1/cards`, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import { IdentifyResponse } from '../../src/http/api/routes/callers.ts';
import { CardList, SavedCardResource } from '../../src/http/api/routes/cards.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';
import { bearer, CALLER, expectError, insertTestKeys, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await insertTestKeys(api);
});
afterAll(() => api.close());

const DINER = 'mer_demo_diner';
const save = (body: Record<string, unknown>, headers = {}) =>
  api.post('/v1/cards', { merchant_id: DINER, caller_phone: CALLER, token: 'tok_visa', ...body }, headers);
const list = (phone: string, query = '', merchant = DINER) =>
  api.get(`/v1/cards?merchant_id=${merchant}&caller_phone=${encodeURIComponent(phone)}${query}`);

describe('identify', () => {
  test('identifies a caller and returns no cards', async () => {
    const answer = await api.post('/v1/identify', { caller_phone: CALLER });
    expect(IdentifyResponse.strict().parse(answer.body)).toEqual({
      known: true,
      consumer: {
        id: 'con_demo_caller',
        first_name: 'Demo',
        last_name: 'Caller',
        email: 'demo.caller@example.com',
      },
    });
  });

  test('does not identify unknown callers or callers of other accounts and modes', async () => {
    const unknown = { known: false, consumer: null };
    expect((await api.post('/v1/identify', { caller_phone: '+15550107777' })).body).toEqual(unknown);
    for (const caller_phone of ['anonymous', 'Unknown', '']) {
      expect((await api.post('/v1/identify', { caller_phone })).body).toEqual(unknown);
    }
    for (const key of [OTHER_KEY, LIVE_KEY]) {
      expect((await api.post('/v1/identify', { caller_phone: CALLER }, bearer(key))).body).toEqual(unknown);
    }
  });

  test.each<[unknown, ErrorCode]>([
    [{}, 'missing_required_fields'],
    [{ caller_phone: null }, 'invalid_value'],
    [{ caller_phone: '5550101234' }, 'invalid_value'],
    [{ caller_phone: 15550101234 }, 'invalid_value'],
    [{ caller_phone: `+${'1'.repeat(5_000)}` }, 'invalid_value'],
    [{ caller_phone: '+1555010123\ud83d' }, 'invalid_value'],
  ])('requires a phone number: %j', async (body, code) => {
    expectError(await api.post('/v1/identify', body), code, 'caller_phone');
  });
});

describe('saved cards', () => {
  test('saves a card by token, then offers and charges it', async () => {
    const caller_phone = '+15550108001';
    const answer = await save({ caller_phone, default: true, first_name: 'Ada', email: 'ada@example.com' });
    const card = SavedCardResource.strict().parse(answer.body);
    expect(card).toMatchObject({
      brand: 'VISA',
      last_four: '4242',
      expiry: '12/2049',
      merchant_id: DINER,
      default: true,
    });
    const checkout = await api.checkout({ merchant_id: DINER, amount_cents: 100, caller_phone });
    expect(checkout).toMatchObject({
      cards: [{ instrument_id: card.instrument_id }],
      default_card_id: card.instrument_id,
    });
    expect((await api.post('/v1/identify', { caller_phone })).body).toMatchObject({
      known: true,
      consumer: { first_name: 'Ada', last_name: null, email: 'ada@example.com' },
    });
    const { checkout_session_id } = checkout;
    const charge = { checkout_session_id, instrument_id: card.instrument_id };
    expect((await api.post('/v1/charge', charge)).status).toBe(200);
  });

  test('replaces the default card, and keeps the caller’s name if none is sent', async () => {
    const caller_phone = '+15550108002';
    await save({ caller_phone, default: true, last_name: 'Lovelace' });
    const { body } = await save({ caller_phone, default: true, token: 'tok_amex' });
    const cards = CardList.strict().parse((await list(caller_phone)).body);
    expect(cards.cards.map(({ brand }) => brand)).toEqual(['AMERICAN_EXPRESS', 'VISA']);
    expect(cards.default_card_id).toBe(body.instrument_id);
    expect((await api.post('/v1/identify', { caller_phone })).body).toMatchObject({
      consumer: { last_name: 'Lovelace' },
    });
  });

  test.each<[string, Record<string, unknown>, ErrorCode, string]>([
    ['no token', { token: undefined }, 'missing_instrument_fields', 'token'],
    ['no caller', { caller_phone: undefined }, 'missing_instrument_fields', 'caller_phone'],
    ['no merchant', { merchant_id: undefined }, 'missing_instrument_fields', 'merchant_id'],
    ['a token that is none', { token: 'tok_nothing' }, 'card_save_failed', 'token'],
    ['a card number', { token: '4242424242424242' }, 'invalid_value', 'token'],
    ['an empty token', { token: '' }, 'invalid_value', 'token'],
    ['a token with NUL', { token: 'tok\u0000' }, 'invalid_value', 'token'],
    ['a long token', { token: 'x'.repeat(1_025) }, 'invalid_value', 'token'],
    ['an unknown vault', { vault: 'fort_knox' }, 'invalid_vault', 'vault'],
    ['a vault that is no name', { vault: 1 }, 'invalid_vault', 'vault'],
    ['an address that is none', { email: 'ada' }, 'invalid_value', 'email'],
    ['an unknown field', { number: '4242' }, 'invalid_value', 'number'],
    ['an unknown merchant', { merchant_id: 'mer_nobody' }, 'merchant_not_found', 'merchant_id'],
  ])('does not save a card with %s', async (_what, body, code, param) => {
    expectError(await save(body), code, param);
  });

  test('does not save a card at a merchant of another account', async () => {
    expectError(await save({}, bearer(OTHER_KEY)), 'merchant_not_found', 'merchant_id');
    expectError(await save({}, bearer(LIVE_KEY)), 'invalid_key');
  });

  test('does not save a card if the processor has no wallet', async () => {
    const { merchant_id } = (await api.post('/v1/merchants', { business_name: 'Shop' })).body;
    expectError(await save({ merchant_id }), 'merchant_not_connected');
    const sandbox = createSandbox(api.database);
    const own = await startTestApi({
      processors: [sandbox, { ...sandbox, name: 'walletless', wallet: null }],
    });
    try {
      const body = { merchant_id: DINER, caller_phone: CALLER, token: 'tok_visa' };
      expectError(await own.post('/v1/cards', { ...body, vault: 'walletless' }), 'processor_mismatch', 'vault');
      await own.database.query(`update merchants set processor = 'walletless' where id = $1`, [DINER]);
      expectError(await own.post('/v1/cards', body), 'not_configured');
    } finally {
      await own.close();
    }
  });

  test('does not save a card if the processor cannot be reached', async () => {
    const sandbox = createSandbox(api.database);
    if (sandbox.wallet === null) throw new Error('the sandbox has a wallet');
    const wallet = { ...sandbox.wallet, save: async () => ({ status: 'unavailable' }) as const };
    const own = await startTestApi({ processors: [{ ...sandbox, wallet }] });
    try {
      const body = { merchant_id: DINER, caller_phone: CALLER, token: 'tok_visa' };
      for (const _again of [false, true]) {
        const answer = await own.post('/v1/cards', body, { 'idempotency-key': 'save' });
        const error = { code: 'card_save_failed', advice_code: 'try_again_later' };
        expect(answer).toMatchObject({ status: 422, body: { error } });
        expect(answer.headers.get('idempotent-replayed')).toBeNull();
      }
    } finally {
      await own.close();
    }
  });

  test('deletes a card once, and only for its own account', async () => {
    const caller_phone = '+15550108003';
    const { instrument_id } = (await save({ caller_phone })).body;
    const path = `/v1/cards/${instrument_id}`;
    expectError(await api.send('DELETE', path, undefined, bearer(OTHER_KEY)), 'instrument_not_found', 'instrument_id');
    expectError(await api.send('DELETE', path, undefined, bearer(LIVE_KEY)), 'invalid_key');
    expect((await api.send('DELETE', path)).body).toEqual({ instrument_id, deleted: true });
    expectError(await api.send('DELETE', path), 'instrument_not_found', 'instrument_id');
    expect((await list(caller_phone)).body).toEqual({ cards: [], default_card_id: null, has_more: false });
  });
});

describe('the list of cards', () => {
  test('lists the cards of a caller at a merchant in pages, newest first', async () => {
    const caller_phone = '+15550108004';
    const ids: unknown[] = [];
    for (const token of ['tok_visa', 'tok_amex', 'tok_discover']) {
      ids.unshift((await save({ caller_phone, token })).body.instrument_id);
    }
    const first = CardList.strict().parse((await list(caller_phone, '&limit=2')).body);
    expect(first.cards.map((card) => card.instrument_id)).toEqual(ids.slice(0, 2));
    expect(first.has_more).toBe(true);
    const second = CardList.parse((await list(caller_phone, `&limit=2&starting_after=${ids[1]}`)).body);
    expect(second.cards.map((card) => card.instrument_id)).toEqual(ids.slice(2));
    expect(second.has_more).toBe(false);
    expect((await list(caller_phone, '', 'mer_demo_books')).body.cards).toEqual([]);
    expectError(await list(caller_phone, '&starting_after=card_nobody'), 'invalid_value', 'starting_after');
  });

  test.each<[string, ErrorCode, string]>([
    ['merchant_id=mer_demo_diner', 'missing_required_fields', 'caller_phone'],
    ['caller_phone=%2B15550101234', 'missing_required_fields', 'merchant_id'],
    ['caller_phone=1&merchant_id=mer_demo_diner', 'invalid_value', 'caller_phone'],
    ['caller_phone=%2B15550101234&merchant_id=mer_nobody', 'merchant_not_found', 'merchant_id'],
    ['caller_phone=%2B15550101234&merchant_id=a&merchant_id=b', 'invalid_value', 'merchant_id'],
  ])('rejects a list of cards for %s', async (query, code, param) => {
    expectError(await api.get(`/v1/cards?${query}`), code, param);
  });
});
