/** The Checkout.com adapter, against a fake server on loopback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { createCheckoutCom } from '../../../src/payments/checkoutcom/index.ts';
import { answerOf } from '../../../src/payments/checkoutcom/payments.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import { fakeUnderTest } from '../../contract/fake-under-test.ts';
import { processorContract } from '../../contract/processor-contract.ts';
import { refundsOf, vendorFaultContract } from '../../contract/processor-contract-faults.ts';
import { CARDS, CHANNEL, type FakeCheckoutCom, startFakeCheckoutCom } from '../../support/fake-checkoutcom.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { CHECKOUT_COM_CREDENTIALS, checkoutComProcessorAt } from '../../support/vendor-processors.ts';
import { cardOf, chargesAt, keyed } from './vendor-charges.ts';

for (const kind of ['keyed', 'saved', 'token'] as const) {
  processorContract(
    `checkoutcom, ${kind} cards`,
    async () => {
      const fake = await startFakeCheckoutCom();
      const card = (number: string) => cardOf(kind, fake, number);
      return {
        ...fakeUnderTest(fake, CARDS, card),
        processor: checkoutComProcessorAt(fake),
        credentials: CHECKOUT_COM_CREDENTIALS,
        wrongCredentials: { ...CHECKOUT_COM_CREDENTIALS, secret_key: 'sk_sbox_aaaaaaaaaaaaaaaaaaaaaaaaaaa' },
        token: () => fake.token(),
        tokenSavedOnce: false,
      };
    },
    { hasRecords: false },
  );
}

it.each([
  [{ status: 'Partially Captured', balances: { total_captured: 300, available_to_refund: 300 } }, null, 300],
  [{ status: 'Partially Captured' }, null, undefined],
  [{ status: 'Captured' }, true, undefined],
  [{ status: 'Captured' }, false, 1_000],
])(
  'takes the amount of a captured payment %j from its balances if it may have been held (%j)',
  (fields, isHold, cents) => {
    const answer = answerOf({ id: 'pay_1', amount: 1_000, currency: 'USD', ...fields }, isHold);
    const taken = { status: 'succeeded', taken: { amountCents: cents, currency: 'USD' } };
    expect(answer).toMatchObject(cents === undefined ? { status: 'unknown' } : taken);
  },
);

describe('checkoutcom', () => {
  let fake: FakeCheckoutCom;
  beforeAll(async () => {
    fake = await startFakeCheckoutCom();
  });
  afterAll(() => fake.close());
  afterEach(() => expect(fake.violations).toEqual([]));

  const { request, charge, lookUp } = chargesAt(
    () => checkoutComProcessorAt(fake),
    () => CHECKOUT_COM_CREDENTIALS,
    CARDS.good,
  );

  vendorFaultContract(() => ({
    fakeVendor: fake,
    processor: checkoutComProcessorAt(fake),
    refundIs: 'succeeded',
    request: () => request(),
  }));

  it('sends a keyed card as a MOTO payment with our IDs, the date as numbers, and stores nothing', async () => {
    const of = request(keyed(CARDS.good, '94105'));
    expect(await charge(of)).toMatchObject({ status: 'succeeded', card: { brand: 'VISA', lastFour: '4242' } });
    const sent = fake.requests.at(-1);
    expect(sent?.headers['cko-idempotency-key']).toBe(of.chargeId);
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      source: {
        type: 'card',
        number: CARDS.good,
        expiry_month: 4,
        expiry_year: 2031,
        cvv: '987',
        store_for_future_use: false,
        billing_address: { zip: '94105' },
      },
      amount: 1_234,
      currency: 'EUR',
      payment_type: 'MOTO',
      reference: of.chargeId,
      capture: true,
      processing_channel_id: CHANNEL,
      metadata: { ringkey_capture: 'automatic', ringkey_session: of.sessionId, ringkey_order: 'order 7' },
    });
  });

  it.each([
    ['4000000000000002', 'do_not_honor', '20005'],
    ['4000000000000069', 'expired_card', '20054'],
    ['4000000000009987', 'lost_card', '30041'],
  ])('declines %s as %s, also on lookup', async (number, declineCode, processorCode) => {
    const of = request(keyed(number));
    const declined = {
      status: 'declined',
      declineCode,
      processorCode,
      processorPaymentId: expect.stringMatching(/^pay_/),
    };
    expect(await charge(of)).toEqual(declined);
    expect(await lookUp(of)).toEqual(declined);
  });

  it.each([
    [401, {}, { status: 'refused', processorCode: 'credentials_rejected' }],
    [403, {}, { status: 'refused', processorCode: 'http_403' }],
    [422, { error_codes: ['card_number_invalid'] }, { status: 'declined', declineCode: 'incorrect_number' }],
    [422, { error_codes: ['cvv_invalid'] }, { status: 'declined', declineCode: 'incorrect_cvc' }],
    [422, { error_codes: ['processing_channel_id_required'] }, { status: 'refused' }],
    [422, {}, { status: 'unknown', cause: 'http_422' }],
    [400, {}, { status: 'unknown', cause: 'http_400' }],
    [409, {}, { status: 'unknown', cause: 'http_409' }],
    [500, {}, { status: 'unknown', cause: 'http_500' }],
  ])('%i %j: %j, asked once', async (status, body, expected) => {
    const before = fake.requests.length;
    fake.answerNext({ status, body });
    expect(await charge(request())).toMatchObject(expected);
    expect(fake.requests).toHaveLength(before + 1);
  });

  it('retries after too many requests, with the same key', async () => {
    const of = request();
    fake.answerNext({ status: 429, body: {} });
    expect(await charge(of)).toMatchObject({ status: 'succeeded' });
    expect(fake.countPayments(of.chargeId)).toBe(1);
  });

  it.each(['Pending', 'Card Verified', 'Something New'])('does not know the outcome of status %s', async (status) => {
    const of = request();
    const body = { id: 'pay_a', status, amount: 1_234, currency: 'EUR', reference: of.chargeId };
    fake.answerNext({ status: 201, body });
    expect(await charge(of)).toMatchObject({ status: 'unknown' });
  });

  it('does not believe a response about another charge', async () => {
    const body = { id: 'pay_a', status: 'Authorized', amount: 1_234, currency: 'EUR', reference: 'ch_other' };
    fake.answerNext({ status: 201, body });
    expect(await charge(request())).toEqual({ status: 'unknown', cause: 'answer_to_another' });
  });

  it('waits for the capture of a payment that is refunded at once', async () => {
    const of = request();
    const paid = await charge(of);
    if (paid.status !== 'succeeded') throw new Error(paid.status);
    const { chargeId, amount, credentials, mode } = of;
    const { processorPaymentId } = paid;
    const payment = fake.payments.find(({ id }) => id === processorPaymentId);
    if (payment === undefined) throw new Error('no payment');
    Object.assign(payment, { status: 'Authorized', captured: 0 });
    const order = { refundId: newId('Refund'), chargeId, processorPaymentId, mode, amount, credentials, reason: null };
    const refund = () => refundsOf(checkoutComProcessorAt(fake)).refund(order, requestTimeout());
    expect(await refund()).toEqual({ status: 'unknown', cause: 'capture_pending' });
    Object.assign(payment, { status: 'Captured', captured: amount.amountCents });
    expect(await refund()).toMatchObject({ status: 'succeeded' });
  });

  it('passes on no card number, which the response texts contain', async () => {
    for (const number of Object.values(CARDS).filter((one) => one !== CARDS.lost && one !== CARDS.unanswered)) {
      const of = request(keyed(number));
      expect(JSON.stringify([await charge(of), await lookUp(of)])).not.toContain(number);
    }
  });

  it('rejects keys of the other mode before anything is sent, and reports a key that cannot read payments', async () => {
    const { checkConnection } = checkoutComProcessorAt(fake);
    const before = fake.requests.length;
    const credentials = secretCredentials(CHECKOUT_COM_CREDENTIALS);
    expect(await checkConnection('live', credentials, requestTimeout())).toEqual({ status: 'invalid' });
    expect(fake.requests).toHaveLength(before);
    fake.answerNext({ status: 403, body: {} });
    expect(await checkConnection('test', credentials, requestTimeout())).toEqual({ status: 'not_provisioned' });
    fake.failNext('reset');
    expect(await checkConnection('test', credentials, requestTimeout())).toEqual({ status: 'unavailable' });
  });

  it('accepts a live key and an account’s own address in live mode', () => {
    const schema = createCheckoutCom().credentialsSchema('live');
    const secret_key = 'sk_aaaaaaaaaaaaaaaaaaaaaaaaaa2';
    expect(schema.safeParse({ secret_key, prefix: 'abcd1234' }).success).toBe(true);
    expect(schema.safeParse({ secret_key, prefix: 'evil.example.com/' }).success).toBe(false);
    expect(schema.safeParse({ secret_key: CHECKOUT_COM_CREDENTIALS.secret_key }).success).toBe(false);
  });
});
