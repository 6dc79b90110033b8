/** All refunds of a payment at Hyperswitch: the payment lists them (api-reference.hyperswitch.io/v1/payments/payments--retrieve). */
import { z } from 'zod';
import { unknown } from '../port/answers.ts';
import type { ProcessorHistories, RefundThere } from '../port/history.ts';
import { causeOf } from '../vendor-api/faults.ts';
import type { OpenHyperswitch } from './client.ts';
import { faultOf } from './errors.ts';
import { refundIdOf } from './payments.ts';

const REFUND = z.object({
  refund_id: z.string(),
  status: z.string(),
  amount: z.number(),
  currency: z.string(),
  error_code: z.string().nullish(),
});
const REFUNDED = z.object({ payment_id: z.string(), refunds: z.array(REFUND).nullish() });

export function hyperswitchHistories(open: OpenHyperswitch): ProcessorHistories {
  return {
    after: /^refund_/,
    async read(request, signal) {
      const { processorPaymentId: id } = request;
      try {
        const api = await open(request, signal);
        const path = `/payments/${encodeURIComponent(id)}?force_sync=true`;
        const payment = await api.ask('GET', path, REFUNDED);
        if (payment.payment_id !== id) return unknown('answer_to_another');
        return { status: 'read', refunds: (payment.refunds ?? []).map(refundThere) };
      } catch (error) {
        return unknown(causeOf(faultOf(error)));
      }
    },
  };
}

const STATUSES: Readonly<Record<string, RefundThere['status']>> = { succeeded: 'succeeded', failed: 'failed' };

function refundThere({
  refund_id: id,
  status,
  amount,
  currency,
  error_code: code,
}: z.infer<typeof REFUND>): RefundThere {
  return {
    processorRefundId: id,
    refundId: refundIdOf(id),
    status: STATUSES[status] ?? 'pending',
    amountCents: amount,
    currency,
    processorCode: status === 'failed' ? (code ?? null) : null,
  };
}
