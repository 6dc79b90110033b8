/** Disputes as REST and events show them. */
import { z } from 'zod';
import { DISPUTE_KINDS, DISPUTE_REASONS, DISPUTE_STATUSES, type Dispute } from '../domain/dispute.ts';
import { FIELDS, field } from './fields.ts';

export const DisputeResource = z
  .object({
    dispute_id: field(z.string(), 'The dispute, `dp_…`.', 'dp_m4k7x2vqh9wzt6nb3cry8jfe5d'),
    charge: field(z.string(), 'The `charge_id` of the disputed charge.', 'ch_x6ueh4kxj94cewxy97eft8edv6'),
    checkout_session_id: FIELDS.checkout_session_id,
    merchant_id: FIELDS.merchant_id,
    kind: field(
      z.enum(DISPUTE_KINDS),
      "`inquiry`: the payer's bank asks about the payment, and has taken nothing back yet. `chargeback`: the bank takes the amount back.",
      'chargeback',
    ),
    status: field(
      z.enum(DISPUTE_STATUSES),
      "`needs_response`: send evidence in the processor's dashboard before `evidence_due_at`. `under_review`: the bank decides. `won` and `lost`: decided, though some banks open another round. `closed`: ended without a decision, such as an inquiry that never became a chargeback.",
      'needs_response',
    ),
    reason: field(
      z.enum(DISPUTE_REASONS),
      'What the payer claims. `general`: the bank gave another reason or none. New reasons can be added.',
      'not_received',
    ),
    processor_reason: field(
      z.string().nullable(),
      "The processor's or the card network's own code. Null if there is none.",
      'product_not_received',
    ),
    amount_cents: field(
      z.int(),
      "The disputed amount, an integer in the currency's minor unit. It can differ from the charge.",
      4250,
    ),
    currency: field(z.string(), 'ISO 4217, upper case: the currency of the disputed amount.', 'USD'),
    evidence_due_at: field(
      z.iso.datetime().nullable(),
      'Until when the processor accepts evidence: ISO 8601, in UTC. Null if it sets no time.',
      '2026-11-29T23:59:59.000Z',
    ),
    processor: field(z.string(), "The charge's processor.", 'stripe'),
    processor_dispute_id: field(z.string(), 'The processor reference of the dispute.', 'du_1MtJUT2eZvKYlo2CNaw2HvEv'),
    created_at: field(
      z.iso.datetime(),
      'When the processor first notified us of the dispute: ISO 8601, in UTC.',
      '2026-11-21T09:30:00.000Z',
    ),
    updated_at: field(z.iso.datetime(), 'When the dispute last changed.', '2026-11-21T09:30:00.000Z'),
  })
  .meta({ id: 'Dispute', description: "A dispute of a charge by the payer's bank." });
export type DisputeResource = z.infer<typeof DisputeResource>;

export function disputeResource(dispute: Omit<Dispute, 'accountId' | 'mode'>): DisputeResource {
  return {
    dispute_id: dispute.id,
    charge: dispute.chargeId,
    checkout_session_id: dispute.sessionId,
    merchant_id: dispute.merchantId,
    kind: dispute.kind,
    status: dispute.status,
    reason: dispute.reason,
    processor_reason: dispute.processorReason,
    amount_cents: dispute.amountCents,
    currency: dispute.currency,
    evidence_due_at: dispute.evidenceDueAt?.toISOString() ?? null,
    processor: dispute.processor,
    processor_dispute_id: dispute.processorDisputeId,
    created_at: dispute.createdAt.toISOString(),
    updated_at: dispute.updatedAt.toISOString(),
  };
}
