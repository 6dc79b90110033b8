/** Rejections of `POST /v1/charge` and `POST /v1/send_link`, over HTTP. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { useFixture } from '../support/fixtures.ts';
import { chargeCalls, VISA } from './charge-api.ts';
import { bearer, CALLER, expectError, insertTestKeys, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(async () => {
  const started = await startTestApi();
  await insertTestKeys(started);
  return started;
});
const { session, charge, sendLink, expire, save } = chargeCalls(api);

// The caller has another card at the diner, so that no rejected card asks the caller to enroll.
beforeAll(async () => void (await save('tok_mastercard')));

describe('rejected charges', () => {
  test.each<[string, unknown, ErrorCode, string]>([
    ['without a session', { instrument_id: VISA }, 'missing_required_fields', 'checkout_session_id'],
    ['without a card', { checkout_session_id: 'cs_1' }, 'missing_required_fields', 'instrument_id'],
    ['with no session id', { checkout_session_id: 5, instrument_id: VISA }, 'invalid_value', 'checkout_session_id'],
    ['with an empty card', { checkout_session_id: 'cs_1', instrument_id: '' }, 'invalid_value', 'instrument_id'],
    [
      'with a list for a card',
      { checkout_session_id: 'cs_1', instrument_id: [VISA] },
      'invalid_value',
      'instrument_id',
    ],
    [
      'with an amount',
      { checkout_session_id: 'cs_1', instrument_id: VISA, amount_cents: 1 },
      'invalid_value',
      'amount_cents',
    ],
    [
      'with a name that is none',
      { checkout_session_id: 'cs_1', instrument_id: VISA, '<b>': 1 },
      'invalid_value',
      'body',
    ],
    [
      'for no session of ours',
      { checkout_session_id: 'cs_1', instrument_id: VISA },
      'session_not_found',
      'checkout_session_id',
    ],
    [
      'rejects a malformed session ID',
      { checkout_session_id: 'ch_1\u0000', instrument_id: VISA },
      'session_not_found',
      'checkout_session_id',
    ],
  ])('%s', async (_what, body, code, param) => {
    expectError(await api.post('/v1/charge', body), code, param);
  });

  test('rejects a session of another account or mode', async () => {
    const id = await session();
    expectError(await charge(id, VISA, bearer(OTHER_KEY)), 'session_not_found', 'checkout_session_id');
    expectError(await charge(id, VISA, bearer(LIVE_KEY)), 'invalid_key');
  });

  test('rejects an expired session', async () => {
    const id = await session();
    await expire(id);
    expectError(await charge(id, VISA), 'session_expired');
  });

  test('rejects a session without a caller', async () => {
    expectError(await charge(await session({ caller_phone: undefined }), VISA), 'session_missing_consumer');
  });

  test('rejects a session with nothing to pay', async () => {
    const id = await session({ merchant_id: 'mer_demo_free' });
    expectError(await charge(id, VISA), 'invalid_value', 'checkout_session_id');
    // An unknown number: there is no merchant that might still connect a processor.
    const unknownNumber = await session({ merchant_id: undefined, merchant_number: '+15550100777' });
    for (const answer of [await charge(unknownNumber, VISA), await sendLink(unknownNumber)]) {
      expectError(answer, 'invalid_value', 'checkout_session_id');
      expect(answer.body.error.message).toBe('Nothing is due for this session.');
    }
  });

  test('rejects a card that the caller does not have', async () => {
    const id = await session();
    for (const card of ['card_nobody', 'visa', 'card_\u0000']) {
      expectError(await charge(id, card), 'instrument_not_found', 'instrument_id');
    }
    expectError(
      await charge(await session({ caller_phone: '+15550107001' }), 'card_nobody'),
      'needs_enrollment',
      'instrument_id',
    );
  });

  test('rejects a card of another caller', async () => {
    const id = await session({ caller_phone: '+15550107002' });
    expectError(await charge(id, VISA), 'instrument_not_authorized', 'instrument_id');
  });

  test('rejects a card of another merchant', async () => {
    const id = await session({ merchant_id: 'mer_demo_books' });
    expectError(await charge(id, VISA), 'needs_enrollment', 'instrument_id');
    // A caller with another card here is offered that one, and need not enroll.
    const here = { merchant_id: 'mer_demo_books', caller_phone: CALLER, token: 'tok_mastercard' };
    const saved = String((await api.post('/v1/cards', here)).body.instrument_id);
    expectError(await charge(id, VISA), 'instrument_not_found', 'instrument_id');
    await api.send('DELETE', `/v1/cards/${saved}`);
    expectError(await charge(id, VISA), 'needs_enrollment', 'instrument_id');
  });

  test('rejects a card of another processor, an expired card and a deleted card', async () => {
    const id = await session();
    const card = await save('tok_visa');
    const set = (what: string) => api.database.query(`update instruments set ${what} where id = $1`, [card]);
    await set(`processor = 'another'`);
    expectError(await charge(id, card), 'processor_mismatch', 'instrument_id');
    await set(`processor = 'sandbox', expiry_year = 2020`);
    expectError(await charge(id, card), 'instrument_not_found', 'instrument_id');
    await set('expiry_year = 2049, deleted_at = now()');
    expectError(await charge(id, card), 'instrument_not_found', 'instrument_id');
    await set('deleted_at = null');
    expect((await charge(id, card)).status).toBe(200);
  });

  test('rejects a merchant without a processor, or with one that this service does not have', async () => {
    const { merchant_id } = (await api.post('/v1/merchants', { business_name: 'Shop' })).body;
    await api.post(`/v1/merchants/${merchant_id}/processor`, { processor: 'sandbox' });
    const id = await session({ merchant_id });
    for (const processor of ['another', null]) {
      await api.database.query('update merchants set processor = $2 where id = $1', [merchant_id, processor]);
      expectError(await charge(id, VISA), 'merchant_not_connected');
    }
    expectError(await sendLink(id), 'merchant_not_connected');
  });

  test('rejects a charge if the merchant’s credentials cannot be decrypted', async () => {
    const { merchant_id } = (await api.post('/v1/merchants', { business_name: 'Shop' })).body;
    await api.post(`/v1/merchants/${merchant_id}/processor`, { processor: 'sandbox' });
    const card = await save('tok_visa', String(merchant_id));
    const sealed = createVault([randomBytes(32)]).seal('{}', 'something else');
    await api.database.query('update merchant_processors set credentials = $2 where merchant_id = $1', [
      merchant_id,
      sealed,
    ]);
    expectError(await charge(await session({ merchant_id }), card), 'merchant_credentials_invalid');
  });
});

describe('a pay link', () => {
  test.each<[unknown, ErrorCode, string]>([
    [{}, 'missing_checkout_session_id', 'checkout_session_id'],
    [{ checkout_session_id: null }, 'invalid_value', 'checkout_session_id'],
    [{ checkout_session_id: 'cs_1', caller_phone: CALLER }, 'invalid_value', 'caller_phone'],
    [{ checkout_session_id: 'cs_1' }, 'session_not_found', 'checkout_session_id'],
    [{ checkout_session_id: '1' }, 'session_not_found', 'checkout_session_id'],
  ])('returns no pay link for %j', async (body, code, param) => {
    expectError(await api.post('/v1/send_link', body), code, param);
  });

  test('returns a pay link only for open, payable sessions of the key with a caller', async () => {
    const id = await session();
    expectError(await sendLink(id, bearer(OTHER_KEY)), 'session_not_found', 'checkout_session_id');
    expectError(await sendLink(id, bearer(LIVE_KEY)), 'invalid_key');
    expectError(await sendLink(await session({ caller_phone: undefined })), 'session_missing_consumer');
    expectError(
      await sendLink(await session({ merchant_id: 'mer_demo_free' })),
      'invalid_value',
      'checkout_session_id',
    );
    await charge(id, VISA);
    expectError(await sendLink(id), 'charge_details_mismatch');
    const expired = await session();
    await expire(expired);
    expectError(await sendLink(expired), 'session_expired');
  });
});
