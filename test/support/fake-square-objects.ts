/** Objects and answers of the fake Square (github.com/square/connect-api-specification). */
import { randomBytes } from 'node:crypto';
import { SELLER } from './fake-square-requests.ts';
import type { VendorReply } from './fake-vendor-server.ts';

export interface Payment {
  id: string;
  status: string;
  created_at: string;
  amount_money: { amount: number; currency: string };
  reference_id: string;
  location_id: string;
  note: string;
  entry_method: 'KEYED' | 'ON_FILE';
  last4: string;
  errors: object[];
  refunded: number;
  refund_ids: string[];
  updated_at: string;
  /** Of a payment with delayed capture. */
  delayed_until?: string;
  delay_action?: 'CANCEL';
}

export interface Card {
  id: string;
  customer_id: string;
  last4: string;
  enabled: boolean;
  reference_id?: string;
}

export interface Refund {
  id: string;
  status: string;
  payment_id: string;
  amount_money: { amount: number; currency: string };
  reason: string;
  created_at: string;
}

/** A 4xx. */
export class Refusal extends Error {
  readonly reply: VendorReply;
  constructor(status: number, category: string, code: string) {
    super(code);
    this.reply = { status, body: { errors: [{ category, code, detail: code }] } };
  }
}

export const notFound = () => new Refusal(404, 'INVALID_REQUEST_ERROR', 'NOT_FOUND');
export const id = () => randomBytes(12).toString('base64url');
export const now = () => new Date().toISOString();
/** The default of card-not-present payments, `PT168H`. */
export const inAWeek = () => new Date(Date.now() + 168 * 3_600_000).toISOString();

/** `card_details.status`, by the payment's. */
const CARD_STATUSES: Readonly<Record<string, string>> = {
  APPROVED: 'AUTHORIZED',
  COMPLETED: 'CAPTURED',
  CANCELED: 'VOIDED',
};

export function paymentObject({ last4, errors, entry_method, refunded: _, refund_ids, ...payment }: Payment) {
  return {
    ...payment,
    ...(refund_ids.length > 0 && { refund_ids }),
    total_money: payment.amount_money,
    source_type: 'CARD',
    card_details: {
      status: CARD_STATUSES[payment.status] ?? 'FAILED',
      entry_method,
      card: { card_brand: 'VISA', last_4: last4, exp_month: 11, exp_year: 2049 },
      ...(errors.length > 0 && { errors }),
    },
  };
}

export function cardObject({ last4, ...card }: Card) {
  const facts = { card_brand: 'VISA', last_4: last4, exp_month: 11, exp_year: 2049, fingerprint: `sq-1-${last4}` };
  return { ...card, ...facts, merchant_id: SELLER, version: 1 };
}

export function ok(body: object): VendorReply {
  return { status: 200, body };
}

/** "It is possible to receive fewer results than the specified limit". */
const SHORT_PAGE = 2;

export function pageOf(name: string, all: readonly object[], cursor = '0'): VendorReply {
  const start = Number(cursor);
  const next = start + SHORT_PAGE;
  return ok({ [name]: all.slice(start, next), ...(next < all.length && { cursor: String(next) }) });
}
