/** Authorize.net's transactions of a period, with our IDs from their details. */
import type { ProcessorRecords, RecordedPayment, RecordedRefund, RecordsRequest } from '../port/records.ts';
import type { Described } from '../vendor-api/descriptions.ts';
import { readableRecords } from '../vendor-api/lookup.ts';
import type { AuthorizeNet, OpenAuthorizeNet } from './client.ts';
import { faultOf } from './errors.ts';
import { detailsOrNull, readDetails, transactionsSince } from './lists.ts';
import { refundStateOf } from './refunds.ts';
import {
  answerOfDetails,
  centsOf,
  type Details,
  describedCharge,
  describedRefund,
  isReleased,
  type Summary,
} from './transactions.ts';

export function authorizeNetRecords(open: OpenAuthorizeNet): ProcessorRecords {
  return {
    payments: (request, signal) => readableRecords(listPayments(open, request, signal), faultOf),
    refunds: (request, signal) => readableRecords(listRefunds(open, request, signal), faultOf),
  };
}

/** The form of `invoiceNumber` of our charges and refunds (shortReference). */
const OUR_INVOICE = /^[a-z0-9]{20}$/;
const isRefund = ({ transactionStatus }: Summary) => transactionStatus.startsWith('refund');
const VOIDED = 'voided';

async function* summariesIn(api: AuthorizeNet, { from, until }: RecordsRequest): AsyncIterable<Summary> {
  for await (const item of transactionsSince(api, from, new Date())) {
    if (new Date(item.submitTimeUTC) < until) yield item;
  }
}

async function* listPayments(
  open: OpenAuthorizeNet,
  request: RecordsRequest,
  signal: AbortSignal,
): AsyncIterable<RecordedPayment> {
  const api = await open(request, signal);
  for await (const item of summariesIn(api, request)) {
    if (isRefund(item) || !OUR_INVOICE.test(item.invoiceNumber ?? '')) continue;
    const details = await readDetails(api, item.transId);
    const described = describedCharge(details);
    if (described === null) continue;
    const { chargeId, sessionId, source, currency } = described;
    // A void of a captured payment is listed as its refund.
    const isRefunded = details.transactionStatus === VOIDED && !isReleased(details);
    const { authAmount: settleAmount } = details;
    const listed = isRefunded ? { ...details, transactionStatus: SETTLED, settleAmount } : details;
    const answer = answerOfDetails(listed, currency);
    yield { chargeId, origin: { sessionId, source }, createdAt: new Date(details.submitTimeUTC), answer };
  }
}

const SETTLED = 'settledSuccessfully';

async function* listRefunds(
  open: OpenAuthorizeNet,
  request: RecordsRequest,
  signal: AbortSignal,
): AsyncIterable<RecordedRefund> {
  const api = await open(request, signal);
  for await (const item of summariesIn(api, request)) {
    if (!isRefund(item) && item.transactionStatus !== VOIDED) continue;
    const details = await readDetails(api, item.transId);
    const refund = await recordedRefund(api, details);
    if (refund !== null) yield refund;
  }
}

/** Null for a refund of another system's payment. */
async function recordedRefund(api: AuthorizeNet, details: Details): Promise<RecordedRefund | null> {
  if (isReleased(details)) return null;
  const own = describedCharge(details);
  const payment = own === null ? await detailsOrNull(api, details.refTransId ?? '') : details;
  const described = payment === null ? null : describedCharge(payment);
  return payment === null || described === null ? null : refundOf(details, payment, described);
}

/** A void is the payment itself. It has no refund ID of ours, but the payment's ID. */
function refundOf(details: Details, payment: Details, { chargeId, currency }: Described): RecordedRefund | null {
  const amountCents = centsOf(details, currency);
  if (amountCents === null) return null;
  const isVoid = details.transId === payment.transId;
  return {
    processorRefundId: details.transId,
    processorPaymentId: payment.transId,
    refundId: isVoid ? null : describedRefund(details),
    readChargeId: async () => chargeId,
    status: isVoid ? 'succeeded' : (refundStateOf(details.transactionStatus) ?? 'pending'),
    amountCents,
    currency,
    createdAt: new Date(details.submitTimeUTC),
  };
}
