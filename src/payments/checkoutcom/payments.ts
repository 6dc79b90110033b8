/** Checkout.com's payments, as its responses have them (api-reference.checkout.com, "Payments"). */
import { z } from 'zod';
import type { ChargeId } from '../../domain/ids.ts';
import { type CardFacts, declinedUnpaid, type ProcessorAnswer, type ProcessorCard, unknown } from '../port/answers.ts';
import { timeOrNull } from '../vendor-api/times.ts';
import type { CheckoutCom } from './client.ts';
import { declineOf } from './errors.ts';

const SOURCE = z.object({
  id: z.string().optional(),
  scheme: z.string().optional(),
  last4: z.string().optional(),
  fingerprint: z.string().optional(),
  expiry_month: z.number().optional(),
  expiry_year: z.number().optional(),
});
export type Source = z.infer<typeof SOURCE>;

export const PAYMENT = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.number(),
  currency: z.string(),
  reference: z.string().nullish(),
  response_code: z.string().nullish(),
  expires_on: z.string().nullish(),
  source: SOURCE.nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  balances: z.object({ total_captured: z.number(), available_to_refund: z.number() }).nullish(),
});
export type Payment = z.infer<typeof PAYMENT>;

/** In `metadata`: `automatic`, or `manual` for a hold. */
export const CAPTURE_KEY = 'ringkey_capture';
export const SESSION_KEY = 'ringkey_session';
export const ORDER_KEY = 'ringkey_order';

export const readPayment = (api: CheckoutCom, id: string) =>
  api.ask('GET', `/payments/${encodeURIComponent(id)}`, PAYMENT);

export const isOf = ({ reference }: Payment, chargeId: ChargeId) => (reference ?? chargeId) === chargeId;

const CAPTURED: readonly string[] = ['Captured', 'Partially Captured', 'Partially Refunded', 'Refunded', 'Paid'];
const NOT_TAKEN: readonly string[] = ['Voided', 'Canceled', 'Expired'];

export const isCaptured = ({ status }: Payment) => CAPTURED.includes(status);

export const captureBeforeOf = ({ expires_on: at }: Payment): Date | null => timeOrNull(at);

/**
 * The outcome of a charge. An approved payment with `capture: true` is captured by Checkout.com itself, a moment after the
 * response ("Authorized").
 * @param isHold from the request; null if only the payment's metadata can tell
 */
export function answerOf(payment: Payment, isHold: boolean | null): ProcessorAnswer {
  const { id, status, amount, currency } = payment;
  const card = factsOf(payment.source);
  const facts = { processorPaymentId: id, ...(card !== null && { card }) };
  const wasHeld = isHold ?? wasHold(payment);
  if (isCaptured(payment)) {
    // Of a hold, a part may have been captured.
    const captured = wasHeld === false ? amount : payment.balances?.total_captured;
    if (captured === undefined) return unknown('balances');
    return { status: 'succeeded', ...facts, taken: { amountCents: captured, currency } };
  }
  if (status === 'Authorized') {
    if (wasHeld === null) return unknown('capture_mode');
    const money = { amountCents: amount, currency };
    if (!wasHeld) return { status: 'succeeded', ...facts, taken: money };
    return { status: 'authorized', ...facts, held: money, captureBefore: captureBeforeOf(payment) };
  }
  if (status === 'Card Verified' && amount === 0) {
    const savedCard = savedCardOf(payment.source);
    const taken = { amountCents: amount, currency };
    return { status: 'succeeded', ...facts, taken, ...(savedCard !== null && { savedCard }) };
  }
  if (status === 'Declined') return declineOf(payment.response_code ?? null, id);
  if (NOT_TAKEN.includes(status)) return { ...declinedUnpaid(status, 'generic_decline'), processorPaymentId: id };
  // Also "Pending": it waits for 3-D Secure or another step, which telephone orders do not have.
  return unknown(status.toLowerCase().replaceAll(' ', '_'));
}

function wasHold({ metadata }: Payment): boolean | null {
  const mode = metadata?.[CAPTURE_KEY];
  return mode === 'manual' ? true : mode === 'automatic' ? false : null;
}

const BRANDS: Readonly<Record<string, string>> = {
  'AMERICAN EXPRESS': 'AMERICAN_EXPRESS',
  AMEX: 'AMERICAN_EXPRESS',
  'DINERS CLUB INTERNATIONAL': 'DINERS_CLUB',
};

function factsOf(source: Source | null | undefined): CardFacts | null {
  const { scheme, last4: lastFour } = source ?? {};
  if (scheme === undefined || lastFour === undefined) return null;
  const brand = scheme.toUpperCase();
  return { brand: BRANDS[brand] ?? brand, lastFour };
}

/** The instrument of a payment with `store_for_future_use`. */
export function savedCardOf(source: Source | null | undefined): ProcessorCard | null {
  const facts = factsOf(source);
  const { id: handle, fingerprint = null, expiry_month: expiryMonth, expiry_year: expiryYear } = source ?? {};
  if (handle === undefined || facts === null || expiryMonth === undefined || expiryYear === undefined) return null;
  return { handle, fingerprint, ...facts, expiryMonth, expiryYear };
}

const ACTION = z.object({
  id: z.string(),
  type: z.string(),
  approved: z.boolean().nullish(),
  response_code: z.string().nullish(),
  reference: z.string().nullish(),
  amount: z.number().nullish(),
});
export type Action = z.infer<typeof ACTION>;

/** What was done with a payment: "Authorization", "Capture", "Refund", "Void". The latest is first. */
export const readActions = (
  api: CheckoutCom,
  id: string,
  onAnswer?: (answer: Pick<Response, 'headers'>) => void,
): Promise<Action[]> => api.ask('GET', `/payments/${encodeURIComponent(id)}/actions`, z.array(ACTION), { onAnswer });
