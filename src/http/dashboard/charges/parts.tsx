/** The status of a charge, and why it failed. */
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { ChargeResource } from '../../../contract/resources.ts';
import { type FailureCause, failureCause } from '../../../domain/charge.ts';
import { Badge } from '../page/parts.tsx';
import { takenCents } from './taken.ts';

const lateStatus = ({ duplicate_of }: ListedChargeResource) =>
  duplicate_of === undefined ? 'Paid late: needs attention' : 'Duplicate: needs attention';

type Failed = Pick<ChargeResource, 'failure' | 'processor_payment_id'>;

/** Why the charge failed. */
export function causeOf({ failure, processor_payment_id }: Failed): FailureCause {
  return failureCause({
    declineCode: (failure?.decline_code as Parameters<typeof failureCause>[0]['declineCode'] | undefined) ?? null,
    processorCode: failure?.processor_code ?? null,
    processorPaymentId: processor_payment_id,
  });
}

export const CAUSE_WORDS: Record<FailureCause, string> = {
  declined: 'Declined',
  not_received: 'Never reached the processor',
  not_processed: 'Not processed',
  merchant: 'Failed',
};

const TONES = {
  succeeded: 'good',
  authorized: 'good',
  failed: 'bad',
  pending: 'wait',
  voided: 'calm',
  expired: 'calm',
} as const;

/** Shows refunds before the status of the charge. */
export function ChargeBadge({ charge }: { charge: ListedChargeResource }) {
  const { status, refunded_cents } = charge;
  if (charge.returned_at !== undefined && status === 'failed') return <Badge status="Returned" tone="bad" />;
  if (charge.capture_failed_at !== undefined) return <Badge status="Capture failed" tone="bad" />;
  if (refunded_cents > 0) {
    return <Badge status={refunded_cents < takenCents(charge) ? 'Partially refunded' : 'Refunded'} tone="calm" />;
  }
  // Nothing was paid.
  if (status === 'succeeded' && charge.amount_cents === 0) return <Badge status="Card saved" tone="good" />;
  if (charge.needs_attention) return <Badge status={lateStatus(charge)} tone="wait" />;
  return <Badge status={status === 'failed' ? CAUSE_WORDS[causeOf(charge)] : status} tone={TONES[status]} />;
}
