/**
 * A fake Access Worldpay: payments (docs.worldpay.com/access/products/payments/openapi), their queries with events and links
 * (/payment-queries/openapi), settlements, cancellations and partial refunds by these links (/card-payments/openapi), and tokens
 * (/tokens/openapi). A reference that was used before is rejected. A request that Worldpay would not accept is refused and
 * recorded in `violations`.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  type FakeVendor,
  type Fault,
  startFakeVendorServer,
  type VendorReply,
  type VendorRequest,
} from './fake-vendor-server.ts';

export const LOGIN = { username: 'worldpay-user', password: 'worldpay-password-1' };
export const ENTITY = 'default';

export const CARDS = {
  good: '4444333322221111',
  noMoney: '4000000000009995',
  unanswered: '4000000000006702',
  lost: '4000000000006801',
  broken: '4000000000006900',
} as const;

const REFUSALS: Readonly<Record<string, string>> = {
  [CARDS.noMoney]: '51',
  '4000000000000002': '5',
  '4000000000000069': '33',
  '4000000000009987': '41',
};

interface Event {
  eventName: string;
  commandId: string;
  value?: { currency: string; amount: number };
  refundReference?: string;
  code?: string;
}

interface Payment {
  paymentId: string;
  transactionReference: string;
  value: { currency: string; amount: number };
  lastFour: string;
  events: Event[];
}

export interface FakeWorldpay extends FakeVendor {
  payments: Payment[];
  /** @returns the handle of a token */
  savedCard(number: string): string;
  /** A session of the Access Checkout SDK, which can be used once. */
  session(number: string): string;
  isHeld(id: string): boolean;
  countRefunds(id: string): number;
  /** In the dashboard. @returns the refund's reference */
  refundInDashboard(id: string, cents: number): string;
  /** The refund that was submitted has failed. */
  failRefund(id: string, reference: string): void;
  /** Payments are listed only after {@link show}. */
  hide(): void;
  show(): void;
}

/** A 4xx. */
class Refusal extends Error {
  readonly reply: VendorReply;
  constructor(status: number, errorName: string, jsonPath?: string) {
    super(errorName);
    const schemaError = { errorName: 'bodyDoesNotMatchSchema', message: 'The body does not match.' };
    const details = { validationErrors: [{ errorName, message: 'Invalid.', jsonPath }] };
    const body = jsonPath === undefined ? { errorName, message: 'Rejected.' } : { ...schemaError, ...details };
    this.reply = { status, body };
  }
}

export async function startFakeWorldpay(): Promise<FakeWorldpay> {
  const books = new Books();
  const server = await startFakeVendorServer((request) => books.answer(request));
  books.url = server.url;
  return Object.assign(books.face, server);
}

const VALUE = z.strictObject({ currency: z.string().regex(/^[A-Z]{3}$/), amount: z.int().positive() });
const AGREEMENT = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('cardOnFile'), storedCardUsage: z.enum(['first', 'subsequent']) }),
  z.strictObject({ type: z.literal('unscheduled') }),
]);
const off = z.literal('disabled');
const INSTRUMENT = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('plain'),
    cardNumber: z.string().regex(/^\d{13,19}$/),
    cardHolderName: z.string().min(1).optional(),
    expiryDate: z.strictObject({ month: z.int().min(1).max(12), year: z.int().min(2020).max(2099) }),
    cvc: z.string().regex(/^\d{3,4}$/),
  }),
  z.strictObject({ type: z.literal('token'), href: z.url() }),
  z.strictObject({ type: z.literal('checkout'), sessionHref: z.url(), cardHolderName: z.string().min(1).optional() }),
]);
const NEW_PAYMENT = z
  .strictObject({
    transactionReference: z.string().min(1).max(64),
    merchant: z.strictObject({ entity: z.literal(ENTITY) }),
    channel: z.literal('moto').optional(),
    instruction: z.strictObject({
      method: z.literal('card'),
      paymentInstrument: INSTRUMENT,
      tokenCreation: z.strictObject({ type: z.literal('worldpay') }).optional(),
      customerAgreement: AGREEMENT.optional(),
      narrative: z.strictObject({ line1: z.string().min(1).max(24) }),
      value: VALUE,
      settlement: z.strictObject({
        auto: z.boolean(),
        cancelOn: z.strictObject({ cvcNotMatched: off, avsNotMatched: off }).optional(),
      }),
    }),
  })
  .refine(({ instruction: { tokenCreation, paymentInstrument } }) => {
    const isNamed = paymentInstrument.type !== 'token' && paymentInstrument.cardHolderName !== undefined;
    return tokenCreation === undefined || isNamed;
  }, 'cardHolderName is required with tokenCreation')
  .refine(({ channel, instruction: { customerAgreement } }) => {
    return customerAgreement?.type !== 'unscheduled' || channel === undefined;
  }, 'MOTO is not for merchant-initiated transactions');
const REFUND = z.strictObject({ reference: z.string().regex(/^[A-Za-z0-9-]{1,128}$/), value: VALUE });

const ACTIONS = 'application/vnd.worldpay.payments-v7+json';

/** Worldpay's sessions contain their encrypted content. */
const LONG = 'eyJrIjoxLCJkIjoi'.repeat(40);

class Books {
  readonly #payments: Payment[] = [];
  readonly #tokens = new Map<string, string>();
  readonly #sessions = new Map<string, string>();
  #isHidden = false;
  #count = 0;
  url = '';
  readonly face;

  constructor() {
    this.face = {
      payments: this.#payments,
      violations: [] as string[],
      savedCard: (number: string) => this.#keep(number),
      session: (number: string) => {
        const href = `https://try.access.worldpay.com/sessions/${this.#id('ses')}${LONG}`;
        this.#sessions.set(href, number);
        return href;
      },
      isHeld: (id: string) => !this.#find(id).events.some(({ eventName }) => ENDED.test(eventName)),
      countPayments: (chargeId: string) =>
        this.#payments.filter(({ transactionReference }) => transactionReference === chargeId).length,
      countRefunds: (id: string) =>
        this.#find(id).events.filter(({ eventName }) => eventName === 'refundRequested').length,
      refundInDashboard: (id: string, cents: number) => {
        const payment = this.#find(id);
        const refundReference = this.#id('ticket-');
        this.#request(payment, 'refund', { refundReference, value: { ...payment.value, amount: cents } });
        return refundReference;
      },
      failRefund: (id: string, reference: string) => {
        const payment = this.#find(id);
        const request = payment.events.find(({ refundReference }) => refundReference === reference);
        this.#add(payment, { eventName: 'refundFailed' }, request?.commandId);
      },
      hide: () => {
        this.#isHidden = true;
      },
      show: () => {
        this.#isHidden = false;
      },
    };
  }

  answer(request: VendorRequest): VendorReply {
    try {
      const login = Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64');
      if (request.headers.authorization !== `Basic ${login}`) throw new Refusal(401, 'accessDenied');
      return this.#route(request);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      if (!(error instanceof z.ZodError) && !(error instanceof SyntaxError)) throw error;
      this.face.violations.push(`${request.path}: ${error.message}`);
      return new Refusal(400, 'bodyDoesNotMatchSchema').reply;
    }
  }

  #route({ method, path, query, headers, body }: VendorRequest): VendorReply {
    const accept = (type: string) => headers.accept === type || this.face.violations.push(`accept of ${path}`);
    if (method === 'POST' && path === '/api/payments') {
      if (headers['wp-api-version'] !== '2024-06-01') this.face.violations.push('version');
      return this.#pay(NEW_PAYMENT.parse(JSON.parse(body)));
    }
    if (path.startsWith('/paymentQueries/payments')) {
      accept('application/vnd.worldpay.payment-queries-v1.hal+json');
      const id = path.split('/')[3];
      return id === undefined ? this.#list(query.get('transactionReference') ?? '') : this.#details(id);
    }
    if (method === 'DELETE' && path.startsWith('/tokens/')) {
      accept('application/vnd.worldpay.tokens-v3.hal+json');
      if (!this.#tokens.delete(path.slice('/tokens/'.length))) throw new Refusal(404, 'resourceNotFound');
      return { status: 204, body: undefined };
    }
    accept(ACTIONS);
    if (headers['content-type'] !== ACTIONS) this.face.violations.push('content type');
    const payment = this.#find(
      path
        .split('/')
        .at(-1)
        ?.replace(/^link-/, '') ?? '',
    );
    if (path.startsWith('/payments/settlements/full/')) return this.#settle(payment);
    if (path.startsWith('/payments/authorizations/cancellations/')) return this.#cancel(payment);
    if (path.startsWith('/payments/settlements/refunds/partials/')) {
      return this.#refund(payment, REFUND.parse(JSON.parse(body)));
    }
    throw new Refusal(404, 'endpointNotFound');
  }

  #pay({ transactionReference, instruction }: z.output<typeof NEW_PAYMENT>): VendorReply {
    const number = this.#numberOf(instruction.paymentInstrument);
    if (number === CARDS.lost) return { status: 0, body: {}, fault: 'hang' };
    if (this.face.countPayments(transactionReference) > 0) throw new Refusal(400, 'transactionReferenceIsADuplicate');
    const paymentId = this.#id('pay');
    const lastFour = number.slice(-4);
    const payment: Payment = { paymentId, transactionReference, value: instruction.value, lastFour, events: [] };
    this.#payments.push(payment);
    const commandId = this.#add(payment, { eventName: 'authorizationRequested' });
    const base = { paymentId, commandId, transactionReference };
    const refusalCode = REFUSALS[number];
    if (refusalCode !== undefined) {
      this.#add(payment, { eventName: 'authorizationRefused', code: refusalCode }, commandId);
      const body = { ...base, outcome: 'refused', refusalCode, refusalDescription: `Of ${number}` };
      return { status: 201, body };
    }
    this.#add(payment, { eventName: 'authorizationSucceeded' }, commandId);
    if (instruction.settlement.auto) this.#request(payment, 'settlement', { value: instruction.value });
    const token = instruction.tokenCreation === undefined ? undefined : this.#tokenOf(number);
    const fault = FAULTS[number];
    return {
      status: instruction.settlement.auto ? 202 : 201,
      body: {
        ...base,
        outcome: instruction.settlement.auto ? 'sentForSettlement' : 'authorized',
        paymentInstrument: { type: 'card/plain+masked', cardBin: number.slice(0, 6), lastFour, cardBrand: 'visa' },
        ...(token !== undefined && { token }),
      },
      ...(fault !== undefined && { fault }),
    };
  }

  #numberOf(instrument: z.output<typeof INSTRUMENT>): string {
    if (instrument.type === 'plain') return instrument.cardNumber;
    if (instrument.type === 'checkout') return this.#numberOfSession(instrument.sessionHref);
    const { origin, pathname } = new URL(instrument.href);
    if (origin !== this.url) this.face.violations.push('foreign token');
    const number = this.#tokens.get(pathname.slice('/tokens/'.length));
    if (number === undefined) throw new Refusal(400, 'fieldHasInvalidValue', '$.instruction.paymentInstrument.href');
    return number;
  }

  #numberOfSession(href: string): string {
    const number = this.#sessions.get(href);
    if (number === undefined)
      throw new Refusal(400, 'fieldHasInvalidValue', '$.instruction.paymentInstrument.sessionHref');
    this.#sessions.delete(href);
    return number;
  }

  #tokenOf(number: string): object {
    const href = `${this.url}/tokens/${this.#keep(number)}`;
    const cardNumber = `${number.slice(0, 4)}********${number.slice(-4)}`;
    return { href, tokenId: '9902480679618049603', cardNumber, cardExpiry: { month: 4, year: 2031 } };
  }

  #keep(number: string): string {
    const handle = `${this.#id('tok')}==`;
    this.#tokens.set(handle, number);
    return handle;
  }

  #list(reference: string): VendorReply {
    const found = this.#isHidden ? [] : this.#payments.filter((one) => one.transactionReference === reference);
    const self = (href: string) => ({ self: { href } });
    const payments = found.map(({ paymentId, transactionReference }) => ({
      paymentId,
      transactionReference,
      _links: self(`/paymentQueries/payments/${paymentId}`),
    }));
    const body = {
      _links: self(`/paymentQueries/payments?transactionReference=${reference}`),
      _embedded: { payments },
    };
    return { status: 200, body };
  }

  #details(id: string): VendorReply {
    if (this.#isHidden) throw new Refusal(404, 'paymentNotFound');
    const { lastFour, events, ...payment } = this.#find(id);
    const card = { number: { last4Digits: lastFour, cardBin: '444433' }, brand: 'visa' };
    const href = (path: string) => ({ href: `${this.url}/payments/${path}/link-${id}` });
    const isEnded = events.some(({ eventName }) => ENDED.test(eventName));
    const isSettled = events.some(({ eventName }) => eventName === 'settlementRequested');
    const isApproved = events.some(({ eventName }) => eventName === 'authorizationSucceeded');
    return {
      status: 200,
      body: {
        ...payment,
        entity: ENTITY,
        lastEvent: events.at(-1)?.eventName,
        paymentInstrument: { type: 'card/plain+masked', card },
        events,
        _links: {
          self: { href: `/paymentQueries/payments/${id}` },
          ...(isApproved &&
            !isEnded && {
              'cardPayments:settle': href('settlements/full'),
              'cardPayments:cancel': href('authorizations/cancellations'),
            }),
          ...(isSettled && { 'cardPayments:partialRefund': href('settlements/refunds/partials') }),
        },
      },
    };
  }

  #settle(payment: Payment): VendorReply {
    if (!this.face.isHeld(payment.paymentId)) throw new Refusal(400, 'transactionStageHasAlreadyBeenProcessed');
    return this.#request(payment, 'settlement', { value: payment.value });
  }

  #cancel(payment: Payment): VendorReply {
    if (!this.face.isHeld(payment.paymentId)) throw new Refusal(400, 'transactionStageHasAlreadyBeenProcessed');
    return this.#request(payment, 'cancellation', {});
  }

  #refund(payment: Payment, { reference, value }: z.output<typeof REFUND>): VendorReply {
    return this.#request(payment, 'refund', { refundReference: reference, value });
  }

  /** It is submitted at once. */
  #request(payment: Payment, kind: string, details: Partial<Event>): VendorReply {
    const commandId = this.#add(payment, { eventName: `${kind}Requested`, ...details });
    this.#add(payment, { eventName: `${kind}RequestSubmitted` }, commandId);
    return { status: 202, body: { _links: { 'cardPayments:events': { href: `${this.url}/payments/events/link` } } } };
  }

  #add(payment: Payment, event: Omit<Event, 'commandId'>, commandId = this.#id('cmd')): string {
    payment.events.push({ ...event, commandId });
    return commandId;
  }

  #find(id: string): Payment {
    const found = this.#payments.find(({ paymentId }) => paymentId === id);
    if (found === undefined) throw new Refusal(404, 'paymentNotFound');
    return found;
  }

  /** 25 characters, as Worldpay's IDs have. */
  #id(kind: string): string {
    this.#count += 1;
    const letters = [...String(this.#count)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    return `${kind}${letters.padStart(22, 'Z')}`;
  }
}

const ENDED = /^(?:settlement|cancellation)Requested$/;

const FAULTS: Readonly<Record<string, Fault>> = { [CARDS.unanswered]: 'hang', [CARDS.broken]: 'html_500' };

/** An event, and its `Event-Signature` (docs.worldpay.com/access/products/events/signature), with a newer secret's first. */
export function worldpayEvent(eventId: string, eventDetails: object, secret: string) {
  const common = { classification: 'payment', date: '2026-11-26', amount: { value: 100, currencyCode: 'EUR' } };
  const details = { ...common, ...eventDetails, _links: { payment: { href: '' } } };
  const body = JSON.stringify({ eventId, eventTimestamp: '2026-11-26T10:00:00.407', eventDetails: details });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { body, headers: { 'event-signature': `2/SHA256/${'0'.repeat(64)},1/SHA256/${signature}` } };
}
