/** The Access Worldpay adapter, against a fake server on loopback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { PayableCard } from '../../../src/payments/port/charges.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import { fakeUnderTest } from '../../contract/fake-under-test.ts';
import { processorContract } from '../../contract/processor-contract.ts';
import { refundsOf, vendorFaultContract } from '../../contract/processor-contract-faults.ts';
import type { VendorRequest } from '../../support/fake-vendor-server.ts';
import { CARDS, ENTITY, type FakeWorldpay, startFakeWorldpay } from '../../support/fake-worldpay.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { WORLDPAY_CREDENTIALS, worldpayProcessorAt } from '../../support/vendor-processors.ts';
import { chargesAt, keyed } from './vendor-charges.ts';

const isPost = ({ method }: VendorRequest) => method === 'POST';

for (const kind of ['keyed', 'saved'] as const) {
  processorContract(
    `worldpay, ${kind} cards`,
    async () => {
      const fake = await startFakeWorldpay();
      const card = (number: string): PayableCard =>
        kind === 'keyed' ? keyed(number) : { kind, handle: fake.savedCard(number) };
      return {
        ...fakeUnderTest(fake, CARDS, card),
        processor: worldpayProcessorAt(fake),
        credentials: WORLDPAY_CREDENTIALS,
        wrongCredentials: { ...WORLDPAY_CREDENTIALS, password: 'another' },
        refundsOnceAtOnce: false,
        saysCaptureBefore: false,
        muteRefund: () => fake.failNext('hang', undefined, isPost),
        refundElsewhere: fake.refundInDashboard,
        hasFingerprints: false,
      };
    },
    { hasRecords: false, hasTokens: false },
  );
}

describe('worldpay', () => {
  let fake: FakeWorldpay;
  beforeAll(async () => {
    fake = await startFakeWorldpay();
  });
  afterAll(() => fake.close());
  afterEach(() => {
    fake.show();
    expect(fake.violations).toEqual([]);
  });

  const credentials = secretCredentials(WORLDPAY_CREDENTIALS);
  const processor = () => worldpayProcessorAt(fake);
  const { request, charge, lookUp } = chargesAt(processor, () => WORLDPAY_CREDENTIALS, CARDS.good);
  const sent = () => JSON.parse(fake.requests.filter(isPost).at(-1)?.body ?? '') as Record<string, unknown>;

  vendorFaultContract(() => ({
    fakeVendor: fake,
    processor: processor(),
    refundIs: 'succeeded',
    isRefund: isPost,
    isCapture: isPost,
    request: () => request(),
  }));

  it('sends a keyed card as a MOTO payment with our ID, the date as numbers, and without the postal code', async () => {
    const of = request(keyed(CARDS.good, '94105'));
    expect(await charge(of)).toMatchObject({ status: 'succeeded', card: { brand: 'VISA', lastFour: '1111' } });
    expect(sent()).toEqual({
      transactionReference: of.chargeId,
      merchant: { entity: ENTITY },
      channel: 'moto',
      instruction: {
        method: 'card',
        paymentInstrument: {
          type: 'plain',
          cardNumber: CARDS.good,
          expiryDate: { month: 4, year: 2031 },
          cvc: '987',
        },
        narrative: { line1: 'Trading name' },
        value: { currency: 'EUR', amount: 1_234 },
        settlement: { auto: true, cancelOn: { cvcNotMatched: 'disabled', avsNotMatched: 'disabled' } },
      },
    });
  });

  it.each([
    ['agent', 'moto', { type: 'cardOnFile', storedCardUsage: 'subsequent' }],
    ['merchant', undefined, { type: 'unscheduled' }],
  ] as const)('tells the networks who charges a saved card: %s', async (channel, expected, customerAgreement) => {
    const card = { kind: 'saved', handle: fake.savedCard(CARDS.good) } as const;
    expect(await charge(request(card, { channel, agreedPaymentId: null }))).toMatchObject({ status: 'succeeded' });
    expect(sent()).toMatchObject({ instruction: { customerAgreement } });
    expect(sent().channel).toBe(expected);
  });

  it('saves the card with a charge, and keeps no ID of the token that looks like a card number', async () => {
    const of = request(keyed(CARDS.good), { keepsCard: true });
    const paid = await charge(of);
    expect(sent()).toMatchObject({
      instruction: {
        tokenCreation: { type: 'worldpay' },
        customerAgreement: { type: 'cardOnFile', storedCardUsage: 'first' },
      },
    });
    expect(paid).toMatchObject({ savedCard: { fingerprint: null, expiryMonth: 4, expiryYear: 2031 } });
    expect(JSON.stringify(paid)).not.toMatch(/\d{13}/);
    // The token is in the answer to the payment only.
    expect(await lookUp(of)).not.toHaveProperty('savedCard');
  });

  it.each([
    ['4000000000000002', 'do_not_honor', '5'],
    ['4000000000000069', 'expired_card', '33'],
    ['4000000000009987', 'lost_card', '41'],
  ])('declines %s as %s, also on lookup', async (number, declineCode, processorCode) => {
    const of = request(keyed(number));
    const declined = {
      status: 'declined',
      declineCode,
      processorCode,
      processorPaymentId: expect.stringMatching(/^pay/),
    };
    expect(await charge(of)).toEqual(declined);
    expect(await lookUp(of)).toEqual(declined);
  });

  const invalid = (jsonPath: string) => ({
    errorName: 'bodyDoesNotMatchSchema',
    validationErrors: [{ errorName: 'fieldHasInvalidValue', jsonPath }],
  });

  it.each([
    [401, { errorName: 'accessDenied' }, { status: 'refused', processorCode: 'credentials_rejected' }],
    [400, { errorName: 'entityIsNotConfigured' }, { status: 'refused', processorCode: 'entityIsNotConfigured' }],
    [
      400,
      invalid('$.instruction.paymentInstrument.cardNumber'),
      { status: 'declined', declineCode: 'incorrect_number' },
    ],
    [400, invalid('$.instruction.paymentInstrument.cvc'), { status: 'declined', declineCode: 'incorrect_cvc' }],
    [400, invalid('$.merchant.entity'), { status: 'refused', processorCode: 'fieldHasInvalidValue' }],
    [400, {}, { status: 'unknown', cause: 'http_400' }],
    [429, { errorName: 'tooManyRequests' }, { status: 'unknown', cause: 'http_429' }],
    [500, { errorName: 'internalErrorOccurred' }, { status: 'unknown', cause: 'http_500' }],
  ])('%i %j: %j, asked once', async (status, body, expected) => {
    const before = fake.requests.length;
    fake.answerNext({ status, body });
    expect(await charge(request())).toMatchObject(expected);
    expect(fake.requests).toHaveLength(before + 1);
  });

  it.each(['authorized', '3dsDeviceDataRequired', 'somethingNew'])('leaves the outcome %s open', async (outcome) => {
    const of = request();
    fake.answerNext({ status: 201, body: { outcome, paymentId: 'pay1', transactionReference: of.chargeId } });
    expect(await charge(of)).toEqual({ status: 'unknown', cause: outcome });
  });

  it('declines a payment that Worldpay cancels itself', async () => {
    const of = request();
    const body = { outcome: 'sentForCancellation', paymentId: 'pay1', transactionReference: of.chargeId };
    fake.answerNext({ status: 202, body });
    expect(await charge(of)).toMatchObject({ status: 'declined', declineCode: 'generic_decline' });
  });

  it('leaves a repeated charge open while the first is not listed yet', async () => {
    const of = request();
    await charge(of);
    fake.hide();
    expect(await charge(request(keyed(CARDS.good), { chargeId: of.chargeId }))).toEqual({
      status: 'unknown',
      cause: 'duplicate',
    });
    expect(fake.countPayments(of.chargeId)).toBe(1);
  });

  it('does not believe a response about another charge', async () => {
    const body = { outcome: 'sentForSettlement', paymentId: 'pay1', transactionReference: 'another' };
    fake.answerNext({ status: 202, body });
    expect(await charge(request())).toEqual({ status: 'unknown', cause: 'answer_to_another' });
  });

  async function paid() {
    const of = request();
    const answer = await charge(of);
    if (answer.status !== 'succeeded') throw new Error(answer.status);
    const { chargeId, mode, amount } = of;
    const { processorPaymentId } = answer;
    return { refundId: newId('Refund'), chargeId, processorPaymentId, mode, amount, credentials, reason: null };
  }

  it('never sends a refund again: after the longest delay of the events it failed', async () => {
    const refund = await paid();
    const createdAt = new Date('2026-01-01T12:00:00Z');
    const lookUpAfter = (minutes: number) => {
      const askedAt = new Date(createdAt.getTime() + minutes * 60_000);
      const lookup = { ...refund, createdAt, askedAt, processorRefundId: null };
      return refundsOf(processor()).lookUp(lookup, requestTimeout());
    };
    expect(await lookUpAfter(14)).toEqual({ status: 'unknown', cause: 'events_lag' });
    expect(await lookUpAfter(15)).toEqual({ status: 'failed', reason: 'refused', processorCode: 'not_received' });
  });

  it('sends nothing while the payment is not listed yet', async () => {
    const refund = await paid();
    fake.hide();
    const answer = await refundsOf(processor()).refund(refund, requestTimeout());
    expect(answer).toEqual({ status: 'failed', reason: 'not_settled_yet', processorCode: 'payment_not_listed_yet' });
    expect(fake.countRefunds(refund.processorPaymentId)).toBe(0);
  });

  it('sends nothing while the settlement of the payment is not listed yet', async () => {
    const of = { ...request(), isHold: true };
    const held = await charge(of);
    if (held.status !== 'authorized') throw new Error(held.status);
    const { chargeId, mode, amount } = of;
    const { processorPaymentId } = held;
    const refund = { refundId: newId('Refund'), chargeId, processorPaymentId, mode, amount, credentials, reason: null };
    const answer = await refundsOf(processor()).refund(refund, requestTimeout());
    expect(answer).toEqual({ status: 'failed', reason: 'not_settled_yet', processorCode: 'not_taken_yet' });
    expect(fake.countRefunds(processorPaymentId)).toBe(0);
  });

  it('captures a hold that is not listed yet later', async () => {
    const of = { ...request(), isHold: true };
    const held = await charge(of);
    if (held.status !== 'authorized') throw new Error(held.status);
    const { chargeId, mode, amount } = of;
    const hold = { chargeId, mode, credentials, processorPaymentId: held.processorPaymentId };
    const capture = { ...hold, changeId: newId('HoldChange'), amount, held: amount };
    fake.hide();
    expect(await processor().holds?.capture(capture, requestTimeout())).toMatchObject({ status: 'unknown' });
    fake.show();
    expect(await processor().holds?.capture(capture, requestTimeout())).toEqual({
      status: 'captured',
      captured: amount,
    });
  });

  it('follows no link to another host', async () => {
    const refund = await paid();
    const details = {
      paymentId: refund.processorPaymentId,
      transactionReference: refund.chargeId,
      value: { currency: 'EUR', amount: 1_234 },
      events: [{ eventName: 'authorizationSucceeded' }, { eventName: 'settlementRequested', commandId: 'c' }],
      _links: {
        'cardPayments:partialRefund': { href: 'https://evil.example.com/payments/settlements/refunds/partials/x' },
      },
    };
    fake.answerNext({ status: 200, body: details });
    const answer = await refundsOf(processor()).refund(refund, requestTimeout());
    expect(answer).toEqual({ status: 'unknown', cause: 'foreign_link' });
  });

  it('counts the amount of a settlement that was made in part elsewhere, and none that failed', async () => {
    const of = { ...request(), isHold: true };
    await charge(of);
    const payment = fake.payments.find(({ transactionReference }) => transactionReference === of.chargeId);
    payment?.events.push({ eventName: 'settlementRequested', commandId: 's', value: { currency: 'EUR', amount: 300 } });
    expect(await lookUp(of)).toMatchObject({ status: 'succeeded', taken: { amountCents: 300 } });
    payment?.events.push({ eventName: 'settlementFailed', commandId: 's' });
    expect(await lookUp(of)).toEqual({ status: 'unknown', cause: 'settlement_failed' });
  });

  it('passes on no card number, which the response texts contain', async () => {
    for (const number of [CARDS.good, CARDS.noMoney, CARDS.broken]) {
      const of = request(keyed(number));
      expect(JSON.stringify([await charge(of), await lookUp(of)])).not.toContain(number);
    }
  });

  it('reports an account without Payment Queries, and one that cannot be reached', async () => {
    const check = () => processor().checkConnection('test', credentials, requestTimeout());
    fake.answerNext({ status: 403, body: { errorName: 'accessDenied' } });
    expect(await check()).toEqual({ status: 'not_provisioned' });
    fake.failNext('reset');
    expect(await check()).toEqual({ status: 'unavailable' });
  });
});
