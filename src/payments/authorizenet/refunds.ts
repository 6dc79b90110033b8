/**
 * Refunds at Authorize.net (developer.authorize.net/api/reference, "Refund a Transaction", "Void a Transaction"). A settled
 * transaction can be refunded, wholly or in part. One that still waits for its settlement, once a day, can only be voided as
 * a whole. A void has no ID of its own. A refunded bank debit needs eChecks of type PPD.
 */
import { majorUnits } from '../../domain/money.ts';
import { type NotFound, type Unknown, unknown } from '../port/answers.ts';
import type { RefundAnswer, RefundLookupRequest, RefundRequest, Refunds } from '../port/refunds.ts';
import { describeRefund } from '../vendor-api/descriptions.ts';
import { type RefundFailures, refundFailure } from '../vendor-api/faults.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import { DUPLICATE_WINDOW, SETTINGS } from './charge.ts';
import type { AuthorizeNet, OpenAuthorizeNet } from './client.ts';
import { returnCodeOf } from './debit-states.ts';
import { DUPLICATES, errorAnswer, faultOf, rejectionFault } from './errors.ts';
import { detailsOrNull } from './lists.ts';
import { findByReference } from './look-up.ts';
import {
  centsOf,
  type Details,
  describedCharge,
  describedRefund,
  factsOf,
  isTaken,
  NO_ID,
  shortReference,
  TRANSACTION_ANSWER,
  type TransactionAnswer,
} from './transactions.ts';

type BankAccount = NonNullable<Details['payment']['bankAccount']>;
type RefundFailed = Extract<RefundAnswer, { status: 'failed' }>;

export function authorizeNetRefunds(open: OpenAuthorizeNet): Refunds {
  return {
    async refund(request, signal) {
      try {
        const api = await open(request, signal);
        return signal.aborted ? unknown('timeout') : await refundTransaction(api, request);
      } catch (error) {
        return refundFailure(faultOf(error), FAILURES);
      }
    },
    lookUp: (request, signal) => lookUpRefund(open, request, signal),
  };
}

const failed = (reason: RefundFailed['reason'], processorCode: string | null): RefundFailed => ({
  status: 'failed',
  reason,
  processorCode,
});

async function refundTransaction(api: AuthorizeNet, request: RefundRequest): Promise<RefundAnswer> {
  const { processorPaymentId, chargeId, amount } = request;
  const paid = await detailsOrNull(api, processorPaymentId);
  if (paid === null || describedCharge(paid)?.chargeId !== chargeId) return failed('not_refundable', null);
  const paidCents = centsOf(paid, amount.currency) ?? 0;
  const isWhole = paidCents === amount.amountCents;
  // The bank took the money back.
  const returned = returnCodeOf(paid.returnedItems);
  if (returned !== null) return failed('not_refundable', returned);
  if (isTaken(paid) && paidCents < amount.amountCents) return failed('amount_too_large', null);
  switch (paid.transactionStatus) {
    case 'capturedPendingSettlement':
      return isWhole ? send(api, request, { transactionType: 'voidTransaction', refTransId: paid.transId }) : PARTIAL;
    case 'voided':
      // The whole amount was returned, by an earlier attempt or in the merchant interface.
      return isWhole ? { status: 'succeeded', processorRefundId: paid.transId } : failed('already_refunded', null);
    case 'settledSuccessfully':
      return send(api, request, refundOf(request, paid));
    case 'pendingSettlement':
    case 'updatingSettlement':
    case 'pendingFinalSettlement':
      return unknown(paid.transactionStatus);
    default:
      return failed('not_refundable', paid.transactionStatus);
  }
}

/** Response reason code 50: "This transaction is awaiting settlement and cannot be refunded." */
const PARTIAL = failed('not_settled_yet', 'awaiting_settlement');

/** In the schema's order. */
function refundOf({ amount, refundId, chargeId }: RefundRequest, { transId, payment }: Details): object {
  const { bankAccount } = payment;
  return {
    transactionType: 'refundTransaction',
    amount: majorUnits(amount),
    currencyCode: amount.currency,
    payment: bankAccount === undefined ? cardOf(payment) : { bankAccount: accountOf(bankAccount) },
    refTransId: transId,
    order: { invoiceNumber: shortReference(refundId), description: describeRefund(refundId, chargeId) },
    transactionSettings: bankAccount === undefined ? SETTINGS : { setting: [DUPLICATE_WINDOW] },
  };
}

/** The card is named by its last four digits, its expiry is masked. */
function cardOf({ creditCard }: Details['payment']): object {
  const lastFour = factsOf(creditCard?.cardNumber, creditCard?.cardType)?.lastFour ?? '';
  return { creditCard: { cardNumber: lastFour, expirationDate: 'XXXX' } };
}

/**
 * Both numbers are masked as in the details ("For refunds, use XXXX plus …", eCheck). A refund cannot be of type TEL, which
 * is "a one-time charge"; PPD is "a charge or refund" (account.authorize.net/help, "eCheck.Net Type").
 */
function accountOf({ accountType, routingNumber, accountNumber, nameOnAccount }: BankAccount): object {
  return {
    ...(accountType !== undefined && { accountType }),
    routingNumber,
    accountNumber,
    nameOnAccount: nameOnAccount ?? '',
    echeckType: 'PPD',
  };
}

async function send(api: AuthorizeNet, request: RefundRequest, transactionRequest: object): Promise<RefundAnswer> {
  const refId = shortReference(request.refundId);
  const { code, answer } = await api.askTransaction(TRANSACTION_ANSWER, { body: { transactionRequest }, refId });
  if (answer === null) return refundFailure(rejectionFault(code ?? ''), FAILURES);
  const isVoid = !('amount' in transactionRequest);
  const { responseCode, transId, errors } = answer.transactionResponse;
  if (responseCode === '1' && transId !== NO_ID) {
    return { status: isVoid ? 'succeeded' : 'pending', processorRefundId: transId };
  }
  const reason = errors?.[0]?.errorCode ?? '0';
  if (DUPLICATES.includes(reason)) return earlierRefund(api, request, answer.transactionResponse);
  // It was settled, or voided, since it was read. The next attempt reads it again.
  if (isVoid && VOID_LATE.includes(reason)) return unknown(`reason_${reason}`);
  if (responseCode !== '2' && responseCode !== '3') return unknown('answer');
  const fault = errorAnswer(reason, null);
  return fault.status === 'unknown' ? fault : failed(FAILURES[reason] ?? 'refused', reason);
}

const VOID_LATE = ['16', '310', '327'];

async function earlierRefund(
  api: AuthorizeNet,
  { refundId }: RefundRequest,
  { transId, refTransID }: TransactionAnswer,
): Promise<RefundAnswer> {
  for (const id of [transId, refTransID ?? '']) {
    const details = id === '' || id === NO_ID ? null : await detailsOrNull(api, id);
    if (details !== null && describedRefund(details) === refundId) return answerOf(details);
  }
  return unknown('duplicate');
}

function lookUpRefund(
  open: OpenAuthorizeNet,
  request: RefundLookupRequest,
  signal: AbortSignal,
): Promise<RefundAnswer | NotFound | Unknown> {
  const { refundId, processorRefundId, processorPaymentId } = request;
  return lookUpListed(
    request,
    async (observe) => {
      const api = await open(request, signal);
      const paid = await detailsOrNull(api, processorPaymentId);
      if (paid?.transactionStatus === 'voided') return paid;
      if (processorRefundId !== null) return detailsOrNull(api, processorRefundId);
      const found = await findByReference(api, refundId, request, observe);
      return found !== null && describedRefund(found) === refundId ? found : null;
    },
    answerOf,
    faultOf,
  );
}

/** The outcome of a refund, or of a payment that was voided as a whole. */
function answerOf(details: Details): RefundAnswer {
  const { transId, transactionStatus: status } = details;
  if (describedCharge(details) !== null && status === 'voided') {
    return { status: 'succeeded', processorRefundId: transId };
  }
  const state = refundStateOf(status);
  if (state === 'failed') return failed('refused', status);
  return state === null ? unknown(status) : { status: state, processorRefundId: transId };
}

/** Null: not known yet. */
export function refundStateOf(status: string): 'pending' | 'succeeded' | 'failed' | null {
  switch (status) {
    case 'refundPendingSettlement':
      return 'pending';
    case 'refundSettledSuccessfully':
      return 'succeeded';
    case 'voided':
    case 'declined':
    case 'generalError':
    case 'communicationError':
    case 'settlementError':
    case 'expired':
    case 'failedReview':
      return 'failed';
    default:
      return null;
  }
}

/** By `E…` codes and response reason codes. */
const FAILURES: RefundFailures = {
  E00013: 'not_refundable',
  E00040: 'not_refundable',
  16: 'not_refundable',
  50: 'not_settled_yet',
  51: 'amount_too_large',
  54: 'not_refundable',
  55: 'amount_too_large',
  64: 'not_refundable',
};
