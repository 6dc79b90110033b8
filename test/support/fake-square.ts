/**
 * A fake Square API: JSON, bearer token, idempotency keys in bodies, errors by category. Shapes and limits follow the
 * published specification (github.com/square/connect-api-specification). A request that Square would not accept is
 * refused and recorded in `violations`.
 */
import { z } from 'zod';
import { CARDS, DECLINES } from './fake-square-cards.ts';
import {
  type Card,
  cardObject,
  id,
  inAWeek,
  notFound,
  now,
  ok,
  type Payment,
  pageOf,
  paymentObject,
  type Refund,
  Refusal,
} from './fake-square-objects.ts';
import {
  ACCESS_TOKEN,
  COMPLETE_PAYMENT,
  LIST,
  LIST_CARDS,
  LIST_DISPUTES,
  LIST_ENTRIES,
  LIST_PAYOUTS,
  LOCATION,
  NEW_CARD,
  NEW_CUSTOMER,
  NEW_DOMAIN,
  NEW_PAYMENT,
  NEW_REFUND,
  SELLER,
} from './fake-square-requests.ts';
import { type FakeVendor, startFakeVendorServer, type VendorReply, type VendorRequest } from './fake-vendor-server.ts';

const API_VERSION = '2026-09-16';

export interface FakeSquare extends FakeVendor {
  payments: Payment[];
  refunds: Refund[];
  /** As the Payouts API has them, by ID, and the entries of each. */
  payouts: Map<string, { payout: object; entries: readonly object[] }>;
  /** As the Disputes API has them, by ID. */
  disputes: Map<string, object>;
  /** Hosts registered for Apple Pay (RegisterDomain). */
  domains: Set<string>;
  location: { status: string; capabilities: string[]; merchant_id: string };
  /** A single-use card token, as from Square's web SDK. */
  token(last4?: string): string;
  /** Returns `customer/card` of a saved card. */
  savedCard(last4: string): string;
  /** Square cancels a payment that was not completed in time. */
  expireHold(payment: string): void;
  /** The seller refunds a payment in Square's dashboard. */
  /** @returns the refund's ID */
  refundInDashboard(payment: string, amount: number): string;
}

export async function startFakeSquare(): Promise<FakeSquare> {
  const books = new Books();
  const server = await startFakeVendorServer((request) => books.answer(request));
  return Object.assign(books.face, server);
}

const USED = 'used';
class Books {
  readonly #payments: Payment[] = [];
  readonly #refunds: Refund[] = [];
  readonly #cards = new Map<string, Card>();
  readonly #customers = new Set<string>();
  /** The card's last four digits, or {@link USED}. */
  readonly #tokens = new Map<string, string>();
  readonly #answered = new Map<string, { details: string; reply: VendorReply }>();
  readonly face;

  constructor() {
    this.face = {
      payments: this.#payments,
      refunds: this.#refunds,
      disputes: new Map<string, object>(),
      payouts: new Map<string, { payout: object; entries: readonly object[] }>(),
      violations: [] as string[],
      domains: new Set<string>(),
      location: { status: 'ACTIVE', capabilities: ['CREDIT_CARD_PROCESSING'], merchant_id: SELLER },
      token: (last4: string = CARDS.good) => {
        const token = `cnon:${id()}`;
        this.#tokens.set(token, last4);
        return token;
      },
      savedCard: (last4: string) => {
        const card = this.#keep(last4, this.#newCustomer());
        return `${card.customer_id}/${card.id}`;
      },
      expireHold: (paymentId: string) => {
        this.#finish(paymentId, 'CANCELED');
        const payment = this.#payments.find((candidate) => candidate.id === paymentId);
        if (payment !== undefined) payment.delayed_until = payment.updated_at;
      },
      refundInDashboard: (payment_id: string, amount: number) => {
        this.#refund({
          idempotency_key: id(),
          payment_id,
          amount_money: { amount, currency: 'USD' },
          reason: 'Returned goods',
        });
        return this.#refunds.at(-1)?.id ?? '';
      },
      countPayments: (chargeId: string) =>
        [...this.#payments, ...this.#cards.values()].filter(({ reference_id }) => reference_id === chargeId).length,
    };
  }

  answer(request: VendorRequest): VendorReply {
    try {
      this.#checkHeaders(request);
      return request.method === 'GET' ? this.#read(request) : this.#write(request);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      if (!(error instanceof z.ZodError) && !(error instanceof SyntaxError)) throw error;
      this.face.violations.push(error.message);
      return new Refusal(400, 'INVALID_REQUEST_ERROR', 'BAD_REQUEST').reply;
    }
  }

  #checkHeaders({ method, headers, path }: VendorRequest): void {
    if (headers.authorization !== `Bearer ${ACCESS_TOKEN}`) {
      throw new Refusal(401, 'AUTHENTICATION_ERROR', 'UNAUTHORIZED');
    }
    if (headers['square-version'] !== API_VERSION) this.face.violations.push('square-version');
    const needsJson = method === 'POST' && !/\/(?:disable|cancel)$/.test(path);
    if (needsJson && headers['content-type'] !== 'application/json') this.face.violations.push('content-type');
  }

  #write({ path, body }: VendorRequest): VendorReply {
    const disabled = /^\/v2\/cards\/(ccof:[\w-]+)\/disable$/.exec(decodeURIComponent(path))?.[1];
    if (disabled !== undefined) return this.#disable(disabled);
    const [, changed = '', change] = /^\/v2\/payments\/([\w-]+)\/(complete|cancel)$/.exec(path) ?? [];
    if (change !== undefined) {
      if (change === 'complete') COMPLETE_PAYMENT.parse(JSON.parse(body));
      return this.#finish(changed, change === 'complete' ? 'COMPLETED' : 'CANCELED');
    }
    const params: unknown = JSON.parse(body);
    switch (path) {
      case '/v2/payments':
        return this.#once(path, NEW_PAYMENT.parse(params), (details) => this.#pay(details));
      case '/v2/customers':
        return this.#once(path, NEW_CUSTOMER.parse(params), () => ok({ customer: { id: this.#newCustomer() } }));
      case '/v2/cards':
        return this.#once(path, NEW_CARD.parse(params), (details) => this.#save(details));
      case '/v2/refunds':
        return this.#once(path, NEW_REFUND.parse(params), (details) => this.#refund(details));
      case '/v2/apple-pay/domains':
        this.face.domains.add(NEW_DOMAIN.parse(params).domain_name);
        return ok({ status: 'VERIFIED' });
      default:
        throw notFound();
    }
  }

  /** Repeats the first successful answer to an idempotency key. Different details are an error. */
  #once<T extends { idempotency_key: string }>(
    path: string,
    details: T,
    work: (details: T) => VendorReply,
  ): VendorReply {
    const place = `${path} ${details.idempotency_key}`;
    const text = JSON.stringify(details);
    const earlier = this.#answered.get(place);
    if (earlier !== undefined) {
      if (earlier.details === text) return earlier.reply;
      throw new Refusal(400, 'INVALID_REQUEST_ERROR', 'IDEMPOTENCY_KEY_REUSED');
    }
    const reply = work(details);
    if (reply.status === 200) this.#answered.set(place, { details: text, reply });
    return reply;
  }

  #read({ path, query }: VendorRequest): VendorReply {
    if (path === `/v2/locations/${LOCATION}`) return ok({ location: { id: LOCATION, ...this.face.location } });
    const params = Object.fromEntries(query);
    if (path === '/v2/payments') return this.#list('payments', this.#payments, paymentObject, LIST.parse(params));
    if (path === '/v2/refunds') return this.#list('refunds', this.#refunds, (refund) => refund, LIST.parse(params));
    if (path === '/v2/cards') return this.#listCards(LIST_CARDS.parse(params).reference_id);
    const payment = this.#payments.find(({ id }) => path === `/v2/payments/${id}`);
    if (payment !== undefined) return ok({ payment: paymentObject(payment) });
    if (path === '/v2/disputes') {
      return pageOf('disputes', [...this.face.disputes.values()], LIST_DISPUTES.parse(params).cursor);
    }
    if (path === '/v2/payouts') {
      const { begin_time: since, cursor } = LIST_PAYOUTS.parse(params);
      const all = [...this.face.payouts.values()].map(({ payout }) => payout as { created_at: string });
      return pageOf(
        'payouts',
        all.filter(({ created_at: at }) => Date.parse(at) >= Date.parse(since)),
        cursor,
      );
    }
    const [, paidOut = '', contents] = /^\/v2\/payouts\/([\w-]+)(\/payout-entries)?$/.exec(path) ?? [];
    const payout = this.face.payouts.get(paidOut);
    if (payout !== undefined && contents === undefined) return ok({ payout: payout.payout });
    if (payout !== undefined) return this.#listEntries(payout.entries, LIST_ENTRIES.parse(params));
    const dispute = this.face.disputes.get(path.replace('/v2/disputes/', ''));
    if (dispute !== undefined) return ok({ dispute });
    const refund = this.#refunds.find(({ id }) => path === `/v2/refunds/${id}`);
    if (refund !== undefined) return ok({ refund });
    throw notFound();
  }

  #listEntries(entries: readonly object[], { cursor, limit }: z.output<typeof LIST_ENTRIES>): VendorReply {
    const start = Number(cursor ?? 0);
    const page = entries.slice(start, start + limit);
    const next = start + page.length;
    return ok({
      ...(page.length > 0 && { payout_entries: page }),
      ...(next < entries.length && { cursor: String(next) }),
    });
  }

  #list<T extends { created_at: string }>(
    name: string,
    items: readonly T[],
    objectOf: (item: T) => object,
    details: z.output<typeof LIST>,
  ): VendorReply {
    const start = Number(details.cursor ?? 0);
    const fitting = items.filter(
      ({ created_at }) => created_at >= details.begin_time && created_at <= details.end_time,
    );
    const page = fitting.slice(start, start + details.limit).map(objectOf);
    const next = start + page.length;
    // Square omits an empty list from the answer.
    return ok({ ...(page.length > 0 && { [name]: page }), ...(next < fitting.length && { cursor: String(next) }) });
  }

  #listCards(reference: string): VendorReply {
    const cards = [...this.#cards.values()].filter((card) => card.reference_id === reference && card.enabled);
    return ok(cards.length === 0 ? {} : { cards: cards.map(cardObject) });
  }

  #pay(details: z.output<typeof NEW_PAYMENT>): VendorReply {
    const last4 = this.#cardOf(details.source_id, details.customer_id);
    if (last4 === CARDS.lost) return { status: 0, body: {}, fault: 'hang' };
    const code = DECLINES[last4];
    const errors =
      code === undefined ? [] : [{ category: 'PAYMENT_METHOD_ERROR', code, detail: 'Authorization error' }];
    const payment: Payment = {
      id: id(),
      status: code !== undefined ? 'FAILED' : details.autocomplete ? 'COMPLETED' : 'APPROVED',
      created_at: now(),
      updated_at: now(),
      ...(!details.autocomplete && { delayed_until: inAWeek(), delay_action: 'CANCEL' as const }),
      last4,
      errors,
      amount_money: details.amount_money,
      reference_id: details.reference_id,
      location_id: LOCATION,
      refunded: 0,
      refund_ids: [],
      note: details.note,
      entry_method: this.#cards.has(details.source_id) ? 'ON_FILE' : 'KEYED',
    };
    this.#payments.push(payment);
    if (code !== undefined) return { status: 400, body: { errors, payment: paymentObject(payment) } };
    const fault = last4 === CARDS.unanswered ? 'hang' : last4 === CARDS.broken ? 'html_500' : undefined;
    return { ...ok({ payment: paymentObject(payment) }), ...(fault !== undefined && { fault }) };
  }

  /** CompletePayment and CancelPayment: only of an approved payment. */
  #finish(paymentId: string, status: 'COMPLETED' | 'CANCELED'): VendorReply {
    const payment = this.#payments.find((candidate) => candidate.id === paymentId);
    if (payment === undefined) throw notFound();
    if (payment.status !== 'APPROVED') throw new Refusal(400, 'INVALID_REQUEST_ERROR', 'BAD_REQUEST');
    payment.status = status;
    payment.updated_at = now();
    return ok({ payment: paymentObject(payment) });
  }

  #cardOf(source: string, customer: string | undefined): string {
    const card = this.#cards.get(source);
    if (card !== undefined) {
      if (!card.enabled || card.customer_id !== customer) throw notFound();
      return card.last4;
    }
    const last4 = this.#tokens.get(source);
    if (last4 === undefined) throw notFound();
    if (last4 === USED) throw new Refusal(400, 'INVALID_REQUEST_ERROR', 'CARD_TOKEN_USED');
    this.#tokens.set(source, USED);
    return last4;
  }

  #save(details: z.output<typeof NEW_CARD>): VendorReply {
    if (!this.#customers.has(details.card.customer_id)) throw notFound();
    const paid = this.#payments.find((payment) => payment.id === details.source_id && payment.status === 'COMPLETED');
    const last4 = paid?.last4 ?? this.#cardOf(details.source_id, undefined);
    if (DECLINES[last4] !== undefined) throw new Refusal(400, 'PAYMENT_METHOD_ERROR', DECLINES[last4]);
    const card = this.#keep(last4, details.card.customer_id);
    card.reference_id = details.card.reference_id;
    const fault = paid === undefined && last4 === CARDS.unanswered ? ({ fault: 'hang' } as const) : {};
    return { ...ok({ card: cardObject(card) }), ...fault };
  }

  #disable(cardId: string): VendorReply {
    const card = this.#cards.get(cardId);
    if (card === undefined) throw notFound();
    card.enabled = false;
    return ok({ card: cardObject(card) });
  }

  #refund(details: z.output<typeof NEW_REFUND>): VendorReply {
    const payment = this.#payments.find((candidate) => candidate.id === details.payment_id);
    if (payment === undefined) throw notFound();
    const { amount } = details.amount_money;
    if (payment.status !== 'COMPLETED') {
      throw new Refusal(400, 'REFUND_ERROR', 'REFUND_ERROR_PAYMENT_NEEDS_COMPLETION');
    }
    if (payment.refunded + amount > payment.amount_money.amount) {
      throw new Refusal(400, 'REFUND_ERROR', 'REFUND_AMOUNT_INVALID');
    }
    payment.refunded += amount;
    const { payment_id, amount_money, reason } = details;
    const refund = { id: id(), status: 'PENDING', payment_id, amount_money, reason, created_at: now() };
    this.#refunds.push(refund);
    payment.refund_ids.push(refund.id);
    return ok({ refund });
  }

  #keep(last4: string, customer: string): Card {
    const card = { id: `ccof:${id()}`, customer_id: customer, last4, enabled: true };
    this.#cards.set(card.id, card);
    return card;
  }

  #newCustomer(): string {
    const customer = id();
    this.#customers.add(customer);
    return customer;
  }
}
