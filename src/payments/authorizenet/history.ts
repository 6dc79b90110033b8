/**
 * The refund at Authorize.net that a notification names: a payment does not list its refunds. A void of a payment that was
 * not settled is its refund.
 */
import { unknown } from '../port/answers.ts';
import type { HistoryRequest, ProcessorHistories, RefundThere } from '../port/history.ts';
import { causeOf } from '../vendor-api/faults.ts';
import type { OpenAuthorizeNet } from './client.ts';
import { faultOf } from './errors.ts';
import { detailsOrNull } from './lists.ts';
import { refundStateOf } from './refunds.ts';
import { centsOf, type Details, describedRefund, isReleased } from './transactions.ts';

export function authorizeNetHistories(open: OpenAuthorizeNet): ProcessorHistories {
  return {
    after: /\.(refund|void)\./,
    async read(request, signal) {
      try {
        const api = await open(request, signal);
        const details = await detailsOrNull(api, request.notifiedId ?? request.processorPaymentId);
        const refund = details === null ? null : refundThere(details, request);
        return { status: 'read', refunds: refund === null ? [] : [refund] };
      } catch (error) {
        return unknown(causeOf(faultOf(error)));
      }
    },
  };
}

/** Null if it is no refund of the payment. */
function refundThere(details: Details, { processorPaymentId, currency }: HistoryRequest): RefundThere | null {
  const { transId, refTransId, transactionStatus } = details;
  const isVoid = transId === processorPaymentId && transactionStatus === 'voided' && !isReleased(details);
  const amountCents = centsOf(details, currency);
  if (amountCents === null || !(isVoid || refTransId === processorPaymentId)) return null;
  const status = isVoid ? 'succeeded' : (refundStateOf(transactionStatus) ?? 'pending');
  return {
    processorRefundId: transId,
    refundId: isVoid ? null : describedRefund(details),
    status,
    amountCents,
    currency,
    processorCode: status === 'failed' ? transactionStatus : null,
  };
}
