/**
 * Disputes at Hyperswitch, as its connectors tell them (api-reference.hyperswitch.io/v1/disputes/disputes--retrieve;
 * github.com/juspay/hyperswitch, crates/api_models/src/disputes.rs and crates/common_enums/src/enums.rs). Evidence is sent in its
 * Control Center.
 */
import { z } from 'zod';
import type { DisputeStatus } from '../../domain/dispute.ts';
import { unknown } from '../answers.ts';
import type { DisputeAnswer, Disputes } from '../dispute-port.ts';
import { causeOf } from '../vendor-faults.ts';
import { timeOrNull } from '../vendor-times.ts';
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
  };
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
