/**
 * A fake Checkout.com API: payments, their actions, instruments (api-reference.checkout.com; example responses in
 * github.com/checkout/checkout-sdk-node). An approved payment is captured after its response. Responses with 2xx are
 * repeated for their idempotency key, others are not (checkout.com/docs/payments/manage-payments/idempotency). A request that
 * Checkout.com would not accept is refused and recorded in `violations`.
 */
import { z } from 'zod';
import {
  type FakeVendor,
  type Fault,
  startFakeVendorServer,
  type VendorReply,
  type VendorRequest,
} from './fake-vendor-server.ts';

export const SECRET_KEY = 'sk_sbox_o2nulev2arguvyf6w7sc5fkznas';
export const CHANNEL = 'pc_aaaaaaaaaaaaaaaaaaaaaaaaaa';

export const CARDS = {
  good: '4242424242424242',
  noMoney: '4000000000009995',
  unanswered: '4000000000006702',
  lost: '4000000000006801',
  broken: '4000000000006900',
} as const;

const DECLINES: Readonly<Record<string, string>> = {
  [CARDS.noMoney]: '20051',
  '4000000000000002': '20005',
  '4000000000000069': '20054',
  '4000000000009987': '30041',
};

interface Action {
  id: string;
  type: string;
  amount: number;
  approved: boolean;
  response_code: string;
  reference?: string;
}

interface Payment {
  id: string;
  reference: string;
  amount: number;
  currency: string;
  status: string;
  expires_on: string;
  source: object;
  metadata: Record<string, string>;
  captured: number;
  refunded: number;
  actions: Action[];
}

export interface FakeCheckoutCom extends FakeVendor {
  payments: Payment[];
  /** As `GET /disputes/{id}` has them (test/disputes of github.com/checkout/checkout-sdk-node), by ID. */
  disputes: Map<string, object>;
  token(number?: string): string;
  savedCard(number: string): string;
  isHeld(id: string): boolean;
  expireHold(id: string): void;
  countRefunds(id: string): number;
}

/** A 4xx. */
class Refusal extends Error {
  readonly reply: VendorReply;
  constructor(status: number, codes?: readonly string[]) {
    super(String(status));
    const body = codes === undefined ? {} : { request_id: 'r', error_type: 'request_invalid', error_codes: codes };
    this.reply = { status, body };
  }
}

export async function startFakeCheckoutCom(): Promise<FakeCheckoutCom> {
  const books = new Books();
  const server = await startFakeVendorServer((request) => books.answer(request));
  return Object.assign(books.face, server);
}

const amount = z.int().positive();
const stored = z.boolean();
const SOURCE = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('card'),
    number: z.string().regex(/^\d{13,19}$/),
    expiry_month: z.int().min(1).max(12),
    expiry_year: z.int().min(2020).max(2099),
    cvv: z.string().regex(/^\d{3,4}$/),
    store_for_future_use: stored,
    billing_address: z.strictObject({ zip: z.string() }).optional(),
  }),
  z.strictObject({ type: z.literal('token'), token: z.string(), store_for_future_use: stored }),
  z.strictObject({ type: z.literal('id'), id: z.string() }),
]);
const NEW_PAYMENT = z.strictObject({
  source: SOURCE,
  // 0 verifies the card (checkout.com/docs/risk-management/card-verification).
  amount: z.int().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/),
  payment_type: z.enum(['Regular', 'MOTO']),
  reference: z.string().max(50),
  capture: z.boolean().optional(),
  processing_channel_id: z.literal(CHANNEL),
  metadata: z.record(z.string(), z.string()),
});
const REFUND = z.strictObject({ amount, reference: z.string().max(80) });
const CAPTURE = z.strictObject({ amount, capture_type: z.literal('Final'), reference: z.string().max(80) });
const VOID = z.strictObject({ reference: z.string().max(80) });
const NEW_INSTRUMENT = z.strictObject({ type: z.literal('token'), token: z.string() });

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** "limit": 1 to 250 (api-reference.checkout.com, "Get disputes"). */
const LIST_DISPUTES = z.strictObject({
  from: z.iso.datetime(),
  limit: z.coerce.number().int().min(1).max(250),
  skip: z.coerce.number().int().min(0),
});

class Books {
  readonly #payments: Payment[] = [];
  readonly #tokens = new Map<string, string>();
  readonly #instruments = new Map<string, string>();
  readonly #answered = new Map<string, VendorReply>();
  #count = 0;
  readonly face;

  constructor() {
    this.face = {
      payments: this.#payments,
      disputes: new Map<string, object>(),
      violations: [] as string[],
      token: (number: string = CARDS.good) => {
        const token = this.#id('tok');
        this.#tokens.set(token, number);
        return token;
      },
      savedCard: (number: string) => this.#keep(number),
      isHeld: (id: string) => this.#find(id).status === 'Authorized',
      expireHold: (id: string) => {
        this.#find(id).status = 'Expired';
      },
      countPayments: (chargeId: string) => this.#payments.filter(({ reference }) => reference === chargeId).length,
      countRefunds: (id: string) => this.#find(id).actions.filter(({ type }) => type === 'Refund').length,
    };
  }

  answer(request: VendorRequest): VendorReply {
    try {
      if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) throw new Refusal(401);
      return request.method === 'POST' ? this.#once(request) : this.#read(request);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      if (!(error instanceof z.ZodError) && !(error instanceof SyntaxError)) throw error;
      this.face.violations.push(`${request.path}: ${error.message}`);
      return new Refusal(422, ['request_invalid']).reply;
    }
  }

  #once(request: VendorRequest): VendorReply {
    const key = request.headers['cko-idempotency-key'];
    if (request.headers['content-type'] !== 'application/json') this.face.violations.push('content-type');
    if (key === undefined && request.path !== '/instruments') this.face.violations.push('idempotency key');
    const place = key === undefined ? null : `${request.path} ${String(key)}`;
    const earlier = place === null ? undefined : this.#answered.get(place);
    if (earlier !== undefined) return earlier;
    const reply = this.#write(request.path, JSON.parse(request.body));
    const { fault: _, ...kept } = reply;
    if (place !== null && reply.status < 300 && reply.status > 0) this.#answered.set(place, kept);
    return reply;
  }

  #write(path: string, params: unknown): VendorReply {
    if (path === '/payments') return this.#pay(NEW_PAYMENT.parse(params));
    if (path === '/instruments') {
      const number = this.#useToken(NEW_INSTRUMENT.parse(params).token);
      return { status: 201, body: { ...facts(number), id: this.#keep(number), fingerprint: `F${number.slice(-4)}` } };
    }
    const [, id = '', what] = /^\/payments\/([^/]+)\/(captures|voids|refunds)$/.exec(path) ?? [];
    const payment = this.#find(id);
    if (what === 'captures') return this.#capture(payment, CAPTURE.parse(params));
    if (what === 'voids') return this.#void(payment, VOID.parse(params));
    return this.#refund(payment, REFUND.parse(params));
  }

  #read({ method, path, query }: VendorRequest): VendorReply {
    const instrument = /^\/instruments\/([^/]+)$/.exec(path)?.[1];
    if (method === 'DELETE' && instrument !== undefined) {
      if (!this.#instruments.delete(instrument)) throw new Refusal(404);
      return { status: 204, body: undefined };
    }
    if (path === '/payments') {
      const found = this.#payments.filter(({ reference }) => reference === query.get('reference')).reverse();
      const data = found.slice(0, Number(query.get('limit'))).map(objectOf);
      return { status: 200, body: { total_count: found.length, skip: 0, limit: 10, data } };
    }
    if (path === '/disputes') return this.#listDisputes(LIST_DISPUTES.parse(Object.fromEntries(query)));
    if (path.startsWith('/disputes/')) {
      const body = this.face.disputes.get(path.slice('/disputes/'.length));
      if (body === undefined) throw new Refusal(404);
      return { status: 200, body };
    }
    const [, id = '', actions] = /^\/payments\/([^/]+)(\/actions)?$/.exec(path) ?? [];
    const payment = this.#find(id);
    return { status: 200, body: actions === undefined ? objectOf(payment) : payment.actions.toReversed() };
  }

  #listDisputes({ from, limit, skip }: z.output<typeof LIST_DISPUTES>): VendorReply {
    const all = [...this.face.disputes.values()] as { last_update: string }[];
    const recent = all.filter(({ last_update: at }) => Date.parse(at) >= Date.parse(from));
    const data = recent.slice(skip, skip + limit);
    return { status: 200, body: { limit, skip, from, to: null, total_count: recent.length, data } };
  }

  #pay(details: z.output<typeof NEW_PAYMENT>): VendorReply {
    const number = this.#numberOf(details.source);
    if ((details.capture === undefined) !== (details.amount === 0)) this.face.violations.push('capture');
    if (number === CARDS.lost) return { status: 0, body: {}, fault: 'hang' };
    const code = DECLINES[number] ?? '10000';
    const approved = code === '10000';
    const isStored = details.source.type === 'id' || details.source.store_for_future_use;
    const instrument = details.source.type === 'id' ? details.source.id : isStored ? this.#keep(number) : undefined;
    const payment: Payment = {
      id: this.#id('pay'),
      reference: details.reference,
      amount: details.amount,
      currency: details.currency,
      status: !approved ? 'Declined' : details.amount === 0 ? 'Card Verified' : 'Authorized',
      expires_on: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      source: {
        type: 'card',
        ...facts(number),
        ...(instrument !== undefined && { id: instrument, fingerprint: `F${number.slice(-4)}` }),
      },
      metadata: details.metadata,
      captured: 0,
      refunded: 0,
      actions: [],
    };
    this.#payments.push(payment);
    this.#act(payment, { type: 'Authorization', amount: details.amount, approved, response_code: code });
    const body = { ...objectOf(payment), approved, response_code: code, response_summary: `Of ${number}` };
    if (approved && details.capture) this.#settle(payment, details.amount);
    const fault = FAULTS[number];
    return { status: 201, body, ...(fault !== undefined && { fault }) };
  }

  #numberOf(source: z.output<typeof SOURCE>): string {
    if (source.type === 'card') return source.number;
    if (source.type === 'token') return this.#useToken(source.token);
    const number = this.#instruments.get(source.id);
    if (number === undefined) throw new Refusal(422, ['payment_source_invalid']);
    return number;
  }

  #useToken(token: string): string {
    const number = this.#tokens.get(token);
    if (number === undefined) throw new Refusal(422, ['token_invalid']);
    this.#tokens.delete(token);
    return number;
  }

  #settle(payment: Payment, cents: number, reference?: string): string {
    payment.captured = cents;
    payment.status = cents < payment.amount ? 'Partially Captured' : 'Captured';
    return this.#act(payment, { type: 'Capture', amount: cents, approved: true, response_code: '10000' }, reference);
  }

  #capture(payment: Payment, details: z.output<typeof CAPTURE>): VendorReply {
    if (payment.status !== 'Authorized') throw new Refusal(403);
    if (details.amount > payment.amount) throw new Refusal(422, ['capture_value_greater_than_authorized']);
    return accepted(this.#settle(payment, details.amount, details.reference));
  }

  #void(payment: Payment, { reference }: z.output<typeof VOID>): VendorReply {
    if (payment.status !== 'Authorized') throw new Refusal(403);
    payment.status = 'Voided';
    const action = { type: 'Void', amount: payment.amount, approved: true, response_code: '10000' };
    return accepted(this.#act(payment, action, reference));
  }

  #refund(payment: Payment, details: z.output<typeof REFUND>): VendorReply {
    if (payment.captured === 0 || payment.refunded === payment.captured) throw new Refusal(403);
    if (payment.refunded + details.amount > payment.captured) throw new Refusal(422, ['amount_exceeds_balance']);
    payment.refunded += details.amount;
    payment.status = payment.refunded === payment.captured ? 'Refunded' : 'Partially Refunded';
    const action = { type: 'Refund', amount: details.amount, approved: true, response_code: '10000' };
    return accepted(this.#act(payment, action, details.reference));
  }

  #act(payment: Payment, action: Omit<Action, 'id' | 'reference'>, reference?: string): string {
    const id = this.#id('act');
    payment.actions.push({ id, ...action, ...(reference !== undefined && { reference }) });
    return id;
  }

  #find(id: string): Payment {
    const found = this.#payments.find((payment) => payment.id === id);
    if (found === undefined) throw new Refusal(404);
    return found;
  }

  #keep(number: string): string {
    const id = this.#id('src');
    this.#instruments.set(id, number);
    return id;
  }

  /** 26 letters, as Checkout.com's IDs have. */
  #id(kind: string): string {
    this.#count += 1;
    const letters = [...String(this.#count)].map((digit) => ALPHABET[Number(digit)]).join('');
    return `${kind}_${letters.padStart(26, 'z')}`;
  }
}

const FAULTS: Readonly<Record<string, Fault>> = { [CARDS.unanswered]: 'hang', [CARDS.broken]: 'html_500' };

const accepted = (action_id: string): VendorReply => ({ status: 202, body: { action_id } });

const facts = (number: string) => ({ scheme: 'Visa', last4: number.slice(-4), expiry_month: 11, expiry_year: 2049 });

function objectOf({ actions: _, captured, refunded, ...payment }: Payment) {
  return { ...payment, balances: { total_captured: captured, available_to_refund: captured - refunded } };
}
