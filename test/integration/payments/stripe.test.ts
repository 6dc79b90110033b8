/** The Stripe adapter through its official package, against a fake server on loopback. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { ChargeRequest, PayableCard } from '../../../src/payments/port/charges.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import { processorContract } from '../../contract/processor-contract.ts';
import { vendorFaultContract } from '../../contract/processor-contract-faults.ts';
import {
  type FakeStripe,
  RESTRICTED_KEY,
  SECRET_KEY,
  startFakeStripe,
  USELESS_KEY,
} from '../../support/fake-stripe.ts';
import {
  ASKS,
  ASKS_THEN_DECLINES,
  BROKEN,
  INSUFFICIENT,
  LOST,
  TAKEN_UNANSWERED,
} from '../../support/fake-stripe-cards.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { STRIPE_CREDENTIALS, stripeProcessorAt } from '../../support/vendor-processors.ts';
import { GOOD, keyed, requestFor } from './vendor-charges.ts';

const MOTO = 'payment_method_options[card][moto]';

for (const kind of ['keyed', 'saved'] as const) {
  processorContract(`stripe, ${kind} cards`, async () => {
    const fakeStripe = await startFakeStripe();
    const card = (number: string): PayableCard =>
      kind === 'keyed' ? keyed(number) : { kind: 'saved', handle: fakeStripe.savedCard(number) };
    // On the page.
    const asking = (number: string): PayableCard =>
      kind === 'saved' ? card(number) : { kind: 'token', token: fakeStripe.token('ctoken', number) };
    return {
      processor: stripeProcessorAt(fakeStripe),
      credentials: STRIPE_CREDENTIALS,
      wrongCredentials: { secret_key: 'sk_test_51Nobody00000000000000000' },
      account: 'acct_1StandIn',
      token: () => fakeStripe.token('pm'),
      approved: () => card(GOOD),
      withoutMoney: () => card(INSUFFICIENT),
      takenUnanswered: () => card(TAKEN_UNANSWERED),
      lost: () => card(LOST),
      broken: () => card(BROKEN),
      letSettle: async () => undefined,
      countPayments: async ({ chargeId }) => fakeStripe.countPayments(chargeId),
      refundedUnanswered: () => card(GOOD),
      muteRefund: () => fakeStripe.failNext('hang'),
      heldUnanswered: () => card(GOOD),
      isHeld: async (of) => fakeStripe.intents.get(of)?.status === 'requires_capture',
      expireHold: async (of) => fakeStripe.expireHold(of),
      refundElsewhere: fakeStripe.refundInDashboard,
      listedSource: kind === 'keyed' ? 'phone' : 'saved_card',
      countDomains: () => fakeStripe.domains.length,
      asking: {
        thenApproved: () => asking(ASKS),
        thenDeclined: () => asking(ASKS_THEN_DECLINES),
        thenRefused: () => asking(ASKS),
        endDialog: ({ chargeId }, result) => fakeStripe.endDialog(chargeId, result),
        knowsDialog: true,
      },
      countRefunds: async (of) => fakeStripe.refunds.filter(({ payment_intent }) => payment_intent === of).length,
      async close() {
        await fakeStripe.close();
        expect(fakeStripe.violations).toEqual([]);
      },
    };
  });
}

describe('stripe', () => {
  let fakeStripe: FakeStripe;
  beforeAll(async () => {
    fakeStripe = await startFakeStripe();
  });
  afterAll(() => fakeStripe.close());
  afterEach(() => expect(fakeStripe.violations).toEqual([]));

  const charge = (request: ChargeRequest) => stripeProcessorAt(fakeStripe).charge(request, requestTimeout());
  const lookUp = (request: ChargeRequest, createdAt = new Date()) =>
    stripeProcessorAt(fakeStripe).lookUp({ ...request, createdAt }, requestTimeout());
  const lastRequest = () => {
    const last = fakeStripe.requests.at(-1);
    if (last === undefined) throw new Error('nothing was asked');
    return last;
  };

  it('sends a keyed card as one MOTO payment, with our IDs', async () => {
    const request = requestFor(keyed(GOOD, '90210'));
    const before = fakeStripe.requests.length;
    await charge(request);
    expect(fakeStripe.requests).toHaveLength(before + 1);
    const { path, headers, body } = lastRequest();
    expect(path).toBe('/v1/payment_intents');
    expect(headers).toMatchObject({ 'idempotency-key': request.chargeId, 'stripe-version': '2026-10-28.endive' });
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      amount: '1234',
      currency: 'eur',
      confirm: 'true',
      'allowed_payment_method_types[0]': 'card',
      'expand[0]': 'payment_method',
      'metadata[ringkey_charge]': request.chargeId,
      'metadata[ringkey_session]': request.sessionId,
      'metadata[ringkey_order]': 'order 7',
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': GOOD,
      'payment_method_data[card][exp_month]': '4',
      'payment_method_data[card][exp_year]': '2031',
      'payment_method_data[card][cvc]': '987',
      'payment_method_data[billing_details][address][postal_code]': '90210',
      'payment_method_options[card][moto]': 'true',
      error_on_requires_action: 'true',
    });
  });

  it('charges a saved card of an absent customer', async () => {
    const [customer, method] = fakeStripe.savedCard(GOOD).split('/');
    await charge(requestFor({ kind: 'saved', handle: `${customer}/${method}` }));
    expect(Object.fromEntries(new URLSearchParams(lastRequest().body))).toMatchObject({
      customer,
      payment_method: method,
      off_session: 'true',
      confirm: 'true',
    });
  });

  it('charges a saved card without its owner so that no authentication is waited for', async () => {
    const handle = fakeStripe.savedCard(GOOD);
    await charge({ ...requestFor({ kind: 'saved', handle }), channel: 'merchant', agreedPaymentId: null });
    expect(Object.fromEntries(new URLSearchParams(lastRequest().body))).toMatchObject({
      customer: handle.split('/')[0],
      off_session: 'true',
    });
  });

  it.each(['tok', 'pm', 'ctoken'] as const)('accepts the page’s %s_ tokens', async (kind) => {
    expect(await charge(requestFor({ kind: 'token', token: fakeStripe.token(kind, '378282246310005') }))).toMatchObject(
      {
        status: 'succeeded',
        card: { brand: 'AMERICAN_EXPRESS', lastFour: '0005' },
      },
    );
  });

  it.each([
    ['4000000000000002', 'generic_decline', 'generic_decline'],
    ['4000000000009987', 'lost_card', 'lost_card'],
    ['4000000000000069', 'expired_card', 'expired_card'],
    ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc'],
    ['4000000000000119', 'processing_error', 'processing_error'],
  ])('%s is %s', async (number, declineCode, processorCode) => {
    const request = requestFor(keyed(number));
    const declined = {
      status: 'declined',
      declineCode,
      processorCode,
      processorPaymentId: expect.stringMatching(/^pi_/),
    };
    expect(await charge(request)).toEqual(declined);
    expect(await lookUp(request)).toEqual(declined);
  });

  vendorFaultContract(() => ({
    fakeVendor: fakeStripe,
    processor: stripeProcessorAt(fakeStripe),
    refundIs: 'succeeded',
    request: () => requestFor(keyed(GOOD)),
  }));

  it.each([
    [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }, 'unknown'],
    [500, { type: 'api_error' }, 'unknown'],
    [400, { type: 'invalid_request_error', code: 'parameter_missing' }, 'refused'],
    // An account without MOTO payments (stripe-dotnet issue 2898), and one that cannot send card numbers
    // (flutter_stripe 1805).
    [400, { type: 'invalid_request_error', code: 'parameter_unknown', param: MOTO }, 'refused'],
    [402, { type: 'invalid_request_error' }, 'refused'],
    [400, { type: 'invalid_request_error', code: 'amount_too_small', param: 'amount' }, 'refused'],
    [400, { type: 'invalid_request_error', code: 'resource_missing', param: 'payment_method' }, 'declined'],
    [400, { type: 'invalid_request_error', code: 'token_already_used' }, 'declined'],
    [403, { type: 'invalid_request_error' }, 'refused'],
  ])('%i %o: %s, asked once', async (status, error, expected) => {
    const before = fakeStripe.requests.length;
    fakeStripe.answerNext({
      status,
      body: { error: { message: 'no', ...error } },
      headers: { 'stripe-should-retry': 'true' },
    });
    expect(await charge(requestFor(keyed(GOOD)))).toMatchObject({ status: expected });
    expect(fakeStripe.requests).toHaveLength(before + 1);
  });

  it.each(['rate_limit', 'lock_timeout'])(
    'is asked again when it answered 429 %s, under the same key',
    async (code) => {
      const before = fakeStripe.requests.length;
      fakeStripe.answerNext({ status: 429, body: { error: { type: 'invalid_request_error', code, message: 'no' } } });
      const request = requestFor(keyed(GOOD));
      expect(await charge(request)).toMatchObject({ status: 'succeeded' });
      const [first, second, ...more] = fakeStripe.requests.slice(before);
      expect(more).toEqual([]);
      expect(second?.headers['idempotency-key']).toBe(request.chargeId);
      expect(second?.body).toBe(first?.body);
      expect(fakeStripe.countPayments(request.chargeId)).toBe(1);
    },
  );

  it('leaves the outcome open after a lock, even if a later answer is a refusal', async () => {
    const request = requestFor(keyed(GOOD));
    const limit = requestTimeout();
    const stripe = await startFakeStripe();
    stripe.answerNext({ status: 429, body: { error: { type: 'invalid_request_error', code: 'lock_timeout' } } });
    const answer = stripeProcessorAt(stripe).charge(request, limit);
    await expect.poll(() => stripe.requests.length).toBe(1);
    await stripe.close();
    expect(await answer).toEqual({ status: 'unknown', cause: 'lock_timeout' });
  });

  it.each([401, 403])(
    'leaves open what a lock left open, also when it is then refused at the door: %i',
    async (status) => {
      const request = requestFor(keyed(GOOD));
      const { arrived, release } = fakeStripe.holdNext();
      fakeStripe.answerNext({ status: 429, body: { error: { type: 'invalid_request_error', code: 'lock_timeout' } } });
      const answer = charge(request);
      await arrived;
      fakeStripe.answerNext({ status, body: { error: { type: 'invalid_request_error', message: 'no' } } });
      const before = fakeStripe.requests.length;
      release();
      expect(await answer).toEqual({ status: 'unknown', cause: 'lock_timeout' });
      expect(fakeStripe.requests).toHaveLength(before + 1);
    },
  );

  it.each(['keyed', 'saved'] as const)(
    'reports that a %s card is not charged if no connection was made',
    async (kind) => {
      const gone = await startFakeStripe();
      const card: PayableCard = kind === 'keyed' ? keyed(GOOD) : { kind, handle: gone.savedCard(GOOD) };
      await gone.close();
      expect(await stripeProcessorAt(gone).charge(requestFor(card), requestTimeout())).toEqual({
        status: 'declined',
        declineCode: 'try_again_later',
        processorCode: 'not_connected',
        processorPaymentId: null,
      });
    },
  );

  it('does not blame the caller if the account lacks MOTO payments or card numbers', async () => {
    fakeStripe.takesMoto = false;
    expect(await charge(requestFor(keyed(GOOD)))).toEqual({ status: 'refused', processorCode: 'parameter_unknown' });
    fakeStripe.takesMoto = true;
    fakeStripe.takesCardNumbers = false;
    expect(await charge(requestFor(keyed(GOOD)))).toEqual({
      status: 'refused',
      processorCode: 'invalid_request_error',
    });
    fakeStripe.takesCardNumbers = true;
    expect(await charge(requestFor(keyed(GOOD)))).toMatchObject({ status: 'succeeded' });
  });

  it('treats the same key with other details as another charge with an unknown outcome', async () => {
    const request = requestFor(keyed(GOOD));
    await charge(request);
    const other = { ...request, card: keyed(GOOD), amount: { amountCents: 1, currency: 'EUR' as const } };
    expect(await charge(other)).toEqual({ status: 'unknown', cause: 'idempotency_error' });
  });

  it('reports an account that cannot take keyed cards, and leaves nothing open there', async () => {
    // A separate server, because Stripe repeats its response to a key for a day.
    const account = await startFakeStripe();
    const { checkConnection } = stripeProcessorAt(account);
    const check = (credentials: Record<string, string> = STRIPE_CREDENTIALS) =>
      checkConnection('test', secretCredentials(credentials), requestTimeout());
    account.takesMoto = false;
    account.takesCardNumbers = false;
    const restrictions = ['moto_disabled', 'card_numbers_disabled'];
    expect(await check({ secret_key: RESTRICTED_KEY })).toEqual({ status: 'ok', restrictions });
    expect(await check()).toMatchObject({ status: 'ok', restrictions });
    account.takesMoto = true;
    account.takesCardNumbers = true;
    expect(await check()).toEqual({ status: 'ok', account: 'acct_1StandIn' });
    const probes = [...account.intents.values()].filter(({ metadata }) => metadata.ringkey_probe !== undefined);
    expect(probes.map(({ status }) => status)).toEqual(['canceled']);
    expect(account.violations).toEqual([]);
    await account.close();
  });

  it('reports an account that cannot take payments yet, and a key of the other mode', async () => {
    const { checkConnection } = stripeProcessorAt(fakeStripe);
    const check = (mode: 'test' | 'live') =>
      checkConnection(mode, secretCredentials(STRIPE_CREDENTIALS), requestTimeout());
    fakeStripe.chargesEnabled = false;
    expect(await check('test')).toEqual({ status: 'not_provisioned' });
    fakeStripe.chargesEnabled = true;
    expect(await check('live')).toEqual({ status: 'invalid' });
    fakeStripe.failNext('html_500');
    expect(await check('test')).toEqual({ status: 'unavailable' });
  });

  it.each([
    ['as payments need them, which never tells its account', { secret_key: RESTRICTED_KEY }, { status: 'ok' }],
    [
      'as payments need them, of a platform',
      { secret_key: RESTRICTED_KEY, account_id: 'acct_1Connected' },
      { status: 'ok', account: 'acct_1Connected' },
    ],
    ['not even for that', { secret_key: USELESS_KEY }, { status: 'invalid' }],
  ])('takes a restricted key with permissions %s', async (_, credentials, expected) => {
    const { checkConnection } = stripeProcessorAt(fakeStripe);
    const limit = requestTimeout();
    expect(await checkConnection('test', secretCredentials(credentials), limit)).toEqual(expected);
    const paid = await charge(requestFor(keyed(GOOD), { credentials: secretCredentials(credentials) }));
    expect(paid.status).toBe(expected.status === 'ok' ? 'succeeded' : 'refused');
  });

  it('uses a connected account', async () => {
    const credentials = secretCredentials({ ...STRIPE_CREDENTIALS, account_id: 'acct_1Connected' });
    await stripeProcessorAt(fakeStripe).checkConnection('test', credentials, requestTimeout());
    expect(lastRequest().headers).toMatchObject({ 'stripe-account': 'acct_1Connected' });
  });

  it('gives the page the merchant’s publishable key, and no secret', () => {
    const { tokenization } = stripeProcessorAt(fakeStripe);
    const config = tokenization('test', secretCredentials(STRIPE_CREDENTIALS));
    expect(config).toEqual({
      processor: 'stripe',
      publicKey: STRIPE_CREDENTIALS.publishable_key,
      locationId: null,
      environment: 'test',
    });
    expect(tokenization('test', secretCredentials({ secret_key: SECRET_KEY }))).toBeNull();
  });

  it('loads the script of its API version’s release train, like the package of its types', () => {
    const { scripts } = stripeProcessorAt(fakeStripe).page('live') ?? {};
    expect(scripts?.map(({ url }) => url)).toEqual(['https://js.stripe.com/endive/stripe.js']);
    const text = readFileSync(
      new URL('../../../node_modules/@stripe/stripe-js/dist/index.mjs', import.meta.url),
      'utf8',
    );
    expect(text).toContain("RELEASE_TRAIN = 'endive'");
  });

  it('asks Stripe to check a host again that Apple had not reached, for the connected account', async () => {
    fakeStripe.validatesAtOnce = false;
    const credentials = secretCredentials({ ...STRIPE_CREDENTIALS, account_id: 'acct_1Connected' });
    const request = { mode: 'test', credentials, domain: 'late.example.com' } as const;
    const live = await stripeProcessorAt(fakeStripe).registerPageDomain?.(request, requestTimeout());
    fakeStripe.validatesAtOnce = true;
    expect(live).toEqual({ applePay: true, googlePay: true });
    expect(lastRequest().path).toMatch(/validate$/);
    expect(lastRequest().headers).toMatchObject({ 'stripe-account': 'acct_1Connected' });
  });

  it('does not save a wallet as a card', async () => {
    const token = fakeStripe.token('pm', GOOD, 'apple_pay');
    const request = {
      instrumentId: newId('Instrument'),
      mode: 'test' as const,
      token,
      credentials: secretCredentials(STRIPE_CREDENTIALS),
    };
    expect(await stripeProcessorAt(fakeStripe).wallet?.save(request, requestTimeout())).toEqual({
      status: 'refused',
    });
  });

  it('does not save a card that its bank rejects, and reports an unavailable Stripe', async () => {
    const { wallet } = stripeProcessorAt(fakeStripe);
    const request = (number: string) => ({
      instrumentId: newId('Instrument'),
      mode: 'test' as const,
      token: fakeStripe.token('pm', number),
      credentials: secretCredentials(STRIPE_CREDENTIALS),
    });
    const limit = requestTimeout();
    expect(await wallet?.save(request(INSUFFICIENT), limit)).toEqual({ status: 'refused' });
    fakeStripe.failNext('reset');
    expect(await wallet?.save(request(GOOD), limit)).toEqual({ status: 'unavailable' });
  });

  it('takes the payment even if the card cannot be saved', async () => {
    const request = requestFor(keyed(GOOD), { keepsCard: true });
    fakeStripe.answerNext({ status: 400, body: { error: { type: 'invalid_request_error', message: 'no' } } });
    const paid = await charge(request);
    if (paid.status !== 'succeeded') throw new Error(paid.status);
    const saving = {
      instrumentId: newId('Instrument'),
      mode: 'test' as const,
      processorPaymentId: paid.processorPaymentId,
      credentials: request.credentials,
    };
    expect(await stripeProcessorAt(fakeStripe).wallet?.saveCharged(saving, requestTimeout())).toEqual({
      status: 'refused',
    });
  });
});
