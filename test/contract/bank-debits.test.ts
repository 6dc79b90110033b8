/** Bank debits over REST: which checkouts offer them, and how their charges and texts read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttentionItemResource } from '../../src/contract/attention.ts';
import type { CheckoutSessionResource } from '../../src/contract/session-resource.ts';
import { type PaymentFacts, textOf } from '../../src/notifications/sms/words.ts';
import { startFakeAuthorizeNet } from '../support/fake-authorizenet.ts';
import { AUTHORIZE_NET_CREDENTIALS, authorizeNetProcessorAt } from '../support/vendor-processors.ts';
import { CALLER } from './fixtures.ts';
import { createCharge } from './refunds-api.ts';
import { startTestApi, type TestApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const PHONE = '+15550100200';

async function merchant(settings: object = {}, processor: string | null = 'sandbox'): Promise<string> {
  const made = await api.post('/v1/merchants', { business_name: 'Bank Test', bank_debit_phone: PHONE, ...settings });
  const id = String(made.body.merchant_id);
  if (processor !== null) await api.post(`/v1/merchants/${id}/processor`, { processor });
  return id;
}

const checkout = (merchantId: string, more: object = {}) =>
  api.post('/v1/create_checkout', {
    merchant_id: merchantId,
    caller_phone: CALLER,
    amount_cents: 4_250,
    payment_methods: ['card', 'us_bank_account'],
    payer_name: 'Ada Lovelace',
    ...more,
  });

describe('a checkout that offers a bank account', () => {
  it('is created if merchant, currency and processor allow it', async () => {
    expect(await checkout(await merchant())).toMatchObject({ status: 200, body: { payment_required: 'required' } });
  });

  it.each([
    ['without a card', { payment_methods: ['us_bank_account'] }],
    ['with a method twice', { payment_methods: ['card', 'card', 'us_bank_account'] }],
    ['with manual capture', { capture: 'manual' }],
    ['with terms for saving', { save_terms: 'returning', save_sentence: 'May we keep it?' }],
  ])('is refused %s', async (_, more) => {
    const answer = await checkout(await merchant(), more);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_value', param: 'payment_methods' } } });
  });

  it('is refused without the name of its owner, which alone offers nothing', async () => {
    const id = await merchant();
    const unnamed = await checkout(id, { payer_name: undefined });
    expect(unnamed).toMatchObject({ body: { error: { code: 'missing_required_fields', param: 'payer_name' } } });
    const byCard = await checkout(id, { payment_methods: ['card'] });
    expect(byCard).toMatchObject({ body: { error: { code: 'invalid_value', param: 'payer_name' } } });
  });

  it('is refused if the merchant does not take bank debits, or takes another currency', async () => {
    const errors = await Promise.all([
      checkout(await merchant({ bank_debit_phone: null })),
      checkout(await merchant({ currency: 'EUR' })),
    ]);
    expect(errors.map(({ body }) => body.error)).toMatchObject([
      { param: 'payment_methods', message: expect.stringContaining('bank_debit_phone') },
      { param: 'payment_methods', message: expect.stringContaining('USD') },
    ]);
  });

  it('rejects a card number in the name', async () => {
    const answer = await checkout(await merchant(), { payer_name: 'Ada 4242 4242 4242 4242' });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_value', param: 'payer_name' } } });
    expect(JSON.stringify(answer.body)).not.toContain('4242 4242');
  });
});

describe('the text that confirms a bank debit', () => {
  const facts: PaymentFacts = {
    businessName: 'Demo Books',
    amount: { amountCents: 4_250, currency: 'USD' },
    brand: null,
    lastFour: '6789',
    wallet: null,
    paymentMethod: 'us_bank_account',
    payerName: 'Ada Lovelace',
    debitPhone: PHONE,
    orderId: null,
    at: new Date('2026-11-20T17:00:00Z'),
    timeZone: 'America/New_York',
    language: 'en-US',
  };

  it.each(['en-US', 'es', 'fr', 'de'])('has every term that the caller authorized in %s', (language) => {
    const text = textOf('debit_terms', { ...facts, language });
    for (const term of ['Demo Books', 'Ada Lovelace', '42', '6789', PHONE, '2026', 'STOP'])
      expect(text).toContain(term);
  });

  it.each(['en-US', 'es', 'fr', 'de'])(
    'is followed by one about a return, which asks for no money, in %s',
    (language) => {
      const text = textOf('debit_returned', { ...facts, language, orderId: 'A-17' });
      for (const term of ['Demo Books', '42', '6789', 'A-17', PHONE, '2026', 'STOP']) expect(text).toContain(term);
    },
  );

  it('is followed by a receipt that names the account instead of a card', () => {
    expect(textOf('receipt', facts)).toContain('with bank account ending 6789');
  });
});

describe('a bank debit over REST', () => {
  /** A charge in this state, as the payments write it. */
  async function debit(state: string) {
    const { id, session: sessionId } = await createCharge(api, 'visa');
    await api.database.query(
      `update charges set payment_method = 'us_bank_account', brand = null, debited_at = created_at, ${state} where id = $1`,
      [id],
    );
    const { body } = await api.get(`/v1/checkout_sessions/${sessionId}`);
    return { id, session: body as unknown as CheckoutSessionResource };
  }

  it('is on its way while it is pending, not paid and not in doubt', async () => {
    const { session } = await debit(`status = 'pending', settled_at = null, resolve_at = 'infinity'`);
    expect(session.charge).toMatchObject({ status: 'pending', debited_at: expect.any(String) });
    expect(session.agent_message).toMatch(/on its way.*pending until your bank has paid/);
  });

  it('that the bank did not take speaks of no card', async () => {
    const { session } = await debit(`status = 'failed', decline_code = 'insufficient_funds', processor_code = 'R01'`);
    expect(session.charge?.failure).toMatchObject({ processor_code: 'R01', decline_code: 'insufficient_funds' });
    expect(session.charge?.failure?.agent_message).toMatch(/bank account didn't go through/);
  });

  it('that was returned says so in its session, in the list, and in the attention items', async () => {
    const state = `status = 'failed', decline_code = 'generic_decline', processor_code = 'R10', returned_at = now()`;
    const { id, session } = await debit(state);
    await api.database.query(
      `insert into debit_returns (charge_id, account_id, mode, returned_at)
       select id, account_id, mode, returned_at from charges where id = $1`,
      [id],
    );
    expect(session).toMatchObject({
      session_status: 'complete',
      agent_message: "Your bank has returned that payment, so it isn't paid.",
      charge: { status: 'failed', returned_at: expect.stringMatching(/Z$/), failure: { processor_code: 'R10' } },
    });
    expect((await api.get(`/v1/charges/${id}`)).body).toMatchObject({ returned_at: session.charge?.returned_at });
    const { body } = await api.get('/v1/attention_items?limit=100');
    const items = body.attention_items as AttentionItemResource[];
    expect(items.find(({ object_id }) => object_id === id)).toMatchObject({
      kind: 'debit_returned',
      title: expect.stringMatching(/^Bank debit of \$[\d.]+ at Demo Diner was returned$/),
      detail: 'The bank returned it (R10) after it was paid. Its order counts as unpaid again.',
      dashboard_path: `/charges/${id}`,
    });
    expect((await api.post('/v1/refunds', { charge: id })).status).toBe(400);
  });
});

describe('the status of a merchant whose account makes no bank debits', () => {
  it('says so if the merchant has a number for questions about them', async () => {
    const fake = await startFakeAuthorizeNet();
    const own = await startTestApi({ processors: [authorizeNetProcessorAt(fake)] });
    try {
      fake.account.echeckTypes = [];
      const made = await own.post('/v1/merchants', { business_name: 'Bank Test', bank_debit_phone: PHONE });
      const path = `/v1/merchants/${made.body.merchant_id}`;
      const connection = { processor: 'authorizenet', credentials: AUTHORIZE_NET_CREDENTIALS };
      expect((await own.post(`${path}/processor`, connection)).status).toBe(200);
      const codes = async () => {
        const { body } = await own.get(`${path}/status`);
        return (body.requirements as { code: string }[]).map(({ code }) => code);
      };
      expect(await codes()).toContain('bank_debits_disabled');
      expect((await own.get(`${path}/status`)).body.can_take_payments).toBe(true);
      await own.send('PATCH', path, { bank_debit_phone: null });
      expect(await codes()).not.toContain('bank_debits_disabled');
    } finally {
      await own.close();
      await fake.close();
    }
  });
});
