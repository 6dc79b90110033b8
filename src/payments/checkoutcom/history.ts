/** All refunds of a payment at Checkout.com: its actions have them (api-reference.checkout.com, "Get payment actions"). */
import { parseId } from '../../domain/ids.ts';
import { unknown } from '../port/answers.ts';
import type { ProcessorHistories, RefundThere } from '../port/history.ts';
import { causeOf } from '../vendor-api/faults.ts';
import type { OpenCheckoutCom } from './client.ts';
import { faultOf } from './errors.ts';
import { type Action, readActions } from './payments.ts';

export function checkoutComHistories(open: OpenCheckoutCom): ProcessorHistories {
  return {
    // payment_refunded, payment_refund_pending, payment_refund_declined
    after: /^payment_refund/,
    async read(request, signal) {
      try {
        const actions = await readActions(await open(request, signal), request.processorPaymentId);
        const refunds = actions.flatMap((action) => refundThere(action, request.currency) ?? []);
        return { status: 'read', refunds };
      } catch (error) {
        return unknown(causeOf(faultOf(error)));
      }
    },
  };
}

function refundThere(action: Action, currency: string): RefundThere | null {
  const { id, type, approved, reference, amount, response_code: code = null } = action;
  if (type !== 'Refund' || amount == null) return null;
  return {
    processorRefundId: id,
    refundId: parseId('Refund', reference ?? ''),
    status: approved === true ? 'succeeded' : approved === false ? 'failed' : 'pending',
    amountCents: amount,
    currency,
    processorCode: approved === false ? code : null,
  };
}
