/** The Authorize.net adapter, against a fake server on loopback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import type { RefundRequest } from '../../../src/payments/port/refunds.ts';
import { fakeUnderTest } from '../../contract/fake-under-test.ts';
import { processorContract } from '../../contract/processor-contract.ts';
import { refundsOf, vendorFaultContract } from '../../contract/processor-contract-faults.ts';
import { type FakeAuthorizeNet, GATEWAY, startFakeAuthorizeNet } from '../../support/fake-authorizenet.ts';
import { CARDS } from '../../support/fake-authorizenet-cards.ts';
import type { VendorRequest } from '../../support/fake-vendor-server.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { AUTHORIZE_NET_CREDENTIALS, authorizeNetProcessorAt } from '../../support/vendor-processors.ts';
import { cardOf, chargesAt, keyed } from './vendor-charges.ts';

async function all<T>(items: AsyncIterable<T> | undefined): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items ?? []) found.push(item);
  return found;
}

const isTransaction = ({ body }: VendorRequest) => body.startsWith('{"createTransactionRequest"');

for (const kind of ['keyed', 'saved', 'token'] as const) {
  processorContract(`authorizenet, ${kind} cards`, async () => {
    const fake = await startFakeAuthorizeNet();
    const card = (number: string) => cardOf(kind, fake, number);
    return {
      ...fakeUnderTest(fake, { ...CARDS, noMoney: CARDS.declined }, card),
      processor: authorizeNetProcessorAt(fake),
      credentials: AUTHORIZE_NET_CREDENTIALS,
      wrongCredentials: { ...AUTHORIZE_NET_CREDENTIALS, transaction_key: 'AAAAAAAAAAAAAAAA' },
      account: GATEWAY,
      token: () => fake.token(),
      withoutMoneyIs: 'generic_decline',
      muteRefund: () => fake.failNext('hang', undefined, isTransaction),
      refundElsewhere: fake.refundInInterface,
      listedSource: kind === 'keyed' ? 'phone' : kind === 'saved' ? 'saved_card' : 'page',
      forgetsDeclinedCards: true,
      savesAfterCapture: true,
      hasFingerprints: false,
    };
  });
}

describe('authorizenet', () => {
  let fake: FakeAuthorizeNet;
  beforeAll(async () => {
    fake = await startFakeAuthorizeNet({ settlesAtOnce: false });
  });
  afterAll(() => fake.close());
  afterEach(() => expect(fake.violations).toEqual([]));

  const { request, charge, lookUp } = chargesAt(
    () => authorizeNetProcessorAt(fake),
    () => AUTHORIZE_NET_CREDENTIALS,
    CARDS.good,
    { amount: { amountCents: 1_234, currency: 'USD' } },
  );
  const lastTransaction = () => JSON.parse(fake.requests.findLast(isTransaction)?.body ?? '').createTransactionRequest;

  vendorFaultContract(() => ({
    fakeVendor: fake,
    processor: authorizeNetProcessorAt(fake),
    refundIs: 'succeeded',
    request: () => request(),
    isRefund: isTransaction,
  }));

  it('sends a keyed card as a telephone order, with the end of our ID as the invoice number', async () => {
    const of = request(keyed(CARDS.good, '94105'));
    expect(await charge(of)).toMatchObject({ status: 'succeeded', card: { brand: 'VISA', lastFour: '1111' } });
    expect(lastTransaction()).toEqual({
      merchantAuthentication: {
        name: AUTHORIZE_NET_CREDENTIALS.api_login_id,
        transactionKey: AUTHORIZE_NET_CREDENTIALS.transaction_key,
      },
      refId: of.chargeId.slice(-20),
      transactionRequest: {
        transactionType: 'authCaptureTransaction',
        amount: '12.34',
        currencyCode: 'USD',
        payment: { creditCard: { cardNumber: CARDS.good, expirationDate: '2031-04', cardCode: '987' } },
        order: {
          invoiceNumber: of.chargeId.slice(-20),
          description: `${of.chargeId} ${of.sessionId} phone USD order 7`,
        },
        billTo: { zip: '94105' },
        retail: { marketType: '1', deviceType: '1' },
        transactionSettings: {
          setting: [
            { settingName: 'allowPartialAuth', settingValue: 'false' },
            { settingName: 'duplicateWindow', settingValue: '28800' },
          ],
        },
      },
    });
  });

  it('sends a token of Accept.js without the market type of a telephone order', async () => {
    const token = fake.token();
    expect(await charge(request({ kind: 'token', token }))).toMatchObject({ status: 'succeeded' });
    expect(lastTransaction().transactionRequest).not.toHaveProperty('retail');
    expect(await charge(request({ kind: 'token', token }))).toMatchObject({
      status: 'declined',
      processorCode: 'E00114',
    });
  });

  it.each([
    ['saved card', () => ({ kind: 'saved', handle: fake.savedCard(CARDS.good) }) as const],
    ['token', () => ({ kind: 'token', token: fake.token() }) as const],
  ])('does not settle a repeated charge of a %s if the first one cannot be looked up', async (_name, card) => {
    const of = request(card());
    expect(await charge(of)).toMatchObject({ status: 'succeeded' });
    fake.account.hasDetailsApi = false;
    try {
      expect(await charge(of)).toMatchObject({ status: 'unknown' });
    } finally {
      fake.account.hasDetailsApi = true;
    }
  });

  it.each([
    ['4000000000000069', 'expired_card', '8'],
    ['4000000000000127', 'incorrect_cvc', '44'],
    ['4000000000000119', 'try_again_later', '19'],
  ])('declines %s as %s', async (number, declineCode, processorCode) => {
    expect(await charge(request(keyed(number)))).toMatchObject({ status: 'declined', declineCode, processorCode });
  });

  it.each([
    ['1', 'an account in test mode', '0', { status: 'refused', processorCode: 'account_in_test_mode' }],
    ['4', 'a transaction held for review', '60000000001', { status: 'unknown', cause: 'held_for_review' }],
    ['9', 'an unknown response code', '60000000001', { status: 'unknown' }],
  ])('response code %s of %s', async (responseCode, _what, transId, expected) => {
    const body = {
      transactionResponse: { responseCode, transId },
      messages: { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] },
    };
    fake.answerNext({ status: 200, body, byteOrderMark: true });
    expect(await charge(request())).toMatchObject(expected);
  });

  it.each([
    ['E00001', 'unknown'],
    ['E00053', 'unknown'],
    ['E99999', 'unknown'],
    ['E00013', 'refused'],
    ['E00007', 'refused'],
    ['E00040', 'declined'],
  ])('%s: %s, asked once', async (code, status) => {
    const before = fake.requests.length;
    fake.answerNext({
      status: 200,
      body: { messages: { resultCode: 'Error', message: { code, text: 'Text.' } }, transactionResponse: {} },
    });
    expect(await charge(request())).toMatchObject({ status });
    expect(fake.requests).toHaveLength(before + 1);
  });

  it('does not believe a response with the reference of another request', async () => {
    const body = {
      refId: 'another',
      transactionResponse: { responseCode: '1', transId: '60000000001' },
      messages: { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] },
    };
    fake.answerNext({ status: 200, body });
    expect(await charge(request())).toEqual({ status: 'unknown', cause: 'answer_to_another' });
  });

  it('passes on no card number, which the response texts contain', async () => {
    for (const number of [CARDS.good, CARDS.declined, CARDS.broken, '4000000000000069', '4000000000000119']) {
      const of = request(keyed(number));
      const answers = [await charge(of), await lookUp(of)];
      expect(JSON.stringify(answers)).not.toContain(number);
    }
  });

  it('finds a charge before and after its settlement', async () => {
    const of = request();
    const answer = await charge(of);
    expect(await lookUp(of)).toEqual(answer);
    fake.settle();
    expect(await lookUp(of)).toEqual(answer);
    expect(await lookUp(of, new Date(Date.now() + 3_600_000))).toEqual({ status: 'not_found' });
  });

  it('finds a charge among more than a thousand others', async () => {
    const of = request();
    const answer = await charge(of);
    const [last] = fake.transactions.slice(-1);
    if (last === undefined) throw new Error('no transaction');
    for (let more = 0; more < 1_200; more += 1) {
      fake.transactions.push({ ...last, transId: `7${more}`, invoiceNumber: `other${more}` });
    }
    expect(await lookUp(of)).toEqual(answer);
    fake.transactions.splice(-1_200);
  });

  it('returns a decline for a charge that was voided in the merchant interface', async () => {
    const of = request();
    const answer = await charge(of);
    if (answer.status !== 'succeeded') throw new Error(answer.status);
    fake.voidInInterface(answer.processorPaymentId);
    expect(await lookUp(of)).toMatchObject({ status: 'declined', processorCode: 'voided' });
  });

  async function paid(): Promise<RefundRequest> {
    const of = request();
    const answer = await charge(of);
    if (answer.status !== 'succeeded') throw new Error(answer.status);
    const { chargeId, amount, credentials, mode } = of;
    const { processorPaymentId } = answer;
    return { refundId: newId('Refund'), chargeId, processorPaymentId, mode, amount, credentials, reason: null };
  }
  const refund = (of: RefundRequest) => refundsOf(authorizeNetProcessorAt(fake)).refund(of, requestTimeout());

  it('voids a payment that waits for settlement, once, and cannot refund a part of it', async () => {
    const whole = await paid();
    const part = { ...whole, refundId: newId('Refund'), amount: { amountCents: 100, currency: 'USD' as const } };
    const waits = { status: 'failed', reason: 'not_settled_yet', processorCode: 'awaiting_settlement' };
    expect(await refund(part)).toEqual(waits);
    const voided = { status: 'succeeded', processorRefundId: whole.processorPaymentId };
    expect(await refund(whole)).toEqual(voided);
    expect(await refund(whole)).toEqual(voided);
    expect(await refund(part)).toMatchObject({ status: 'failed', reason: 'already_refunded' });
    const lookup = { ...whole, createdAt: new Date(), processorRefundId: null };
    expect(await refundsOf(authorizeNetProcessorAt(fake)).lookUp(lookup, requestTimeout())).toEqual(voided);
  });

  it('refunds a settled payment to its card, which is settled later', async () => {
    const of = await paid();
    fake.settle();
    const made = await refund(of);
    expect(made).toMatchObject({ status: 'pending' });
    expect(lastTransaction().transactionRequest).toMatchObject({
      transactionType: 'refundTransaction',
      payment: { creditCard: { cardNumber: '1111', expirationDate: 'XXXX' } },
      refTransId: of.processorPaymentId,
    });
    fake.settle();
    const lookup = { ...of, createdAt: new Date(), processorRefundId: null };
    const found = await refundsOf(authorizeNetProcessorAt(fake)).lookUp(lookup, requestTimeout());
    expect(found).toMatchObject({ status: 'succeeded' });
  });

  it('lists a void as the whole refund of its payment', async () => {
    const of = await paid();
    await refund(of);
    const { records } = authorizeNetProcessorAt(fake);
    const span = { from: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) };
    const access = { mode: 'test', credentials: of.credentials, accountId: newId('Account') } as const;
    const payments = await all(records?.payments({ ...access, ...span }, requestTimeout()));
    expect(payments.find(({ chargeId }) => chargeId === of.chargeId)).toMatchObject({
      answer: { status: 'succeeded', taken: of.amount },
    });
    const refunds = await all(records?.refunds({ ...access, ...span }, requestTimeout()));
    expect(refunds.find(({ processorPaymentId }) => processorPaymentId === of.processorPaymentId)).toMatchObject({
      processorRefundId: of.processorPaymentId,
      refundId: null,
      status: 'succeeded',
      amountCents: of.amount.amountCents,
    });
  });

  it('reports an account in test mode or without the Transaction Details API, and an unavailable service', async () => {
    const check = () =>
      authorizeNetProcessorAt(fake).checkConnection(
        'test',
        secretCredentials(AUTHORIZE_NET_CREDENTIALS),
        requestTimeout(),
      );
    fake.account.isTestMode = true;
    expect(await check()).toEqual({ status: 'not_provisioned' });
    fake.account.isTestMode = false;
    fake.account.hasDetailsApi = false;
    expect(await check()).toEqual({ status: 'not_provisioned' });
    fake.account.hasDetailsApi = true;
    fake.failNext('reset');
    expect(await check()).toEqual({ status: 'unavailable' });
  });

  it('gives the page the public client key, and nothing without one', () => {
    const { tokenization } = authorizeNetProcessorAt(fake);
    expect(tokenization('test', secretCredentials(AUTHORIZE_NET_CREDENTIALS))).toEqual({
      processor: 'authorizenet',
      publicKey: AUTHORIZE_NET_CREDENTIALS.public_client_key,
      locationId: AUTHORIZE_NET_CREDENTIALS.api_login_id,
      environment: 'sandbox',
    });
    const { public_client_key: _, ...others } = AUTHORIZE_NET_CREDENTIALS;
    expect(tokenization('test', secretCredentials(others))).toBeNull();
  });
});
