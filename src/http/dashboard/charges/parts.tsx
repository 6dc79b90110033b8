/** The status of a charge, and why it failed. */

import type { ChargeResource } from '../../../contract/charge-resource.ts';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import { type FailureCause, failureCause } from '../../../domain/charge.ts';
import { Badge, type Tone } from '../page/parts.tsx';
import { names } from '../words/names/index.ts';
import { takenCents } from './taken.ts';
import { chargeWords } from './words/index.ts';

type Failed = Pick<ChargeResource, 'failure' | 'processor_payment_id'>;

/** Why the charge failed. */
export function causeOf({ failure, processor_payment_id }: Failed): FailureCause {
  return failureCause({
    declineCode: (failure?.decline_code as Parameters<typeof failureCause>[0]['declineCode'] | undefined) ?? null,
    processorCode: failure?.processor_code ?? null,
    processorPaymentId: processor_payment_id,
  });
}

export const causeText = (cause: FailureCause): string => chargeWords().causes[cause];

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
  const { status, refunded_cents, refund_pending_cents } = charge;
  const w = chargeWords().badges;
  const badge = (name: string, tone: Tone) => <Badge status={status} name={name} tone={tone} />;
  if (charge.returned_at !== undefined && status === 'failed') return badge(w.returned, 'bad');
  if (charge.capture_failed_at !== undefined) return badge(w.captureFailed, 'bad');
  if (refund_pending_cents !== undefined) {
    return badge(refunded_cents > refund_pending_cents ? w.partRefundedPartPending : w.refundPending, 'wait');
  }
  if (refunded_cents > 0) {
    return badge(refunded_cents < takenCents(charge) ? w.partiallyRefunded : w.refunded, 'calm');
  }
  // Nothing was paid.
  if (status === 'succeeded' && charge.amount_cents === 0) return badge(w.cardSaved, 'good');
  if (charge.needs_attention) return badge(charge.duplicate_of === undefined ? w.paidLate : w.duplicate, 'wait');
  return badge(status === 'failed' ? causeText(causeOf(charge)) : names().chargeStatus[status], TONES[status]);
}
