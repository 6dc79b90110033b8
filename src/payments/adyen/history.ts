/**
 * What Adyen's notifications say of a payment since it succeeded. Refunds made in the Customer Area have a reference of the
 * merchant's (docs.adyen.com/online-payments/refund), and a payment can be reversed as a whole. Refunds fail later with
 * REFUND_FAILED or REFUNDED_REVERSED, captures with CAPTURE_FAILED
 * (docs.adyen.com/development-resources/webhooks/webhook-types).
 */
import type { NotifiedOutcome } from '../../db/processor-notifications/outcomes.ts';
import { parseId } from '../../domain/ids.ts';
import { unknown } from '../port/answers.ts';
import type { HistoryAnswer, HistoryRequest, ProcessorHistories, RefundThere } from '../port/history.ts';
import { causeOf } from '../vendor-api/faults.ts';
import type { OpenAdyen } from './client.ts';
import { faultOf } from './errors.ts';
import {
  authorisationOf,
  changesOf,
  inAccount,
  type NotifiedOutcomes,
  refundsFailedIn,
  reversalsOf,
  takenCentsOf,
  wasHold,
} from './outcomes.ts';

export function adyenHistories(open: OpenAdyen, store: NotifiedOutcomes): ProcessorHistories {
  return {
    after:
      /^(REFUND|REFUND_FAILED|REFUNDED_REVERSED|CAPTURE|CAPTURE_FAILED|CANCELLATION|TECHNICAL_CANCEL|CANCEL_OR_REFUND)$/,
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
  const authorisation = authorisationOf(outcomes, chargeId);
  // Another merchant's charge may have the same payment ID, if it says so.
  if (authorisation?.processorReference !== id) return unknown('not_notified');
  const failed = refundsFailedIn(outcomes, id);
  const taken = takenCentsOf(authorisation, outcomes);
  const reversals = taken == null ? [] : reversalsOf(authorisation, outcomes);
  const refunds = [
    ...changesOf(outcomes, id, ['REFUND']).map((one) => refundThere(one, failed)),
    ...reversals.map((one) => reversalThere(one, taken ?? 0)),
  ];
  const failure = captureFailureIn(outcomes, authorisation);
  return { status: 'read', refunds, ...(failure !== undefined && { captureFailure: failure.reason ?? failure.event }) };
}

/** Of a hold, a capture that was refused at once changed nothing. */
function captureFailureIn(
  outcomes: readonly NotifiedOutcome[],
  authorisation: NotifiedOutcome,
): NotifiedOutcome | undefined {
  const { processorReference: id } = authorisation;
  const captures = wasHold(authorisation) ? [] : changesOf(outcomes, id, ['CAPTURE']);
  const refused = captures.some(({ isSuccess }) => isSuccess) ? [] : captures;
  return [...changesOf(outcomes, id, ['CAPTURE_FAILED']), ...refused][0];
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

/** The whole amount is returned. */
function reversalThere({ processorReference, currency }: NotifiedOutcome, amountCents: number): RefundThere {
  const about = { processorRefundId: processorReference, refundId: null, processorCode: null };
  return { ...about, status: 'succeeded', amountCents, currency };
}
