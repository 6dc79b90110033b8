/** Bank debits at Authorize.net (eCheck), against a fake server on loopback. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import type { DebitRequest } from '../../../src/payments/port/debits.ts';
import { refundsOf } from '../../contract/processor-contract-faults.ts';
import { type FakeAuthorizeNet, GATEWAY, startFakeAuthorizeNet } from '../../support/fake-authorizenet.ts';
import { ACCOUNTS } from '../../support/fake-authorizenet-cards.ts';
import { FAULTS, failNextWithin, type VendorRequest } from '../../support/fake-vendor-server.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { AUTHORIZE_NET_CREDENTIALS, authorizeNetProcessorAt } from '../../support/vendor-processors.ts';

const DAY_MS = 24 * 3_600_000;
const isTransaction = ({ body }: VendorRequest) => body.startsWith('{"createTransactionRequest"');

let fake: FakeAuthorizeNet;
beforeAll(async () => {
  fake = await startFakeAuthorizeNet({ settlesAtOnce: false });
});
afterAll(() => fake.close());
beforeEach(() => {
  Object.assign(fake.account, { isTestMode: false, hasDetailsApi: true, echeckTypes: ['TEL', 'PPD'] });
});
afterEach(() => expect(fake.violations).toEqual([]));

const ROUTING = '110000000';

const requestFor = (accountNumber: string, holderName = 'Ada Lovelace', routing = ROUTING): DebitRequest => ({
  chargeId: newId('Charge'),
  sessionId: newId('CheckoutSession'),
  accountId: newId('Account'),
  mode: 'test',
  amount: { amountCents: 4_250, currency: 'USD' },
  orderId: 'order 7',
  credentials: secretCredentials(AUTHORIZE_NET_CREDENTIALS),
  account: {
    routingNumber: Secret.of(routing),
    accountNumber: Secret.of(accountNumber),
    type: 'checking',
    holderName,
  },
});

async function debit(of: DebitRequest, signal = requestTimeout()) {
  const { debits } = authorizeNetProcessorAt(fake);
  if (debits === undefined) throw new Error('the processor makes no bank debits');
  return debits.debit(of, signal);
}

/** @param afterMs how much later, by our clock */
function lookUp(of: DebitRequest, processorPaymentId: string | null = null, afterMs = 0) {
  const askedAt = new Date(Date.now() + afterMs);
  const request = { ...of, processorPaymentId, createdAt: new Date(), askedAt };
  return authorizeNetProcessorAt(fake).lookUp(request, requestTimeout());
}

/** A debit that the processor has accepted. */
async function accepted() {
  const of = requestFor(ACCOUNTS.good);
  const answer = await debit(of);
  if (answer.status !== 'debited') throw new Error(answer.status);
  return { of, id: answer.processorPaymentId };
}

const TAKEN = { amountCents: 4_250, currency: 'USD' };

describe('a bank debit at Authorize.net', () => {
  it('is sent as a telephone-initiated eCheck, with the end of our ID as the invoice number', async () => {
    const of = requestFor(ACCOUNTS.good, 'Zoë Worthington-Smythe the Third');
    expect(await debit(of)).toEqual({ status: 'debited', processorPaymentId: expect.any(String) });
    const { body } = fake.requests.findLast(isTransaction) ?? { body: '' };
    expect(JSON.parse(body).createTransactionRequest.transactionRequest).toEqual({
      transactionType: 'authCaptureTransaction',
      amount: '42.50',
      currencyCode: 'USD',
      payment: {
        bankAccount: {
          accountType: 'checking',
          routingNumber: ROUTING,
          accountNumber: ACCOUNTS.good,
          nameOnAccount: 'Zoe Worthington-Smythe',
          echeckType: 'TEL',
        },
      },
      order: {
        invoiceNumber: of.chargeId.slice(-20),
        description: `${of.chargeId} ${of.sessionId} phone USD order 7`,
      },
      transactionSettings: { setting: [{ settingName: 'duplicateWindow', settingValue: '28800' }] },
    });
  });

  it.each([
    ['the bank declines', ACCOUNTS.declined, ROUTING, 'declined', '2'],
    ['the account number is invalid', ACCOUNTS.invalid, ROUTING, 'declined', '10'],
    ['the routing number is no bank’s', ACCOUNTS.good, '110000001', 'declined', '9'],
  ])('is declined if %s', async (_, number, routing, status, processorCode) => {
    expect(await debit(requestFor(number, 'Ada', routing))).toMatchObject({ status, processorCode });
  });

  it.each([
    ['takes no eChecks', { echeckTypes: [] }, '18'],
    ['takes no telephone-initiated ones', { echeckTypes: ['WEB'] }, '246'],
    ['is in test mode', { isTestMode: true }, 'account_in_test_mode'],
  ])('is refused if the merchant’s account %s', async (_, account, processorCode) => {
    Object.assign(fake.account, account);
    expect(await debit(requestFor(ACCOUNTS.good))).toEqual({ status: 'refused', processorCode });
  });

  it('is reported as disabled when an account without eChecks is connected', async () => {
    const credentials = secretCredentials(AUTHORIZE_NET_CREDENTIALS);
    const check = () => authorizeNetProcessorAt(fake).checkConnection('test', credentials, requestTimeout());
    expect(await check()).toEqual({ status: 'ok', account: GATEWAY });
    fake.account.echeckTypes = [];
    expect(await check()).toEqual({ status: 'ok', account: GATEWAY, restrictions: ['bank_debits_disabled'] });
  });

  it('is unknown while Authorize.net reviews it', async () => {
    expect(await debit(requestFor(ACCOUNTS.inReview))).toEqual({ status: 'unknown', cause: 'under_review' });
  });

  it.each(FAULTS)('is found as accepted after a lost answer (%s), and was sent once', async (fault) => {
    const of = requestFor(ACCOUNTS.good);
    const before = fake.requests.length;
    expect(await debit(of, failNextWithin(fake, fault, isTransaction))).toMatchObject({ status: 'unknown' });
    expect(fake.requests.slice(before).filter(isTransaction)).toHaveLength(1);
    expect(await lookUp(of)).toMatchObject({ status: 'debited', taken: TAKEN });
  });

  it('is made once if it is sent again', async () => {
    const { of, id } = await accepted();
    expect(await debit(of)).toEqual({ status: 'debited', processorPaymentId: id, taken: TAKEN });
  });

  it('is not found if it never arrived', async () => {
    const of = requestFor(ACCOUNTS.lost);
    expect(await debit(of, failNextWithin(fake, 'hang', isTransaction))).toMatchObject({ status: 'unknown' });
    expect(await lookUp(of)).toEqual({ status: 'not_found' });
  });

  it('stays pending for seven days after it was sent to the bank, then is paid', async () => {
    const { of, id } = await accepted();
    expect(await lookUp(of, id)).toEqual({ status: 'debited', processorPaymentId: id, taken: TAKEN });
    fake.settle();
    expect(await lookUp(of, id, 6 * DAY_MS)).toMatchObject({ status: 'debited', settlesInMs: 12 * 3_600_000 });
    expect(await lookUp(of, id, 7 * DAY_MS + 60_000)).toEqual({
      status: 'succeeded',
      processorPaymentId: id,
      taken: TAKEN,
    });
  });

  it('is read by its ID, without a list', async () => {
    const { of, id } = await accepted();
    const before = fake.requests.length;
    await lookUp(of, id);
    expect(fake.requests.slice(before).map(({ body }) => body.slice(2, 23))).toEqual(['getTransactionDetails']);
  });

  it.each([
    ['R01', 'insufficient_funds'],
    ['R10', 'generic_decline'],
  ])('fails when the bank returns it with %s, also long after it was paid', async (code, declineCode) => {
    const { of, id } = await accepted();
    fake.settle();
    fake.returnItem(id, 'C05');
    expect(await lookUp(of, id, 40 * DAY_MS)).toMatchObject({ status: 'succeeded' });
    fake.returnItem(id, code);
    for (const afterMs of [DAY_MS, 40 * DAY_MS]) {
      expect(await lookUp(of, id, afterMs)).toEqual({
        status: 'declined',
        declineCode,
        processorCode: code,
        processorPaymentId: id,
      });
    }
  });

  it('fails if it is voided before it was sent to the bank', async () => {
    const { of, id } = await accepted();
    fake.voidInInterface(id);
    expect(await lookUp(of, id)).toMatchObject({ status: 'declined', processorCode: 'voided' });
  });

  it('passes on no digits of the account', async () => {
    for (const number of Object.values(ACCOUNTS).filter((each) => each !== ACCOUNTS.lost)) {
      const of = requestFor(number);
      const answers = [await debit(of), await lookUp(of)];
      expect(JSON.stringify(answers)).not.toContain(number.slice(-6));
    }
  });

  it('is refunded to its account as a prearranged entry, and not after a return', async () => {
    const { of, id } = await accepted();
    fake.settle();
    const { chargeId, mode, credentials, amount } = of;
    const base = { chargeId, mode, credentials, amount, processorPaymentId: id, reason: null };
    const refund = (refundId = newId('Refund')) =>
      refundsOf(authorizeNetProcessorAt(fake)).refund({ ...base, refundId }, requestTimeout());
    expect(await refund()).toMatchObject({ status: 'pending' });
    const { body } = fake.requests.findLast(isTransaction) ?? { body: '' };
    expect(JSON.parse(body).createTransactionRequest.transactionRequest.payment).toEqual({
      bankAccount: {
        accountType: 'checking',
        routingNumber: 'XXXX0000',
        accountNumber: `XXXX${ACCOUNTS.good.slice(-4)}`,
        nameOnAccount: 'Ada Lovelace',
        echeckType: 'PPD',
      },
    });
    fake.returnItem(id, 'R07');
    expect(await refund()).toEqual({ status: 'failed', reason: 'not_refundable', processorCode: 'R07' });
  });

  it('is in the records with the state that a lookup returns', async () => {
    const { of, id } = await accepted();
    const { records } = authorizeNetProcessorAt(fake);
    const span = { from: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) };
    const answers = new Map<string, unknown>();
    for await (const { chargeId, answer } of records?.payments({ ...of, ...span }, requestTimeout()) ?? []) {
      answers.set(chargeId, answer);
    }
    expect(answers.get(of.chargeId)).toEqual({ status: 'debited', processorPaymentId: id, taken: TAKEN });
  });
});
