/** `POST /v1/charge` and `POST /v1/send_link`, over HTTP. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-catalogue.ts';
import { errorEntry, wordsOf } from '../../src/contract/errors.ts';
import { optOut } from '../../src/db/texts/texts.ts';
import { ChargeResponse } from '../../src/http/api/routes/charge.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { testCard } from '../../src/payments/sandbox/cards.ts';
import { bearer, CALLER, expectError, insertTestKeys, LIVE_KEY, OTHER_KEY } from './fixtures.ts';
import { type Answer, startTestApi, type TestApi } from './test-api.ts';

const VISA = 'card_demo_visa';
const DINER = { merchant_id: 'mer_demo_diner', amount_cents: 4250 };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
  await insertTestKeys(api);
  // A caller with a card for each behaviour, at the diner.
  for (const name of ['insufficient_funds', 'hangs_taken', 'do_not_honor', 'mastercard']) {
    cards[name] = await cardOf(`tok_${testCard(name).name}`);
  }
});
afterAll(() => api.close());
const cards: Record<string, string> = {};

async function cardOf(token: string): Promise<string> {
  const card = { merchant_id: 'mer_demo_diner', caller_phone: CALLER, token };
  return String((await api.post('/v1/cards', card)).body.instrument_id);
}
async function session(body: Record<string, unknown> = {}): Promise<string> {
  return (await api.checkout({ ...DINER, caller_phone: CALLER, ...body })).checkout_session_id;
}
const charge = (checkout_session_id: string, instrument_id: string, headers = {}) =>
  api.post('/v1/charge', { checkout_session_id, instrument_id }, headers);
const sendLink = (checkout_session_id: string, headers = {}) =>
  api.post('/v1/send_link', { checkout_session_id }, headers);
const expire = (id: string) =>
  api.database.query(`update checkout_sessions set expires_at = now() - interval '1 second' where id = $1`, [id]);

/** @param words what the caller hears: with a promise of a text, or without */
function expectUnknown({ status, body: { error } }: Answer, words: 'outcome_by_text' | 'processor_unavailable'): void {
  const { agentMessage, displayMessage } = wordsOf(words, null);
  expect({ status, code: error.code }).toEqual({ status: 424, code: 'processor_unavailable' });
  expect(error).toMatchObject({ agent_message: agentMessage, display_message: displayMessage, agent_action: null });
}

describe('successful and repeated charges', () => {
  test('charges the session’s amount once, and returns all fields of the interface', async () => {
    const id = await session({ platform_call_id: 'CA1', order_id: 'order_1001' });
    const answer = await charge(id, VISA);
    expect(answer.status).toBe(200);
    const body = ChargeResponse.strict().parse(answer.body);
    expect(body).toMatchObject({
      status: 'succeeded',
      amount_cents: 4250,
      currency: 'USD',
      replay: false,
      checkout_session_id: id,
      merchant_id: 'mer_demo_diner',
      order_id: 'order_1001',
      platform_call_id: 'CA1',
    });
    expect(body.processor_payment_id).not.toBeNull();
    expect((await charge(id, VISA)).body).toEqual({ ...body, replay: true });
    const read = (await api.get(`/v1/checkout_sessions/${id}`)).body;
    expect(read).toMatchObject({ session_status: 'complete', charge: { charge_id: body.charge_id }, cards: [] });
    expect(await payments(id)).toBe(1);
  });

  test('makes one charge for fifty requests at once, and returns it to all', async () => {
    const id = await session();
    const answers = await Promise.all(Array.from({ length: 50 }, () => charge(id, VISA)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.charge_id)).size).toBe(1);
    expect(answers.filter(({ body }) => body.replay === false)).toHaveLength(1);
    expect(await payments(id)).toBe(1);
  });

  test('charges one of two cards that are sent at once', async () => {
    const id = await session();
    const answers = await Promise.all([charge(id, VISA), charge(id, cards.mastercard ?? '')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await payments(id)).toBe(1);
  });

  test('marks a charge that is repeated with its Idempotency-Key as a replay', async () => {
    const id = await session();
    const headers = { 'idempotency-key': `charge-${id}` };
    const first = await charge(id, VISA, headers);
    const second = await charge(id, VISA, headers);
    expect(second.body).toEqual({ ...first.body, replay: true });
    expectError(await charge(id, cards.mastercard ?? '', headers), 'charge_details_mismatch', 'Idempotency-Key');
  });

  test('does not store a pending charge for its Idempotency-Key, so that a repeat returns the outcome', async () => {
    const id = await session();
    const { charge_id } = (await charge(id, VISA)).body;
    const set = (session: string, change: string) =>
      api.database.query(
        `with s as (update checkout_sessions set status = '${session}' where id = $1) update charges set ${change} where id = $2`,
        [id, charge_id],
      );
    await set('open', `status = 'pending', settled_at = null, processor_payment_id = null`);
    const headers = { 'idempotency-key': `pending-${id}` };
    const first = await charge(id, VISA, headers);
    expect([first.status, first.body]).toEqual([200, expect.objectContaining({ status: 'pending', replay: true })]);
    await set('complete', `status = 'succeeded', settled_at = now(), processor_payment_id = 'p_late'`);
    const second = await charge(id, VISA, headers);
    expect(second.body).toMatchObject({ charge_id, status: 'succeeded', processor_payment_id: 'p_late' });
  });

  test('rejects another card with the Idempotency-Key of a charge with an unknown outcome', async () => {
    const id = await session();
    const headers = { 'idempotency-key': `unknown-${id}` };
    const unknown = await charge(id, cards.hangs_taken ?? '', headers);
    expect(unknown.status).toBe(424);
    await api.database.query(
      `update charges set status = 'failed', settled_at = now(), decline_code = 'lost_card' where session_id = $1`,
      [id],
    );
    const other = await charge(id, VISA, headers);
    expectError(other, 'charge_details_mismatch', 'Idempotency-Key');
    expect(other.body.error.charge).toBe(unknown.body.error.charge);
    expect(await payments(id)).toBe(1);
    expectError(await charge(id, cards.hangs_taken ?? '', headers), 'card_declined');
  });

  test('returns 402 with the issuer’s reason for a decline, and accepts another card', async () => {
    const id = await session();
    const answer = await charge(id, cards.insufficient_funds ?? '');
    expectError(answer, 'card_declined');
    expect(answer.body.error).toMatchObject({
      decline_code: 'insufficient_funds',
      agent_action: 'offer_different_card',
      charge: expect.stringMatching(/^ch_/),
    });
    expect((await api.get(`/v1/checkout_sessions/${id}`)).body).toMatchObject({
      session_status: 'open',
      charge: { charge_id: answer.body.error.charge, status: 'failed', failure: { code: 'card_declined' } },
    });
    expect((await charge(id, VISA)).body).toMatchObject({ status: 'succeeded', replay: false });
  });

  test.each(['incorrect_cvc', 'incorrect_number'])('asks nobody to check a saved card after %s', async (name) => {
    const id = await session();
    const { error } = (await charge(id, await cardOf(`tok_${name}`))).body;
    const { agentMessage, displayMessage } = errorEntry('card_declined');
    const advice = { advice_code: 'do_not_try_again', agent_action: 'offer_different_card' };
    const words = { agent_message: agentMessage, display_message: displayMessage };
    expect(error).toMatchObject({ code: 'card_declined', decline_code: name, ...advice, ...words });
    const failure = { decline_code: name, ...advice, ...words };
    expect((await api.get(`/v1/checkout_sessions/${id}`)).body).toMatchObject({ charge: { failure } });
    const { events } = (await api.get(`/v1/events?checkout_session_id=${id}`)).body;
    expect(events).toMatchObject([{ type: 'checkout.failed', data: { failure } }]);
  });

  test('charges after four declines, but not after five', async () => {
    const id = await session();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expectError(await charge(id, cards.do_not_honor ?? ''), 'card_declined');
    }
    const { status, body } = await charge(id, VISA);
    expect({ status, code: body.error.code }).toEqual({ status: 429, code: 'rate_limit' });
    // "We can try again" would be untrue of this session.
    expect(body.error.agent_message).toMatch(/can't try another payment/);
    expect(body.error.display_message).toMatch(/^No more attempts/);
    expect(await payments(id)).toBe(5);
    // Nor could the page take another: the caller is texted no link to it.
    const link = await api.post('/v1/send_link', { checkout_session_id: id });
    expect({ status: link.status, ...link.body.error }).toMatchObject({
      status: 429,
      code: 'rate_limit',
      agent_message: body.error.agent_message,
    });
  });

  test('returns 424 for an unknown outcome, keeps the charge pending, and rejects other charges', async () => {
    const own = await startTestApi();
    try {
      const { body: card } = await own.post('/v1/cards', {
        merchant_id: 'mer_demo_diner',
        caller_phone: CALLER,
        token: 'tok_hangs_taken',
      });
      const { checkout_session_id } = await own.checkout({ ...DINER, caller_phone: CALLER });
      const hanging = { checkout_session_id, instrument_id: card.instrument_id };
      const answer = await own.post('/v1/charge', hanging);
      expectUnknown(answer, 'outcome_by_text');
      expect(answer.body.error.charge).toMatch(/^ch_/);
      const replay = await own.post('/v1/charge', hanging);
      expect(replay).toMatchObject({ status: 200, body: { status: 'pending', replay: true } });
      expect(replay.body.charge_id).toBe(answer.body.error.charge);
      const other = await own.post('/v1/charge', { checkout_session_id, instrument_id: VISA });
      expectError(other, 'charge_details_mismatch');
      expect(other.body.error.charge).toBe(answer.body.error.charge);
      expectError(await own.post('/v1/send_link', { checkout_session_id }), 'charge_details_mismatch');
    } finally {
      await own.close();
    }
  });
});

test('promises no text about an unknown outcome to a number that answered STOP', async () => {
  const phone = '+15550104242';
  const saved = await api.post('/v1/cards', {
    merchant_id: 'mer_demo_diner',
    caller_phone: phone,
    token: 'tok_hangs_taken',
  });
  await optOut(api.database, phone, 'STOP');
  const { checkout_session_id } = await api.checkout({ ...DINER, caller_phone: phone });
  const answer = await api.post('/v1/charge', { checkout_session_id, instrument_id: saved.body.instrument_id });
  expectUnknown(answer, 'processor_unavailable');
  expect(answer.body.error.agent_message).not.toMatch(/text/);
});

describe('a repeat with the Idempotency-Key after a 424', () => {
  test.each([
    ['pending', 200],
    ['succeeded', 200],
    ['failed', 402],
  ])('returns the charge as %s', async (status, answered) => {
    const id = await session();
    const headers = { 'idempotency-key': `unknown-${id}` };
    const first = await charge(id, cards.hangs_taken ?? '', headers);
    expectUnknown(first, 'outcome_by_text');
    await api.database.query(
      `update charges set status = $2::charge_status, decline_code = case when $2 = 'failed' then 'do_not_honor' end
        where session_id = $1`,
      [id, status],
    );
    const repeated = await charge(id, cards.hangs_taken ?? '', headers);
    expect(repeated.status).toBe(answered);
    const { body } = repeated;
    if (status === 'failed')
      expect(body.error).toMatchObject({ decline_code: 'do_not_honor', charge: first.body.error.charge });
    else expect(body).toMatchObject({ status, replay: true, charge_id: first.body.error.charge });
    // Learning is no second attempt.
    expect((await api.database.query('select from charges where session_id = $1', [id])).rowCount).toBe(1);
  });
});

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

async function save(token: string, merchant_id = 'mer_demo_diner'): Promise<string> {
  const { body } = await api.post('/v1/cards', { merchant_id, caller_phone: CALLER, token });
  return String(body.instrument_id);
}

/** The payments that the sandbox has recorded. */
async function payments(sessionId: string): Promise<number | undefined> {
  const { rows } = await api.database.query<{ count: number }>(
    `select count(*)::integer as count from sandbox_payments p join charges c on c.id = p.reference
      where c.session_id = $1 and c.account_id = $2`,
    [sessionId, DEMO_ACCOUNT],
  );
  return rows[0]?.count;
}
