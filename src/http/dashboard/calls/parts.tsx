/** A call in lists and on pages: its caller, amount and outcome. */
import type { CallResource } from '../../../contract/calls.ts';
import { settledLater } from '../checkouts/activity.tsx';
import { Badge, Money, words } from '../page/parts.tsx';

/** The amount of the call's checkout. */
export function CallAmount({ call: { amount_cents, currency } }: { call: CallResource }) {
  return amount_cents === null || currency === null ? null : <Money cents={amount_cents} currency={currency} />;
}

/** The number comes from the checkout, so a call without a checkout has none. */
export function callerText({ caller_phone, checkout_session_id }: CallResource): string {
  return caller_phone ?? (checkout_session_id === null ? 'No payment chosen' : 'Number withheld');
}

export function CallBadge({ call }: { call: CallResource }) {
  const { status, outcome, stage } = call;
  if (status === 'live')
    return <Badge status={stage === null ? 'On the line' : `on the line: ${words(stage)}`} tone="calm" />;
  const later = settledLater(call);
  if (later !== null) return <Badge status={later.badge} tone={later.tone} />;
  if (outcome === 'succeeded' && call.amount_cents === 0) return <Badge status="Card saved" tone="good" />;
  return <Badge status={outcome ?? 'ended'} />;
}
