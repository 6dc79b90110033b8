/**
 * Disputes at Hyperswitch, as its connectors tell them (api-reference.hyperswitch.io/v1/disputes/disputes--retrieve;
 * github.com/juspay/hyperswitch, crates/api_models/src/disputes.rs and crates/common_enums/src/enums.rs). Evidence is sent in its
 * Control Center.
 */
import { z } from 'zod';
import type { DisputeStatus } from '../../domain/dispute.ts';
import { unknown } from '../port/answers.ts';
import type { DisputeAnswer, Disputes } from '../port/disputes.ts';
import type { ListedItem, ListRequest } from '../port/listed.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { readableRecords } from '../vendor-api/lookup.ts';
import { timeOrNull } from '../vendor-api/times.ts';
import { HttpError, type OpenHyperswitch } from './client.ts';
import { faultOf } from './errors.ts';
import { chargeIdOf } from './payments.ts';

const DISPUTE = z.object({
  payment_id: z.string(),
  /** In minor units. */
  amount: z.string().regex(/^\d{1,15}$/),
  currency: z.string(),
  dispute_stage: z.string(),
  dispute_status: z.string(),
  connector_reason: z.string().nullish(),
  connector_reason_code: z.string().nullish(),
  challenge_required_by: z.string().nullish(),
});

export function hyperswitchDisputes(open: OpenHyperswitch): Disputes {
  return {
    async read({ disputeId, ...access }, signal) {
      try {
        const api = await open(access, signal);
        return answerOf(await api.ask('GET', `/disputes/${encodeURIComponent(disputeId)}`, DISPUTE));
      } catch (error) {
        if (error instanceof HttpError && error.status === 404 && error.code !== null) return { status: 'not_found' };
        return unknown(causeOf(faultOf(error)));
      }
    },
    list: (request, signal) => readableRecords(listDisputes(open, request, signal), faultOf),
  };
}

const LIST = z.array(
  z.object({
    dispute_id: z.string(),
    payment_id: z.string(),
    dispute_stage: z.string(),
    dispute_status: z.string(),
    connector_updated_at: z.string().nullish(),
  }),
);

/** A dispute is about 1 KB, and our client reads no more than 256 KB. */
const LIST_PAGE = 50;
/** The list is filtered by the time at which a dispute was received, not changed. Most end sooner. */
const OPEN_MS = 180 * 24 * 60 * 60_000;

/** `GET /disputes/list`. A page can be shorter than was asked for: the server limits it (crates/common_utils/src/types/list.rs). */
async function* listDisputes(
  open: OpenHyperswitch,
  { since, ...access }: ListRequest,
  signal: AbortSignal,
): AsyncIterable<ListedItem> {
  const api = await open(access, signal);
  const { profile_id: profile } = api.settings;
  const from = new Date(since.getTime() - OPEN_MS).toISOString().replace(/\.\d+Z$/, 'Z');
  for (let offset = 0; ; ) {
    const query = new URLSearchParams({ start_time: from, limit: String(LIST_PAGE), offset: String(offset) });
    if (profile !== undefined) query.set('profile_id', profile);
    const page = await api.ask('GET', `/disputes/list?${query}`, LIST);
    if (page.length === 0) return;
    for (const { dispute_id: id, payment_id: of, dispute_stage: stage, ...dispute } of page) {
      const state = `${stage}:${dispute.dispute_status}:${dispute.connector_updated_at ?? ''}`;
      // Others belong to payments of other systems.
      if (chargeIdOf(of) !== null) yield { id, state };
    }
    offset += page.length;
  }
}

const STATUSES: Readonly<Record<string, DisputeStatus>> = {
  dispute_opened: 'needs_response',
  dispute_challenged: 'under_review',
  dispute_won: 'won',
  dispute_lost: 'lost',
  // By the merchant, or because no evidence was sent in time.
  dispute_accepted: 'lost',
  dispute_expired: 'lost',
  // The bank withdrew it.
  dispute_cancelled: 'closed',
};

/** Before a dispute, nothing is taken back, so without an answer nothing is lost. */
const UNANSWERED: readonly string[] = ['dispute_accepted', 'dispute_expired'];

function answerOf(dispute: z.infer<typeof DISPUTE>): DisputeAnswer {
  const { payment_id: paymentId, dispute_stage: stage, dispute_status: word, currency } = dispute;
  const chargeId = chargeIdOf(paymentId);
  if (chargeId === null) return { status: 'not_found' };
  const isInquiry = stage === 'pre_dispute';
  const status = isInquiry && UNANSWERED.includes(word) ? 'closed' : STATUSES[word];
  if (status === undefined) return unknown('answer');
  return {
    status: 'found',
    dispute: {
      paymentId,
      chargeId,
      kind: isInquiry ? 'inquiry' : 'chargeback',
      status,
      // The codes differ by connector.
      reason: 'general',
      processorReason: dispute.connector_reason_code ?? dispute.connector_reason ?? null,
      amountCents: Number(dispute.amount),
      currency,
      evidenceDueAt: timeOrNull(dispute.challenge_required_by),
      version: null,
    },
  };
}
