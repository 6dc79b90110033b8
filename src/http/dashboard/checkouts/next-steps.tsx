/** What to do next about a call or a checkout: a sentence, buttons for what the user's role allows, and links. */
import type { CallResource } from '../../../contract/calls.ts';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { CheckoutSessionResource } from '../../../contract/session-resource.ts';
import { roleCovers } from '../../../domain/user.ts';
import { ChargeActions } from '../charges/actions.tsx';
import { takenCents } from '../charges/taken.ts';
import { Form } from '../form/form.tsx';
import { callerPath } from '../page/links.tsx';
import { Block, moneyText } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { checkoutWords } from './words/index.ts';

export interface Next {
  visit: Visit;
  page: 'call' | 'checkout';
  /** On the page of a checkout, the one that is on the line. */
  call: CallResource | null;
  /** Null for a call whose caller never chose a payment. */
  checkout: CheckoutSessionResource | null;
  charges: readonly ListedChargeResource[];
}

/** The charge that matters: one that needs a decision, then the one that took the money, then the newest. */
function chargeOf({ charges, call }: Next): ListedChargeResource | undefined {
  const order = [
    charges.find(({ needs_settling }) => needs_settling === true),
    charges.find(({ status }) => status === 'pending' || status === 'authorized'),
    charges.find(({ status }) => status === 'succeeded'),
    charges.find(({ charge_id }) => charge_id === call?.charge_id),
    charges[0],
  ];
  return order.find((charge) => charge !== undefined);
}

const isPayable = ({ checkout }: Next) =>
  checkout?.session_status === 'open' && checkout.payment_required === 'required';

/** Buttons, the most important first. */
export function NextActions(next: Next) {
  const { visit, checkout } = next;
  const charge = chargeOf(next);
  const mayText = checkout?.caller_phone && isPayable(next) && roleCovers(visit.user.role, 'support');
  const isOnLine = next.call?.status === 'live';
  return (
    <>
      {charge !== undefined && <ChargeActions visit={visit} charge={charge} />}
      {mayText && !isOnLine && charge?.status !== 'pending' && (
        <Form visit={visit} action="/callers/link" submit={checkoutWords().next.textLink} tone="plain">
          <input type="hidden" name="number" value={checkout.caller_phone ?? ''} />
          <input type="hidden" name="checkout" value={checkout.checkout_session_id} />
        </Form>
      )}
    </>
  );
}

export function NextBlock(next: Next) {
  const { visit, call, checkout } = next;
  const charge = chargeOf(next);
  const phone = call?.caller_phone ?? checkout?.caller_phone ?? null;
  const w = checkoutWords().next;
  const links = [
    ...(charge === undefined ? [] : [[w.openCharge, `/charges/${charge.charge_id}`] as const]),
    ...otherPage(next),
    ...(phone === null ? [] : [[w.openCaller, callerPath(phone)] as const]),
  ];
  return (
    <Block title={w.title}>
      <p>{nextWords(next, charge)}</p>
      <ul class="next-links">
        {links.map(([text, path]) => (
          <li key={text}>
            <a href={visit.base + path}>{text}</a>
          </li>
        ))}
      </ul>
    </Block>
  );
}

/** The checkout on the page of a call, and the live call on the page of its checkout. */
function otherPage({ page, call, checkout }: Next): (readonly [string, string])[] {
  const w = checkoutWords().next;
  if (page === 'checkout') return call === null ? [] : [[w.openCall, `/calls/${call.call_id}`]];
  return checkout === null ? [] : [[w.openCheckout, `/checkouts/${checkout.checkout_session_id}`]];
}

function nextWords(next: Next, charge: ListedChargeResource | undefined): string {
  const w = checkoutWords().next;
  if (next.call?.status === 'live') return w.onTheLine;
  if (charge?.needs_settling) return w.settle;
  if (charge?.status === 'pending') return w.wait;
  if (charge?.status === 'authorized') return w.held;
  if (charge?.status === 'succeeded') return paidWords(charge);
  if (next.checkout === null) return w.notChosen;
  return isPayable(next) ? w.payable : w.notPayable;
}

type PaidCharge = Pick<
  ListedChargeResource,
  | 'amount_cents'
  | 'captured_cents'
  | 'currency'
  | 'refunded_cents'
  | 'refund_pending_cents'
  | 'remaining_cents'
  | 'was_late'
>;

/** What is left to do about a payment that succeeded. */
export function paidWords(charge: PaidCharge): string {
  const { refunded_cents: refunded, remaining_cents: remaining = 0, currency } = charge;
  const taken = takenCents(charge);
  const w = checkoutWords().next;
  if (taken === 0) return w.saved;
  if (refunded >= taken) return charge.refund_pending_cents === undefined ? w.refunded : w.refundPending;
  if (charge.was_late) return w.late;
  return remaining === 0 ? w.complete : w.part(moneyText(remaining, currency));
}
