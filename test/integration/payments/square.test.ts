/** The Square adapter through its official package, against a fake server on loopback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { Secret } from '../../../src/domain/secret.ts';
import type { ChargeRequest, PayableCard } from '../../../src/payments/port/charges.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import { processorContract } from '../../contract/processor-contract.ts';
import { vendorFaultContract } from '../../contract/processor-contract-faults.ts';
import { type FakeSquare, startFakeSquare } from '../../support/fake-square.ts';
import { CARDS } from '../../support/fake-square-cards.ts';
import { LOCATION, SELLER } from '../../support/fake-square-requests.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { SQUARE_CREDENTIALS, squareProcessorAt } from '../../support/vendor-processors.ts';

beforeAll(async () => {
  await import('square');
});

for (const kind of ['saved', 'token'] as const) {
  processorContract(`square, ${kind} cards`, async () => {
    const fakeSquare = await startFakeSquare();
    const card = (last4: string): PayableCard =>
      kind === 'saved' ? { kind, handle: fakeSquare.savedCard(last4) } : { kind, token: fakeSquare.token(last4) };
    return {
      processor: squareProcessorAt(fakeSquare),
      credentials: SQUARE_CREDENTIALS,
      wrongCredentials: { ...SQUARE_CREDENTIALS, access_token: 'EAAAEnobodys_access_token' },
      account: SELLER,
      recordsOf: LOCATION,
      token: () => fakeSquare.token(),
      approved: () => card(CARDS.good),
      withoutMoney: () => card(CARDS.noMoney),
      takenUnanswered: () => card(CARDS.unanswered),
      lost: () => card(CARDS.lost),
      broken: () => card(CARDS.broken),
      letSettle: async () => undefined,
      countPayments: async ({ chargeId }) => fakeSquare.countPayments(chargeId),
      refundedUnanswered: () => card(CARDS.good),
      muteRefund: () => fakeSquare.failNext('hang'),
      heldUnanswered: () => card(CARDS.good),
      isHeld: async (of) => fakeSquare.payments.some(({ id, status }) => id === of && status === 'APPROVED'),
      expireHold: async (of) => fakeSquare.expireHold(of),
      refundElsewhere: fakeSquare.refundInDashboard,
      listedSource: kind === 'saved' ? 'saved_card' : 'page',
      countDomains: () => fakeSquare.domains.size,
      forgetsDeclinedCards: true,
      savesAfterCapture: true,
      asking: null,
      countRefunds: async (of) => fakeSquare.refunds.filter(({ payment_id }) => payment_id === of).length,
      async close() {
        await fakeSquare.close();
        expect(fakeSquare.violations).toEqual([]);
      },
    };
  });
}

const HOUR_MS = 3_600_000;

describe('square', () => {
  let fakeSquare: FakeSquare;
  beforeAll(async () => {
    fakeSquare = await startFakeSquare();
  });
  afterAll(() => fakeSquare.close());
  afterEach(() => expect(fakeSquare.violations).toEqual([]));

  const requestFor = (card: PayableCard): ChargeRequest => ({
    chargeId: newId('Charge'),
    sessionId: newId('CheckoutSession'),
    accountId: newId('Account'),
    mode: 'test',
    amount: { amountCents: 1_234, currency: 'USD' },
    card,
    orderId: 'order 7',
    keepsCard: false,
    channel: card.kind === 'keyed' ? 'phone' : card.kind === 'saved' ? 'agent' : 'page',
    credentials: secretCredentials(SQUARE_CREDENTIALS),
  });
  const token = (last4?: string): PayableCard => ({ kind: 'token', token: fakeSquare.token(last4) });
  const charge = (request: ChargeRequest) => squareProcessorAt(fakeSquare).charge(request, requestTimeout());
  const lookUp = (request: ChargeRequest, createdAt = new Date()) =>
    squareProcessorAt(fakeSquare).lookUp({ ...request, createdAt }, requestTimeout());

  it('rejects keyed cards', async () => {
    const processor = squareProcessorAt(fakeSquare);
    expect(processor.can.keypad).toBe(false);
    const securityCode = Secret.of('123');
    const card = { number: Secret.of('4111111111111111'), expiry: Secret.of('0431'), securityCode, postalCode: null };
    const before = fakeSquare.requests.length;
    expect(await charge(requestFor({ kind: 'keyed', card }))).toMatchObject({ processorCode: 'keypad_unsupported' });
    expect(securityCode).toHaveLength(0);
    expect(fakeSquare.requests).toHaveLength(before);
  });

  it('sends a saved card as a payment of its customer, with our IDs', async () => {
    const [customer, card] = fakeSquare.savedCard(CARDS.good).split('/');
    const request = requestFor({ kind: 'saved', handle: `${customer}/${card}` });
    await charge(request);
    expect(JSON.parse(fakeSquare.requests.at(-1)?.body ?? '')).toEqual({
      source_id: card,
      customer_id: customer,
      idempotency_key: request.chargeId,
      reference_id: request.chargeId,
      amount_money: { amount: 1_234, currency: 'USD' },
      autocomplete: true,
      location_id: LOCATION,
      note: `${request.sessionId} order 7`,
    });
  });

  it('reports for a charge without the caller that the customer did not initiate it', async () => {
    const handle = fakeSquare.savedCard(CARDS.good);
    await charge({ ...requestFor({ kind: 'saved', handle }), channel: 'merchant', agreedPaymentId: null });
    expect(JSON.parse(fakeSquare.requests.at(-1)?.body ?? '')).toMatchObject({
      customer_id: handle.split('/')[0],
      customer_details: { customer_initiated: false, seller_keyed_in: false },
    });
  });

  it('reports for a token of the page that the payer is present', async () => {
    await charge(requestFor(token()));
    expect(JSON.parse(fakeSquare.requests.at(-1)?.body ?? '')).toMatchObject({
      source_id: expect.stringMatching(/^cnon:/),
      customer_details: { customer_initiated: true, seller_keyed_in: false },
    });
  });

  it('declines a token that was used before or belongs to another merchant', async () => {
    const card = token();
    await charge(requestFor(card));
    const used = { status: 'declined', declineCode: 'processing_error', processorCode: 'CARD_TOKEN_USED' };
    expect(await charge(requestFor(card))).toMatchObject(used);
    const foreign = requestFor({ kind: 'token', token: 'cnon:of-another-merchant' });
    expect(await charge(foreign)).toMatchObject({ status: 'declined', processorCode: 'NOT_FOUND' });
    expect(fakeSquare.countPayments(foreign.chargeId)).toBe(0);
  });

  it.each([
    ['cnon:CBASEF667Xdo69NiVEeuHo_Hj3Q', true],
    ['ccof:customer-card-id-ok', false],
    [`cnon:${'x'.repeat(10_000)}`, false],
    ['cnon:a b', false],
    ['tok_visa', false],
  ])('takes %s for a token of its own: %s', (text, isToken) => {
    expect(squareProcessorAt(fakeSquare).tokenForm.test(text)).toBe(isToken);
  });

  it.each([
    ['0002', 'generic_decline', 'GENERIC_DECLINE'],
    ['0069', 'expired_card', 'CARD_EXPIRED'],
    ['0127', 'incorrect_cvc', 'CVV_FAILURE'],
    ['0036', 'incorrect_zip', 'ADDRESS_VERIFICATION_FAILURE'],
    ['0054', 'authentication_required', 'CARD_DECLINED_VERIFICATION_REQUIRED'],
  ])('%s is %s', async (last4, declineCode, processorCode) => {
    const request = requestFor(token(last4));
    const declined = { status: 'declined', declineCode, processorCode, processorPaymentId: expect.stringMatching(/./) };
    expect(await charge(request)).toEqual(declined);
    expect(await lookUp(request)).toEqual(declined);
  });

  vendorFaultContract(() => ({
    fakeVendor: fakeSquare,
    processor: squareProcessorAt(fakeSquare),
    refundIs: 'pending',
    request: () => requestFor(token()),
  }));

  it('accepts an empty list', async () => {
    expect(await lookUp(requestFor(token()), new Date(0))).toEqual({ status: 'not_found' });
  });

  it.each([
    [500, 'API_ERROR', 'INTERNAL_SERVER_ERROR', 'unknown'],
    [503, 'API_ERROR', 'SERVICE_UNAVAILABLE', 'unknown'],
    [409, 'INVALID_REQUEST_ERROR', 'CONFLICT', 'unknown'],
    [400, 'INVALID_REQUEST_ERROR', 'IDEMPOTENCY_KEY_REUSED', 'unknown'],
    [400, 'A_NEW_CATEGORY', 'WHAT_IS_THAT', 'unknown'],
    [400, 'INVALID_REQUEST_ERROR', 'MISSING_REQUIRED_PARAMETER', 'refused'],
    [404, 'INVALID_REQUEST_ERROR', 'NOT_FOUND', 'declined'],
    [400, 'PAYMENT_METHOD_ERROR', 'INSUFFICIENT_PERMISSIONS', 'refused'],
    [400, 'PAYMENT_METHOD_ERROR', 'PAYMENT_LIMIT_EXCEEDED', 'refused'],
    [403, 'AUTHENTICATION_ERROR', 'INSUFFICIENT_SCOPES', 'refused'],
  ])('%i %s %s: %s, asked once', async (status, category, code, expected) => {
    const before = fakeSquare.requests.length;
    fakeSquare.answerNext({ status, body: { errors: [{ category, code }] } });
    expect(await charge(requestFor(token()))).toMatchObject({ status: expected });
    expect(fakeSquare.requests).toHaveLength(before + 1);
  });

  it('retries after too many requests', async () => {
    const request = requestFor(token());
    fakeSquare.answerNext({ status: 429, body: { errors: [{ category: 'RATE_LIMIT_ERROR', code: 'RATE_LIMITED' }] } });
    expect(await charge(request)).toMatchObject({ status: 'succeeded' });
    expect(fakeSquare.countPayments(request.chargeId)).toBe(1);
  });

  it('finds a charge among many others of its time', async () => {
    const request = requestFor(token());
    const others = fakeSquare.payments.length;
    const first = await charge(requestFor(token()));
    const [other] = fakeSquare.payments.slice(others);
    if (first.status !== 'succeeded' || other === undefined) throw new Error('no payment');
    for (let more = 0; more < 250; more += 1) fakeSquare.payments.push({ ...other, id: `other${more}` });
    expect(await charge(request)).toMatchObject({ status: 'succeeded' });
    expect(await lookUp(request)).toMatchObject({ status: 'succeeded' });
    expect(await lookUp(request, new Date(Date.now() - 86_400_000))).toEqual({ status: 'not_found' });
  });

  it.each([-HOUR_MS, HOUR_MS])(
    'is not believed that it has no charge of a time that is %i ms from its own',
    async (ms) => {
      const request = requestFor(token());
      const at = new Date(Date.now() + ms);
      const createdAt = new Date(at.getTime() - 10_000);
      const late = () => squareProcessorAt(fakeSquare).lookUp({ ...request, createdAt, askedAt: at }, requestTimeout());
      expect(await late()).toEqual({ status: 'unknown', cause: 'clocks_differ' });
      fakeSquare.answerNext({ status: 200, headers: { date: at.toUTCString() }, body: {} });
      expect(await late()).toEqual({ status: 'not_found' });
    },
  );

  it('reports a location without card payments, credentials of the other mode, and an unavailable Square', async () => {
    const { checkConnection } = squareProcessorAt(fakeSquare);
    const check = (mode: 'test' | 'live', overrides: Partial<typeof SQUARE_CREDENTIALS> = {}) =>
      checkConnection(mode, secretCredentials({ ...SQUARE_CREDENTIALS, ...overrides }), requestTimeout());
    expect(await check('live')).toEqual({ status: 'invalid' });
    expect(await check('test', { location_id: 'LNOBODYS00' })).toEqual({ status: 'invalid' });
    fakeSquare.location.capabilities = [];
    expect(await check('test')).toEqual({ status: 'not_provisioned' });
    fakeSquare.location.capabilities = ['CREDIT_CARD_PROCESSING'];
    fakeSquare.failNext('reset');
    expect(await check('test')).toEqual({ status: 'unavailable' });
  });

  it('gives the page Square’s application, location and environment, and no token', () => {
    expect(squareProcessorAt(fakeSquare).tokenization('test', secretCredentials(SQUARE_CREDENTIALS))).toEqual({
      processor: 'square',
      publicKey: SQUARE_CREDENTIALS.application_id,
      locationId: LOCATION,
      environment: 'sandbox',
    });
    expect(squareProcessorAt(fakeSquare).tokenization('test', {})).toBeNull();
  });

  it('does not save a card that its bank rejects, and reports an unavailable Square', async () => {
    const { wallet } = squareProcessorAt(fakeSquare);
    const request = (last4: string) => ({
      instrumentId: newId('Instrument'),
      mode: 'test' as const,
      token: fakeSquare.token(last4),
      credentials: secretCredentials(SQUARE_CREDENTIALS),
    });
    const limit = requestTimeout();
    expect(await wallet?.save(request(CARDS.noMoney), limit)).toEqual({ status: 'refused' });
    fakeSquare.failNext('reset');
    expect(await wallet?.save(request(CARDS.good), limit)).toEqual({ status: 'unavailable' });
  });
});
