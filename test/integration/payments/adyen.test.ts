/** The Adyen adapter, against a fake server on loopback that sends signed notifications. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { NotifiedOutcome } from '../../../src/db/processor-notifications/outcomes.ts';
import { newId } from '../../../src/domain/ids.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { createAdyen } from '../../../src/payments/adyen/index.ts';
import { adyenNotifications } from '../../../src/payments/adyen/notifications.ts';
import type { NotifiedOutcomes } from '../../../src/payments/adyen/outcomes.ts';
import type { PayableCard } from '../../../src/payments/port/charges.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import { fakeUnderTest } from '../../contract/fake-under-test.ts';
import { processorContract } from '../../contract/processor-contract.ts';
import { refundsOf, vendorFaultContract } from '../../contract/processor-contract-faults.ts';
import { CARDS, type FakeAdyen, startFakeAdyen } from '../../support/fake-adyen.ts';
import { API_KEY, HMAC_KEY, MERCHANT_ACCOUNT } from '../../support/fake-adyen-requests.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { ADYEN_CREDENTIALS as CREDENTIALS } from '../../support/vendor-processors.ts';
import { chargesAt, keyed } from './vendor-charges.ts';

/** The outcomes that the adapter reads, as the notifications bring them. */
class MemoryOutcomes implements NotifiedOutcomes {
  readonly all: NotifiedOutcome[] = [];
  isMuted = false;

  readonly take = (body: string): void => {
    const notifications = adyenNotifications(this);
    expect(notifications.isSigned(Secret.of(HMAC_KEY), signedRequest(body))).toBe(true);
    const outcome = notifications.read(JSON.parse(body), 'test')?.outcome;
    if (outcome !== undefined && !this.isMuted) this.all.push(outcome);
  };

  async of(chargeId: string, paymentId: string | null): Promise<NotifiedOutcome[]> {
    const ours = this.all.filter(({ reference }) => reference.startsWith(chargeId));
    const ids = [paymentId, ...ours.map(({ processorReference }) => processorReference)];
    return this.all.filter((one) => ids.includes(one.processorReference) || ids.includes(one.paymentId ?? ''));
  }

  chargeOf = async () => null;
}

const signedRequest = (body: string) => ({
  body: Buffer.from(body),
  header: () => undefined,
  url: null,
  receivedAt: new Date(),
});

async function start() {
  const outcomes = new MemoryOutcomes();
  const fake = await startFakeAdyen(outcomes.take);
  return { outcomes, fake, processor: createAdyen({ outcomes, testServer: fake.url }) };
}

for (const kind of ['keyed', 'saved'] as const) {
  processorContract(
    `adyen, ${kind} cards`,
    async () => {
      const { fake, processor } = await start();
      const card = (number: string): PayableCard =>
        kind === 'keyed' ? keyed(number) : { kind, handle: fake.savedCard(number) };
      return {
        ...fakeUnderTest(fake, CARDS, card),
        processor,
        credentials: CREDENTIALS,
        wrongCredentials: { api_key: `${API_KEY}2`, merchant_account: 'Another' },
        saysNotFound: false,
        expireHold: async (id) =>
          fake.notify({
            eventCode: 'EXPIRE',
            success: 'true',
            pspReference: id,
            merchantReference: 'any',
            amount: { currency: 'USD', value: 1_000 },
          }),
        saysCaptureBefore: false,
        hasFingerprints: false,
      };
    },
    { hasRecords: false, hasTokens: false },
  );
}

describe('adyen', () => {
  let parts: Awaited<ReturnType<typeof start>>;
  let fake: FakeAdyen;
  beforeAll(async () => {
    parts = await start();
    fake = parts.fake;
  });
  afterAll(() => fake.close());
  afterEach(() => {
    parts.outcomes.isMuted = false;
    expect(fake.violations).toEqual([]);
  });

  const credentials = secretCredentials(CREDENTIALS);
  const { request, charge, lookUp } = chargesAt(
    () => parts.processor,
    () => CREDENTIALS,
    CARDS.good,
  );
  const sent = () =>
    JSON.parse(fake.requests.filter(({ method }) => method === 'POST').at(-1)?.body ?? '') as Record<string, unknown>;

  vendorFaultContract(() => ({
    fakeVendor: fake,
    processor: parts.processor,
    refundIs: 'succeeded',
    asksOnLookUp: false,
    request: () => request(),
  }));

  it('sends a keyed card as a MOTO payment with our IDs, and stores nothing', async () => {
    const of = request(keyed(CARDS.good, '94105'));
    expect(await charge(of)).toMatchObject({ status: 'succeeded' });
    expect(fake.requests.at(-1)?.headers['idempotency-key']).toBe(of.chargeId);
    expect(sent()).toEqual({
      merchantAccount: MERCHANT_ACCOUNT,
      amount: { currency: 'EUR', value: 1_234 },
      reference: of.chargeId,
      returnUrl: 'https://example.com/',
      paymentMethod: { type: 'scheme', number: CARDS.good, expiryMonth: '04', expiryYear: '2031', cvc: '987' },
      shopperInteraction: 'Moto',
      captureDelayHours: 0,
      metadata: { ringkey_session: of.sessionId, ringkey_order: 'order 7' },
    });
  });

  it.each([
    ['agent', 'Moto', 'CardOnFile'],
    ['merchant', 'ContAuth', 'UnscheduledCardOnFile'],
  ] as const)('tells the networks who charges a saved card: %s', async (channel, shopperInteraction, model) => {
    const card = { kind: 'saved', handle: fake.savedCard(CARDS.good) } as const;
    expect(await charge(request(card, { channel, agreedPaymentId: null }))).toMatchObject({ status: 'succeeded' });
    expect(sent()).toMatchObject({ shopperInteraction, recurringProcessingModel: model, shopperReference: 'shopper' });
  });

  it.each([
    ['4000000000000002', 'do_not_honor', '2'],
    ['4000000000000069', 'expired_card', '6'],
    ['4000000000000127', 'incorrect_cvc', '24'],
  ])('declines %s as %s, also by its notification', async (number, declineCode, processorCode) => {
    const of = request(keyed(number));
    const declined = { status: 'declined', declineCode, processorCode, processorPaymentId: expect.stringMatching(/./) };
    expect(await charge(of)).toEqual(declined);
    expect(await lookUp(of)).toEqual(declined);
  });

  it.each([
    [401, { errorCode: '000' }, { status: 'refused', processorCode: 'credentials_rejected' }],
    [403, { errorCode: '010' }, { status: 'refused', processorCode: '010' }],
    [422, { errorCode: '101' }, { status: 'declined', declineCode: 'incorrect_number' }],
    [422, { errorCode: '103' }, { status: 'declined', declineCode: 'incorrect_cvc' }],
    [422, { errorCode: '704' }, { status: 'unknown', cause: 'http_422' }],
    [422, {}, { status: 'unknown', cause: 'http_422' }],
    [500, { errorCode: '905' }, { status: 'unknown', cause: 'http_500' }],
    [200, { resultCode: 'Pending', pspReference: 'A' }, { status: 'unknown', cause: 'Pending' }],
    [200, { resultCode: 'PartiallyAuthorised', pspReference: 'A' }, { status: 'unknown' }],
  ])('%i %j: %j, asked once', async (status, body, expected) => {
    const before = fake.requests.length;
    fake.answerNext({ status, body });
    expect(await charge(request())).toMatchObject(expected);
    expect(fake.requests).toHaveLength(before + 1);
  });

  it('leaves a lost answer unknown until its notification arrives', async () => {
    const of = request();
    parts.outcomes.isMuted = true;
    fake.failNext('reset');
    expect(await charge(of)).toMatchObject({ status: 'unknown' });
    expect(await lookUp(of)).toEqual({ status: 'unknown', cause: 'not_notified' });
    parts.outcomes.isMuted = false;
    const about = { merchantReference: of.chargeId, pspReference: 'QFQTPCQ8HXSKGK82', success: 'true' };
    fake.notify({ ...about, eventCode: 'AUTHORISATION', amount: { currency: 'EUR', value: 1_234 } });
    expect(await lookUp(of)).toMatchObject({ status: 'succeeded', processorPaymentId: 'QFQTPCQ8HXSKGK82' });
  });

  it('believes no notification about another merchant account', async () => {
    const of = request();
    const about = { merchantReference: of.chargeId, pspReference: 'QFQTPCQ8HXSKGK83', success: 'true' };
    const amount = { currency: 'EUR', value: 1_234 };
    fake.notify({ ...about, eventCode: 'AUTHORISATION', amount, merchantAccountCode: 'Another' });
    expect(await lookUp(of)).toEqual({ status: 'unknown', cause: 'not_notified' });
  });

  it('leaves captures and refunds pending until they are notified', async () => {
    const of = { ...request(), isHold: true };
    const held = await charge(of);
    if (held.status !== 'authorized') throw new Error(held.status);
    const { chargeId, mode, amount } = of;
    const { processorPaymentId } = held;
    const hold = { chargeId, mode, credentials, processorPaymentId };
    parts.outcomes.isMuted = true;
    const capture = { ...hold, changeId: newId('HoldChange'), amount, held: amount };
    const { holds } = parts.processor;
    expect(await holds?.capture(capture, requestTimeout())).toEqual({ status: 'unknown', cause: 'received' });
    expect(await holds?.capture(capture, requestTimeout())).toEqual({ status: 'unknown', cause: 'received' });
    parts.outcomes.isMuted = false;
    const about = { originalReference: processorPaymentId, amount: { currency: 'EUR', value: 1_234 }, success: 'true' };
    fake.notify({ ...about, eventCode: 'CAPTURE', merchantReference: capture.changeId, pspReference: 'CAPTURE1' });
    expect(await holds?.read(hold, requestTimeout())).toEqual({ status: 'captured', captured: amount });

    parts.outcomes.isMuted = true;
    const refund = { ...hold, refundId: newId('Refund'), amount, reason: null };
    const pending = await refundsOf(parts.processor).refund(refund, requestTimeout());
    if (pending.status !== 'pending') throw new Error(pending.status);
    const lookup = { ...refund, createdAt: new Date(), processorRefundId: pending.processorRefundId };
    const find = () => refundsOf(parts.processor).lookUp(lookup, requestTimeout());
    expect(await find()).toEqual(pending);
    parts.outcomes.isMuted = false;
    const { processorRefundId: pspReference } = pending;
    fake.notify({ ...about, eventCode: 'REFUND', merchantReference: 'of-the-payment', pspReference });
    expect(await find()).toEqual({ status: 'succeeded', processorRefundId: pspReference });
    fake.notify({ ...about, eventCode: 'REFUND_FAILED', merchantReference: 'of-the-payment', pspReference });
    expect(await find()).toMatchObject({ status: 'failed', reason: 'refused' });
  });

  it('refuses a capture that Adyen accepted and did not make, when it is sent again', async () => {
    const of = { ...request(), isHold: true };
    const held = await charge(of);
    if (held.status !== 'authorized') throw new Error(held.status);
    const { chargeId, mode, amount } = of;
    const hold = { chargeId, mode, credentials, processorPaymentId: held.processorPaymentId };
    const capture = { ...hold, changeId: newId('HoldChange'), amount, held: amount };
    const body = { paymentPspReference: held.processorPaymentId, pspReference: 'CAPTURE9', status: 'received' };
    const again = () => {
      fake.answerNext({ status: 201, body });
      return parts.processor.holds?.capture(capture, requestTimeout());
    };
    expect(await again()).toEqual({ status: 'unknown', cause: 'received' });
    const about = { originalReference: held.processorPaymentId, amount: { currency: 'EUR', value: 1_234 } };
    fake.notify({ ...about, eventCode: 'CAPTURE', merchantReference: 'x', pspReference: 'CAPTURE9', success: 'false' });
    expect(await again()).toEqual({ status: 'refused', reason: 'refused', processorCode: 'not_done' });
  });

  it('does not know the state of a hold whose capture failed at the network', async () => {
    const of = { ...request(), isHold: true };
    const held = await charge(of);
    if (held.status !== 'authorized') throw new Error(held.status);
    const { processorPaymentId: originalReference } = held;
    const about = { originalReference, amount: { currency: 'EUR', value: 1_234 }, success: 'true', pspReference: 'C2' };
    fake.notify({ ...about, eventCode: 'CAPTURE', merchantReference: 'x' });
    fake.notify({ ...about, eventCode: 'CAPTURE_FAILED', merchantReference: 'x' });
    expect(await lookUp(of)).toEqual({ status: 'unknown', cause: 'capture_failed' });
  });

  it('keeps nothing of a card that a notification contains', async () => {
    await charge(request());
    expect(JSON.stringify(parts.outcomes.all)).not.toContain('4/2031');
  });

  it('has no refunds and holds without notifications', () => {
    expect(createAdyen({ outcomes: null })).toMatchObject({ refunds: null, holds: null });
  });

  it('rejects the credentials of an unknown merchant account, and live ones without their prefix', async () => {
    const check = (plain: Record<string, string>) =>
      parts.processor.checkConnection('test', secretCredentials(plain), requestTimeout());
    expect(await check({ ...CREDENTIALS, merchant_account: 'Unknown' })).toEqual({ status: 'invalid' });
    fake.failNext('reset');
    expect(await check(CREDENTIALS)).toEqual({ status: 'unavailable' });
    const live = parts.processor.credentialsSchema('live');
    expect(live.safeParse(CREDENTIALS).success).toBe(false);
    expect(live.safeParse({ ...CREDENTIALS, url_prefix: '1797a841fbb37ca7-AdyenDemo' }).success).toBe(true);
    expect(live.safeParse({ ...CREDENTIALS, url_prefix: 'evil.example.com/-x' }).success).toBe(false);
  });
});

describe('the signature of an Adyen notification', () => {
  /** From Adyen's page on HMAC signatures. */
  const item = {
    pspReference: '7914073381342284',
    merchantAccountCode: 'TestMerchant',
    merchantReference: 'TestPayment-1407325143704',
    amount: { value: 1_130, currency: 'EUR' },
    eventCode: 'AUTHORISATION',
    success: 'true',
    additionalData: { hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' },
  };
  const body = (changes: object = {}) => ({
    live: 'false',
    notificationItems: [{ NotificationRequestItem: Object.assign({}, item, changes) }],
  });

  const { isSigned, read } = adyenNotifications(new MemoryOutcomes());
  const isSignedWith = (key: string, signed: object) => isSigned(Secret.of(key), signedRequest(JSON.stringify(signed)));

  it('is the one that Adyen publishes', () => {
    expect(isSignedWith(HMAC_KEY, body())).toBe(true);
  });

  it.each([
    { success: 'false' },
    { amount: { value: 1_131, currency: 'EUR' } },
    { merchantReference: 'another' },
    { originalReference: 'A' },
    { eventCode: 'REFUND' },
    { additionalData: {} },
    { additionalData: { hmacSignature: '' } },
  ])('does not cover %j', (changes) => {
    expect(isSignedWith(HMAC_KEY, body(changes))).toBe(false);
  });

  it('belongs to one key', () => {
    expect(isSignedWith(HMAC_KEY.replace('4', '5'), body())).toBe(false);
    expect(isSignedWith('0', body())).toBe(false);
  });

  it('does not make a test notification live', () => {
    expect(read(body({ merchantReference: newId('Charge') }), 'live')).toBeNull();
    const ours = body({ merchantReference: newId('Charge') });
    expect(read(ours, 'test')).toMatchObject({ type: 'AUTHORISATION', outcome: { isSuccess: true } });
    expect(read({ live: 'false', notificationItems: [] }, 'test')).toBeNull();
  });

  it('of an event that says nothing of a payment, or of a reference like a card number, stores nothing', () => {
    expect(read(body({ eventCode: 'REPORT_AVAILABLE' }), 'test')).toMatchObject({ subject: null });
    const withCard = read(body({ merchantReference: CARDS.good }), 'test');
    expect(withCard).toMatchObject({ subject: null });
    expect(withCard).not.toHaveProperty('outcome');
  });

  it('of a payment of another system stores nothing, and asks for nothing', () => {
    const foreign = read(body({ merchantReference: 'shop-4711' }), 'test');
    expect(foreign).toMatchObject({ type: 'AUTHORISATION', subject: null });
    expect(foreign).not.toHaveProperty('outcome');
  });

  it('names the charge of a hold and the payment of a refund', () => {
    const chargeId = newId('Charge');
    expect(read(body({ merchantReference: `${chargeId}-hold` }), 'test')).toMatchObject({ subject: { chargeId } });
    const refund = { eventCode: 'REFUND', merchantReference: newId('Refund'), originalReference: 'QFQTPCQ8HXSKGK82' };
    expect(read(body(refund), 'test')).toMatchObject({ subject: { chargeId: null, paymentId: 'QFQTPCQ8HXSKGK82' } });
  });
});
