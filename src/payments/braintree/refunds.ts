/**
 * Refunds at Braintree. A transaction that is settling or settled can be refunded, wholly or in part. One that still waits for
 * its settlement can only be voided as a whole (…/articles/control-panel/transactions/refunds-voids-credits). There is no
 * idempotency key, so the transaction's refunds are read before each request, and requests of one refund never overlap.
 */
import { z } from 'zod';
import { type Money, majorUnits } from '../../domain/money.ts';
import { type NotFound, type Unknown, unknown } from '../port/answers.ts';
import type { RefundAnswer, RefundLookupRequest, RefundRequest, Refunds } from '../port/refunds.ts';
import { describeRefund, refundDescribedAs } from '../vendor-api/descriptions.ts';
import { type RefundFailures, refundFailure } from '../vendor-api/faults.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import type { Braintree, OpenBraintree } from './client.ts';
import { faultOf, NOT_FOUND } from './errors.ts';
import { reverseTransaction } from './holds.ts';
import {
  type BraintreeRefund,
  centsOf,
  describedTransaction,
  isTaken,
  isVoidedCapture,
  REFUND,
  REFUND_FIELDS,
  readTransaction,
  type Transaction,
} from './transactions.ts';

type RefundFailed = Extract<RefundAnswer, { status: 'failed' }>;

/** A request that Braintree has may still be carried out for a minute ("gateway timeout of 60 seconds"). */
const MAY_ARRIVE_MS = 120_000;

export function braintreeRefunds(open: OpenBraintree): Refunds {
  const running = new Map<string, Promise<unknown>>();
  return {
    refund(request, signal) {
      const { refundId } = request;
      const made = (running.get(refundId) ?? Promise.resolve()).then(() => refund(open, request, signal));
      running.set(refundId, made);
      return made.finally(() => {
        if (running.get(refundId) === made) running.delete(refundId);
      });
    },
    lookUp: (request, signal) => lookUpRefund(open, request, signal),
  };
}

/** Never throws. */
async function refund(open: OpenBraintree, request: RefundRequest, signal: AbortSignal): Promise<RefundAnswer> {
  try {
    const api = await open(request, signal);
    return signal.aborted ? unknown('timeout') : await refundTransaction(api, request);
  } catch (error) {
    return refundFailure(faultOf(error), FAILURES);
  }
}

const failed = (reason: RefundFailed['reason'], processorCode: string | null): RefundFailed => ({
  status: 'failed',
  reason,
  processorCode,
});

/** Validation error 91506: it cannot be refunded unless it is settled. */
const PARTIAL = failed('not_settled_yet', 'awaiting_settlement');

async function refundTransaction(api: Braintree, request: RefundRequest): Promise<RefundAnswer> {
  const { processorPaymentId, chargeId, refundId, amount } = request;
  const paid = await readTransaction(api, processorPaymentId);
  if (describedTransaction(paid)?.chargeId !== chargeId) return failed('not_refundable', null);
  const earlier = refundIn(paid, refundId) ?? reversalIn(paid, amount);
  if (earlier !== undefined) return answerOf(earlier);
  const paidCents = centsOf(paid.amount) ?? 0;
  const isWhole = paidCents === amount.amountCents;
  if (isTaken(paid) && paidCents < amount.amountCents) return failed('amount_too_large', null);
  switch (paid.status) {
    case 'SUBMITTED_FOR_SETTLEMENT':
    case 'SETTLEMENT_PENDING':
      return isWhole ? reversed(api, paid.id) : PARTIAL;
    case 'VOIDED':
      // The whole amount was returned, by an earlier attempt or in the Control Panel.
      if (!isVoidedCapture(paid)) return failed('not_refundable', paid.status);
      return isWhole ? { status: 'succeeded', processorRefundId: paid.id } : failed('already_refunded', null);
    case 'SETTLING':
    case 'SETTLED':
      return sendRefund(api, request);
    default:
      return failed('not_refundable', paid.status);
  }
}

const SEND = `mutation RefundTransaction($input: RefundTransactionInput!) {
  refundTransaction(input: $input) { refund { ${REFUND_FIELDS} } }
}`;
const SENT = z.object({ refundTransaction: z.object({ refund: REFUND }) });

async function sendRefund(api: Braintree, request: RefundRequest): Promise<RefundAnswer> {
  const { processorPaymentId: transactionId, refundId, chargeId, amount } = request;
  const refund = { amount: majorUnits(amount), orderId: describeRefund(refundId, chargeId) };
  const sent = await api.ask(SEND, { input: { transactionId, refund } }, SENT);
  return answerOf(sent.refundTransaction.refund);
}

/** A void has no ID of its own. It is a refund if the transaction was settled since it was read. */
async function reversed(api: Braintree, transactionId: string): Promise<RefundAnswer> {
  const { __typename: kind, id, status } = await reverseTransaction(api, transactionId);
  if (kind === 'Transaction') {
    return status === 'VOIDED' ? { status: 'succeeded', processorRefundId: id } : unknown(status.toLowerCase());
  }
  return answerOf({ id, status });
}

/**
 * A refund of the whole amount without a refund ID: by {@link reversed}, whose answer may be lost, or in the Control Panel.
 * Undefined if less than the whole amount was to be refunded.
 */
const reversalIn = (paid: Transaction, { amountCents }: Money) =>
  centsOf(paid.amount) !== amountCents
    ? undefined
    : paid.refunds?.find(
        ({ amount, orderId, status }) =>
          centsOf(amount) === amountCents &&
          refundDescribedAs(orderId ?? '') === null &&
          refundStateOf(status) !== 'failed',
      );

const refundIn = ({ refunds }: Transaction, refundId: string) =>
  refunds?.find(({ orderId }) => refundDescribedAs(orderId ?? '') === refundId);

function lookUpRefund(
  open: OpenBraintree,
  request: RefundLookupRequest,
  signal: AbortSignal,
): Promise<RefundAnswer | NotFound | Unknown> {
  const { refundId, processorRefundId, processorPaymentId, amount, createdAt, askedAt } = request;
  return lookUpListed<Pick<BraintreeRefund, 'id' | 'status'> | 'early', RefundAnswer>(
    request,
    async (onAnswer) => {
      const paid = await readTransaction(await open(request, signal), processorPaymentId, onAnswer);
      if (isVoidedCapture(paid)) return { id: paid.id, status: 'SETTLED' };
      const named = refundIn(paid, refundId) ?? paid.refunds?.find(({ id }) => id === processorRefundId);
      const found = named ?? reversalIn(paid, amount);
      const isEarly = askedAt !== undefined && askedAt.getTime() - createdAt.getTime() < MAY_ARRIVE_MS;
      return found ?? (isEarly ? 'early' : null);
    },
    (found) => (found === 'early' ? unknown('may_arrive') : answerOf(found)),
    faultOf,
  );
}

function answerOf({ id, status }: Pick<BraintreeRefund, 'id' | 'status'>): RefundAnswer {
  const state = refundStateOf(status);
  if (state === 'failed') return failed('refused', status);
  return state === null ? unknown(status.toLowerCase()) : { status: state, processorRefundId: id };
}

/** Null: not known yet. */
export function refundStateOf(status: string): 'pending' | 'succeeded' | 'failed' | null {
  switch (status) {
    case 'AUTHORIZED':
    case 'SUBMITTED_FOR_SETTLEMENT':
    case 'SETTLING':
    case 'SETTLEMENT_PENDING':
      return 'pending';
    case 'SETTLED':
      return 'succeeded';
    case 'VOIDED':
    case 'FAILED':
    case 'GATEWAY_REJECTED':
    case 'PROCESSOR_DECLINED':
    case 'SETTLEMENT_DECLINED':
    case 'AUTHORIZATION_EXPIRED':
      return 'failed';
    default:
      return null;
  }
}

/** By validation error (braintree_node, validation_error_codes.js, `Transaction`). */
const FAILURES: RefundFailures = {
  [NOT_FOUND]: 'not_refundable',
  91504: 'not_refundable',
  91505: 'not_refundable',
  91506: 'not_settled_yet',
  91512: 'already_refunded',
  91521: 'amount_too_large',
};
