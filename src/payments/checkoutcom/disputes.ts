/**
 * Disputes at Checkout.com (api-reference.checkout.com, "Disputes"; statuses and categories as in
 * github.com/checkout/checkout-sdk-go). Evidence is sent in its dashboard.
 */
import { z } from 'zod';
import type { DisputeReason, DisputeStatus } from '../../domain/dispute.ts';
import { unknown } from '../port/answers.ts';
import type { DisputeAnswer, Disputes } from '../port/disputes.ts';
import type { ListedItem, ListRequest } from '../port/listed.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { PAGE, readableRecords } from '../vendor-api/lookup.ts';
import { timeOrNull } from '../vendor-api/times.ts';
import { HttpError, type OpenCheckoutCom } from './client.ts';
import { faultOf } from './errors.ts';

const DISPUTE = z.object({
  category: z.string().nullish(),
  status: z.string(),
  amount: z.int(),
  currency: z.string(),
  reason_code: z.string().nullish(),
  evidence_required_by: z.string().nullish(),
  last_update: z.string().nullish(),
  payment: z.object({ id: z.string() }),
});

export function checkoutComDisputes(open: OpenCheckoutCom): Disputes {
  return {
    async read({ disputeId, ...access }, signal) {
      try {
        const api = await open(access, signal);
        return answerOf(await api.ask('GET', `/disputes/${encodeURIComponent(disputeId)}`, DISPUTE));
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) return { status: 'not_found' };
        return unknown(causeOf(faultOf(error)));
      }
    },
    list: (request, signal) => readableRecords(listDisputes(open, request, signal), faultOf),
  };
}

const LIST = z.object({
  total_count: z.int(),
  data: z.array(z.object({ id: z.string(), status: z.string(), last_update: z.string().nullish() })),
});

/** Those that were modified since ("showing the last modified dispute first", github.com/checkout/checkout-sdk-node). */
async function* listDisputes(
  open: OpenCheckoutCom,
  { since, ...access }: ListRequest,
  signal: AbortSignal,
): AsyncIterable<ListedItem> {
  const api = await open(access, signal);
  let [skip, total] = [0, 1];
  while (skip < total) {
    const query = new URLSearchParams({ from: since.toISOString(), limit: String(PAGE), skip: String(skip) });
    const { data, total_count: count } = await api.ask('GET', `/disputes?${query}`, LIST);
    for (const { id, status, last_update: updatedAt } of data) yield { id, state: `${status}:${updatedAt}` };
    if (data.length === 0) return;
    [skip, total] = [skip + data.length, count];
  }
}

const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  evidence_required: 'needs_response',
  evidence_under_review: 'under_review',
  arb_evidence_submitted: 'under_review',
  arbitration_under_review: 'under_review',
  won: 'won',
  arbitration_won: 'won',
  lost: 'lost',
  arbitration_lost: 'lost',
  // No evidence was sent in time, or the merchant accepted the dispute.
  expired: 'lost',
  accepted: 'lost',
  // The bank withdrew it, or the payment was refunded before.
  canceled: 'closed',
  resolved: 'closed',
};

const REASONS: Readonly<Record<string, DisputeReason>> = {
  fraudulent: 'fraudulent',
  unrecognized: 'fraudulent',
  duplicate: 'duplicate',
  not_as_described: 'not_as_described',
  product_service_not_received: 'not_received',
  canceled_recurring: 'canceled',
  credit_not_issued: 'credit_not_processed',
  incorrect_amount: 'amount_differs',
};

function answerOf(dispute: z.infer<typeof DISPUTE>): DisputeAnswer {
  const status = STATUSES[dispute.status];
  const updatedAt = timeOrNull(dispute.last_update);
  if (status === undefined || updatedAt === null) return unknown('answer');
  return {
    status: 'found',
    dispute: {
      paymentId: dispute.payment.id,
      kind: 'chargeback',
      status,
      reason: REASONS[dispute.category ?? ''] ?? 'general',
      processorReason: dispute.reason_code ?? null,
      amountCents: dispute.amount,
      currency: dispute.currency,
      evidenceDueAt: timeOrNull(dispute.evidence_required_by),
      version: updatedAt.getTime(),
    },
  };
}
