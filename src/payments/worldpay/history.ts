/**
 * The refunds of a payment at Worldpay, also those that were made in its dashboard: the events of Payment Queries have them.
 * These can be 15 minutes behind the notification, so they are read again until they contain what it says.
 */
import { parseId } from '../../domain/ids.ts';
import { unknown } from '../port/answers.ts';
import type { HistoryRequest, ProcessorHistories, RefundThere } from '../port/history.ts';
import { causeOf } from '../vendor-api/faults.ts';
import type { OpenWorldpay } from './client.ts';
import { faultOf } from './errors.ts';
import { type Payment, readPayment, requestsOf, takenCentsOf } from './payments.ts';

const FAILED = 'refundFailed';

export function worldpayHistories(open: OpenWorldpay): ProcessorHistories {
  return {
    after: /^(?:sentForRefund|refunded|refundFailed)$/,
    async read(request, signal) {
      try {
        const payment = await readPayment(await open(request, signal), request.processorPaymentId);
        if (payment === null) return unknown('payment_not_listed_yet');
        if (payment.transactionReference !== request.chargeId) return unknown('answer_to_another');
        const refunds = refundsOf(payment);
        return isListed(refunds, request) ? { status: 'read', refunds } : unknown('not_listed_yet');
      } catch (error) {
        return unknown(causeOf(faultOf(error)));
      }
    },
  };
}

const isListed = (refunds: readonly RefundThere[], { notifiedId, notifiedType }: HistoryRequest) =>
  refunds.some(
    ({ processorRefundId, status }) =>
      (notifiedId === null || processorRefundId === notifiedId) && (notifiedType !== FAILED || status === 'failed'),
  );

type Request = ReturnType<typeof requestsOf>[number];

const STATUSES: Readonly<Record<Request['outcome'], RefundThere['status']>> = {
  requested: 'pending',
  submitted: 'succeeded',
  timed_out: 'pending',
  failed: 'failed',
};

/** Refunds of ours have their ID as reference, with hyphens. One without a reference has only the ID of its request. */
function refundsOf(payment: Payment): RefundThere[] {
  const taken = takenCentsOf(payment) ?? payment.value.amount;
  return requestsOf(payment, 'refund').flatMap(({ request, outcome }) => {
    const id = request.refundReference ?? request.commandId;
    if (id == null) return [];
    const status = STATUSES[outcome];
    return {
      processorRefundId: id,
      refundId: parseId('Refund', id.replaceAll('-', '_')),
      status,
      // A full refund has no amount of its own.
      amountCents: request.value?.amount ?? taken,
      currency: request.value?.currency ?? payment.value.currency,
      processorCode: status === 'failed' ? FAILED : null,
    };
  });
}
