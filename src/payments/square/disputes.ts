/** Disputes at Square (developer.squareup.com/reference/square/disputes-api). Evidence is sent in its dashboard. */
import type { Square } from 'square';
import type { DisputeReason, DisputeStatus } from '../../domain/dispute.ts';
import { unknown } from '../port/answers.ts';
import type { DisputeAnswer, Disputes } from '../port/disputes.ts';
import type { ListedItem, ListRequest } from '../port/listed.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { readableRecords } from '../vendor-api/lookup.ts';
import { timeOrNull } from '../vendor-api/times.ts';
import type { OpenSquare } from './client.ts';
import { faultOf, isNotFound } from './errors.ts';
import { itemsOf } from './lists.ts';

export function squareDisputes(open: OpenSquare): Disputes {
  return {
    async read({ disputeId, ...access }, signal) {
      try {
        const { square } = await open(access, signal);
        const { dispute } = await square.disputes.get({ disputeId });
        return dispute === undefined ? unknown('answer') : answerOf(dispute);
      } catch (error) {
        return isNotFound(error) ? { status: 'not_found' } : unknown(causeOf(faultOf(error)));
      }
    },
    list: (request, signal) => readableRecords(listDisputes(open, request, signal), faultOf),
  };
}

/** Square lists all of them. */
async function* listDisputes(
  open: OpenSquare,
  { since, ...access }: ListRequest,
  signal: AbortSignal,
): AsyncIterable<ListedItem> {
  const { square, locationId } = await open(access, signal);
  for await (const { id, disputeId, state, version, updatedAt } of itemsOf(
    await square.disputes.list({ locationId }),
  )) {
    const listed = id ?? disputeId;
    const changedAt = timeOrNull(updatedAt);
    const isOld = changedAt !== null && changedAt < since;
    if (listed != null && !isOld) yield { id: listed, state: `${state}:${version}` };
  }
}

const STATUSES: Readonly<Record<Square.DisputeState, DisputeStatus>> = {
  INQUIRY_EVIDENCE_REQUIRED: 'needs_response',
  INQUIRY_PROCESSING: 'under_review',
  INQUIRY_CLOSED: 'closed',
  EVIDENCE_REQUIRED: 'needs_response',
  PROCESSING: 'under_review',
  WON: 'won',
  LOST: 'lost',
  // By the merchant.
  ACCEPTED: 'lost',
};

const REASONS: Readonly<Record<Square.DisputeReason, DisputeReason>> = {
  AMOUNT_DIFFERS: 'amount_differs',
  CANCELLED: 'canceled',
  DUPLICATE: 'duplicate',
  NO_KNOWLEDGE: 'fraudulent',
  NOT_AS_DESCRIBED: 'not_as_described',
  NOT_RECEIVED: 'not_received',
  PAID_BY_OTHER_MEANS: 'paid_by_other_means',
  CUSTOMER_REQUESTS_CREDIT: 'credit_not_processed',
  EMV_LIABILITY_SHIFT: 'general',
};

function answerOf({ state, reason, amountMoney, disputedPayment, dueAt, version }: Square.Dispute): DisputeAnswer {
  const { amount, currency } = amountMoney ?? {};
  const paymentId = disputedPayment?.paymentId;
  if (paymentId == null) return { status: 'not_found' };
  // Of a state that the package does not know, too.
  const status = state && (STATUSES[state] as DisputeStatus | undefined);
  if (state === undefined || status === undefined || amount == null || currency === undefined) return unknown('answer');
  return {
    status: 'found',
    dispute: {
      paymentId,
      kind: state.startsWith('INQUIRY_') ? 'inquiry' : 'chargeback',
      status,
      reason: (reason && REASONS[reason]) ?? 'general',
      processorReason: reason ?? null,
      amountCents: Number(amount),
      currency,
      evidenceDueAt: timeOrNull(dueAt),
      version: version ?? 0,
    },
  };
}
