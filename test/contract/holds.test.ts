/** Manual capture over REST: the checkout, its charge, the capture or void, their events and the words for the agent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PaymentFacts, textOf } from '../../src/notifications/sms/words.ts';
import { CALLER, expectError } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const AMOUNT = 4_250;

interface Hold {
  charge: string;
  session: string;
}

/** Charges a saved card in a session with manual capture. */
async function hold(token = 'tok_visa', more: object = {}): Promise<Hold> {
  const body = { merchant_id: 'mer_demo_diner', caller_phone: CALLER };
  const { checkout_session_id: session } = await api.checkout({
    ...body,
    amount_cents: AMOUNT,
    capture: 'manual',
    ...more,
  });
  const card = (await api.post('/v1/cards', { ...body, token })).body.instrument_id;
  const answer = await api.post('/v1/charge', { checkout_session_id: session, instrument_id: card });
  expect(answer).toMatchObject({ status: 200, body: { status: 'authorized' } });
  return { charge: String(answer.body.charge_id), session };
}

const capture = ({ charge }: Hold, body: object = {}, headers: Record<string, string> = {}) =>
  api.post(`/v1/charges/${charge}/capture`, body, headers);
const release = ({ charge }: Hold) => api.post(`/v1/charges/${charge}/void`, {});
const read = ({ session }: Hold) => api.get(`/v1/checkout_sessions/${session}`);

async function eventsOf({ session }: Hold): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { body } = await api.get(`/v1/events?checkout_session_id=${session}&limit=100`);
  return (body.events as { type: string; data: Record<string, unknown> }[]).reverse();
}

describe('a checkout with manual capture', () => {
  it('holds the amount, completes the session, and tells the agent that nothing was charged yet', async () => {
    const held = await hold();
    const { body } = await read(held);
    expect(body).toMatchObject({
      session_status: 'complete',
      charge: { status: 'authorized', amount_cents: AMOUNT, capture_before: expect.stringMatching(/^20.*Z$/) },
      agent_message: expect.stringMatching(/placed a hold of forty-two dollars and fifty cents/),
    });
    const events = await eventsOf(held);
    expect(events.map(({ type }) => type)).toEqual(['checkout.succeeded', 'checkout.completed']);
    expect(events.at(-1)?.data).toMatchObject({ outcome: 'succeeded', charge: { status: 'authorized' } });
  });

  it('says so in the language of the caller', async () => {
    const lines = { de: /reserviert/, es: /retenido/, fr: /bloqué/ };
    for (const [language, words] of Object.entries(lines)) {
      expect((await read(await hold('tok_visa', { language }))).body.agent_message).toMatch(words);
    }
  });

  it('repeats the same charge as a replay', async () => {
    const { session, charge } = await hold('tok_mastercard');
    const { rows } = await api.database.query('select instrument_id as card from charges where id = $1', [charge]);
    const again = await api.post('/v1/charge', { checkout_session_id: session, instrument_id: rows[0].card });
    expect(again).toMatchObject({ status: 200, body: { charge_id: charge, status: 'authorized', replay: true } });
  });

  it('rejects other values', async () => {
    const body = { merchant_id: 'mer_demo_diner', amount_cents: 1, capture: 'later' };
    expectError(await api.post('/v1/create_checkout', body), 'invalid_value', 'capture');
  });

  it('has a receipt text of its own in every language', () => {
    const facts: Omit<PaymentFacts, 'language'> = {
      businessName: 'Diner',
      amount: { amountCents: AMOUNT, currency: 'USD' },
      brand: 'VISA',
      lastFour: '4242',
      wallet: null,
      orderId: 'A1',
      at: new Date(),
      timeZone: 'UTC',
      isHold: true,
    };
    const words = { en: 'placed a hold of $42.50', de: 'reserviert', es: 'hemos retenido', fr: 'bloqué' };
    for (const [language, text] of Object.entries(words)) {
      expect(textOf('receipt', { ...facts, language })).toContain(text);
      expect(textOf('receipt', { ...facts, language, isHold: false })).not.toContain(text);
    }
  });
});

describe('capture', () => {
  it('takes a part, sends one event, and shows the captured amount in the list', async () => {
    const held = await hold();
    const answer = await capture(held, { amount_cents: 3_000 });
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'succeeded', amount_cents: AMOUNT, captured_cents: 3_000, refunded_cents: 0 },
    });
    expect(answer.body).not.toHaveProperty('capture_before');
    expect((await capture(held, { amount_cents: 3_000 })).body).toEqual(answer.body);
    expectError(await capture(held), 'charge_already_captured');
    const captured = (await eventsOf(held)).filter(({ type }) => type === 'charge.captured');
    expect(captured).toMatchObject([{ data: { charge: { status: 'succeeded', captured_cents: 3_000 } } }]);
    expect((await read(held)).body.agent_message).toMatch(/payment went through/);
  });

  it('limits refunds to what was captured', async () => {
    const held = await hold();
    await capture(held, { amount_cents: 1_000 });
    const refund = (amount_cents: number) => api.post('/v1/refunds', { charge: held.charge, amount_cents });
    expectError(await refund(1_001), 'invalid_value', 'amount_cents');
    expect((await refund(1_000)).body).toMatchObject({ status: 'succeeded', amount_cents: 1_000 });
  });

  it('returns 424 while the outcome is unknown, and the outcome to the same request later', async () => {
    const held = await hold('tok_hold_hangs');
    const key = { 'idempotency-key': `capture ${held.charge}` };
    expectError(await capture(held, {}, key), 'processor_unavailable');
    expectError(await capture(held, {}, key), 'capture_in_progress');
    expectError(await release(held), 'capture_in_progress');
    const { rows } = await api.database.query(
      `update hold_changes set status = 'succeeded', settled_at = now() where charge_id = $1 returning id`,
      [held.charge],
    );
    expect(rows).toHaveLength(1);
    await api.database.query(`update charges set status = 'succeeded', captured_cents = amount_cents where id = $1`, [
      held.charge,
    ]);
    expect(await capture(held, {}, key)).toMatchObject({ status: 200, body: { captured_cents: AMOUNT } });
  });
});

describe('void', () => {
  it('releases the hold, and another session can pay for the order', async () => {
    const held = await hold('tok_visa', { order_id: 'order_1003', allow_repeat: false });
    const next = { merchant_id: 'mer_demo_diner', order_id: 'order_1003', caller_phone: CALLER };
    expect((await api.checkout(next)).payment_required).toBe('none');
    expect(await release(held)).toMatchObject({ status: 200, body: { status: 'voided' } });
    expect(await release(held)).toMatchObject({ status: 200, body: { status: 'voided' } });
    expect((await api.checkout(next)).payment_required).toBe('required');
    expect((await read(held)).body).toMatchObject({
      session_status: 'complete',
      charge: { status: 'voided' },
      agent_message: expect.stringMatching(/released/),
    });
    expect((await eventsOf(held)).at(-1)).toMatchObject({
      type: 'charge.voided',
      data: { charge: { status: 'voided' } },
    });
  });

  it('is recorded in the audit trail with who asked', async () => {
    const held = await hold();
    await release(held);
    const { body } = await api.get(`/v1/audit_events?object=${held.charge}&action=charge.void_requested`);
    expect(body.audit_events).toMatchObject([{ changes: { amount_cents: AMOUNT, currency: 'USD' } }]);
  });
});
