/** Disputes as the vendors' APIs answer them, against their fakes on loopback. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { type PlainCredentials, secretCredentials } from '../../../src/payments/port/credentials.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { RecordsUnreadable } from '../../../src/payments/port/records.ts';
import { type FakeBraintree, startFakeBraintree } from '../../support/fake-braintree.ts';
import { type FakeCheckoutCom, startFakeCheckoutCom } from '../../support/fake-checkoutcom.ts';
import { type FakeHyperswitch, startFakeHyperswitch } from '../../support/fake-hyperswitch.ts';
import { type FakeSquare, startFakeSquare } from '../../support/fake-square.ts';
import { type FakeStripe, startFakeStripe } from '../../support/fake-stripe.ts';
import {
  BRAINTREE_CREDENTIALS,
  braintreeProcessorAt,
  CHECKOUT_COM_CREDENTIALS,
  checkoutComProcessorAt,
  hyperswitchCredentialsAt,
  hyperswitchProcessor,
  SQUARE_CREDENTIALS,
  STRIPE_CREDENTIALS,
  squareProcessorAt,
  stripeProcessorAt,
} from '../../support/vendor-processors.ts';

const NEVER = new AbortController().signal;

let fakes: {
  stripe: FakeStripe;
  square: FakeSquare;
  checkoutcom: FakeCheckoutCom;
  braintree: FakeBraintree;
  hyperswitch: FakeHyperswitch;
};
let vendors: Record<keyof typeof fakes, { processor: Processor; credentials: PlainCredentials }>;
beforeAll(async () => {
  const [stripe, square, checkoutcom, braintree, hyperswitch] = await Promise.all([
    startFakeStripe(),
    startFakeSquare(),
    startFakeCheckoutCom(),
    startFakeBraintree(),
    startFakeHyperswitch(),
  ]);
  fakes = { stripe, square, checkoutcom, braintree, hyperswitch };
  vendors = {
    stripe: { processor: stripeProcessorAt(stripe), credentials: STRIPE_CREDENTIALS },
    square: { processor: squareProcessorAt(square), credentials: SQUARE_CREDENTIALS },
    checkoutcom: { processor: checkoutComProcessorAt(checkoutcom), credentials: CHECKOUT_COM_CREDENTIALS },
    braintree: { processor: braintreeProcessorAt(braintree), credentials: BRAINTREE_CREDENTIALS },
    hyperswitch: { processor: hyperswitchProcessor(), credentials: hyperswitchCredentialsAt(hyperswitch) },
  };
});
afterAll(() => Promise.all(Object.values(fakes).map((fake) => fake.close())));

type Vendor = keyof typeof fakes;

function read(vendor: Vendor, disputeId: string) {
  const { processor, credentials } = vendors[vendor];
  const request = { mode: 'test' as const, credentials: secretCredentials(credentials), disputeId };
  return processor.disputes?.read(request, NEVER);
}

const CHARGE = newId('Charge');
const BRAINTREE_TRANSACTION = {
  id: 'dHJhbnNhY3Rpb25fYWJj',
  orderId: `${CHARGE} ${newId('CheckoutSession')} phone USD order 7`,
  amount: { value: '20.00', currencyCode: 'USD' },
};

/** What the vendor has of a dispute, in its own format. */
const STORED: Record<Vendor, (status: string) => object> = {
  // docs.stripe.com/api/disputes/object
  stripe: (status) => ({
    id: 'du_1MtJUT2eZvKYlo2CNaw2HvEv',
    object: 'dispute',
    amount: 1_000,
    balance_transactions: [],
    charge: 'ch_1AZtxr2eZvKYlo2CJDX8whov',
    created: 1_680_651_737,
    currency: 'usd',
    evidence: {},
    evidence_details: { due_by: 1_682_294_399, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: true,
    livemode: false,
    metadata: {},
    payment_intent: 'pi_1AZtxr2eZvKYlo2C',
    reason: 'product_not_received',
    status,
  }),
  // github.com/square/connect-api-specification, Dispute
  square: (status) => ({
    id: 'XDgyFu7yo1E2S5lQGGpYn',
    dispute_id: 'XDgyFu7yo1E2S5lQGGpYn',
    amount_money: { amount: 2_500, currency: 'USD' },
    reason: 'NO_KNOWLEDGE',
    state: status,
    due_at: '2022-07-13T00:00:00.000Z',
    disputed_payment: { payment_id: 'zhyh1ch64kRBrrlfVhwjCEjZWzNZY' },
    evidence_ids: [],
    card_brand: 'VISA',
    created_at: '2022-06-29T18:45:22.265Z',
    updated_at: '2022-07-07T19:14:42.650Z',
    version: 2,
    location_id: 'L1HN3ZMQK64X9',
  }),
  // test/disputes of github.com/checkout/checkout-sdk-node
  checkoutcom: (status) => ({
    id: 'dsp_bc94ebda8d275i461229',
    category: 'fraudulent',
    amount: 1_040,
    currency: 'GBP',
    reason_code: '10.4',
    status,
    received_on: '2020-04-14T14:33:44Z',
    evidence_required_by: '2020-04-28T14:33:44Z',
    payment: { id: 'pay_vsynch7rpc2uvaiqsuzeoxpszu', amount: 1_040, currency: 'GBP', method: 'Visa' },
    last_update: '2020-04-24T18:01:20Z',
  }),
  // github.com/braintree/graphql-api, schema.graphql, Dispute
  braintree: (status) => ({
    type: 'CHARGEBACK',
    status,
    responseDeadline: '2026-12-16T05:59:59.000000Z',
    replyByDate: '2026-12-15',
    amountDisputed: { value: '12.34', currencyCode: 'USD' },
    processorResponse: { reason: 'PRODUCT_NOT_RECEIVED', reasonCode: '13.1' },
    transaction: BRAINTREE_TRANSACTION,
  }),
  // github.com/juspay/hyperswitch, crates/api_models/src/disputes.rs, DisputeResponse
  hyperswitch: (status) => ({
    dispute_id: 'dp_6ylJHQxpGWq8rLnvSvPo',
    payment_id: `pay_${CHARGE.slice(3)}`,
    attempt_id: `pay_${CHARGE.slice(3)}_1`,
    amount: '1234',
    currency: 'EUR',
    dispute_stage: 'dispute',
    dispute_status: status,
    connector: 'checkout',
    connector_status: 'evidence_required',
    connector_dispute_id: 'dsp_bc94ebda8d275i461229',
    connector_reason: 'fraudulent',
    connector_reason_code: '10.4',
    challenge_required_by: '2026-12-16T05:59:59.000Z',
    connector_created_at: null,
    connector_updated_at: null,
    created_at: '2026-05-01T05:59:59.000Z',
    profile_id: 'pro_1',
    merchant_connector_id: 'mca_1',
    is_already_refunded: false,
  }),
};

const FOUND = {
  stripe: {
    paymentId: 'pi_1AZtxr2eZvKYlo2C',
    reason: 'not_received',
    processorReason: 'product_not_received',
    amountCents: 1_000,
    currency: 'USD',
    evidenceDueAt: new Date(1_682_294_399_000),
    version: null,
  },
  square: {
    paymentId: 'zhyh1ch64kRBrrlfVhwjCEjZWzNZY',
    reason: 'fraudulent',
    processorReason: 'NO_KNOWLEDGE',
    amountCents: 2_500,
    currency: 'USD',
    evidenceDueAt: new Date('2022-07-13T00:00:00Z'),
    version: 2,
  },
  checkoutcom: {
    paymentId: 'pay_vsynch7rpc2uvaiqsuzeoxpszu',
    reason: 'fraudulent',
    processorReason: '10.4',
    amountCents: 1_040,
    currency: 'GBP',
    evidenceDueAt: new Date('2020-04-28T14:33:44Z'),
    version: Date.parse('2020-04-24T18:01:20Z'),
  },
  braintree: {
    paymentId: BRAINTREE_TRANSACTION.id,
    chargeId: CHARGE,
    reason: 'not_received',
    processorReason: '13.1',
    amountCents: 1_234,
    currency: 'USD',
    evidenceDueAt: new Date('2026-12-16T05:59:59Z'),
    version: null,
  },
  hyperswitch: {
    paymentId: `pay_${CHARGE.slice(3)}`,
    chargeId: CHARGE,
    reason: 'general',
    processorReason: '10.4',
    amountCents: 1_234,
    currency: 'EUR',
    evidenceDueAt: new Date('2026-12-16T05:59:59Z'),
    version: null,
  },
};

test.each<[Vendor, string, string, string]>([
  ['stripe', 'warning_needs_response', 'inquiry', 'needs_response'],
  ['stripe', 'warning_closed', 'inquiry', 'closed'],
  ['stripe', 'needs_response', 'chargeback', 'needs_response'],
  ['stripe', 'under_review', 'chargeback', 'under_review'],
  ['stripe', 'won', 'chargeback', 'won'],
  ['stripe', 'lost', 'chargeback', 'lost'],
  ['square', 'INQUIRY_EVIDENCE_REQUIRED', 'inquiry', 'needs_response'],
  ['square', 'EVIDENCE_REQUIRED', 'chargeback', 'needs_response'],
  ['square', 'PROCESSING', 'chargeback', 'under_review'],
  ['square', 'ACCEPTED', 'chargeback', 'lost'],
  ['checkoutcom', 'evidence_required', 'chargeback', 'needs_response'],
  ['checkoutcom', 'evidence_under_review', 'chargeback', 'under_review'],
  ['checkoutcom', 'arbitration_won', 'chargeback', 'won'],
  ['checkoutcom', 'expired', 'chargeback', 'lost'],
  ['checkoutcom', 'canceled', 'chargeback', 'closed'],
  ['braintree', 'OPEN', 'chargeback', 'needs_response'],
  ['braintree', 'DISPUTED', 'chargeback', 'under_review'],
  ['braintree', 'UNDER_REVIEW', 'chargeback', 'under_review'],
  ['braintree', 'WON', 'chargeback', 'won'],
  ['braintree', 'LOST', 'chargeback', 'lost'],
  ['braintree', 'ACCEPTED', 'chargeback', 'lost'],
  ['braintree', 'AUTO_ACCEPTED', 'chargeback', 'lost'],
  ['braintree', 'EXPIRED', 'chargeback', 'lost'],
  ['hyperswitch', 'dispute_opened', 'chargeback', 'needs_response'],
  ['hyperswitch', 'dispute_challenged', 'chargeback', 'under_review'],
  ['hyperswitch', 'dispute_won', 'chargeback', 'won'],
  ['hyperswitch', 'dispute_lost', 'chargeback', 'lost'],
  ['hyperswitch', 'dispute_expired', 'chargeback', 'lost'],
  ['hyperswitch', 'dispute_cancelled', 'chargeback', 'closed'],
])('reads a dispute at %s that is %s as %s, %s', async (vendor, word, kind, status) => {
  fakes[vendor].disputes.set('d_known', STORED[vendor](word));
  expect(await read(vendor, 'd_known')).toEqual({ status: 'found', dispute: { ...FOUND[vendor], kind, status } });
});

describe.each<[Vendor, (number: number) => object, string]>([
  ['stripe', (n) => ({ id: `du_${n}`, created: 1_785_000_000 }), 'lost:1682294399'],
  ['square', (n) => ({ id: `d_${n}`, updated_at: '2026-11-20T10:00:00Z' }), 'lost:2'],
  ['checkoutcom', (n) => ({ id: `dsp_${n}`, last_update: '2026-11-20T10:00:00Z' }), 'lost:2026-11-20T10:00:00Z'],
  ['braintree', (n) => ({ legacyId: `d${n}` }), 'LOST:2026-12-16T05:59:59.000000Z'],
  ['hyperswitch', (n) => ({ dispute_id: `dp_${n}`, created_at: '2026-06-20T10:00:00Z' }), 'dispute:dispute_lost:'],
])('the list of disputes at %s', (vendor, changesOf, state) => {
  const word = vendor === 'braintree' ? 'LOST' : vendor === 'hyperswitch' ? 'dispute_lost' : 'lost';
  const list = async () => {
    const { processor, credentials } = vendors[vendor];
    const since = new Date('2026-11-16T10:00:00Z');
    const request = { mode: 'test' as const, credentials: secretCredentials(credentials), since };
    const items = [];
    for await (const item of processor.disputes?.list?.(request, NEVER) ?? []) items.push(item);
    return items;
  };
  /** More than a page. */
  const COUNT = 120;

  it('has all pages, and a state that changes with each dispute', async () => {
    fakes[vendor].disputes.clear();
    const numbers = Array.from({ length: COUNT }, (_, number) => number);
    for (const number of numbers) {
      fakes[vendor].disputes.set(`d${number}`, Object.assign(STORED[vendor](word), changesOf(number)));
    }
    const listed = await list();
    const ids = numbers.map((number) => Object.values(changesOf(number))[0]);
    expect(listed.map(({ id }) => id)).toEqual(ids);
    expect(new Set(listed.map((item) => item.state))).toEqual(new Set([state]));
    expect(fakes[vendor].violations).toEqual([]);
  });

  it('leaves out old ones', async () => {
    fakes[vendor].disputes.clear();
    if (vendor === 'braintree') return expect(await list()).toEqual([]);
    fakes[vendor].disputes.set('d_old', STORED[vendor](word));
    expect(await list()).toEqual([]);
  });

  if (vendor === 'hyperswitch') {
    it('leaves out disputes of other systems at the same account', async () => {
      const foreign = { payment_id: 'pay_mbabizu24mvu3mela5nj', created_at: '2026-11-20T10:00:00Z' };
      fakes[vendor].disputes.clear();
      fakes[vendor].disputes.set('d_foreign', Object.assign(STORED[vendor](word), foreign));
      expect(await list()).toEqual([]);
    });
  }

  it.each(['reset', 'html_500', 'garbage', 'not_ours'] as const)(
    'that cannot be read after %s is no empty list',
    async (fault) => {
      fakes[vendor].failNext(fault);
      await expect(list()).rejects.toThrow(RecordsUnreadable);
    },
  );
});

describe.each<Vendor>(['stripe', 'square', 'checkoutcom', 'braintree', 'hyperswitch'])('a dispute at %s', (vendor) => {
  it('that does not exist is not found', async () => {
    expect(await read(vendor, 'd_none')).toEqual({ status: 'not_found' });
  });

  it.each(['reset', 'html_500', 'garbage'] as const)('is unknown after the fault %s', async (fault) => {
    fakes[vendor].disputes.set('d_fault', STORED[vendor]('won'));
    fakes[vendor].failNext(fault);
    expect(await read(vendor, 'd_fault')).toMatchObject({ status: 'unknown' });
  });

  it('in a state that we do not know is unknown, so that it is read again', async () => {
    fakes[vendor].disputes.set('d_new', STORED[vendor]('a_new_state'));
    expect(await read(vendor, 'd_new')).toMatchObject({ status: 'unknown' });
  });
});

test('does not find a dispute at Stripe that is about no PaymentIntent, which no payment of ours is', async () => {
  fakes.stripe.disputes.set('d_other', { ...STORED.stripe('lost'), payment_intent: null });
  expect(await read('stripe', 'd_other')).toEqual({ status: 'not_found' });
});

test.each([
  ['OPEN', 'needs_response'],
  ['EXPIRED', 'closed'],
  ['ACCEPTED', 'closed'],
  ['WON', 'won'],
])('reads a retrieval at Braintree that is %s as an inquiry, %s, also without an amount', async (word, status) => {
  const stored = Object.assign(STORED.braintree(word), { type: 'RETRIEVAL', amountDisputed: null });
  fakes.braintree.disputes.set('d_retrieval', stored);
  const dispute = { kind: 'inquiry', status, amountCents: 0, currency: 'USD' };
  expect(await read('braintree', 'd_retrieval')).toMatchObject({ status: 'found', dispute });
});

test('does not find a dispute at Braintree about a transaction of another system', async () => {
  const transaction = { ...BRAINTREE_TRANSACTION, orderId: 'order 7' };
  fakes.braintree.disputes.set('d_other', Object.assign(STORED.braintree('OPEN'), { transaction }));
  expect(await read('braintree', 'd_other')).toEqual({ status: 'not_found' });
});

test.each([
  ['dispute_opened', 'needs_response'],
  ['dispute_expired', 'closed'],
])('reads a dispute at Hyperswitch before its first stage that is %s as an inquiry, %s', async (word, status) => {
  const stored = Object.assign(STORED.hyperswitch(word), { dispute_stage: 'pre_dispute' });
  fakes.hyperswitch.disputes.set('d_early', stored);
  expect(await read('hyperswitch', 'd_early')).toMatchObject({ dispute: { kind: 'inquiry', status } });
});

test('does not find a dispute at Hyperswitch about a payment of another system', async () => {
  const stored = Object.assign(STORED.hyperswitch('dispute_opened'), { payment_id: 'pay_mbabizu24mvu3mela5nj' });
  fakes.hyperswitch.disputes.set('d_foreign', stored);
  expect(await read('hyperswitch', 'd_foreign')).toEqual({ status: 'not_found' });
});
