/**
 * A fake Adyen Checkout API 71 (github.com/Adyen/adyen-openapi, CheckoutService-v71) with its notifications (Webhooks-v1),
 * which it signs and sends as soon as something was processed, before the response. Responses are repeated for their
 * Idempotency-Key. A card of {@link CARDS.asks} is only authorized after its payer was at the bank's challenge, on a page of the
 * fake, whose result is sent to /payments/details. Reports are downloaded with a key of their own
 * (docs.adyen.com/reporting/automatically-get-reports). A request that Adyen would not accept is refused and recorded in `violations`.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  AMOUNT,
  API_KEY,
  CANCEL,
  CHANGE,
  DETAILS,
  HMAC_KEY,
  MERCHANT_ACCOUNT,
  type METHOD,
  NEW_PAYMENT,
  REPORT_API_KEY,
} from './fake-adyen-requests.ts';
import {
  type FakeVendor,
  type Fault,
  startFakeVendorServer,
  type VendorReply,
  type VendorRequest,
} from './fake-vendor-server.ts';

export const CARDS = {
  good: '4111111111111111',
  noMoney: '4000000000009995',
  unanswered: '4000000000006702',
  lost: '4000000000006801',
  broken: '4000000000006900',
  asks: '4917610000000000',
} as const;

const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  [CARDS.noMoney]: ['12', 'Not enough balance'],
  '4000000000000002': ['2', 'Refused'],
  '4000000000000069': ['6', 'Expired Card'],
  '4000000000000127': ['24', 'CVC Declined'],
};

interface Payment {
  pspReference: string;
  reference: string;
  value: number;
  currency: string;
  isHold: boolean;
  captured: number;
  refunded: number;
  refunds: number;
  isCancelled: boolean;
}

export interface FakeAdyen extends FakeVendor {
  /** @returns the handle of a stored card */
  savedCard(number: string): string;
  /** The card's fields as Adyen Web encrypts them, as our module joins them. */
  encrypt(number: string): string;
  isHeld(id: string): boolean;
  countRefunds(id: string): number;
  /** The challenge of a charge: the payer's end at the bank. @returns what the payer's browser returns with */
  authenticate(chargeId: string, end: 'confirmed' | 'refused'): string;
  /** Where the payer of a charge returns to. */
  returnUrl(chargeId: string): string;
  /** Reports of the merchant account, by file name. */
  reports: Map<string, string>;
  /** Sends a signed notification. */
  notify(item: Record<string, unknown>): void;
}

class Refusal extends Error {
  readonly reply: VendorReply;
  constructor(status: number, errorCode: string) {
    super(errorCode);
    this.reply = { status, body: { status, errorCode, message: 'Rejected.', errorType: 'validation' } };
  }
}

/** @param send receives the body of each notification */
export async function startFakeAdyen(send: (body: string) => void): Promise<FakeAdyen> {
  const books = new Books(send);
  const server = await startFakeVendorServer((request) => books.answer(request));
  books.url = server.url;
  return Object.assign(books.face, server);
}

/** As long as Adyen's. */
const ENCRYPTED = 'eyJhbGciOiJSU0Et'.repeat(60);

class Books {
  readonly #payments: Payment[] = [];
  readonly #stored = new Map<string, { shopperReference: string; number: string }>();
  readonly #encrypted = new Map<string, string>();
  readonly #answered = new Map<string, VendorReply>();
  readonly #send: (body: string) => void;
  /** Payments whose payer is asked, by our reference. */
  readonly #asked = new Map<string, z.output<typeof NEW_PAYMENT>>();
  readonly #results = new Map<string, { reference: string; isConfirmed: boolean }>();
  url = '';
  #count = 0;
  readonly face;

  constructor(send: (body: string) => void) {
    this.#send = send;
    this.face = {
      violations: [] as string[],
      reports: new Map<string, string>(),
      encrypt: (number: string) => {
        const encrypted = `${ENCRYPTED}.${this.#id()}`;
        this.#encrypted.set(encrypted, number);
        return [encrypted, `${ENCRYPTED}.m`, `${ENCRYPTED}.y`, `${ENCRYPTED}.c`].join('~');
      },
      savedCard: (number: string) => `shopper/${this.#store('shopper', number)}`,
      isHeld: (id: string) => this.#find(id).captured === 0 && !this.#find(id).isCancelled,
      countPayments: (chargeId: string) => this.#payments.filter((one) => one.reference.startsWith(chargeId)).length,
      countRefunds: (id: string) => this.#find(id).refunds,
      authenticate: (chargeId: string, end: 'confirmed' | 'refused') => {
        const result = `X6XtfGC3!Y${this.#id()}`;
        this.#results.set(result, { reference: this.#askedOf(chargeId).reference, isConfirmed: end === 'confirmed' });
        return result;
      },
      returnUrl: (chargeId: string) => this.#askedOf(chargeId).returnUrl,
      notify: (item: Record<string, unknown>) => this.#notify(item),
    };
  }

  answer(request: VendorRequest): VendorReply {
    try {
      if (request.path.startsWith('/reports/')) return this.#report(request);
      if (request.headers['x-api-key'] !== API_KEY) throw new Refusal(401, '000');
      return request.method === 'POST' ? this.#once(request) : this.#wallet(request);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      if (!(error instanceof z.ZodError) && !(error instanceof SyntaxError)) throw error;
      this.face.violations.push(`${request.path}: ${error.message}`);
      return new Refusal(422, '702').reply;
    }
  }

  #report({ path, headers }: VendorRequest): VendorReply {
    if (headers['x-api-key'] !== REPORT_API_KEY) throw new Refusal(401, '000');
    const [, account, name = ''] = /^\/reports\/download\/MerchantAccount\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const text = account === MERCHANT_ACCOUNT ? this.face.reports.get(name) : undefined;
    if (text === undefined) throw new Refusal(404, '000');
    return { status: 200, body: undefined, text, headers: { 'content-type': 'text/csv' } };
  }

  #once({ path, body, headers }: VendorRequest): VendorReply {
    const params: unknown = JSON.parse(body);
    if (path === '/paymentMethods') {
      if (z.object({ merchantAccount: z.string() }).parse(params).merchantAccount !== MERCHANT_ACCOUNT)
        throw new Refusal(403, '901');
      return { status: 200, body: { paymentMethods: [] } };
    }
    const key = headers['idempotency-key'];
    if (typeof key !== 'string' || key.length > 64) this.face.violations.push('idempotency key');
    const place = `${path} ${String(key)}`;
    const earlier = this.#answered.get(place);
    if (earlier !== undefined) return earlier;
    const reply = this.#process(path, params);
    const { fault: _, ...kept } = reply;
    if (reply.status > 0) this.#answered.set(place, kept);
    return reply;
  }

  #process(path: string, params: unknown): VendorReply {
    if (path === '/payments/details') return this.#complete(DETAILS.parse(params).details.redirectResult);
    return path === '/payments' ? this.#begin(NEW_PAYMENT.parse(params)) : this.#change(path, params);
  }

  /** Asks the payer, if the card's bank does and the payer can be redirected. */
  #begin(details: z.output<typeof NEW_PAYMENT>): VendorReply {
    const { paymentMethod, reference, browserInfo, authenticationData } = details;
    if (!('encryptedCardNumber' in paymentMethod) || this.#numberIn(paymentMethod) !== CARDS.asks)
      return this.#pay(details);
    if (authenticationData?.attemptAuthentication === 'never') return this.#pay(details, '11');
    if (browserInfo === undefined || !details.returnUrl.startsWith(String(details.origin)))
      this.face.violations.push('no browser to ask');
    this.#asked.set(reference, details);
    const url = `${this.url}/checkoutshopper/threeDS/redirect?MD=${this.#id()}`;
    const action = { type: 'redirect', method: 'GET', url, paymentMethodType: 'scheme' };
    return { status: 200, body: { resultCode: 'RedirectShopper', action } };
  }

  /** A result is used once, whoever sends it. */
  #complete(redirectResult: string): VendorReply {
    const { reference = '', isConfirmed } = this.#results.get(redirectResult) ?? {};
    const details = this.#asked.get(reference);
    if (details === undefined) throw new Refusal(422, '14_006');
    this.#asked.delete(reference);
    return this.#pay(details, isConfirmed === true ? undefined : '11');
  }

  #askedOf(chargeId: string): z.output<typeof NEW_PAYMENT> {
    const found = [...this.#asked.values()].find(({ reference }) => reference.startsWith(chargeId));
    if (found === undefined) throw new Error('no payer is asked for this charge');
    return found;
  }

  #numberIn(method: z.output<typeof METHOD>): string {
    if ('number' in method) return method.number;
    if ('storedPaymentMethodId' in method) return this.#numberOf(method.storedPaymentMethodId);
    const number = this.#encrypted.get(method.encryptedCardNumber);
    if (number === undefined) throw new Refusal(422, '14_004');
    return number;
  }

  /** @param refusal a code, if it is refused whatever the card */
  #pay(details: z.output<typeof NEW_PAYMENT>, refusal?: string): VendorReply {
    const { paymentMethod, amount, reference } = details;
    const number = this.#numberIn(paymentMethod);
    if (number === CARDS.lost) return { status: 0, body: {}, fault: 'hang' };
    const pspReference = this.#id();
    const isHold = details.additionalData !== undefined;
    const payment = {
      pspReference,
      reference,
      ...amount,
      isHold,
      captured: 0,
      refunded: 0,
      refunds: 0,
      isCancelled: false,
    };
    this.#payments.push(payment);
    const about = { eventCode: 'AUTHORISATION', merchantReference: reference, pspReference, amount };
    const [refusalReasonCode, refusalReason] =
      refusal === undefined ? (REFUSALS[number] ?? []) : [refusal, '3D Not Authenticated'];
    if (refusalReason !== undefined) {
      this.#notify({ ...about, success: 'false', reason: refusalReason });
      const body = {
        resultCode: 'Refused',
        pspReference,
        merchantReference: reference,
        refusalReason,
        refusalReasonCode,
      };
      return { status: 200, body };
    }
    if (!isHold) payment.captured = amount.value;
    if (details.storePaymentMethod === true) this.#store(details.shopperReference ?? '', number);
    this.#notify({ ...about, success: 'true', reason: `038158:${number.slice(-4)}:4/2031` });
    const fault = FAULTS[number];
    const body = { resultCode: 'Authorised', pspReference, merchantReference: reference, amount };
    return { status: 200, body, ...(fault !== undefined && { fault }) };
  }

  #change(path: string, params: unknown): VendorReply {
    const [, id = '', what] = /^\/payments\/([^/]+)\/(captures|cancels|refunds)$/.exec(path) ?? [];
    const payment = this.#payments.find(({ pspReference }) => pspReference === id);
    const { merchantAccount, reference } = what === 'cancels' ? CANCEL.parse(params) : CHANGE.parse(params);
    if (payment === undefined) throw new Refusal(422, '167');
    const amount =
      what === 'cancels' ? { currency: payment.currency, value: payment.value } : CHANGE.parse(params).amount;
    const pspReference = this.#id();
    const about = { merchantReference: reference, originalReference: id, pspReference, amount };
    const isOpen = payment.isHold && this.face.isHeld(id);
    if (what === 'captures') {
      if (isOpen) payment.captured = amount.value;
      this.#notify({ ...about, eventCode: 'CAPTURE', success: String(isOpen) });
    } else if (what === 'cancels') {
      if (isOpen) payment.isCancelled = true;
      this.#notify({ ...about, eventCode: 'CANCELLATION', success: String(isOpen) });
    } else {
      const isDone = payment.captured - payment.refunded >= amount.value;
      if (isDone) [payment.refunded, payment.refunds] = [payment.refunded + amount.value, payment.refunds + 1];
      this.#notify({ ...about, eventCode: 'REFUND', success: String(isDone) });
    }
    const body = { merchantAccount, paymentPspReference: id, reference, pspReference, status: 'received' };
    return { status: 201, body: { ...body, ...(what !== 'cancels' && { amount }) } };
  }

  #wallet({ method, path, query }: VendorRequest): VendorReply {
    if (query.get('merchantAccount') !== MERCHANT_ACCOUNT) this.face.violations.push(`account of ${path}`);
    const shopperReference = query.get('shopperReference') ?? '';
    if (method === 'DELETE') {
      const id = path.split('/')[2] ?? '';
      if (this.#stored.get(id)?.shopperReference !== shopperReference) throw new Refusal(422, '803');
      this.#stored.delete(id);
      return { status: 204, body: undefined };
    }
    const ours = [...this.#stored].filter(([, card]) => card.shopperReference === shopperReference);
    const storedPaymentMethods = ours.map(([id, { number }]) => ({
      id,
      type: 'scheme',
      brand: 'visa',
      lastFour: number.slice(-4),
      expiryMonth: '04',
      expiryYear: '31',
    }));
    return { status: 200, body: { merchantAccount: MERCHANT_ACCOUNT, shopperReference, storedPaymentMethods } };
  }

  #numberOf(id: string): string {
    const card = this.#stored.get(id);
    if (card === undefined) throw new Refusal(422, '803');
    return card.number;
  }

  #store(shopperReference: string, number: string): string {
    const id = this.#id();
    this.#stored.set(id, { shopperReference, number });
    return id;
  }

  #find(id: string): Payment {
    const found = this.#payments.find(({ pspReference }) => pspReference === id);
    if (found === undefined) throw new Refusal(422, '167');
    return found;
  }

  #notify(given: Record<string, unknown>): void {
    const item = {
      merchantAccountCode: MERCHANT_ACCOUNT,
      eventDate: '2026-01-01T01:00:00+01:00',
      reason: '',
      ...given,
    };
    this.#send(signedNotification(item));
  }

  /** 16 characters, as Adyen's references have. */
  #id(): string {
    this.#count += 1;
    const letters = [...String(this.#count)].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join('');
    return letters.padStart(16, 'Z');
  }
}

/** The body of a notification. */
export function signedNotification(item: Record<string, unknown>, key = HMAC_KEY): string {
  const signed = { ...item, additionalData: { hmacSignature: signatureOf(item, key) } };
  return JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: signed }] });
}

function signatureOf(item: Record<string, unknown>, key: string): string {
  const amount = AMOUNT.parse(item.amount);
  const [psp, original, code, ours] = [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
  ];
  const parts = [psp, original ?? '', code, ours, amount.value, amount.currency, item.eventCode, item.success];
  return createHmac('sha256', Buffer.from(key, 'hex')).update(parts.join(':')).digest('base64');
}

const FAULTS: Readonly<Record<string, Fault>> = { [CARDS.unanswered]: 'hang', [CARDS.broken]: 'html_500' };
