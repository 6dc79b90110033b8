/** `POST /v1/charge`, over HTTP. Rejections are in charge-rejected.test.ts. */
import { beforeAll, describe, expect, test } from 'vitest';
import { errorEntry, wordsOf } from '../../src/contract/errors.ts';
import { optOut } from '../../src/db/texts/texts.ts';
import { ChargeResponse } from '../../src/http/api/routes/charge.ts';
import { testCard } from '../../src/payments/sandbox/cards.ts';
import { useFixture } from '../support/fixtures.ts';
import { chargeCalls, DINER, VISA } from './charge-api.ts';
import { CALLER, expectError, insertTestKeys } from './fixtures.ts';
import { type Answer, startTestApi } from './test-api.ts';

const api = useFixture(async () => {
  const started = await startTestApi();
  await insertTestKeys(started);
  return started;
});
const { cardOf, session, charge, payments } = chargeCalls(api);

/** A card of the caller for each behaviour, at the diner. */
const cards: Record<string, string> = {};
beforeAll(async () => {
  for (const name of ['insufficient_funds', 'hangs_taken', 'do_not_honor', 'mastercard']) {
    cards[name] = await cardOf(`tok_${testCard(name).name}`);
  }
});

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
