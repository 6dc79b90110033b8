/** Charges of the pay page at Adyen whose bank asks the payer (3-D Secure by redirect): in the real database. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hurryCharge } from '../../../src/db/processor-notifications/hurry.ts';
import type { NotifiedOutcome } from '../../../src/db/processor-notifications/outcomes.ts';
import type { ChargeId, CheckoutSessionId } from '../../../src/domain/ids.ts';
import { createAdyen } from '../../../src/payments/adyen/index.ts';
import type { NotifiedOutcomes } from '../../../src/payments/adyen/outcomes.ts';
import { storedPayerAnswers } from '../../../src/payments/adyen/payer-answers.ts';
import { abandonPayment, actionOf, confirmPayment } from '../../../src/payments/charges/confirm.ts';
import { recheckDueCharges } from '../../../src/payments/charges/recheck.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import { takePayment } from '../../../src/payments/charges/take-payment.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { CARDS, type FakeAdyen, startFakeAdyen } from '../../support/fake-adyen.ts';
import { MERCHANT_ACCOUNT } from '../../support/fake-adyen-requests.ts';
import type { VendorRequest } from '../../support/fake-vendor-server.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { memoryPayerAnswers } from '../../support/payer-answers.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { ADYEN_CREDENTIALS } from '../../support/vendor-processors.ts';
import { agePendingCharges, createTestPayments, paymentRequest, readPaymentState } from './test-payments.ts';
import { requestFor } from './vendor-charges.ts';

const db = useTestDatabase();
const NEVER = new AbortController().signal;
const PAGE = 'https://pay.example.com/p/abcdefghjkmn?lang=en';
const LIMIT_SECONDS = 600;

/** No notification arrives: all that is known is in the answers. */
const NO_OUTCOMES: NotifiedOutcomes = { of: async () => [], chargeOf: async () => null };
const BROWSER = {
  acceptHeader: '*/*',
  colorDepth: 24,
  javaEnabled: false,
  language: 'en-US',
  screenHeight: 900,
  screenWidth: 1600,
  timeZoneOffset: -60,
  userAgent: 'Mozilla/5.0',
};

let fake: FakeAdyen;
let processor: Processor;
let merchant: TestMerchant;
beforeAll(async () => {
  fake = await startFakeAdyen(() => undefined);
  processor = createAdyen({ outcomes: NO_OUTCOMES, answers: storedPayerAnswers(db.database), testServer: fake.url });
  merchant = await createTestMerchant(db.database, { processor: 'adyen' });
});
afterAll(() => fake.close());
afterEach(() => expect(fake.violations).toEqual([]));

const isDetails = ({ path }: VendorRequest) => path === '/payments/details';
const detailsSent = () => fake.requests.filter(isDetails).length;
const payments = () =>
  createTestPayments(db.database, {
    processors: [processor],
    credentialsFor: async () => secretCredentials(ADYEN_CREDENTIALS),
  });
const state = (sessionId: CheckoutSessionId) => readPaymentState(db.database, sessionId);

const tokenOf = (number: string, browser: object | null = BROWSER) => {
  const parts = [fake.encrypt(number)];
  if (browser !== null) parts.push(Buffer.from(JSON.stringify(browser)).toString('base64url'));
  return parts.join('~');
};

function payOnPage(sessionId: CheckoutSessionId, token: string) {
  const request = paymentRequest(merchant, sessionId, { kind: 'token', token });
  return takePayment(payments(), { ...request, source: 'page', payer: { pageUrl: PAGE, ip: '203.0.113.7' } });
}

/** A session with a charge whose payer is at the bank. */
async function waiting() {
  const sessionId = await createTestSession(db.database, merchant);
  const result = await payOnPage(sessionId, tokenOf(CARDS.asks));
  if (result.type !== 'action_required') throw new Error(result.type);
  const { charge, action } = result;
  const request = { sessionId, scope: { accountId: merchant.accountId, mode: merchant.mode }, chargeId: charge.id };
  const confirm = (answer?: string) =>
    confirmPayment(payments(), { ...request, ...(answer !== undefined && { result: answer }) });
  return { sessionId, charge, action, request, confirm };
}

const lookupOf = (chargeId: ChargeId) => ({
  chargeId,
  mode: 'test' as const,
  createdAt: new Date(),
  credentials: secretCredentials(ADYEN_CREDENTIALS),
});

async function resolve(): Promise<void> {
  const { log, ...deps } = payments();
  await resolveDueCharges({ ...deps, log }, NEVER);
}

describe('a charge at Adyen whose bank asks the payer', () => {
  it('sends the payer to the bank with our page as the way back, and takes nothing', async () => {
    const { sessionId, charge, action } = await waiting();
    expect(action).toEqual({ kind: 'redirect', url: expect.stringContaining(`${fake.url}/checkoutshopper/`) });
    expect(fake.returnUrl(charge.id)).toBe(`${PAGE}&charge=${charge.id}`);
    const sent = JSON.parse(fake.requests.at(-1)?.body ?? '');
    expect(sent).toMatchObject({ origin: 'https://pay.example.com', shopperIP: '203.0.113.7', browserInfo: BROWSER });
    expect(sent).not.toHaveProperty('authenticationData');
    expect(fake.countPayments(charge.id)).toBe(0);
    expect(await state(sessionId)).toMatchObject({ session: 'open', charges: ['pending'], events: [] });
  });

  it('is paid once, however often the payer returns', async () => {
    const { sessionId, charge, confirm } = await waiting();
    const answer = fake.authenticate(charge.id, 'confirmed');
    const results = await Promise.all([confirm(answer), confirm(answer), confirm(answer)]);
    for (const result of [...results, await confirm(answer)]) expect(result).toMatchObject({ type: 'succeeded' });
    expect(fake.countPayments(charge.id)).toBe(1);
    expect(await state(sessionId)).toMatchObject({ session: 'complete', charges: ['succeeded'] });
  });

  it('is declined if the payer could not confirm, and another card can be tried', async () => {
    const { sessionId, charge, confirm } = await waiting();
    const declined = { type: 'declined', declineCode: 'authentication_required' };
    expect(await confirm(fake.authenticate(charge.id, 'refused'))).toMatchObject(declined);
    expect(await payOnPage(sessionId, tokenOf(CARDS.good))).toMatchObject({ type: 'succeeded' });
  });

  it('is never completed after the payer gave up, although the answer arrives', async () => {
    const { sessionId, charge, request, confirm } = await waiting();
    const answer = fake.authenticate(charge.id, 'confirmed');
    const before = detailsSent();
    expect(await abandonPayment(payments(), request)).toMatchObject({ type: 'declined' });
    expect(await confirm(answer)).toMatchObject({ type: 'declined', declineCode: 'authentication_required' });
    expect(detailsSent()).toBe(before);
    expect(await payOnPage(sessionId, tokenOf(CARDS.good))).toMatchObject({ type: 'succeeded' });
    expect(fake.countPayments(charge.id)).toBe(0);
  });

  it('fails when the time of a payer who stayed away is over, and the session can be paid', async () => {
    const { sessionId, charge, confirm } = await waiting();
    const answer = fake.authenticate(charge.id, 'confirmed');
    await agePendingCharges(db.database, sessionId, LIMIT_SECONDS);
    await resolve();
    expect(await state(sessionId)).toMatchObject({ session: 'open', charges: ['failed'] });
    expect(await confirm(answer)).toMatchObject({ type: 'declined' });
    expect(fake.countPayments(charge.id)).toBe(0);
    expect(await payOnPage(sessionId, tokenOf(CARDS.good))).toMatchObject({ type: 'succeeded' });
  });

  it('is not given up while the answer is on its way', async () => {
    const { sessionId, charge, request, confirm } = await waiting();
    const held = fake.holdNext();
    const confirming = confirm(fake.authenticate(charge.id, 'confirmed'));
    await held.arrived;
    expect(await abandonPayment(payments(), request)).toMatchObject({ type: 'refused', reason: 'unavailable' });
    expect(await state(sessionId)).toMatchObject({ charges: ['pending'] });
    held.release();
    expect(await confirming).toMatchObject({ type: 'succeeded' });
  });

  it('is not paid by an answer of another payment or a made-up one, and still by its own', async () => {
    const [{ charge, confirm }, other] = [await waiting(), await waiting()];
    const unavailable = { type: 'refused', reason: 'unavailable' };
    expect(await confirm('made-up')).toMatchObject(unavailable);
    expect(await confirm('"><script>')).toMatchObject({ type: 'action_required', action: null });
    expect(await confirm()).toMatchObject({ type: 'action_required', action: null });
    expect(await confirm(fake.authenticate(other.charge.id, 'confirmed'))).toMatchObject(unavailable);
    expect(await state(other.sessionId)).toMatchObject({ charges: ['pending'] });
    expect(await confirm(fake.authenticate(charge.id, 'confirmed'))).toMatchObject({ type: 'succeeded' });
    expect(fake.countPayments(charge.id)).toBe(1);
  });

  it('is not declined by a refused answer of another payment', async () => {
    const [{ sessionId, charge, confirm }, other] = [await waiting(), await waiting()];
    const refused = fake.authenticate(other.charge.id, 'refused');
    expect(await confirm(refused)).toMatchObject({ type: 'refused', reason: 'unavailable' });
    expect(await state(sessionId)).toMatchObject({ session: 'open', charges: ['pending'], events: [] });
    expect(await confirm(fake.authenticate(charge.id, 'confirmed'))).toMatchObject({ type: 'succeeded' });
  });

  it('stays pending if the answer of Adyen is lost, and is not sent again with another answer', async () => {
    const { sessionId, charge, confirm } = await waiting();
    const [first, second] = [
      fake.authenticate(charge.id, 'confirmed'),
      fake.authenticate(charge.id, 'confirmed'),
    ] as const;
    fake.failNext('reset', undefined, isDetails);
    expect(await confirm(first)).toMatchObject({ type: 'pending' });
    const before = detailsSent();
    expect(await confirm(second)).toMatchObject({ type: 'pending' });
    expect(detailsSent()).toBe(before);
    expect(fake.countPayments(charge.id)).toBe(1);
    expect(await state(sessionId)).toMatchObject({ charges: ['pending'] });
  });

  it('cannot be shown again on a page that is opened again, and can be given up there', async () => {
    const { charge, request } = await waiting();
    expect(await actionOf(payments(), charge)).toBeNull();
    expect(await abandonPayment(payments(), request)).toMatchObject({ type: 'declined' });
  });

  it('only holds the amount with manual capture', async () => {
    const sessionId = await createTestSession(db.database, merchant, { capture: 'manual' });
    const result = await payOnPage(sessionId, tokenOf(CARDS.asks));
    if (result.type !== 'action_required') throw new Error(result.type);
    const request = { sessionId, scope: { accountId: merchant.accountId, mode: merchant.mode } };
    const answer = fake.authenticate(result.charge.id, 'confirmed');
    expect(await confirmPayment(payments(), { ...request, chargeId: result.charge.id, result: answer })).toMatchObject({
      type: 'succeeded',
      charge: { status: 'authorized' },
    });
  });

  it('saves the card of a verification after the payer has confirmed', async () => {
    const answers = memoryPayerAnswers();
    const adyen = createAdyen({ outcomes: NO_OUTCOMES, answers, testServer: fake.url });
    const credentials = secretCredentials(ADYEN_CREDENTIALS);
    const of = requestFor(
      { kind: 'token', token: tokenOf(CARDS.asks) },
      {
        credentials,
        amount: { amountCents: 0, currency: 'EUR' },
        keepsCard: true,
        isVerification: true,
        payer: { pageUrl: PAGE, ip: '2001:db8::7' },
      },
    );
    const asked = await adyen.charge(of, NEVER);
    if (asked.status !== 'action_required') throw new Error(asked.status);
    const { chargeId, mode } = of;
    const { processorPaymentId } = asked;
    const result = fake.authenticate(chargeId, 'confirmed');
    const action = { chargeId, mode, credentials, processorPaymentId, isVerification: true, result };
    expect(await adyen.actions?.confirm(action, NEVER)).toMatchObject({
      status: 'succeeded',
      savedCard: { handle: expect.stringContaining(chargeId), brand: 'VISA', lastFour: '0000' },
    });
  });

  it('is paid late if Adyen completed the payment of a payer who gave up, as a notification says', async () => {
    const { sessionId, charge, request } = await waiting();
    await abandonPayment(payments(), request);
    const told: NotifiedOutcome = {
      event: 'AUTHORISATION',
      isSuccess: true,
      merchantAccount: MERCHANT_ACCOUNT,
      reference: charge.id,
      processorReference: 'LATEPAYMENTABCDE',
      paymentId: null,
      amountCents: charge.amount.amountCents,
      currency: charge.amount.currency,
      reason: null,
    };
    const outcomes: NotifiedOutcomes = { of: async () => [told], chargeOf: async () => null };
    const notified = createAdyen({ outcomes, answers: storedPayerAnswers(db.database), testServer: fake.url });
    await hurryCharge(db.database, charge);
    const { log, ...deps } = payments();
    await recheckDueCharges({ ...deps, log, processors: [notified] }, NEVER);
    expect(await state(sessionId)).toMatchObject({ charges: ['succeeded'] });
    expect((await state(sessionId)).rows[0]).toMatchObject({ processorPaymentId: 'LATEPAYMENTABCDE' });
  });

  it('stays failed after the payer gave up, and a later lookup says so', async () => {
    const { sessionId, charge, request } = await waiting();
    await abandonPayment(payments(), request);
    await hurryCharge(db.database, charge);
    const { log, ...deps } = payments();
    await recheckDueCharges({ ...deps, log }, NEVER);
    expect(await state(sessionId)).toMatchObject({ charges: ['failed'] });
    expect(await processor.lookUp(lookupOf(charge.id), NEVER)).toMatchObject({ status: 'declined' });
  });

  it.each([
    ['without what the bank wants to know of the browser', null],
    ['with a browser in another form', { ...BROWSER, screenHeight: '900' }],
  ])('is declined %s', async (_, browser) => {
    const sessionId = await createTestSession(db.database, merchant);
    expect(await payOnPage(sessionId, tokenOf(CARDS.asks, browser))).toMatchObject({
      type: 'declined',
      declineCode: 'authentication_required',
    });
    expect(JSON.parse(fake.requests.at(-1)?.body ?? '')).toMatchObject({
      authenticationData: { attemptAuthentication: 'never' },
    });
  });

  it.each([
    ['http', (url: string) => url.replace('127.0.0.1', 'localhost')],
    ['script', () => 'javascript:alert(1)'],
  ])('is declined if the page of the challenge is not Adyen’s: %s', async (_, change) => {
    const sessionId = await createTestSession(db.database, merchant);
    const action = { type: 'redirect', method: 'GET', url: change(`${fake.url}/checkoutshopper/x`) };
    fake.answerNext({ status: 200, body: { resultCode: 'RedirectShopper', action } });
    expect(await payOnPage(sessionId, tokenOf(CARDS.good))).toMatchObject({
      type: 'declined',
      declineCode: 'authentication_required',
    });
  });
});
