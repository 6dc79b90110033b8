/** The Hyperswitch adapter, against a fake server on loopback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHyperswitch } from '../../../src/payments/hyperswitch/index.ts';
import { answerOf } from '../../../src/payments/hyperswitch/payments.ts';
import { fakeUnderTest } from '../../contract/fake-under-test.ts';
import { processorContract } from '../../contract/processor-contract.ts';
import { vendorFaultContract } from '../../contract/processor-contract-faults.ts';
import { CARDS, type FakeHyperswitch, startFakeHyperswitch } from '../../support/fake-hyperswitch.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { hyperswitchCredentialsAt, hyperswitchProcessor } from '../../support/vendor-processors.ts';
import { chargesAt, keyed } from './vendor-charges.ts';

processorContract(
  'hyperswitch',
  async () => {
    const fake = await startFakeHyperswitch();
    const credentials = hyperswitchCredentialsAt(fake);
    return {
      ...fakeUnderTest(fake, CARDS, keyed),
      processor: hyperswitchProcessor(),
      credentials,
      wrongCredentials: { ...credentials, api_key: 'snd_AnotherAnotherAnotherAnother' },
      withoutMoneyIs: 'generic_decline',
      saysCaptureBefore: false,
      refundElsewhere: fake.refundInControlCenter,
    };
  },
  { hasRecords: false, hasWallet: false },
);

describe('hyperswitch', () => {
  let fake: FakeHyperswitch;
  beforeAll(async () => {
    fake = await startFakeHyperswitch();
  });
  afterAll(() => fake.close());
  afterEach(() => expect(fake.violations).toEqual([]));

  const { request, charge, lookUp } = chargesAt(
    () => hyperswitchProcessor(),
    () => hyperswitchCredentialsAt(fake),
    CARDS.good,
  );

  vendorFaultContract(() => ({
    fakeVendor: fake,
    processor: hyperswitchProcessor(),
    refundIs: 'succeeded',
    request: () => request(),
  }));

  it('sends a keyed card as a telephone order with our ID, by the connector of the merchant', async () => {
    const of = request(keyed(CARDS.good, '94105'));
    expect(await charge(of)).toMatchObject({ status: 'succeeded', card: { brand: 'VISA', lastFour: '4242' } });
    const billing = { address: { zip: '94105' } };
    expect(JSON.parse(fake.requests.at(-1)?.body ?? '')).toEqual({
      payment_id: `pay_${of.chargeId.slice('ch_'.length)}`,
      amount: 1_234,
      currency: 'EUR',
      confirm: true,
      capture_method: 'automatic',
      authentication_type: 'no_three_ds',
      payment_channel: 'telephone_order',
      connector: ['checkout'],
      payment_method: 'card',
      payment_method_data: {
        card: { card_number: CARDS.good, card_exp_month: '04', card_exp_year: '31', card_cvc: '987' },
        billing,
      },
      billing,
      merchant_order_reference_id: 'order 7',
      metadata: { ringkey_charge: of.chargeId, ringkey_session: of.sessionId },
    });
  });

  const error = (code: string) => ({ error: { type: 'invalid_request', message: 'No.', code } });

  it.each([
    [401, error('IR_01'), { status: 'refused', processorCode: 'credentials_rejected' }],
    [400, error('IR_06'), { status: 'refused', processorCode: 'IR_06' }],
    [422, error('IR_05'), { status: 'refused', processorCode: 'IR_05' }],
    [400, error('CE_01'), { status: 'unknown', cause: 'CE_01' }],
    [400, {}, { status: 'unknown', cause: 'http_400' }],
    [500, error('HE_00'), { status: 'unknown', cause: 'HE_00' }],
  ])('answers %i %j with %j, asked once', async (status, body, expected) => {
    const before = fake.requests.length;
    fake.answerNext({ status, body });
    expect(await charge(request())).toMatchObject(expected);
    expect(fake.requests).toHaveLength(before + 1);
  });

  it('retries after too many requests, with the same ID', async () => {
    const of = request();
    fake.answerNext({ status: 429, body: {} });
    expect(await charge(of)).toMatchObject({ status: 'succeeded' });
    expect(fake.countPayments(of.chargeId)).toBe(1);
  });

  it('does not believe a response about another payment', async () => {
    const body = {
      payment_id: 'pay_other',
      status: 'succeeded',
      amount: 1_234,
      amount_received: 1_234,
      currency: 'EUR',
    };
    fake.answerNext({ status: 200, body });
    expect(await charge(request())).toEqual({ status: 'unknown', cause: 'answer_to_another' });
  });

  it.each(['processing', 'requires_customer_action', 'conflicted', 'partially_captured_and_capturable', 'new_status'])(
    'does not know the outcome of a payment that is %s',
    (status) => {
      const payment = { payment_id: 'pay_1', amount: 1_000, currency: 'USD' };
      expect(answerOf({ ...payment, status })).toEqual({ status: 'unknown', cause: status });
    },
  );

  it('takes the amount of a captured hold only from what was received', () => {
    const payment = {
      payment_id: 'pay_1',
      status: 'succeeded',
      amount: 1_000,
      currency: 'USD',
      capture_method: 'manual',
    };
    expect(answerOf(payment)).toMatchObject({ status: 'unknown' });
    expect(answerOf({ ...payment, amount_received: 400 })).toMatchObject({ taken: { amountCents: 400 } });
  });

  it('passes on no card number', async () => {
    for (const number of [CARDS.good, CARDS.noMoney, CARDS.broken]) {
      const of = request(keyed(number));
      expect(JSON.stringify([await charge(of), await lookUp(of)])).not.toContain(number);
    }
  });

  it.each([
    [{}, true],
    [{ profile_id: 'pro_abc' }, true],
    [{ base_url: 'https://pay.example.com/hyperswitch/' }, true],
    [{ base_url: 'http://pay.example.com' }, false],
    [{ base_url: 'https://10.0.0.1' }, false],
    [{ base_url: 'https://localhost' }, false],
    [{ base_url: 'https://user:secret@pay.example.com' }, false],
    [{ base_url: 'https://pay.example.com/?key=1' }, false],
    [{ api_key: `prd_${'a'.repeat(32)}` }, false],
    [{ connector: 'stripe' }, false],
  ])('accepts %j as credentials of test mode: %j', (changes, isAccepted) => {
    const credentials = {
      base_url: 'https://pay.example.com',
      api_key: `snd_${'a'.repeat(32)}`,
      connector: 'adyen',
      ...changes,
    };
    expect(createHyperswitch().credentialsSchema('test').safeParse(credentials).success).toBe(isAccepted);
  });

  it('sends nothing to a private address, even if a stored credential names one', async () => {
    const before = fake.requests.length;
    expect(await createHyperswitch().charge(request(), requestTimeout())).toMatchObject({ status: 'refused' });
    expect(fake.requests).toHaveLength(before);
  });
});
