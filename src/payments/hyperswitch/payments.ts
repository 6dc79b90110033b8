/** Hyperswitch's payments, as its responses have them (api-reference.hyperswitch.io/v1/payments/payments--retrieve). */
import { z } from 'zod';
import { type ChargeId, parseId, type RefundId } from '../../domain/ids.ts';
import { type CardFacts, declinedUnpaid, type ProcessorAnswer, unknown } from '../port/answers.ts';
import type { Hyperswitch } from './client.ts';

export const PAYMENT = z.object({
  payment_id: z.string(),
  status: z.string(),
  amount: z.number(),
  amount_received: z.number().nullish(),
  currency: z.string(),
  capture_method: z.string().nullish(),
  error_code: z.string().nullish(),
  payment_method_data: z
    .object({ card: z.object({ last4: z.string().nullish(), card_network: z.string().nullish() }).nullish() })
    .nullish(),
});
export type Payment = z.infer<typeof PAYMENT>;

/** Their length is 30: a prefix, and the random part of our ID. */
export const paymentIdOf = (id: ChargeId) => `pay_${randomPartOf(id)}`;
export const hyperswitchRefundId = (id: RefundId) => `ref_${randomPartOf(id)}`;

/** The reverse. Null for an ID of another system: those that Hyperswitch makes have 20 characters after the prefix. */
export const chargeIdOf = (paymentId: string) => parseId('Charge', paymentId.replace(/^pay_(?=.{26}$)/, 'ch_'));
export const refundIdOf = (id: string) => parseId('Refund', id.replace(/^ref_(?=.{26}$)/, 're_'));

const randomPartOf = (id: string) => id.slice(id.indexOf('_') + 1);

/** `force_sync`: Hyperswitch asks the connector if it does not know the outcome. */
export const readPayment = (
  api: Hyperswitch,
  id: string,
  onAnswer?: (answer: Pick<Response, 'headers'>) => void,
): Promise<Payment> => api.ask('GET', `/payments/${encodeURIComponent(id)}?force_sync=true`, PAYMENT, { onAnswer });

/** `partially_captured` is final: the rest of a hold is released. */
const CAPTURED: readonly string[] = ['succeeded', 'partially_captured'];

/** Of a payment that was captured: the amount. Null if Hyperswitch does not say how much of a hold was captured. */
export function capturedOf({
  status,
  amount,
  amount_received: received,
  capture_method: mode,
}: Payment): number | null {
  if (!CAPTURED.includes(status)) return null;
  return received ?? (status === 'succeeded' && mode === 'automatic' ? amount : null);
}

export const isCaptured = ({ status }: Payment) => CAPTURED.includes(status);

export function answerOf(payment: Payment): ProcessorAnswer {
  const { payment_id: processorPaymentId, status, amount, currency } = payment;
  const card = factsOf(payment);
  const facts = { processorPaymentId, ...(card !== null && { card }) };
  if (isCaptured(payment)) {
    const amountCents = capturedOf(payment);
    return amountCents === null
      ? unknown('amount_received')
      : { status: 'succeeded', ...facts, taken: { amountCents, currency } };
  }
  switch (status) {
    case 'requires_capture':
      return { status: 'authorized', ...facts, held: { amountCents: amount, currency }, captureBefore: null };
    case 'failed':
      return { ...declinedUnpaid(payment.error_code ?? null, 'generic_decline'), processorPaymentId };
    case 'cancelled':
    case 'expired':
      return { ...declinedUnpaid(status, 'generic_decline'), processorPaymentId };
    default:
      return unknown(status);
  }
}

const BRANDS: Readonly<Record<string, string>> = { AMERICANEXPRESS: 'AMERICAN_EXPRESS', DINERSCLUB: 'DINERS_CLUB' };

function factsOf({ payment_method_data: data }: Payment): CardFacts | null {
  const { last4: lastFour, card_network: network } = data?.card ?? {};
  if (lastFour == null || network == null) return null;
  const brand = network.toUpperCase();
  return { brand: BRANDS[brand] ?? brand, lastFour };
}
