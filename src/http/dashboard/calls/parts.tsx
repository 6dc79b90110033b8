/** A call in lists and on pages: its caller, amount and outcome. */
import type { CallResource } from '../../../contract/calls.ts';
import { settledLater } from '../checkouts/activity.tsx';
import { Badge, Money, sentence } from '../page/parts.tsx';
import { names } from '../words/names/index.ts';
import { callWords } from './words/index.ts';

/** What the call charged, which can be a part of its checkout's amount or have a tip. Without a charge, the checkout's. */
export function CallAmount({ call }: { call: CallResource }) {
  const { currency } = call;
  const cents = call.charge_amount_cents ?? call.amount_cents;
  return cents === null || currency === null ? null : <Money cents={cents} currency={currency} />;
}

/** The number comes from the checkout, so a call without a checkout has none. */
export function callerText({ caller_phone, checkout_session_id }: CallResource): string {
  const w = callWords();
  return caller_phone ?? (checkout_session_id === null ? w.noPaymentChosen : w.numberWithheld);
}

export function CallBadge({ call }: { call: CallResource }) {
  const { status, outcome, stage } = call;
  const w = callWords();
  if (status === 'live') {
    return (
      <>
        <Badge status="live" name={w.onTheLine} tone="calm" />
        {stage !== null && (
          <>
            {' '}
            <span class="quiet small stage">{sentence(w.stages[stage])}</span>
          </>
        )}
      </>
    );
  }
  const later = settledLater(call);
  if (later !== null) return <Badge status={outcome ?? 'ended'} name={later.badge} tone={later.tone} />;
  if (outcome === 'succeeded' && call.amount_cents === 0) {
    return <Badge status={outcome} name={w.cardSaved} tone="good" />;
  }
  return <Badge status={outcome ?? 'ended'} name={outcome === null ? w.ended : names().callOutcome[outcome]} />;
}
