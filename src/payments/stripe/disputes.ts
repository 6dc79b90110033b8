/** Disputes at Stripe (docs.stripe.com/api/disputes/object). Evidence is sent in its dashboard. */
import type Stripe from 'stripe';
import type { DisputeReason, DisputeStatus } from '../../domain/dispute.ts';
import { unknown } from '../port/answers.ts';
import type { DisputeAnswer, Disputes } from '../port/disputes.ts';
import type { ListedItem, ListRequest } from '../port/listed.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { PAGE, readableRecords } from '../vendor-api/lookup.ts';
import type { OpenStripe } from './client.ts';
import { faultOf, isStripeError } from './errors.ts';
import { seconds } from './look-up.ts';

export function stripeDisputes(open: OpenStripe): Disputes {
  return {
    async read({ disputeId, ...access }, signal) {
      try {
        const stripe = await open(access, signal);
        return answerOf(await stripe.disputes.retrieve(disputeId));
      } catch (error) {
        if (isStripeError(error) && error.code === 'resource_missing') return { status: 'not_found' };
        return unknown(causeOf(faultOf(error)));
      }
    },
    list: (request, signal) => readableRecords(listDisputes(open, request, signal), faultOf),
  };
}

/** They can only be listed by when they were opened. Networks decide within months. */
const OPENED_BEFORE_MS = 180 * 24 * 60 * 60_000;

async function* listDisputes(
  open: OpenStripe,
  { since, ...access }: ListRequest,
  signal: AbortSignal,
): AsyncIterable<ListedItem> {
  const stripe = await open(access, signal);
  const gte = seconds(new Date(since.getTime() - OPENED_BEFORE_MS));
  for await (const { id, status, evidence_details: details } of stripe.disputes.list({
    created: { gte },
    limit: PAGE,
  })) {
    yield { id, state: `${status}:${details.due_by}` };
  }
}

/** "warning": an inquiry (docs.stripe.com/disputes/how-disputes-work). "prevented" never becomes a chargeback. */
const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: 'needs_response',
  warning_under_review: 'under_review',
  warning_closed: 'closed',
  needs_response: 'needs_response',
  under_review: 'under_review',
  appeal_needs_response: 'needs_response',
  appeal_under_review: 'under_review',
  won: 'won',
  lost: 'lost',
  prevented: 'closed',
};

/** docs.stripe.com/disputes/categories */
const REASONS: Readonly<Record<string, DisputeReason>> = {
  fraudulent: 'fraudulent',
  unrecognized: 'fraudulent',
  duplicate: 'duplicate',
  product_not_received: 'not_received',
  product_unacceptable: 'not_as_described',
  subscription_canceled: 'canceled',
  credit_not_processed: 'credit_not_processed',
};

function answerOf(dispute: Stripe.Dispute): DisputeAnswer {
  const { payment_intent: intent, evidence_details: details } = dispute;
  const paymentId = typeof intent === 'object' ? (intent?.id ?? null) : intent;
  const status = STATUSES[dispute.status];
  // A payment of ours always has an intent.
  if (paymentId === null) return { status: 'not_found' };
  if (status === undefined || !Number.isSafeInteger(dispute.amount)) return unknown('answer');
  const dueBy = details.due_by;
  return {
    status: 'found',
    dispute: {
      paymentId,
      kind: dispute.status.startsWith('warning_') ? 'inquiry' : 'chargeback',
      status,
      reason: REASONS[dispute.reason] ?? 'general',
      processorReason: dispute.reason,
      amountCents: dispute.amount,
      currency: dispute.currency.toUpperCase(),
      evidenceDueAt: dueBy ? new Date(dueBy * 1_000) : null,
      version: null,
    },
  };
}
