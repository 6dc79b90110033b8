/** The Square adapter through its official package, against a stand-in on loopback. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { Secret } from '../../../src/domain/secret.ts';
import { type ChargeRequest, type PayableCard, secretCredentials } from '../../../src/payments/ports.ts';
import { createSquare } from '../../../src/payments/square/index.ts';
import { processorContract } from '../../contract/processor.ts';
import {
  ACCESS_TOKEN,
  CARDS,
  LOCATION,
  SELLER,
  type SquareStandIn,
  startSquareStandIn,
} from '../../support/square-stand-in.ts';
import { FAULTS } from '../../support/vendor-server.ts';

const CREDENTIALS = {
  access_token: ACCESS_TOKEN,
  application_id: 'sandbox-sq0idb-StandIn_000000000',
  location_id: LOCATION,
};
/** The package is slow to load. */
const LOADING_MS = 60_000;

function adapter({ url }: SquareStandIn) {
  return createSquare({ urls: { test: url, live: url } });
}

beforeAll(async () => {
  await import('square');
}, LOADING_MS);

for (const kind of ['saved', 'token'] as const) {
  processorContract(`square, ${kind} cards`, async () => {
    const standIn = await startSquareStandIn();
    const card = (last4: string): PayableCard =>
      kind === 'saved' ? { kind, handle: standIn.savedCard(last4) } : { kind, token: standIn.token(last4) };
    return {
      processor: adapter(standIn),
      credentials: CREDENTIALS,
      wrongCredentials: { ...CREDENTIALS, access_token: 'EAAAEnobodys_access_token' },
      account: SELLER,
      token: () => standIn.token(),
      approved: () => card(CARDS.good),
      withoutMoney: () => card(CARDS.noMoney),
      takenUnanswered: () => card(CARDS.unanswered),
      lost: () => card(CARDS.lost),
      broken: () => card(CARDS.broken),
      elapse: async () => undefined,
      booked: async ({ chargeId }) => standIn.booked(chargeId),
      refundedUnanswered: () => card(CARDS.good),
      muteRefund: () => standIn.failNext('hang'),
      refunded: async (of) => standIn.refunds.filter(({ payment_id }) => payment_id === of).length,
      async close() {
        await standIn.close();
        expect(standIn.violations).toEqual([]);
      },
    };
  });
}

describe('square', () => {
  let standIn: SquareStandIn;
  beforeAll(async () => {
    standIn = await startSquareStandIn();
  });
  afterAll(() => standIn.close());
  afterEach(() => expect(standIn.violations).toEqual([]));

  const requestFor = (card: PayableCard): ChargeRequest => ({
    ...{ chargeId: newId('Charge'), sessionId: newId('CheckoutSession'), accountId: newId('Account'), mode: 'test' },
    ...{ amount: { amountCents: 1_234, currency: 'USD' }, card, orderId: 'order 7', keepsCard: false },
    credentials: secretCredentials(CREDENTIALS),
  });
  const token = (last4?: string): PayableCard => ({ kind: 'token', token: standIn.token(last4) });
  const charge = (request: ChargeRequest, limitMs = 5_000) =>
    adapter(standIn).charge(request, AbortSignal.timeout(limitMs));
  const lookUp = (request: ChargeRequest, begunAt = new Date(), limitMs = 5_000) =>
    adapter(standIn).lookUp({ ...request, begunAt }, AbortSignal.timeout(limitMs));

  it('takes no keyed card, and says so', async () => {
    const processor = adapter(standIn);
    expect(processor.can.keypad).toBe(false);
    const securityCode = Secret.of('123');
    const card = { number: Secret.of('4111111111111111'), expiry: Secret.of('0431'), securityCode, postalCode: null };
    const before = standIn.requests.length;
    expect(await charge(requestFor({ kind: 'keyed', card }))).toMatchObject({ processorCode: 'keypad_unsupported' });
    expect(securityCode).toHaveLength(0);
    expect(standIn.requests).toHaveLength(before);
  });

  it('sends a saved card as a payment of its customer, with our ids', async () => {
    const [customer, card] = standIn.savedCard(CARDS.good).split('/');
    const request = requestFor({ kind: 'saved', handle: `${customer}/${card}` });
    await charge(request);
    expect(JSON.parse(standIn.requests.at(-1)?.body ?? '')).toEqual({
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

  it.each([
    ['0002', 'generic_decline', 'GENERIC_DECLINE'],
    ['0069', 'expired_card', 'CARD_EXPIRED'],
    ['0127', 'incorrect_cvc', 'CVV_FAILURE'],
    ['0036', 'incorrect_zip', 'ADDRESS_VERIFICATION_FAILURE'],
  ])('%s is %s', async (last4, declineCode, processorCode) => {
    const request = requestFor(token(last4));
    const declined = { status: 'declined', declineCode, processorCode, processorPaymentId: expect.stringMatching(/./) };
    expect(await charge(request)).toEqual(declined);
    expect(await lookUp(request)).toEqual(declined);
  });

  it.each(FAULTS)('an answer that meets %s: unknown, never sent again, found later', async (fault) => {
    const request = requestFor(token());
    const before = standIn.requests.length;
    standIn.failNext(fault);
    const answer = await charge(request, fault === 'hang' ? 1_000 : 5_000);
    expect(answer).toEqual({ status: 'unknown', cause: expect.stringMatching(/./) });
    expect(standIn.requests).toHaveLength(before + 1);
    expect(await lookUp(request)).toMatchObject({ status: 'succeeded' });
    expect(standIn.booked(request.chargeId)).toBe(1);
  });

  it('waits for an answer that takes its time', async () => {
    const { arrived, release } = standIn.holdNext();
    const request = requestFor(token());
    const answer = charge(request);
    await arrived;
    // Taken, and told by nobody yet.
    expect(await lookUp(request)).toMatchObject({ status: 'succeeded' });
    release();
    expect(await answer).toMatchObject({ status: 'succeeded' });
  });

  it.each(FAULTS)('a look-up that meets %s: unknown', async (fault) => {
    const request = requestFor(token());
    await charge(request);
    standIn.failNext(fault);
    expect(await lookUp(request, new Date(), fault === 'hang' ? 1_000 : 5_000)).toMatchObject({ status: 'unknown' });
  });

  it('takes an empty list for what it is', async () => {
    expect(await lookUp(requestFor(token()), new Date(0))).toEqual({ status: 'not_found' });
  });

  it.each(FAULTS)('a refund that meets %s: unknown, found later', async (fault) => {
    const request = requestFor(token());
    const paid = await charge(request);
    if (paid.status !== 'succeeded') throw new Error(paid.status);
    const { refunds } = adapter(standIn);
    const asked = {
      ...{ refundId: newId('Refund'), chargeId: request.chargeId, mode: 'test' as const, reason: null },
      ...{ processorPaymentId: paid.processorPaymentId, amount: request.amount, credentials: request.credentials },
    };
    standIn.failNext(fault);
    const limit = AbortSignal.timeout(fault === 'hang' ? 1_000 : 5_000);
    expect(await refunds?.refund(asked, limit)).toMatchObject({ status: 'unknown' });
    const later = { ...asked, begunAt: new Date(), processorRefundId: null };
    expect(await refunds?.lookUp(later, AbortSignal.timeout(5_000))).toMatchObject({ status: 'pending' });
  });

  it.each([
    [500, 'API_ERROR', 'INTERNAL_SERVER_ERROR', 'unknown'],
    [503, 'API_ERROR', 'SERVICE_UNAVAILABLE', 'unknown'],
    [409, 'INVALID_REQUEST_ERROR', 'CONFLICT', 'unknown'],
    [400, 'INVALID_REQUEST_ERROR', 'IDEMPOTENCY_KEY_REUSED', 'unknown'],
    [400, 'A_NEW_CATEGORY', 'WHAT_IS_THAT', 'unknown'],
    [429, 'RATE_LIMIT_ERROR', 'RATE_LIMITED', 'declined'],
    [400, 'INVALID_REQUEST_ERROR', 'MISSING_REQUIRED_PARAMETER', 'declined'],
    [403, 'AUTHENTICATION_ERROR', 'INSUFFICIENT_SCOPES', 'declined'],
  ])('%i %s %s: %s, asked once', async (status, category, code, expected) => {
    const before = standIn.requests.length;
    standIn.answerNext({ status, body: { errors: [{ category, code }] } });
    expect(await charge(requestFor(token()))).toMatchObject({ status: expected });
    expect(standIn.requests).toHaveLength(before + 1);
  });

  it('finds a charge among many others of its time', async () => {
    const request = requestFor(token());
    const others = standIn.payments.length;
    const first = await charge(requestFor(token()));
    const [other] = standIn.payments.slice(others);
    if (first.status !== 'succeeded' || other === undefined) throw new Error('no payment');
    for (let more = 0; more < 250; more += 1) standIn.payments.push({ ...other, id: `other${more}` });
    expect(await charge(request)).toMatchObject({ status: 'succeeded' });
    expect(await lookUp(request)).toMatchObject({ status: 'succeeded' });
    expect(await lookUp(request, new Date(Date.now() - 86_400_000))).toEqual({ status: 'not_found' });
  });

  it('tells a place that takes no cards, credentials of the other mode, and when Square is away', async () => {
    const { checkConnection } = adapter(standIn);
    const check = (mode: 'test' | 'live', overrides: Partial<typeof CREDENTIALS> = {}) =>
      checkConnection(mode, secretCredentials({ ...CREDENTIALS, ...overrides }), AbortSignal.timeout(5_000));
    expect(await check('live')).toEqual({ status: 'invalid' });
    expect(await check('test', { location_id: 'LNOBODYS00' })).toEqual({ status: 'invalid' });
    standIn.location.capabilities = [];
    expect(await check('test')).toEqual({ status: 'not_provisioned' });
    standIn.location.capabilities = ['CREDIT_CARD_PROCESSING'];
    standIn.failNext('reset');
    expect(await check('test')).toEqual({ status: 'unavailable' });
  });

  it("gives the page Square's application, place and environment, and no token", () => {
    expect(adapter(standIn).tokenization('test', secretCredentials(CREDENTIALS))).toEqual({
      ...{ processor: 'square', publicKey: CREDENTIALS.application_id, locationId: LOCATION, environment: 'sandbox' },
    });
    expect(adapter(standIn).tokenization('test', {})).toBeNull();
  });

  it('refuses to save a card that its bank refuses, and cannot say when Square is away', async () => {
    const { wallet } = adapter(standIn);
    const request = (last4: string) => ({
      ...{ instrumentId: newId('Instrument'), mode: 'test' as const, token: standIn.token(last4) },
      credentials: secretCredentials(CREDENTIALS),
    });
    const limit = AbortSignal.timeout(5_000);
    expect(await wallet?.save(request(CARDS.noMoney), limit)).toEqual({ status: 'refused' });
    standIn.failNext('reset');
    expect(await wallet?.save(request(CARDS.good), limit)).toEqual({ status: 'unavailable' });
  });
});
