/**
 * What became of a transaction at Braintree: it lists its refunds, also those of the Control Panel (github.com/braintree/
 * graphql-api, `Transaction.refunds`). Notified are failed refunds, and settlements of bank debits.
 */
import { unknown } from '../port/answers.ts';
import type { ProcessorHistories, RefundThere } from '../port/history.ts';
import { refundDescribedAs } from '../vendor-api/descriptions.ts';
import { causeOf } from '../vendor-api/faults.ts';
import type { OpenBraintree } from './client.ts';
import { faultOf } from './errors.ts';
import { refundStateOf } from './refunds.ts';
import {
  type BraintreeRefund,
  centsOf,
  describedTransaction,
  isVoidedCapture,
  readTransaction,
  type Transaction,
} from './transactions.ts';

export function braintreeHistories(open: OpenBraintree): ProcessorHistories {
  return {
    after: /^(?:refund_failed|transaction_settled|transaction_settlement_declined)$/,
    async read(request, signal) {
      try {
        const transaction = await readTransaction(await open(request, signal), request.processorPaymentId);
        if (describedTransaction(transaction)?.chargeId !== request.chargeId) return unknown('answer_to_another');
        const refunds = [
          ...(transaction.refunds ?? []).flatMap((one) => refundThere(one) ?? []),
          ...voidOf(transaction),
        ];
        const isDeclined = transaction.status === 'SETTLEMENT_DECLINED';
        return { status: 'read', refunds, ...(isDeclined && { captureFailure: transaction.status }) };
      } catch (error) {
        return unknown(causeOf(faultOf(error)));
      }
    },
  };
}

function refundThere({ id, orderId, status, amount }: BraintreeRefund): RefundThere | null {
  const amountCents = centsOf(amount);
  if (amountCents === null) return null;
  const state = refundStateOf(status) ?? 'pending';
  return {
    processorRefundId: id,
    refundId: refundDescribedAs(orderId ?? ''),
    status: state,
    amountCents,
    currency: amount.currencyCode,
    processorCode: state === 'failed' ? status : null,
  };
}

/** A void of what was captured returns all of it, and has no ID of its own. */
function voidOf(transaction: Transaction): RefundThere[] {
  const { id, amount } = transaction;
  const amountCents = centsOf(amount);
  if (amountCents === null || !isVoidedCapture(transaction)) return [];
  const about = { processorRefundId: id, refundId: null, processorCode: null };
  return [{ ...about, status: 'succeeded', amountCents, currency: amount.currencyCode }];
}
