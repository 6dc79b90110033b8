/** The Braintree adapter, against a fake server on loopback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { createBraintree } from '../../../src/payments/braintree/index.ts';
import type { PayableCard } from '../../../src/payments/port/charges.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import { fakeUnderTest } from '../../contract/fake-under-test.ts';
import { processorContract } from '../../contract/processor-contract.ts';
import { refundsOf, vendorFaultContract } from '../../contract/processor-contract-faults.ts';
import { type FakeBraintree, startFakeBraintree } from '../../support/fake-braintree.ts';
import { CARDS } from '../../support/fake-braintree-cards.ts';
import { MERCHANT, MERCHANT_ACCOUNT } from '../../support/fake-braintree-requests.ts';
import { FAULTS, failNextWithin, type VendorRequest } from '../../support/fake-vendor-server.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { BRAINTREE_CREDENTIALS, braintreeProcessorAt } from '../../support/vendor-processors.ts';
import { cardOf, chargesAt, keyed } from './vendor-charges.ts';

const operationIs = (name: string) => (request: VendorRequest) =>
  new RegExp(`^\\{"query":"(query|mutation) ${name}\\(`).test(request.body);
const isChange = (request: VendorRequest) => request.body.startsWith('{"query":"mutation');

for (const kind of ['keyed', 'saved', 'token'] as const) {
  processorContract(`braintree, ${kind} cards`, async () => {
    const fake = await startFakeBraintree();
    const card = (number: string) => cardOf(kind, fake, number);
    return {
      ...fakeUnderTest(fake, CARDS, card),
      processor: braintreeProcessorAt(fake),
      credentials: BRAINTREE_CREDENTIALS,
      wrongCredentials: { ...BRAINTREE_CREDENTIALS, private_key: '0'.repeat(32) },
      account: MERCHANT,
      recordsOf: MERCHANT_ACCOUNT,
      token: () => fake.token(),
      tokenSavedOnce: false,
      muteRefund: () => fake.failNext('hang', undefined, isChange),
      refundElsewhere: fake.refundInPanel,
      listedSource: kind === 'keyed' ? 'phone' : kind === 'saved' ? 'saved_card' : 'page',
      forgetsDeclinedCards: true,
    };
  });
}

describe('braintree', () => {
  let fake: FakeBraintree;
  beforeAll(async () => {
    fake = await startFakeBraintree({ settlesAtOnce: false });
  });
  afterAll(() => fake.close());
  afterEach(() => expect(fake.violations).toEqual([]));

  const { request, charge, lookUp } = chargesAt(
    () => braintreeProcessorAt(fake),
    () => BRAINTREE_CREDENTIALS,
    CARDS.good,
    { amount: { amountCents: 1_234, currency: 'USD' } },
  );
  const token = (number?: string): PayableCard => ({ kind: 'token', token: fake.token(number) });
  const sentTo = (name: string) => JSON.parse(fake.requests.findLast(operationIs(name))?.body ?? '').variables.input;

  vendorFaultContract(() => ({
    fakeVendor: fake,
    processor: braintreeProcessorAt(fake),
    refundIs: 'succeeded',
    request: () => request(token()),
    isRefund: isChange,
  }));

  it('exchanges a keyed card for a single-use ID, and charges it as a MOTO payment with our IDs', async () => {
    const of = request(keyed(CARDS.good, '94105'));
    expect(await charge(of)).toMatchObject({ status: 'succeeded', card: { brand: 'VISA', lastFour: '1111' } });
    expect(sentTo('TokenizeCard')).toEqual({
      creditCard: {
        number: CARDS.good,
        expirationMonth: '04',
        expirationYear: '2031',
        cvv: '987',
        billingAddress: { postalCode: '94105' },
      },
      options: { validate: true },
    });
    expect(sentTo('ChargeCard')).toEqual({
      paymentMethodId: expect.stringMatching(/./),
      transaction: {
        amount: '12.34',
        merchantAccountId: MERCHANT_ACCOUNT,
        orderId: `${of.chargeId} ${of.sessionId} phone USD order 7`,
        paymentInitiator: 'MOTO',
      },
    });
  });

  it.each([
    ['page', undefined],
    ['agent', 'MOTO'],
    ['merchant', 'UNSCHEDULED'],
  ] as const)('says who starts a charge of the channel %s: %s', async (channel, initiator) => {
    const card: PayableCard = channel === 'page' ? token() : { kind: 'saved', handle: fake.savedCard(CARDS.good) };
    expect(await charge(request(card, { channel }))).toMatchObject({ status: 'succeeded' });
    expect(sentTo('ChargeCard').transaction.paymentInitiator).toBe(initiator);
  });

  it.each(FAULTS)('fails clearly after %s at the exchange of a keyed card, and charges nothing', async (fault) => {
    const of = request();
    // A request without an answer ends by the time limit, as any other.
    const expected = fault === 'hang' ? { status: 'unknown' } : { status: 'declined', declineCode: 'try_again_later' };
    expect(await braintreeProcessorAt(fake).charge(of, failNextWithin(fake, fault))).toMatchObject(expected);
    expect(await lookUp(of)).toEqual({ status: 'not_found' });
  });

  it('charges nothing in another currency than that of the merchant account', async () => {
    const before = fake.requests.length;
    const of = request(token(), { amount: { amountCents: 1_234, currency: 'EUR' } });
    expect(await charge(of)).toEqual({ status: 'refused', processorCode: 'currency_unsupported' });
    expect(fake.requests).toHaveLength(before);
  });

  it.each([
    ['4012000077777777', 'do_not_honor', '2000'],
    ['4217651111111119', 'expired_card', '2004'],
  ])('declines %s as %s, also on lookup', async (number, declineCode, processorCode) => {
    const of = request(keyed(number));
    const declined = { status: 'declined', declineCode, processorCode, processorPaymentId: expect.stringMatching(/./) };
    expect(await charge(of)).toEqual(declined);
    expect(await lookUp(of)).toEqual(declined);
  });

  it('declines a number that fails Braintree’s validation', async () => {
    expect(await charge(request(keyed('6011000991300009')))).toMatchObject({
      status: 'declined',
      declineCode: 'incorrect_number',
      processorCode: '81715',
    });
  });

  const failing = (errorClass: string, legacyCode?: string, path = ['chargeCreditCard']) => ({
    data: { chargeCreditCard: null },
    errors: [{ message: 'No.', path, extensions: { errorClass, ...(legacyCode !== undefined && { legacyCode }) } }],
    extensions: { requestId: 'r' },
  });

  it.each([
    [failing('AUTHENTICATION'), { status: 'refused', processorCode: 'credentials_rejected' }],
    [failing('AUTHORIZATION'), { status: 'refused', processorCode: 'credentials_rejected' }],
    [failing('VALIDATION', '91558'), { status: 'refused', processorCode: '91558' }],
    [failing('VALIDATION', '91565'), { status: 'declined', declineCode: 'processing_error' }],
    [failing('INTERNAL'), { status: 'unknown', cause: 'INTERNAL' }],
    [failing('SERVICE_AVAILABILITY'), { status: 'unknown' }],
    [failing('VALIDATION', '91558', ['chargeCreditCard', 'transaction', 'refunds']), { status: 'unknown' }],
    [
      { data: null, extensions: { requestId: 'r' } },
      { status: 'unknown', cause: 'unreadable' },
    ],
  ])('answers %j with %j', async (body, expected) => {
    const card: PayableCard = { kind: 'saved', handle: fake.savedCard(CARDS.good) };
    fake.answerNext({ status: 200, body });
    expect(await charge(request(card))).toMatchObject(expected);
  });

  it('retries after too many requests', async () => {
    const of = request(token());
    fake.answerNext({ status: 200, body: failing('RESOURCE_LIMIT') });
    expect(await charge(of)).toMatchObject({ status: 'succeeded' });
    expect(fake.countPayments(of.chargeId)).toBe(1);
  });

  it('does not know the outcome of a duplicate whose original is another charge', async () => {
    const [of, other] = [request(token()), request(token())];
    await charge(other);
    await charge(of);
    const made = fake.transactions.at(-1);
    if (made === undefined) throw new Error('no transaction');
    const otherId = fake.transactions.at(-2)?.id ?? '';
    made.status = 'GATEWAY_REJECTED';
    const event = { status: made.status, gatewayRejectionReason: 'DUPLICATE', duplicateOf: { id: otherId } };
    const body = { ...made, statusHistory: [event] };
    fake.answerNext({
      status: 200,
      body: { data: { chargeCreditCard: { transaction: body } }, extensions: { requestId: 'r' } },
    });
    expect(await charge(of)).toEqual({ status: 'unknown', cause: 'duplicate' });
  });

  async function paid() {
    const of = request(token());
    const answer = await charge(of);
    if (answer.status !== 'succeeded') throw new Error(answer.status);
    const { chargeId, credentials, mode } = of;
    const { processorPaymentId } = answer;
    return (amountCents: number) => ({
      refundId: newId('Refund'),
      chargeId,
      processorPaymentId,
      mode,
      credentials,
      reason: null,
      amount: { amountCents, currency: 'USD' as const },
    });
  }
  const refund = (order: Awaited<ReturnType<typeof paid>> extends (cents: number) => infer R ? R : never) =>
    refundsOf(braintreeProcessorAt(fake)).refund(order, requestTimeout());

  it('voids a payment that is not settled yet, if it is refunded as a whole', async () => {
    const of = await paid();
    const part = { status: 'failed', reason: 'not_settled_yet', processorCode: 'awaiting_settlement' };
    expect(await refund(of(1_000))).toEqual(part);
    const whole = of(1_234);
    expect(await refund(whole)).toEqual({ status: 'succeeded', processorRefundId: whole.processorPaymentId });
    expect(await refund(whole)).toEqual({ status: 'succeeded', processorRefundId: whole.processorPaymentId });
    expect(await refund(of(1))).toMatchObject({ status: 'failed', reason: 'already_refunded' });
  });

  it('refunds a part of a settled payment, and lists a void as a refund', async () => {
    const [settled, voided] = [await paid(), await paid()];
    fake.settle(settled(1).processorPaymentId);
    expect(await refund(settled(1_000))).toMatchObject({ status: 'pending' });
    const order = voided(1_234);
    expect(await refund(order)).toMatchObject({ status: 'succeeded' });
    const span = { from: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + 3_600_000) };
    const asked = { ...span, accountId: newId('Account'), mode: 'test' as const, credentials: order.credentials };
    const listed = [];
    const { records } = braintreeProcessorAt(fake);
    for await (const one of records?.refunds(asked, requestTimeout()) ?? []) listed.push(one);
    const ours = listed.filter(({ processorPaymentId: id }) => id === order.processorPaymentId);
    expect(ours).toMatchObject([{ processorRefundId: order.processorPaymentId, refundId: null, amountCents: 1_234 }]);
    const payments = [];
    for await (const one of records?.payments(asked, requestTimeout()) ?? []) payments.push(one);
    expect(payments.find(({ chargeId }) => chargeId === order.chargeId)?.answer).toMatchObject({ status: 'succeeded' });
  });

  it('finds a whole refund that a payment settled meanwhile turned a void into, after its answer was lost', async () => {
    const order = (await paid())(1_234);
    const transactionId = order.processorPaymentId;
    fake.settleBeforeReversal(transactionId);
    fake.failNext('reset', undefined, operationIs('ReverseTransaction'));
    expect(await refund(order)).toMatchObject({ status: 'unknown' });
    const lookup = { ...order, createdAt: new Date(), processorRefundId: null };
    const found = await refundsOf(braintreeProcessorAt(fake)).lookUp(lookup, requestTimeout());
    expect(found).toMatchObject({ status: 'pending' });
    expect(await refund(order)).toEqual(found);
    expect(fake.countRefunds(transactionId)).toBe(1);
  });

  it('does not call a refund missing while its request may still arrive', async () => {
    const order = (await paid())(1_234);
    const createdAt = new Date();
    const asked = (ageMs: number) =>
      refundsOf(braintreeProcessorAt(fake)).lookUp(
        { ...order, createdAt, askedAt: new Date(createdAt.getTime() + ageMs), processorRefundId: null },
        requestTimeout(),
      );
    expect(await asked(5_000)).toEqual({ status: 'unknown', cause: 'may_arrive' });
    expect(await asked(130_000)).toEqual({ status: 'not_found' });
  });

  it('passes on no card number', async () => {
    for (const number of Object.values(CARDS).filter((one) => one !== CARDS.lost && one !== CARDS.unanswered)) {
      const of = request(keyed(number));
      expect(JSON.stringify([await charge(of), await lookUp(of)])).not.toContain(number);
    }
  });

  it('rejects another merchant account and another currency, and reports an account that is not active', async () => {
    const check = (changes: object) =>
      braintreeProcessorAt(fake).checkConnection(
        'test',
        secretCredentials({ ...BRAINTREE_CREDENTIALS, ...changes }),
        requestTimeout(),
      );
    expect(await check({ merchant_account_id: 'another' })).toEqual({ status: 'invalid' });
    expect(await check({ currency: 'EUR' })).toEqual({ status: 'invalid' });
    const node = { id: MERCHANT_ACCOUNT, currencyCode: 'USD', status: 'SUSPENDED' };
    const viewer = { merchant: { id: MERCHANT, merchantAccounts: { edges: [{ node }] } } };
    fake.answerNext({ status: 200, body: { data: { viewer }, extensions: { requestId: 'r' } } });
    expect(await check({})).toEqual({ status: 'not_provisioned' });
    fake.failNext('reset');
    expect(await check({})).toEqual({ status: 'unavailable' });
  });

  it.each([
    ['tokencc_bh_dbv7c8_n3ms74_wsn3jp_2vn4gj_g33', true],
    ['354d11b4-0c2f-0d5e-1ad2-5e6f7a8b9c0d', true],
    [Buffer.from('paymentmethod_cc_8gk2mt').toString('base64url'), false],
    ['my-vaulted-card', false],
    [`tokencc_${'x'.repeat(10_000)}`, false],
  ])(
    'takes %s for a token of the pay page: %s, because an ID of the vault is the card of another payer',
    (text, isToken) => {
      expect(createBraintree().tokenForm.test(text)).toBe(isToken);
    },
  );

  it('rejects a tokenization key of the other mode before anything is sent', () => {
    const { credentialsSchema, tokenization } = createBraintree();
    const credentials = { ...BRAINTREE_CREDENTIALS, tokenization_key: 'sandbox_9dbg82cq_dcpspy2brwdjr3qn' };
    expect(credentialsSchema('test').safeParse(credentials).success).toBe(true);
    expect(credentialsSchema('live').safeParse(credentials).success).toBe(false);
    expect(tokenization('test', secretCredentials(credentials))).toMatchObject({ environment: 'sandbox' });
    expect(tokenization('test', secretCredentials(BRAINTREE_CREDENTIALS))).toBeNull();
  });
});
