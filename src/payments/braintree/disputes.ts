/**
 * Disputes at Braintree, by the short IDs that its notifications and its Control Panel show (github.com/braintree/graphql-api,
 * `Dispute`). Evidence is sent in the Control Panel.
 */
import { z } from 'zod';
import type { DisputeReason, DisputeStatus } from '../../domain/dispute.ts';
import { unknown } from '../port/answers.ts';
import type { DisputeAnswer, Disputes } from '../port/disputes.ts';
import type { ListedItem, ListRequest } from '../port/listed.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { readableRecords } from '../vendor-api/lookup.ts';
import { timeOrNull } from '../vendor-api/times.ts';
import { GraphqlError, type OpenBraintree } from './client.ts';
import { faultOf, NOT_FOUND } from './errors.ts';
import { globalId } from './legacy-ids.ts';
import { connectionOf, nodes } from './records.ts';
import { centsOf, describedTransaction, MONEY } from './transactions.ts';

const DISPUTE = z.object({
  type: z.string(),
  status: z.string(),
  responseDeadline: z.string().nullish(),
  replyByDate: z.string().nullish(),
  amountDisputed: MONEY.nullish(),
  processorResponse: z.object({ reason: z.string().nullish(), reasonCode: z.string().nullish() }).nullish(),
  transaction: z.object({ id: z.string(), orderId: z.string().nullish(), amount: MONEY }).nullish(),
});
type BraintreeDispute = z.infer<typeof DISPUTE>;

const READ = `query ReadDispute($id: ID!) { node(id: $id) { ... on Dispute {
  type status responseDeadline replyByDate amountDisputed { value currencyCode }
  processorResponse { reason reasonCode } transaction { id orderId amount { value currencyCode } }
} } }`;

export function braintreeDisputes(open: OpenBraintree): Disputes {
  return {
    async read({ disputeId, ...access }, signal) {
      try {
        const api = await open(access, signal);
        const id = await globalId(api, 'DISPUTE', disputeId);
        return answerOf((await api.ask(READ, { id }, z.object({ node: DISPUTE }))).node);
      } catch (error) {
        if (error instanceof GraphqlError && error.errorClass === NOT_FOUND) return { status: 'not_found' };
        return unknown(causeOf(faultOf(error)));
      }
    },
    list: (request, signal) => readableRecords(listDisputes(open, request, signal), faultOf),
  };
}

const LIST = `query ListDisputes($input: DisputeSearchInput!, $first: Int, $after: String) {
  search { disputes(input: $input, first: $first, after: $after) {
    edges { node { legacyId status responseDeadline } } pageInfo { hasNextPage endCursor }
  } }
}`;
const LISTED = z
  .object({
    search: z.object({
      disputes: connectionOf(
        z.object({ legacyId: z.string(), status: z.string(), responseDeadline: z.string().nullish() }),
      ),
    }),
  })
  .transform(({ search }) => search.disputes);

/** `effectiveDate`: "the date a status change history event took effect". */
async function* listDisputes(
  open: OpenBraintree,
  { since, ...access }: ListRequest,
  signal: AbortSignal,
): AsyncIterable<ListedItem> {
  const api = await open(access, signal);
  const input = {
    effectiveDate: { greaterThanOrEqualTo: since.toISOString().slice(0, 10) },
    transaction: { merchantAccountId: { is: api.settings.merchant_account_id } },
  };
  for await (const { legacyId: id, status, responseDeadline: due } of nodes(api, LIST, input, LISTED)) {
    yield { id, state: `${status}:${due}` };
  }
}

const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  OPEN: 'needs_response',
  DISPUTED: 'under_review',
  UNDER_REVIEW: 'under_review',
  WON: 'won',
  LOST: 'lost',
  // By the merchant, by Braintree, or because no evidence was sent in time.
  ACCEPTED: 'lost',
  AUTO_ACCEPTED: 'lost',
  EXPIRED: 'lost',
};

/** A retrieval takes nothing, so without an answer nothing is lost. The bank can still charge the payment back. */
const UNANSWERED: readonly string[] = ['ACCEPTED', 'AUTO_ACCEPTED', 'EXPIRED'];

const REASONS: Readonly<Record<string, DisputeReason>> = {
  CANCELLED_RECURRING_TRANSACTION: 'canceled',
  CREDIT_NOT_PROCESSED: 'credit_not_processed',
  DUPLICATE: 'duplicate',
  FRAUD: 'fraudulent',
  NOT_RECOGNIZED: 'fraudulent',
  PRODUCT_NOT_RECEIVED: 'not_received',
  PRODUCT_UNSATISFACTORY: 'not_as_described',
  TRANSACTION_AMOUNT_DIFFERS: 'amount_differs',
};

function answerOf(dispute: BraintreeDispute): DisputeAnswer {
  const { type, transaction, processorResponse } = dispute;
  const described = transaction == null ? null : describedTransaction(transaction);
  if (transaction == null || described === null) return { status: 'not_found' };
  const isInquiry = type === 'RETRIEVAL';
  const status = isInquiry && UNANSWERED.includes(dispute.status) ? 'closed' : STATUSES[dispute.status];
  // A retrieval can have no amount.
  const money = dispute.amountDisputed ?? { value: '0', currencyCode: transaction.amount.currencyCode };
  const amountCents = centsOf(money);
  if (status === undefined || amountCents === null) return unknown('answer');
  return {
    status: 'found',
    dispute: {
      paymentId: transaction.id,
      chargeId: described.chargeId,
      kind: isInquiry ? 'inquiry' : 'chargeback',
      status,
      reason: REASONS[processorResponse?.reason ?? ''] ?? 'general',
      processorReason: processorResponse?.reasonCode ?? processorResponse?.reason ?? null,
      amountCents,
      currency: money.currencyCode,
      evidenceDueAt: timeOrNull(dispute.responseDeadline ?? dispute.replyByDate),
      version: null,
    },
  };
}
