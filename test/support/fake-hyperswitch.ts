/**
 * A fake Hyperswitch server: payments and refunds (github.com/juspay/hyperswitch, api-reference/v1/openapi_spec_v1.json, and
 * cypress-tests for the errors). IDs are the merchant's: a second request with the same one is HE_01. A request that
 * Hyperswitch would not accept is refused and recorded in `violations`.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { TELEPHONE_CONNECTORS } from '../../src/payments/hyperswitch/credentials.ts';
import {
  type FakeVendor,
  type Fault,
  startFakeVendorServer,
  type VendorReply,
  type VendorRequest,
} from './fake-vendor-server.ts';

export const API_KEY = 'snd_StandInStandInStandInStandIn0000';
const PROFILE = 'pro_standin';

export const CARDS = {
  good: '4242424242424242',
  noMoney: '4000000000009995',
  unanswered: '4000000000006702',
  lost: '4000000000006801',
  broken: '4000000000006900',
} as const;

interface FakePayment {
  payment_id: string;
  status: string;
  amount: number;
  amount_received: number | null;
  currency: string;
  capture_method: 'automatic' | 'manual';
  error_code: string | null;
  payment_method_data: { card: { last4: string; card_network: string } };
}

interface Refund {
  refund_id: string;
  payment_id: string;
  amount: number;
  currency: string;
  status: string;
  error_code: null;
}

export interface FakeHyperswitch extends FakeVendor {
  payments: FakePayment[];
  isHeld(id: string): boolean;
  countRefunds(id: string): number;
  /** In the Control Center: Hyperswitch makes the ID. @returns it */
  refundInControlCenter(id: string, cents: number): string;
  /** As `GET /disputes/{id}` has them (crates/api_models/src/disputes.rs), by ID. */
  disputes: Map<string, object>;
}

class Refusal extends Error {
  readonly reply: VendorReply;
  constructor(status: number, code: string) {
    super(code);
    this.reply = { status, body: { error: { type: 'invalid_request', message: 'Not possible.', code } } };
  }
}

export async function startFakeHyperswitch(): Promise<FakeHyperswitch> {
  const books = new Books();
  const server = await startFakeVendorServer((request) => books.answer(request));
  return Object.assign(books.face, server);
}

const amount = z.int().positive();
/** "Required string length: 30". */
const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[a-z0-9]{26}$`));
const BILLING = z.strictObject({ address: z.strictObject({ zip: z.string() }) }).optional();
const NEW_PAYMENT = z.strictObject({
  payment_id: id('pay'),
  amount,
  currency: z.string().regex(/^[A-Z]{3}$/),
  confirm: z.literal(true),
  capture_method: z.enum(['automatic', 'manual']),
  authentication_type: z.literal('no_three_ds'),
  payment_channel: z.literal('telephone_order'),
  connector: z.tuple([z.enum(TELEPHONE_CONNECTORS)]),
  profile_id: z.literal(PROFILE).optional(),
  payment_method: z.literal('card'),
  payment_method_data: z.strictObject({
    card: z.strictObject({
      card_number: z.string().regex(/^\d{13,19}$/),
      card_exp_month: z.string().regex(/^(0[1-9]|1[0-2])$/),
      card_exp_year: z.string().regex(/^\d\d$/),
      card_cvc: z.string().regex(/^\d{3,4}$/),
    }),
    billing: BILLING,
  }),
  billing: BILLING,
  merchant_order_reference_id: z.string().max(255).optional(),
  metadata: z.record(z.string(), z.string()),
});
const CAPTURE = z.strictObject({ amount_to_capture: amount });
const CANCEL = z.strictObject({});
/** `DisputeListGetConstraints` refuses unknown fields. */
const LIST = z.strictObject({
  limit: z.string().regex(/^\d+$/),
  offset: z.string().regex(/^\d+$/),
  start_time: z.iso.datetime(),
  profile_id: z.literal(PROFILE).optional(),
});
/** Longer pages are cut to what the server allows. */
const LONGEST_PAGE = 40;
const REFUND = z.strictObject({ refund_id: id('ref'), payment_id: z.string(), amount });

class Books {
  readonly #payments: FakePayment[] = [];
  readonly #refunds: Refund[] = [];
  readonly face;

  constructor() {
    this.face = {
      payments: this.#payments,
      violations: [] as string[],
      isHeld: (of: string) => this.#find(of).status === 'requires_capture',
      countPayments: (chargeId: string) =>
        this.#payments.filter(({ payment_id: of }) => of === `pay_${chargeId.slice('ch_'.length)}`).length,
      countRefunds: (of: string) => this.#refunds.filter(({ payment_id: paid }) => paid === of).length,
      refundInControlCenter: (payment_id: string, cents: number) => {
        const refund_id = `ref_${'x'.repeat(19)}${this.#refunds.length}`;
        return this.#refund({ refund_id, payment_id, amount: cents }).refund_id;
      },
      disputes: new Map<string, object>(),
    };
  }

  answer(request: VendorRequest): VendorReply {
    try {
      if (request.headers['api-key'] !== API_KEY) throw new Refusal(401, 'IR_01');
      return request.method === 'POST' ? this.#write(request.path, JSON.parse(request.body)) : this.#read(request);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      if (!(error instanceof z.ZodError) && !(error instanceof SyntaxError)) throw error;
      this.face.violations.push(`${request.path}: ${error.message}`);
      return new Refusal(400, 'IR_06').reply;
    }
  }

  #write(path: string, params: unknown): VendorReply {
    if (path === '/payments') return this.#pay(NEW_PAYMENT.parse(params));
    if (path === '/refunds') return { status: 200, body: this.#refund(REFUND.parse(params)) };
    const [, of = '', what] = /^\/payments\/([^/]+)\/(capture|cancel)$/.exec(path) ?? [];
    const payment = this.#find(of);
    if (payment.status !== 'requires_capture') throw new Refusal(400, 'IR_14');
    if (what === 'capture') return this.#capture(payment, CAPTURE.parse(params).amount_to_capture);
    CANCEL.parse(params);
    payment.status = 'cancelled';
    return { status: 200, body: payment };
  }

  #read({ path, query }: VendorRequest): VendorReply {
    const refundId = /^\/refunds\/([^/]+)$/.exec(path)?.[1];
    if (refundId !== undefined) {
      const refund = this.#refunds.find(({ refund_id: of }) => of === refundId);
      if (refund === undefined) throw new Refusal(404, 'HE_02');
      return { status: 200, body: refund };
    }
    if (path === '/disputes/list') return this.#listDisputes(LIST.parse(Object.fromEntries(query)));
    if (path.startsWith('/disputes/')) {
      const dispute = this.face.disputes.get(path.slice('/disputes/'.length));
      if (dispute === undefined) throw new Refusal(404, 'HE_02');
      return { status: 200, body: dispute };
    }
    if (query.get('force_sync') !== 'true') this.face.violations.push('force_sync');
    const payment = this.#find(/^\/payments\/([^/]+)$/.exec(path)?.[1] ?? '');
    const refunds = this.#refunds.filter(({ payment_id: of }) => of === payment.payment_id);
    return { status: 200, body: { ...payment, refunds: refunds.length === 0 ? null : refunds } };
  }

  #listDisputes({ limit, offset, start_time: from }: z.output<typeof LIST>): VendorReply {
    const created = (dispute: object) => Date.parse('created_at' in dispute ? String(dispute.created_at) : '');
    const since = [...this.face.disputes.values()].filter((dispute) => created(dispute) >= Date.parse(from));
    const page = Math.min(Number(limit), LONGEST_PAGE);
    return { status: 200, body: since.slice(Number(offset), Number(offset) + page) };
  }

  #pay(details: z.output<typeof NEW_PAYMENT>): VendorReply {
    const { payment_id, currency, capture_method } = details;
    const { card_number: number } = details.payment_method_data.card;
    if (number === CARDS.lost) return { status: 0, body: {}, fault: 'hang' };
    if (this.#payments.some((one) => one.payment_id === payment_id)) throw new Refusal(400, 'HE_01');
    const isDeclined = number === CARDS.noMoney;
    const isHold = capture_method === 'manual';
    const payment: FakePayment = {
      payment_id,
      status: isDeclined ? 'failed' : isHold ? 'requires_capture' : 'succeeded',
      amount: details.amount,
      amount_received: isDeclined || isHold ? null : details.amount,
      currency,
      capture_method,
      error_code: isDeclined ? '20051' : null,
      payment_method_data: { card: { last4: number.slice(-4), card_network: 'Visa' } },
    };
    this.#payments.push(payment);
    const fault = FAULTS[number];
    return { status: 200, body: payment, ...(fault !== undefined && { fault }) };
  }

  #capture(payment: FakePayment, cents: number): VendorReply {
    if (cents > payment.amount) throw new Refusal(400, 'IR_05');
    payment.amount_received = cents;
    payment.status = cents < payment.amount ? 'partially_captured' : 'succeeded';
    return { status: 200, body: payment };
  }

  #refund(details: z.output<typeof REFUND>): Refund {
    const { refund_id, payment_id, amount: cents } = details;
    const payment = this.#find(payment_id);
    if (!['succeeded', 'partially_captured'].includes(payment.status)) throw new Refusal(400, 'IR_14');
    if (this.#refunds.some((one) => one.refund_id === refund_id)) throw new Refusal(400, 'HE_01');
    const made = this.#refunds.filter((one) => one.payment_id === payment_id);
    const refunded = made.reduce((sum, one) => sum + one.amount, 0);
    if (refunded + cents > (payment.amount_received ?? 0)) throw new Refusal(400, 'IR_13');
    const { currency } = payment;
    const refund: Refund = { refund_id, payment_id, amount: cents, currency, status: 'succeeded', error_code: null };
    this.#refunds.push(refund);
    return refund;
  }

  #find(of: string): FakePayment {
    const found = this.#payments.find(({ payment_id }) => payment_id === of);
    if (found === undefined) throw new Refusal(404, 'HE_02');
    return found;
  }
}

const FAULTS: Readonly<Record<string, Fault>> = { [CARDS.unanswered]: 'hang', [CARDS.broken]: 'html_500' };

/** An outgoing webhook (crates/api_models/src/webhooks.rs, `OutgoingWebhook`), signed with the profile's hash key. */
export function hyperswitchEvent(eventId: string, event: { type: string; of: string; object: object }, secret: string) {
  const content = { type: event.of, object: event.object };
  const body = JSON.stringify({
    merchant_id: 'merchant_1',
    event_id: eventId,
    event_type: event.type,
    content,
    timestamp: '2026-11-26T10:00:00.407Z',
  });
  return { body, headers: { 'x-webhook-signature-512': createHmac('sha512', secret).update(body).digest('hex') } };
}
