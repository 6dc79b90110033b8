/**
 * What Adyen's notifications say of a payment since it succeeded. Refunds made in the Customer Area have a reference of the
 * merchant's (docs.adyen.com/online-payments/refund). They fail with REFUND_FAILED or REFUNDED_REVERSED, and a capture
 * with CAPTURE_FAILED (docs.adyen.com/development-resources/webhooks/webhook-types).
 */
import type { NotifiedOutcome } from '../../db/processor-notifications/outcomes.ts';
import { parseId } from '../../domain/ids.ts';
import { unknown } from '../answers.ts';
import type { HistoryAnswer, HistoryRequest, ProcessorHistories, RefundThere } from '../history-port.ts';
import { causeOf } from '../vendor-faults.ts';
import type { OpenAdyen } from './client.ts';
import { faultOf } from './errors.ts';
import { authorisationOf, changesOf, inAccount, type NotifiedOutcomes, refundsFailedIn } from './outcomes.ts';

export function adyenHistories(open: OpenAdyen, store: NotifiedOutcomes): ProcessorHistories {
  return {
    after: /^(REFUND|REFUND_FAILED|REFUNDED_REVERSED|CAPTURE_FAILED)$/,
    async read(request, signal) {
      try {
        const { settings } = await open(request, signal);
        const { chargeId, processorPaymentId: id } = request;
        return historyIn(inAccount(await store.of(chargeId, id), settings.merchant_account), request);
      } catch (error) {
        return unknown(causeOf(faultOf(error)));
      }
    },
  };
}

function historyIn(
  outcomes: readonly NotifiedOutcome[],
  { chargeId, processorPaymentId: id }: HistoryRequest,
): HistoryAnswer {
  // Another merchant's charge may have the same payment ID, if it says so.
  if (authorisationOf(outcomes, chargeId)?.processorReference !== id) return unknown('not_notified');
  const failed = refundsFailedIn(outcomes, id);
  const refunds = changesOf(outcomes, id, ['REFUND']).map((one) => refundThere(one, failed));
  const [failure] = changesOf(outcomes, id, ['CAPTURE_FAILED']);
  return { status: 'read', refunds, ...(failure !== undefined && { captureFailure: failure.reason ?? failure.event }) };
}

function refundThere(
  { processorReference, reference, isSuccess, amountCents, currency, reason }: NotifiedOutcome,
  failed: ReadonlySet<string>,
): RefundThere {
  const isFailed = !isSuccess || failed.has(processorReference);
  return {
    processorRefundId: processorReference,
    refundId: parseId('Refund', reference),
    status: isFailed ? 'failed' : 'succeeded',
    amountCents,
    currency,
    processorCode: isFailed ? (reason ?? 'REFUND_FAILED') : null,
  };
}
