/** Braintree's transactions and refunds of a period (`search`), with our IDs from their order IDs. */
import { z } from 'zod';
import type { ProcessorRecords, RecordedPayment, RecordedRefund, RecordsRequest } from '../port/records.ts';
import { refundDescribedAs } from '../vendor-api/descriptions.ts';
import { readableRecords } from '../vendor-api/lookup.ts';
import type { Braintree, OpenBraintree } from './client.ts';
import { faultOf } from './errors.ts';
import { refundStateOf } from './refunds.ts';
import {
  answerOf,
  centsOf,
  describedTransaction,
  duplicateOf,
  isVoidedCapture,
  REFUND,
  REFUND_FIELDS,
  TRANSACTION,
  TRANSACTION_FIELDS,
} from './transactions.ts';

export function braintreeRecords(open: OpenBraintree): ProcessorRecords {
  return {
    payments: (request, signal) => readableRecords(listPayments(open, request, signal), faultOf),
    refunds: (request, signal) => readableRecords(listRefunds(open, request, signal), faultOf),
  };
}

const PAGE = 50;
const PAGE_INFO = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });
/** A page of a search. */
export const connectionOf = <T>(node: z.ZodType<T>) =>
  z.object({ edges: z.array(z.object({ node })), pageInfo: PAGE_INFO });

const PAYMENTS = `query ListTransactions($input: TransactionSearchInput!, $first: Int, $after: String) {
  search { transactions(input: $input, first: $first, after: $after) {
    edges { node { ${TRANSACTION_FIELDS} } } pageInfo { hasNextPage endCursor }
  } }
}`;
const PAYMENT_LIST = z
  .object({ search: z.object({ transactions: connectionOf(TRANSACTION) }) })
  .transform(({ search }) => search.transactions);

const LISTED_REFUND = REFUND.extend({
  refundedTransaction: z.object({ id: z.string(), orderId: z.string().nullish() }).nullish(),
});
const REFUNDS = `query ListRefunds($input: RefundSearchInput!, $first: Int, $after: String) {
  search { refunds(input: $input, first: $first, after: $after) {
    edges { node { ${REFUND_FIELDS} refundedTransaction { id orderId } } } pageInfo { hasNextPage endCursor }
  } }
}`;
const REFUND_LIST = z
  .object({ search: z.object({ refunds: connectionOf(LISTED_REFUND) }) })
  .transform(({ search }) => search.refunds);

interface Page<T> {
  edges: readonly { node: T }[];
  pageInfo: z.infer<typeof PAGE_INFO>;
}

/** @param document with the variables `$input`, `$first` and `$after` */
export async function* nodes<T>(
  api: Braintree,
  document: string,
  input: object,
  schema: z.ZodType<Page<T>>,
): AsyncIterable<T> {
  let after: string | null = null;
  do {
    const { edges, pageInfo }: Page<T> = await api.ask(document, { input, first: PAGE, after }, schema);
    for (const { node } of edges) yield node;
    after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null;
  } while (after !== null);
}

const ofAccount = ({ settings }: Braintree) => ({ merchantAccountId: { is: settings.merchant_account_id } });

/** Both ends belong to the period of a search, so its last instant is before `until`. */
const during = ({ from, until }: RecordsRequest) => ({
  greaterThanOrEqualTo: from.toISOString(),
  lessThanOrEqualTo: new Date(until.getTime() - 1).toISOString(),
});

async function* listPayments(
  open: OpenBraintree,
  request: RecordsRequest,
  signal: AbortSignal,
): AsyncIterable<RecordedPayment> {
  const api = await open(request, signal);
  for await (const node of nodes(api, PAYMENTS, { ...ofAccount(api), createdAt: during(request) }, PAYMENT_LIST)) {
    const described = describedTransaction(node);
    if (described === null || duplicateOf(node) !== undefined) continue;
    const { chargeId, sessionId, source } = described;
    // A void of a captured payment is listed as its refund.
    const listed = isVoidedCapture(node) ? { ...node, status: 'SETTLED' } : node;
    const createdAt = new Date(node.createdAt);
    yield { chargeId, origin: { sessionId, source }, createdAt, answer: answerOf(listed) };
  }
}

async function* listRefunds(
  open: OpenBraintree,
  request: RecordsRequest,
  signal: AbortSignal,
): AsyncIterable<RecordedRefund> {
  const api = await open(request, signal);
  for await (const node of nodes(api, REFUNDS, { ...ofAccount(api), createdAt: during(request) }, REFUND_LIST)) {
    const payment = node.refundedTransaction;
    const described = payment == null ? null : describedTransaction(payment);
    const amountCents = centsOf(node.amount);
    if (payment == null || described === null || amountCents === null) continue;
    yield {
      processorRefundId: node.id,
      processorPaymentId: payment.id,
      refundId: refundDescribedAs(node.orderId ?? ''),
      readChargeId: async () => described.chargeId,
      status: refundStateOf(node.status) ?? 'pending',
      amountCents,
      currency: node.amount.currencyCode,
      createdAt: new Date(node.createdAt),
    };
  }
  yield* voidsOf(api, request);
}

/** Captured payments that were voided. A void has no ID of its own, but the payment's. */
async function* voidsOf(api: Braintree, request: RecordsRequest): AsyncIterable<RecordedRefund> {
  const criteria = { ...ofAccount(api), statusTransition: { voidedAt: during(request) } };
  for await (const node of nodes(api, PAYMENTS, criteria, PAYMENT_LIST)) {
    const described = describedTransaction(node);
    const amountCents = centsOf(node.amount);
    if (described === null || amountCents === null || !isVoidedCapture(node)) continue;
    yield {
      processorRefundId: node.id,
      processorPaymentId: node.id,
      refundId: null,
      readChargeId: async () => described.chargeId,
      status: 'succeeded',
      amountCents,
      currency: node.amount.currencyCode,
      createdAt: new Date(node.createdAt),
    };
  }
}
