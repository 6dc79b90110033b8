/** The status of a charge, and the notices about charges that were reported as failed and succeeded later. */
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { ChargeResource } from '../../../contract/resources.ts';
import { type FailureCause, failureCause } from '../../../domain/charge.ts';
import { majorUnits } from '../../../domain/money.ts';
import type { Filter } from '../list/filters.tsx';
import { ObjectLink } from '../page/links.tsx';
import { Badge, moneyText, Notice } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

export const ATTENTION: Filter = {
  kind: 'choice',
  name: 'needs_attention',
  label: 'Attention',
  choices: [['true', 'Needs attention']],
};

const lateStatus = ({ duplicate_of }: ListedChargeResource) =>
  duplicate_of === undefined ? 'Paid late: needs attention' : 'Duplicate: needs attention';

/** The charge that a late one duplicates; null if it is not a duplicate. */
export async function readOther(
  visit: Visit,
  { duplicate_of }: ListedChargeResource,
): Promise<ListedChargeResource | null> {
  if (duplicate_of === undefined) return null;
  return visit.ask<ListedChargeResource>({ path: `/v1/charges/${encodeURIComponent(duplicate_of)}` });
}

interface LateProps {
  visit: Visit;
  charge: ListedChargeResource;
  other: ListedChargeResource | null;
  mayRefund: boolean;
}

/** On the page of a late charge: what happened, and a link to refund a duplicate. */
export function LateCharge({ visit, charge, other, mayRefund }: LateProps) {
  if (other === null) {
    return (
      <Notice tone="wait" title="This charge was reported as failed, but the processor charged the card">
        <p>
          The caller may have heard that nothing was charged. The order counts as paid. Deliver it, or refund the
          charge.
        </p>
      </Notice>
    );
  }
  const left = charge.amount_cents - charge.refunded_cents;
  return (
    <Notice tone="wait" title="This charge may be a duplicate">
      <p>
        It was reported as failed, but the processor charged the card.{' '}
        <ObjectLink visit={visit} to="charge" id={other.charge_id} /> is for the same checkout or order, and is{' '}
        {other.status}.
      </p>
      {other.status === 'pending' && <p>Wait for its outcome before you refund one of them.</p>}
      {mayRefund && other.status === 'succeeded' && left > 0 && (
        <p>
          <a class="button" href={duplicateRefundUrl(visit, charge, left)}>
            Refund {moneyText(left, charge.currency)} as a duplicate
          </a>
        </p>
      )}
    </Notice>
  );
}

/** The confirmation of the refund, with amount and reason filled in. */
function duplicateRefundUrl(
  { base }: Visit,
  { charge_id, currency }: ListedChargeResource,
  amountCents: number,
): string {
  const query = new URLSearchParams({ amount: majorUnits({ amountCents, currency }), reason: 'duplicate' });
  return `${base}/charges/${encodeURIComponent(charge_id)}/refund?${query}`;
}

/** On the overview: the number of late charges that need attention, up to one page of them. */
export function AttentionNotice({ visit, count, hasMore }: { visit: Visit; count: number; hasMore: boolean }) {
  if (count === 0) return null;
  const number = hasMore ? `More than ${count}` : String(count);
  const title = count === 1 ? '1 charge needs attention' : `${number} charges need attention`;
  return (
    <Notice tone="wait" title={title}>
      <p>
        {count === 1 ? 'It was' : 'They were'} reported as failed, but the processor charged the card.{' '}
        <a href={`${visit.base}/charges?needs_attention=true`}>Show {count === 1 ? 'the charge' : 'these charges'}</a>
      </p>
    </Notice>
  );
}

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

const TONES = { succeeded: 'good', failed: 'bad', pending: 'wait' } as const;

/** Shows refunds before the status of the charge. */
export function ChargeBadge({ charge }: { charge: ListedChargeResource }) {
  const { status, refunded_cents, amount_cents } = charge;
  if (refunded_cents > 0) {
    return <Badge status={refunded_cents < amount_cents ? 'Partially refunded' : 'Refunded'} tone="calm" />;
  }
  if (charge.needs_attention) return <Badge status={lateStatus(charge)} tone="wait" />;
  return <Badge status={status === 'failed' ? CAUSE_WORDS[causeOf(charge)] : status} tone={TONES[status]} />;
}
