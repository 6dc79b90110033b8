/** The buttons of a charge that the user's role allows: settle, capture and void, or refund. */
import type { ListedChargeResource } from '../../../contract/charges.ts';
import { roleCovers } from '../../../domain/user.ts';
import type { Visit } from '../page/visit.ts';
import { SettleButton } from '../settle/settle.tsx';
import { HoldActions, mayChangeHold } from './hold.tsx';
import { takenCents } from './taken.ts';
import { chargeWords } from './words/index.ts';

export const mayRefund = ({ user }: Visit, charge: ListedChargeResource) =>
  charge.status === 'succeeded' && charge.refunded_cents < takenCents(charge) && roleCovers(user.role, 'support');

export function ChargeActions({ visit, charge }: { visit: Visit; charge: ListedChargeResource }) {
  const path = `/charges/${charge.charge_id}`;
  if (charge.needs_settling) return <SettleButton visit={visit} path={path} />;
  if (mayChangeHold(visit, charge)) return <HoldActions visit={visit} path={path} />;
  if (!mayRefund(visit, charge)) return null;
  return (
    <a class="button" href={`${visit.base}${path}/refund`}>
      {chargeWords().refund.title}
    </a>
  );
}

/** In a list of charges. */
export function RefundLink({ visit, charge }: { visit: Visit; charge: ListedChargeResource }) {
  if (!mayRefund(visit, charge)) return null;
  return <a href={`${visit.base}/charges/${charge.charge_id}/refund`}>{chargeWords().refund.title}</a>;
}
