/** Bank debits over REST: which checkouts offer them, and how their charges and texts read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PaymentFacts, textOf } from '../../src/notifications/sms/words.ts';
import { CALLER } from './fixtures.ts';
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

  it('is followed by a receipt that names the account instead of a card', () => {
    expect(textOf('receipt', facts)).toContain('with bank account ending 6789');
  });
});
