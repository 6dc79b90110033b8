/** A checkout that only saves a card, over REST: what it accepts, and how its session, events and texts read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { type PaymentFacts, textOf } from '../../src/notifications/sms/words.ts';
import { takePayment } from '../../src/payments/charges/take-payment.ts';
import { createCheckoutCom } from '../../src/payments/checkoutcom/index.ts';
import { CONSENT, createCardSavingPayments, VAULT } from '../integration/payments/card-saving.ts';
import { keyedCard } from '../integration/payments/test-payments.ts';
import { expectError } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ vault: VAULT, moreProcessors: [createCheckoutCom()] });
});
afterAll(() => api.close());

let callers = 0;
/** Each test has its own caller. */
function request(more: object = {}): Record<string, unknown> {
  callers += 1;
  return {
    merchant_id: 'mer_demo_diner',
    caller_phone: `+1555010${4_000 + callers}`,
    purpose: 'save_card',
    save_terms: 'merchant_initiated',
    save_sentence: 'May we save this card, and charge up to 50 dollars if you do not come?',
    save_max_amount_cents: 5_000,
    ...more,
  };
}
const create = (more: object = {}) => api.post('/v1/create_checkout', request(more));
const read = (session: string) => api.get(`/v1/checkout_sessions/${session}`);

/** Keys a card on the line and agrees. */
async function key(session: string, card = 'visa') {
  const sessionId = parseId('CheckoutSession', session);
  if (sessionId === null) throw new Error('no session');
  const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
  const consent = { ...CONSENT, terms: { saveTerms: 'merchant_initiated', maxAmountCents: 5_000 } } as const;
  const payments = createCardSavingPayments(api.database);
  return takePayment(payments, { sessionId, scope, source: 'phone', card: keyedCard(card), consent });
}

describe('create_checkout with the purpose save_card', () => {
  it('has no amount, is transferred to the line, and says so to the caller', async () => {
    const { status, body } = await create();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      payment_required: 'required',
      amount_cents: 0,
      cards: [],
      transfer_to: expect.stringMatching(/^sip:cs_/),
      agent_message: "I'll transfer you to our secure line now, where you can save your card. Please have it ready.",
    });
    expect((await read(body.checkout_session_id)).body).toMatchObject({
      purpose: 'save_card',
      session_status: 'open',
      charge: null,
      agent_message: "No card has been saved yet. You haven't been charged.",
    });
  });

  it.each(['caller_phone', 'save_terms', 'save_sentence'])('requires %s', async (name) => {
    expectError(await create({ [name]: undefined }), 'missing_required_fields', name);
  });

  it.each([
    ['amount_cents', 100],
    ['order_id', 'order_1001'],
    ['line_items', []],
    ['allow_repeat', true],
    ['capture', 'manual'],
  ])('rejects %s', async (name, value) => {
    expectError(await create({ [name]: value }), 'invalid_value', name);
  });

  it('rejects other purposes', async () => {
    expectError(await create({ purpose: 'tokenize' }), 'invalid_value', 'purpose');
  });

  it('rejects a processor that cannot save a card without a payment', async () => {
    const { merchant_id } = (await api.post('/v1/merchants', { business_name: 'Corner Kiosk' })).body;
    expectError(await create({ merchant_id }), 'merchant_not_connected');
    await api.database.query(`update merchants set processor = 'payconnector' where id = $1`, [merchant_id]);
    expectError(await create({ merchant_id }), 'invalid_value', 'purpose');
  });

  it('has the agent text a link if the merchant’s processor takes cards on the page only', async () => {
    const { merchant_id } = (await api.post('/v1/merchants', { business_name: 'Corner Bakery' })).body;
    await api.post(`/v1/merchants/${merchant_id}/processor`, { processor: 'sandbox_page' });
    const { body } = await create({ merchant_id });
    expect(body.agent_message).toBe("I'll text you a secure link now, where you can save your card.");
  });

  it('rejects a server that stores no cards', async () => {
    for (const without of [{ vault: null }, { savedCards: false }]) {
      const own = await startTestApi(without);
      try {
        expectError(await own.post('/v1/create_checkout', request()), 'not_configured');
      } finally {
        await own.close();
      }
    }
  });

  it('can be sent by link', async () => {
    const { checkout_session_id: session } = await api.checkout(request());
    const { status, body } = await api.post('/v1/send_link', { checkout_session_id: session });
    expect(status).toBe(200);
    expect(body).toMatchObject({ sent: true, payment_required: 'required' });
  });

  it('is not sent by link if the merchant’s processor cannot save a card on the page', async () => {
    const { merchant_id } = (await api.post('/v1/merchants', { business_name: 'Night Shop' })).body;
    await api.post(`/v1/merchants/${merchant_id}/processor`, { processor: 'sandbox' });
    const { checkout_session_id: session } = await api.checkout(request({ merchant_id }));
    await api.database.query(`update merchants set processor = 'checkoutcom' where id = $1`, [merchant_id]);
    expectError(
      await api.post('/v1/send_link', { checkout_session_id: session }),
      'invalid_value',
      'checkout_session_id',
    );
  });

  it('charges no saved card', async () => {
    const body = request();
    const { checkout_session_id: session } = await api.checkout(body);
    const { merchant_id, caller_phone } = body;
    const card = (await api.post('/v1/cards', { merchant_id, caller_phone, token: 'tok_visa' })).body.instrument_id;
    const answer = await api.post('/v1/charge', { checkout_session_id: session, instrument_id: card });
    expectError(answer, 'invalid_value', 'checkout_session_id');
  });
});

describe('a saved card without a payment', () => {
  it('completes the session with the card, which the merchant can charge within the consent', async () => {
    const body = request();
    const { checkout_session_id: session } = await api.checkout(body);
    expect(await key(session)).toMatchObject({ type: 'succeeded', cardSaved: true });
    const saved = (await read(session)).body;
    expect(saved).toMatchObject({
      session_status: 'complete',
      amount_cents: 0,
      charge: { status: 'succeeded', amount_cents: 0 },
      instrument_id: expect.stringMatching(/^card_/),
      agent_message: "Thank you, your card is saved. You haven't been charged.",
    });
    const { merchant_id } = body;
    const charge = (amount_cents: number) =>
      api.post(
        '/v1/charges',
        {
          initiator: 'merchant',
          merchant_id,
          instrument_id: saved.instrument_id,
          amount_cents,
          order_id: `no_show_${amount_cents}`,
        },
        { 'Idempotency-Key': `no_show_${session}_${amount_cents}` },
      );
    expectError(await charge(5_001), 'consent_exceeded', 'amount_cents');
    expect(await charge(5_000)).toMatchObject({ status: 200, body: { status: 'succeeded' } });
  });

  it('is reported by the same events, and can be refunded by no amount', async () => {
    const { checkout_session_id: session } = await api.checkout(request());
    await key(session);
    const events = (await api.get(`/v1/events?checkout_session_id=${session}`)).body.events as Event[];
    expect(events.map(({ type }) => type).sort()).toEqual(['checkout.completed', 'checkout.succeeded']);
    const { data } = events.find(({ type }) => type === 'checkout.completed') as Event;
    expect(data.checkout_session).toMatchObject({
      purpose: 'save_card',
      instrument_id: expect.stringMatching(/^card_/),
    });
    const charge = (await read(session)).body.charge as { charge_id: string };
    expect((await api.post('/v1/refunds', { charge: charge.charge_id })).status).toBeGreaterThanOrEqual(400);
  });

  it('is no payment in the statistics', async () => {
    const { merchant_id } = (await api.post('/v1/merchants', { business_name: 'Quiet Shop' })).body;
    await api.post(`/v1/merchants/${merchant_id}/processor`, { processor: 'sandbox' });
    const { checkout_session_id: session } = await api.checkout(request({ merchant_id }));
    await key(session);
    const rows = await api.database.query('select amount_cents from charges where merchant_id = $1', [merchant_id]);
    expect(rows.rows).toEqual([{ amount_cents: 0 }]);
    const { body } = await api.get(`/v1/statistics?merchant_id=${String(merchant_id)}`);
    expect(JSON.stringify(body)).not.toContain('"succeeded":1');
  });

  it('says why the bank declined', async () => {
    const { checkout_session_id: session } = await api.checkout(request());
    expect(await key(session, 'insufficient_funds')).toMatchObject({ type: 'declined' });
    const { body } = await read(session);
    expect(body).toMatchObject({ session_status: 'open', instrument_id: null, charge: { status: 'failed' } });
    expect(body.agent_message).toBe((body.charge as { failure: { agent_message: string } }).failure.agent_message);
  });

  it('has texts of its own in every language', () => {
    const facts: Omit<PaymentFacts, 'language'> = {
      businessName: 'Diner',
      amount: { amountCents: 0, currency: 'USD' },
      brand: 'VISA',
      lastFour: '4242',
      wallet: null,
      orderId: null,
      at: new Date(),
      timeZone: 'UTC',
    };
    const words = {
      en: ['card is saved', 'not saved'],
      de: ['Karte ist gespeichert', 'nicht gespeichert'],
      es: ['se ha guardado', 'no se ha guardado'],
      fr: ['carte est enregistrée', "n'a pas été enregistrée"],
    };
    for (const [language, [saved, not]] of Object.entries(words)) {
      expect(textOf('receipt', { ...facts, language })).toContain(saved);
      expect(textOf('not_charged', { ...facts, language })).toContain(not);
    }
  });
});

interface Event {
  type: string;
  data: Record<string, unknown>;
}

it('rejects consent to charges without the caller if the merchant’s processor cannot make them', async () => {
  const { merchant_id } = (await api.post('/v1/merchants', { business_name: 'Till' })).body;
  await api.database.query(`update merchants set processor = 'nowhere' where id = $1`, [merchant_id]);
  const body = { merchant_id, amount_cents: 100, save_terms: 'merchant_initiated', save_sentence: 'May we?' };
  expectError(await api.post('/v1/create_checkout', body), 'invalid_value', 'save_terms');
  const returning = await api.post('/v1/create_checkout', { ...body, save_terms: 'returning' });
  expect(returning.status).toBe(200);
});
