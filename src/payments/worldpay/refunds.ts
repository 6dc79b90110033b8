/**
 * Refunds at Access Worldpay, by the payment's link (docs.worldpay.com/access/products/card-payments/manage-payments, "Partially
 * refund"). Each has our reference, by which it is found in the payment's events. There is no idempotency key, and Worldpay does
 * not publish that it compares references or amounts. So a refund is compared with the events before it is sent, and is not
 * sent again: if it is missing after the longest delay of the events, it failed.
 */
import { z } from 'zod';
import { type NotFound, type Unknown, unknown } from '../port/answers.ts';
import type { RefundAnswer, RefundLookupRequest, RefundRequest, Refunds } from '../port/refunds.ts';
import { causeOf, refundFailure } from '../vendor-api/faults.ts';
import type { OpenWorldpay, Worldpay } from './client.ts';
import { faultOf } from './errors.ts';
import {
  actionPath,
  canBePayment,
  isReleased,
  type Payment,
  readPayment,
  requestsOf,
  takenCentsOf,
} from './payments.ts';

const ACCEPTED = z.object({ _links: z.unknown() });

/** "It can take up to 15 minutes for a payment event to update" (/card-payments, "Query a payment"). */
export const EVENTS_LAG_MS = 900_000;

export function worldpayRefunds(open: OpenWorldpay): Refunds {
  return {
    async refund(request, signal) {
      try {
        const api = await open(request, signal);
        return signal.aborted ? unknown('timeout') : await refundPayment(api, request);
      } catch (error) {
        return refundFailure(faultOf(error), {});
      }
    },
    lookUp: (request, signal) => lookUpRefund(open, request, signal),
  };
}

/** "Valid characters: A-Z a-z 0-9 Hyphen" (/reference/formatting). */
const referenceOf = ({ refundId }: Pick<RefundRequest, 'refundId'>) => refundId.replaceAll('_', '-');

async function refundPayment(api: Worldpay, request: RefundRequest): Promise<RefundAnswer> {
  const { amount, chargeId, processorPaymentId } = request;
  const payment = await readPayment(api, processorPaymentId);
  // It was just made. Nothing was sent, so the merchant can try again in a minute.
  if (payment === null && canBePayment(processorPaymentId)) return failed('not_settled_yet', 'payment_not_listed_yet');
  if (payment?.transactionReference !== chargeId) return failed('not_refundable', null);
  const earlier = outcomeIn(payment, request);
  if (earlier !== null) return earlier;
  const left = refundableCentsOf(payment);
  // Its settlement may be listed later than the payment.
  if (takenCentsOf(payment) === null && !isReleased(payment)) return failed('not_settled_yet', 'not_taken_yet');
  if (left === null) return failed('not_refundable', null);
  if (left < amount.amountCents) return failed(left <= 0 ? 'already_refunded' : 'amount_too_large', null);
  const path = actionPath(api, payment, 'partialRefund');
  if (path === null) return failed('not_settled_yet', 'no_link');
  const reference = referenceOf(request);
  const value = { amount: amount.amountCents, currency: amount.currency };
  await api.ask('actions', 'POST', path, ACCEPTED, { body: { reference, value } });
  const after = await readPayment(api, processorPaymentId).catch(() => null);
  return (after === null ? null : outcomeIn(after, request)) ?? { status: 'pending', processorRefundId: reference };
}

const failed = (
  reason: Extract<RefundAnswer, { status: 'failed' }>['reason'],
  processorCode: string | null,
): RefundAnswer => ({ status: 'failed', reason, processorCode });

/** Null if nothing was taken. */
function refundableCentsOf(payment: Payment): number | null {
  const taken = takenCentsOf(payment);
  if (taken == null) return null;
  const refunds = requestsOf(payment, 'refund').filter(({ outcome }) => outcome !== 'failed');
  const isReversed = requestsOf(payment, 'reversal').some(({ outcome }) => outcome !== 'failed');
  // A full refund has no amount of its own.
  return isReversed ? 0 : refunds.reduce((left, { request }) => left - (request.value?.amount ?? taken), taken);
}

/** Null if the payment has no such refund. */
function outcomeIn(payment: Payment, request: Pick<RefundRequest, 'refundId'>): RefundAnswer | null {
  const reference = referenceOf(request);
  const ours = requestsOf(payment, 'refund').find(({ request: { refundReference } }) => refundReference === reference);
  switch (ours?.outcome) {
    case undefined:
      return null;
    case 'failed':
      return failed('refused', 'refundFailed');
    case 'timed_out':
      return unknown('refund_timed_out');
    case 'submitted':
      return { status: 'succeeded', processorRefundId: reference };
    case 'requested':
      return { status: 'pending', processorRefundId: reference };
  }
}

async function lookUpRefund(
  open: OpenWorldpay,
  request: RefundLookupRequest,
  signal: AbortSignal,
): Promise<RefundAnswer | NotFound | Unknown> {
  const { processorPaymentId, processorRefundId, createdAt, askedAt } = request;
  try {
    const payment = await readPayment(await open(request, signal), processorPaymentId);
    if (payment === null) return unknown('payment_not_found');
    const found = outcomeIn(payment, request);
    if (found !== null) return found;
    if (processorRefundId !== null) return unknown('accepted');
    if (askedAt === undefined) return { status: 'not_found' };
    const isLate = askedAt.getTime() - createdAt.getTime() >= EVENTS_LAG_MS;
    return isLate ? failed('refused', 'not_received') : unknown('events_lag');
  } catch (error) {
    return unknown(causeOf(faultOf(error)));
  }
}
