/** Charges that were reported as failed and succeeded later: the notices, and marking one as seen. */
import type { ListedChargeResource } from '../../../contract/charges.ts';
import { majorUnits } from '../../../domain/money.ts';
import { roleCovers } from '../../../domain/user.ts';
import { Form } from '../form/form.tsx';
import type { Filter } from '../list/filters.tsx';
import { ObjectLink } from '../page/links.tsx';
import type { Taken } from '../page/page-routes.ts';
import { moneyText, Notice, Time } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { takenCents } from './taken.ts';

export const ATTENTION: Filter = {
  kind: 'choice',
  name: 'needs_attention',
  label: 'Attention',
  choices: [['true', 'Needs attention']],
};

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

/** On the page of a late charge: what happened, a link to refund a duplicate, and the button to mark it as seen. */
export function LateCharge(late: LateProps) {
  const { visit, charge, other } = late;
  return (
    <Notice tone={charge.needs_attention ? 'wait' : 'calm'} title={titleOf(other)}>
      {other === null ? (
        <p>
          The caller may have heard that nothing was charged. The order counts as paid. Deliver it, or refund the
          charge.
        </p>
      ) : (
        <Duplicate {...late} other={other} />
      )}
      <Seen visit={visit} charge={charge} />
    </Notice>
  );
}

const isRefunded = (charge: ListedChargeResource) => charge.refunded_cents >= takenCents(charge);

function titleOf(other: ListedChargeResource | null): string {
  if (other === null) return 'This charge was reported as failed, but the processor charged the card';
  if (isRefunded(other)) return 'This charge was a duplicate, and the other charge is refunded';
  return 'This charge may be a duplicate';
}

function Duplicate({ visit, charge, other, mayRefund }: LateProps & { other: ListedChargeResource }) {
  const left = takenCents(charge) - charge.refunded_cents;
  return (
    <>
      <p>
        It was reported as failed, but the processor charged the card.{' '}
        <ObjectLink visit={visit} to="charge" id={other.charge_id} /> is for the same checkout or order, and is{' '}
        {isRefunded(other) ? 'refunded' : other.status}.
      </p>
      {other.status === 'pending' && <p>Wait for its outcome before you refund one of them.</p>}
      {mayRefund && other.status === 'succeeded' && !isRefunded(other) && left > 0 && (
        <p>
          <a class="button" href={duplicateRefundUrl(visit, charge, left)}>
            Refund {moneyText(left, charge.currency)} as a duplicate
          </a>
        </p>
      )}
    </>
  );
}

function Seen({ visit, charge }: Pick<LateProps, 'visit' | 'charge'>) {
  const { charge_id: id, needs_attention: needsAttention, attention_acknowledged_at: seenAt } = charge;
  if (seenAt !== undefined) {
    return (
      <p>
        Marked as seen <Time at={seenAt} />.
      </p>
    );
  }
  if (!needsAttention || !roleCovers(visit.user.role, 'support')) return null;
  return <Form visit={visit} action={`/charges/${id}/acknowledge`} submit="Mark as seen" tone="plain" />;
}

/** Marks a late charge as seen. */
export async function acknowledgeCharge(visit: Visit<'id'>): Promise<Taken> {
  const path = `/charges/${idInPath(visit)}`;
  await visit.ask({ method: 'POST', path: `/v1${path}/acknowledge` });
  return { to: path };
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
