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
import { names } from '../words/names/index.ts';
import { takenCents } from './taken.ts';
import { chargeWords } from './words/index.ts';

export function attentionFilter(): Filter {
  const { filters, needsAttention } = chargeWords();
  return { kind: 'choice', name: 'needs_attention', label: filters.attention, choices: [['true', needsAttention]] };
}

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
      {other === null ? <p>{chargeWords().late.text}</p> : <Duplicate {...late} other={other} />}
      <Seen visit={visit} charge={charge} />
    </Notice>
  );
}

/** Or its refund is pending. */
const isRefunded = (charge: ListedChargeResource) => charge.refunded_cents >= takenCents(charge);

const isRefundPending = (charge: ListedChargeResource) => charge.refund_pending_cents !== undefined;

function titleOf(other: ListedChargeResource | null): string {
  const w = chargeWords().late;
  if (other === null) return w.title;
  if (!isRefunded(other)) return w.maybeDuplicate;
  return isRefundPending(other) ? w.duplicateRefundPending : w.wasDuplicate;
}

function Duplicate({ visit, charge, other, mayRefund }: LateProps & { other: ListedChargeResource }) {
  const left = takenCents(charge) - charge.refunded_cents;
  const { late: w, badges } = chargeWords();
  const refundStatus = isRefundPending(other) ? badges.refundPending : badges.refunded;
  const status = isRefunded(other) ? refundStatus : names().chargeStatus[other.status];
  return (
    <>
      <p>{w.other(<ObjectLink visit={visit} to="charge" id={other.charge_id} />, status)}</p>
      {other.status === 'pending' && <p>{w.wait}</p>}
      {mayRefund && other.status === 'succeeded' && !isRefunded(other) && left > 0 && (
        <p>
          <a class="button" href={duplicateRefundUrl(visit, charge, left)}>
            {w.refund(moneyText(left, charge.currency))}
          </a>
        </p>
      )}
    </>
  );
}

function Seen({ visit, charge }: Pick<LateProps, 'visit' | 'charge'>) {
  const { charge_id: id, needs_attention: needsAttention, attention_acknowledged_at: seenAt } = charge;
  const w = chargeWords().late;
  if (seenAt !== undefined) return <p>{w.seen(<Time at={seenAt} />)}</p>;
  if (!needsAttention || !roleCovers(visit.user.role, 'support')) return null;
  return <Form visit={visit} action={`/charges/${id}/acknowledge`} submit={w.markSeen} tone="plain" />;
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
