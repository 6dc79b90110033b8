/** Refunds at Adyen: POST /payments/{pspReference}/refunds is accepted ("received"), and pending until its notification. */
import type { NotifiedOutcome } from '../../db/processor-notifications/outcomes.ts';
import { type NotFound, type Unknown, unknown } from '../port/answers.ts';
import type { RefundAnswer, RefundLookupRequest, RefundRequest, Refunds } from '../port/refunds.ts';
import { causeOf, type RefundFailures, refundFailure } from '../vendor-api/faults.ts';
import type { Adyen, OpenAdyen } from './client.ts';
import { faultOf } from './errors.ts';
import { RECEIVED } from './holds.ts';
import {
  authorisationOf,
  changesOf,
  inAccount,
  isReleased,
  type NotifiedOutcomes,
  refundsFailedIn,
  takenCentsOf,
} from './outcomes.ts';

export function adyenRefunds(open: OpenAdyen, outcomes: NotifiedOutcomes): Refunds {
  return {
    async refund(request, signal) {
      try {
        const api = await open(request, signal);
        return signal.aborted ? unknown('timeout') : await refundPayment(api, outcomes, request);
      } catch (error) {
        return refundFailure(faultOf(error), FAILURES);
      }
    },
    lookUp: (request, signal) => lookUpRefund(open, outcomes, request, signal),
  };
}

/** "Original pspReference required for this operation". */
const FAILURES: RefundFailures = { 167: 'not_refundable' };

async function refundPayment(api: Adyen, store: NotifiedOutcomes, request: RefundRequest): Promise<RefundAnswer> {
  const { amount, refundId, chargeId, processorPaymentId: id } = request;
  const { merchant_account: merchantAccount } = api.settings;
  const before = inAccount(await store.of(chargeId, id), merchantAccount);
  const earlier = outcomeIn(before, request, null);
  if (earlier !== null) return earlier;
  const failure = unrefundable(before, request);
  if (failure !== null) return failure;
  const { pspReference } = await api.ask('POST', `/payments/${encodeURIComponent(id)}/refunds`, RECEIVED, {
    body: { merchantAccount, reference: refundId, amount: { currency: amount.currency, value: amount.amountCents } },
    idempotencyKey: refundId,
  });
  const after = inAccount(await store.of(chargeId, id), merchantAccount);
  return outcomeIn(after, request, pspReference) ?? { status: 'pending', processorRefundId: pspReference };
}

type RefundFailed = Extract<RefundAnswer, { status: 'failed' }>;

const failed = (reason: RefundFailed['reason'], processorCode: string | null = null): RefundFailed => ({
  status: 'failed',
  reason,
  processorCode,
});

/** What the notifications so far rule out. Adyen itself would accept the request first. */
function unrefundable(
  outcomes: readonly NotifiedOutcome[],
  { amount, chargeId, processorPaymentId }: RefundRequest,
): RefundFailed | null {
  const authorisation = authorisationOf(outcomes, chargeId);
  if (authorisation === null) return null;
  const taken = takenCentsOf(authorisation, outcomes);
  if (taken == null) return failed('not_refundable');
  if (isReleased(authorisation, outcomes)) return failed('already_refunded');
  const failedLater = refundsFailedIn(outcomes, processorPaymentId);
  const refunds = changesOf(outcomes, processorPaymentId, ['REFUND']).filter(
    ({ isSuccess, processorReference }) => isSuccess && !failedLater.has(processorReference),
  );
  const left = refunds.reduce((sum, { amountCents }) => sum - amountCents, taken);
  return left >= amount.amountCents ? null : failed(left <= 0 ? 'already_refunded' : 'amount_too_large');
}

/** By Adyen's ID of the refund, or our reference. `REFUND_FAILED` comes after a success. Null if it was not notified. */
function outcomeIn(
  outcomes: readonly NotifiedOutcome[],
  { refundId, processorPaymentId }: Pick<RefundRequest, 'refundId' | 'processorPaymentId'>,
  processorRefundId: string | null,
): RefundAnswer | null {
  const ours = changesOf(outcomes, processorPaymentId, ['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED']).filter(
    ({ processorReference, reference }) => processorReference === processorRefundId || reference === refundId,
  );
  const [first] = ours;
  if (first === undefined) return null;
  const hasFailed = ours.some(({ event, isSuccess }) => event !== 'REFUND' || !isSuccess);
  return hasFailed
    ? failed('refused', 'REFUND_FAILED')
    : { status: 'succeeded', processorRefundId: first.processorReference };
}

/** A refund without a notification is sent again with its key: Adyen keeps keys for days, and repeats its first response. */
async function lookUpRefund(
  open: OpenAdyen,
  store: NotifiedOutcomes,
  request: RefundLookupRequest,
  signal: AbortSignal,
): Promise<RefundAnswer | NotFound | Unknown> {
  const { chargeId, processorPaymentId, processorRefundId } = request;
  try {
    const { settings } = await open(request, signal);
    const outcomes = inAccount(await store.of(chargeId, processorPaymentId), settings.merchant_account);
    const found = outcomeIn(outcomes, request, processorRefundId);
    if (found !== null) return found;
    if (authorisationOf(outcomes, chargeId) === null) return unknown('not_notified');
    return processorRefundId === null ? { status: 'not_found' } : { status: 'pending', processorRefundId };
  } catch (error) {
    return unknown(causeOf(faultOf(error)));
  }
}
