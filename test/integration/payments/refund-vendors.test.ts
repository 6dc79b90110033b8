/** Refunds by the Stripe and Square adapters: exact requests, each refusal, each state of a refund. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import type { RefundRequest, Refunds } from '../../../src/payments/port/refunds.ts';
import { refundsOf } from '../../contract/processor-contract-faults.ts';
import { type FakeSquare, startFakeSquare } from '../../support/fake-square.ts';
import { LOCATION } from '../../support/fake-square-requests.ts';
import { type FakeStripe, startFakeStripe } from '../../support/fake-stripe.ts';
import { approveIntent, newIntent } from '../../support/fake-stripe-intents.ts';
import type { FakeVendorServer } from '../../support/fake-vendor-server.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import {
  SQUARE_CREDENTIALS,
  STRIPE_CREDENTIALS,
  squareProcessorAt,
  stripeProcessorAt,
} from '../../support/vendor-processors.ts';

const REQUEST = (processorPaymentId: string, credentials: Record<string, string>): RefundRequest => ({
  refundId: newId('Refund'),
  chargeId: newId('Charge'),
  processorPaymentId,
  mode: 'test',
  amount: { amountCents: 400, currency: 'USD' },
  reason: 'requested_by_customer',
  credentials: secretCredentials(credentials),
});

function lookUp(
  refunds: Refunds,
  request: RefundRequest,
  createdAt = new Date(),
  processorRefundId: string | null = null,
) {
  return refunds.lookUp({ ...request, createdAt, processorRefundId }, requestTimeout());
}

/** Expects this answer of the adapter after one request to the vendor, whatever its SDK would retry. */
async function expectOutcome(
  { fakeVendor, refunds }: Vendor,
  request: RefundRequest,
  { status, word }: { status: string; word: string },
): Promise<void> {
  const before = fakeVendor.requests.length;
  const answer = await refunds.refund(request, requestTimeout());
  expect(answer).toMatchObject({ status });
  expect('reason' in answer ? answer.reason : 'cause' in answer ? answer.cause : '').toBe(word);
  expect(fakeVendor.requests).toHaveLength(before + 1);
}

/** Expects `unknown` from a refund and a lookup. @param body a response about another refund */
async function expectDisbelieved(
  { fakeVendor, refunds }: Vendor,
  request: RefundRequest,
  body: unknown,
): Promise<void> {
  const disbelieved = { status: 'unknown', cause: 'answer_to_another' };
  fakeVendor.answerNext({ status: 200, body });
  expect(await refunds.refund(request, requestTimeout())).toEqual(disbelieved);
  fakeVendor.answerNext({ status: 200, body });
  expect(await lookUp(refunds, request, new Date(), 'ours')).toEqual(disbelieved);
}

interface Vendor {
  fakeVendor: FakeVendorServer;
  refunds: Refunds;
}

const bodyOf = ({ requests }: FakeVendorServer) => requests.at(-1)?.body ?? '';

describe('stripe', () => {
  let fakeVendor: FakeStripe;
  let refunds: Refunds;
  beforeAll(async () => {
    fakeVendor = await startFakeStripe();
    refunds = refundsOf(stripeProcessorAt(fakeVendor));
  });
  afterAll(() => fakeVendor.close());
  afterEach(() => expect(fakeVendor.violations).toEqual([]));

  /** A payment at the fake vendor, and a request to refund some of it. */
  function refundRequest(): RefundRequest {
    const intent = newIntent({ amount: 1_000, currency: 'usd', metadata: {} });
    approveIntent(intent);
    fakeVendor.intents.set(intent.id, intent);
    return REQUEST(intent.id, STRIPE_CREDENTIALS);
  }

  it('sends our IDs and our key', async () => {
    const request = refundRequest();
    await refunds.refund(request, requestTimeout());
    expect(Object.fromEntries(new URLSearchParams(bodyOf(fakeVendor)))).toEqual({
      payment_intent: request.processorPaymentId,
      amount: '400',
      reason: 'requested_by_customer',
      'metadata[ringkey_refund]': request.refundId,
      'metadata[ringkey_charge]': request.chargeId,
    });
    expect(fakeVendor.requests.at(-1)?.headers['idempotency-key']).toBe(request.refundId);
    await refunds.refund({ ...refundRequest(), reason: null }, requestTimeout());
    expect(new URLSearchParams(bodyOf(fakeVendor)).has('reason')).toBe(false);
  });

  it.each([
    [400, { type: 'invalid_request_error', code: 'charge_already_refunded' }, 'failed', 'already_refunded'],
    [400, { type: 'invalid_request_error', param: 'amount' }, 'failed', 'amount_too_large'],
    [400, { type: 'invalid_request_error', code: 'charge_disputed' }, 'failed', 'not_refundable'],
    [400, { type: 'invalid_request_error', code: 'charge_not_refundable' }, 'failed', 'not_refundable'],
    [400, { type: 'invalid_request_error', code: 'refund_disputed_payment' }, 'failed', 'not_refundable'],
    [404, { type: 'invalid_request_error', code: 'resource_missing' }, 'failed', 'not_refundable'],
    [400, { type: 'invalid_request_error', code: 'balance_insufficient' }, 'failed', 'refused'],
    [401, { type: 'invalid_request_error' }, 'failed', 'credentials_rejected'],
    [403, { type: 'invalid_request_error' }, 'failed', 'credentials_rejected'],
    [429, { type: 'invalid_request_error', code: 'rate_limit' }, 'unknown', 'rate_limit'],
    [429, { type: 'invalid_request_error', code: 'lock_timeout' }, 'unknown', 'lock_timeout'],
    [409, { type: 'idempotency_error', code: 'idempotency_key_in_use' }, 'unknown', 'http_409'],
    [400, { type: 'idempotency_error' }, 'unknown', 'idempotency_error'],
    [500, { type: 'api_error' }, 'unknown', 'http_500'],
  ])('%i %o: %s, %s, asked once', async (status, error, expected, word) => {
    fakeVendor.answerNext({
      status,
      body: { error: { message: 'no', ...error } },
      headers: { 'stripe-should-retry': 'true' },
    });
    await expectOutcome({ fakeVendor, refunds }, refundRequest(), { status: expected, word });
  });

  it('uses another key if Stripe stored an error under the first, and refunds once', async () => {
    const request = refundRequest();
    const replayed = {
      status: 500,
      body: { error: { type: 'api_error' } },
      headers: { 'idempotent-replayed': 'true' },
    };
    fakeVendor.answerNext(replayed);
    expect(await refunds.refund(request, requestTimeout())).toMatchObject({ status: 'succeeded' });
    expect(fakeVendor.requests.at(-1)?.headers['idempotency-key']).toBe(`${request.refundId}-2`);
    fakeVendor.answerNext(replayed);
    expect(await refunds.refund(request, requestTimeout())).toMatchObject({ status: 'succeeded' });
    // It was found.
    expect(fakeVendor.requests.at(-1)?.method).toBe('GET');
  });

  it.each([
    ['succeeded', { status: 'succeeded' }],
    ['pending', { status: 'pending' }],
    ['requires_action', { status: 'pending' }],
    ['failed', { status: 'failed', reason: 'refused', processorCode: 'expired_or_canceled_card' }],
    ['canceled', { status: 'failed', reason: 'refused', processorCode: 'expired_or_canceled_card' }],
    ['something new', { status: 'unknown' }],
  ])('a refund that is %s, looked up by its name and without', async (status, expected) => {
    const request = refundRequest();
    await refunds.refund(request, requestTimeout());
    const made = fakeVendor.refunds.at(-1);
    if (made === undefined) throw new Error('no refund');
    Object.assign(made, { status, failure_reason: 'expired_or_canceled_card' });
    expect(await lookUp(refunds, request)).toMatchObject(expected);
    expect(await lookUp(refunds, request, new Date(), made.id)).toMatchObject(expected);
  });

  it('does not report a refund with an ID as missing', async () => {
    expect(await lookUp(refunds, refundRequest(), new Date(), 're_gone')).toMatchObject({ status: 'unknown' });
  });

  it('does not accept a response about another refund', async () => {
    await refunds.refund(refundRequest(), requestTimeout());
    await expectDisbelieved({ fakeVendor, refunds }, refundRequest(), fakeVendor.refunds.at(-1));
  });
});

describe('square', () => {
  let fakeVendor: FakeSquare;
  let refunds: Refunds;
  beforeAll(async () => {
    await import('square');
    fakeVendor = await startFakeSquare();
    refunds = refundsOf(squareProcessorAt(fakeVendor));
  });
  afterAll(() => fakeVendor.close());
  afterEach(() => expect(fakeVendor.violations).toEqual([]));

  /** A payment at the fake vendor, and a request to refund some of it. */
  function refundRequest(): RefundRequest {
    const id = newId('Charge');
    fakeVendor.payments.push({
      id,
      status: 'COMPLETED',
      created_at: new Date().toISOString(),
      updated_at: new Date().toISOString(),
      reference_id: id,
      location_id: LOCATION,
      amount_money: { amount: 1_000, currency: 'USD' },
      last4: '1111',
      errors: [],
      refunded: 0,
      refund_ids: [],
      note: '',
      entry_method: 'KEYED',
    });
    return REQUEST(id, SQUARE_CREDENTIALS);
  }

  it('sends our ID and our key', async () => {
    const request = refundRequest();
    await refunds.refund(request, requestTimeout());
    expect(JSON.parse(bodyOf(fakeVendor))).toEqual({
      idempotency_key: request.refundId,
      payment_id: request.processorPaymentId,
      amount_money: { amount: 400, currency: 'USD' },
      reason: `Ringkey ${request.refundId}`,
    });
  });

  it.each([
    [400, 'REFUND_ERROR', 'REFUND_AMOUNT_INVALID', 'failed', 'amount_too_large'],
    [400, 'REFUND_ERROR', 'PAYMENT_NOT_REFUNDABLE', 'failed', 'not_refundable'],
    [400, 'REFUND_ERROR', 'PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE', 'failed', 'not_refundable'],
    [400, 'REFUND_ERROR', 'REFUND_ERROR_PAYMENT_NEEDS_COMPLETION', 'failed', 'not_refundable'],
    [400, 'REFUND_ERROR', 'REFUND_ALREADY_PENDING', 'unknown', 'refund_already_pending'],
    [400, 'REFUND_ERROR', 'REFUND_DECLINED', 'failed', 'refused'],
    [404, 'INVALID_REQUEST_ERROR', 'NOT_FOUND', 'failed', 'not_refundable'],
    [401, 'AUTHENTICATION_ERROR', 'UNAUTHORIZED', 'failed', 'credentials_rejected'],
    [403, 'AUTHENTICATION_ERROR', 'INSUFFICIENT_SCOPES', 'failed', 'credentials_rejected'],
    [429, 'RATE_LIMIT_ERROR', 'RATE_LIMITED', 'unknown', 'rate_limit'],
    [400, 'INVALID_REQUEST_ERROR', 'IDEMPOTENCY_KEY_REUSED', 'unknown', 'idempotency_key_reused'],
    [500, 'API_ERROR', 'INTERNAL_SERVER_ERROR', 'unknown', 'http_500'],
    [400, 'A_NEW_CATEGORY', 'WHAT_IS_THAT', 'unknown', 'http_400'],
  ])('%i %s %s: %s, %s, asked once', async (status, category, code, expected, word) => {
    fakeVendor.answerNext({ status, body: { errors: [{ category, code }] } });
    await expectOutcome({ fakeVendor, refunds }, refundRequest(), { status: expected, word });
  });

  it.each([
    ['COMPLETED', { status: 'succeeded' }],
    ['PENDING', { status: 'pending' }],
    ['FAILED', { status: 'failed', reason: 'refused', processorCode: 'FAILED' }],
    ['REJECTED', { status: 'failed', reason: 'refused', processorCode: 'REJECTED' }],
    ['something new', { status: 'unknown' }],
  ])('a refund that is %s, looked up by its name and without', async (status, expected) => {
    const request = refundRequest();
    await refunds.refund(request, requestTimeout());
    const made = fakeVendor.refunds.at(-1);
    if (made === undefined) throw new Error('no refund');
    made.status = status;
    expect(await lookUp(refunds, request)).toMatchObject(expected);
    expect(await lookUp(refunds, request, new Date(), made.id)).toMatchObject(expected);
  });

  it('finds a refund that was resent long after it was created', async () => {
    const request = refundRequest();
    await refunds.refund(request, requestTimeout());
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
    expect(await lookUp(refunds, request, hours(11))).toMatchObject({ status: 'pending' });
    expect(await lookUp(refunds, refundRequest(), hours(11))).toEqual({ status: 'not_found' });
  });

  it('does not report a refund with an ID as missing', async () => {
    expect(await lookUp(refunds, refundRequest(), new Date(), 'gone')).toMatchObject({ status: 'unknown' });
  });

  it('does not accept a response about another refund', async () => {
    await refunds.refund(refundRequest(), requestTimeout());
    await expectDisbelieved({ fakeVendor, refunds }, refundRequest(), { refund: fakeVendor.refunds.at(-1) });
  });
});
