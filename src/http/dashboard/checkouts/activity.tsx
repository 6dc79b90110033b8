/** The activity of a checkout on one timeline: its calls, charges, refunds, events and texts, as REST returns them. */

import type { z } from 'zod';
import type { CallResource } from '../../../contract/calls.ts';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { DisputeResource } from '../../../contract/disputes.ts';
import type { EmailResource } from '../../../contract/emails.ts';
import type { ErrorObject } from '../../../contract/error-object.ts';
import type { RefundResource } from '../../../contract/refunds.ts';
import type { TextResource } from '../../../contract/texts.ts';
import type { ListedEvent } from '../../api/routes/events.ts';
import type { EventDeliveryResource } from '../../api/routes/webhook-deliveries.ts';
import { CAUSE_WORDS, causeOf } from '../charges/parts.tsx';
import { disputeEntries } from '../disputes/parts.tsx';
import { cardText, durationText, ObjectLink } from '../page/links.tsx';
import { moneyText, type TimelineEntry, type Tone, words } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import type { Ordered } from './timeline-order.ts';

/** With its deliveries. Null if not read, see {@link MAX_EVENTS_WITH_DELIVERIES}. */
type ActivityEvent = z.infer<typeof ListedEvent> & { deliveries: readonly EventDeliveryResource[] | null };

export interface CheckoutActivity {
  calls: readonly CallResource[];
  charges: readonly ListedChargeResource[];
  refunds: readonly RefundResource[];
  disputes: readonly DisputeResource[];
  events: readonly ActivityEvent[];
  texts: readonly TextResource[];
  emails: readonly EmailResource[];
}

/** Checkouts rarely have more. The lists show the rest. */
const LIMIT = '100';
/** Only the newest events are shown with deliveries, since each takes a request. Event pages show the others. */
const MAX_EVENTS_WITH_DELIVERIES = 10;

const NO_ACTIVITY: CheckoutActivity = {
  calls: [],
  charges: [],
  refunds: [],
  disputes: [],
  events: [],
  texts: [],
  emails: [],
};

/** @param checkoutId null for a call without a checkout, which has no other activity */
export async function readActivity(visit: Visit, checkoutId: string | null): Promise<CheckoutActivity> {
  if (checkoutId === null) return NO_ACTIVITY;
  const query = { checkout_session_id: checkoutId, limit: LIMIT };
  const [{ calls }, { charges }, { events }, { texts }, { emails }, { disputes }] = await Promise.all([
    visit.ask<{ calls: CallResource[] }>({ path: '/v1/calls', query }),
    visit.ask<{ charges: ListedChargeResource[] }>({ path: '/v1/charges', query }),
    visit.ask<{ events: z.infer<typeof ListedEvent>[] }>({ path: '/v1/events', query }),
    visit.ask<{ texts: TextResource[] }>({ path: '/v1/texts', query }),
    visit.ask<{ emails: EmailResource[] }>({ path: '/v1/emails', query }),
    visit.ask<{ disputes: DisputeResource[] }>({ path: '/v1/disputes', query }),
  ]);
  const refunded = charges.filter(({ refunded_cents }) => refunded_cents > 0);
  const [refunds, delivered] = await Promise.all([
    Promise.all(refunded.map(({ charge_id }) => refundsOf(visit, charge_id))),
    Promise.all(withDeliveriesOf(visit, events).map(({ id }) => deliveriesOf(visit, id))),
  ]);
  const withDeliveries = events.map((event, at) => ({ ...event, deliveries: delivered[at] ?? null }));
  // The list is newest first. On the timeline, events of one moment are in the order of their sequence.
  return { calls, charges, events: withDeliveries.toReversed(), texts, emails, disputes, refunds: refunds.flat() };
}

/** Deliveries belong to the account's endpoints, so limited users see none. */
const withDeliveriesOf = <T,>({ user }: Visit, events: readonly T[]): readonly T[] =>
  user.merchants === null ? events.slice(0, MAX_EVENTS_WITH_DELIVERIES) : [];

export async function deliveriesOf(visit: Visit, event: string): Promise<readonly EventDeliveryResource[]> {
  const path = `/v1/events/${encodeURIComponent(event)}/deliveries`;
  return (await visit.ask<{ deliveries: EventDeliveryResource[] }>({ path })).deliveries;
}

async function refundsOf(visit: Visit, charge: string): Promise<readonly RefundResource[]> {
  const path = '/v1/refunds';
  return (await visit.ask<{ refunds: RefundResource[] }>({ path, query: { charge, limit: LIMIT } })).refunds;
}

/** An entry with its place among others of the same second. */
type ActivityEntry = TimelineEntry & Ordered;

const OUTCOME_TONES: Record<string, Tone> = { succeeded: 'good', failed: 'bad', pending: 'wait' };

/** Badge and notice of a call whose charge settled after the call. Null for all other calls. */
export function settledLater({ outcome, charge_status: status, amount_cents }: CallResource) {
  const isPaid = status === 'succeeded' && (outcome === 'pending' || outcome === 'failed');
  if (isPaid && amount_cents === 0)
    return { badge: 'Card saved later', title: 'The card was saved after the call', tone: 'good' as const };
  if (isPaid) return { badge: 'Paid later', title: 'The charge succeeded after the call', tone: 'good' as const };
  if (status !== 'failed' || outcome !== 'pending') return null;
  return {
    badge: 'Not charged',
    title: 'The charge failed after the call: nothing was charged',
    tone: 'plain' as const,
  };
}

export function callEntries(visit: Visit, call: CallResource): TimelineEntry[] {
  const link = <ObjectLink visit={visit} to="call" id={call.call_id} />;
  const started: TimelineEntry = { at: call.created_at, kind: 'Call', what: 'The call started', more: link };
  if (call.ended_at === null || call.outcome === null) return [started];
  const reason = call.reason === null ? '' : `, ${words(call.reason).toLowerCase()}`;
  return [
    started,
    {
      at: call.ended_at,
      kind: 'Call',
      tone: settledLater(call) ? 'plain' : (OUTCOME_TONES[call.outcome] ?? 'plain'),
      what: `The call ended: ${words(call.outcome).toLowerCase()}${reason}`,
      more: `After ${durationText(call.created_at, call.ended_at)}`,
    },
  ];
}

const SOURCES = {
  phone: 'entered on the call',
  saved_card: 'a saved card',
  page: 'on the pay page',
} as const;

export function chargeEntries(visit: Visit, charge: ListedChargeResource): ActivityEntry[] {
  const amount = moneyText(charge.amount_cents, charge.currency);
  const isCardOnly = charge.amount_cents === 0;
  const link = <ObjectLink visit={visit} to="charge" id={charge.charge_id} />;
  const created: ActivityEntry = {
    at: charge.created_at,
    tells: 'charge_created',
    // A call's step says so.
    follows: 'charge_sent',
    kind: 'Charge',
    what: isCardOnly ? `Check of ${cardText(charge)}, without a charge` : `Charge of ${amount} to ${cardText(charge)}`,
    more: (
      <>
        {words(SOURCES[charge.source])}, by {charge.processor} · {link}
      </>
    ),
  };
  if (charge.settled_at === null) return [created];
  const { failure, attention_acknowledged_at: seenAt } = charge;
  const settled = { at: charge.settled_at, tells: 'charge_settled', kind: 'Charge' } as const;
  if (charge.returned_at !== undefined) {
    const paid: ActivityEntry = { ...settled, tone: 'good', what: `${amount} paid` };
    const code = failure?.processor_code;
    const what = code === undefined ? 'Returned by the bank' : `Returned by the bank (${code})`;
    return [created, paid, { at: charge.returned_at, kind: 'Charge', tone: 'bad', what }];
  }
  if (charge.capture_failed_at !== undefined) {
    const paid: ActivityEntry = { ...settled, tone: 'good', what: `${amount} paid` };
    return [created, paid, { at: charge.capture_failed_at, kind: 'Charge', tone: 'bad', what: 'Capture failed' }];
  }
  if (failure !== undefined) {
    return [created, { ...settled, tone: 'bad', what: failureTitle(charge, failure), more: failure.message }];
  }
  const paid: ActivityEntry = {
    ...settled,
    tone: 'good',
    what: `${isCardOnly ? 'Card saved' : `${amount} paid`}${charge.was_late ? ', confirmed late' : ''}`,
  };
  return seenAt === undefined
    ? [created, paid]
    : [created, paid, { at: seenAt, kind: 'Charge', what: 'Marked as seen' }];
}

function failureTitle(charge: ListedChargeResource, { code, decline_code }: ErrorObject): string {
  const cause = causeOf(charge);
  if (decline_code === undefined) return words(code);
  return cause === 'not_received' ? CAUSE_WORDS[cause] : `${CAUSE_WORDS[cause]}: ${words(decline_code).toLowerCase()}`;
}

export function refundEntry(visit: Visit, refund: RefundResource): TimelineEntry {
  const amount = moneyText(refund.amount_cents, refund.currency);
  const what = {
    succeeded: `${amount} refunded`,
    pending: `Refund of ${amount} pending`,
    failed: `Refund of ${amount} failed`,
  }[refund.status];
  const more = <ObjectLink visit={visit} to="refund" id={refund.refund_id} />;
  return { at: refund.created_at, kind: 'Refund', what, more, tone: OUTCOME_TONES[refund.status] ?? 'plain' };
}

/** The event, and the last delivery attempt to each endpoint. */
export function eventEntries(visit: Visit, { id, type, created_at, deliveries }: ActivityEvent): TimelineEntry[] {
  const more = (
    <>
      <ObjectLink visit={visit} to="event" id={id} />
      {deliveries === null && ' · see the event for its deliveries'}
    </>
  );
  return [
    { at: created_at, kind: 'Event', what: type, more },
    ...(deliveries ?? []).map((delivery) => deliveryEntry(visit, { type, created_at }, delivery)),
  ];
}

function deliveryEntry(
  visit: Visit,
  { type, created_at }: Pick<ActivityEvent, 'type' | 'created_at'>,
  delivery: EventDeliveryResource,
): TimelineEntry {
  const { attempted_at: at, attempts, failure, latency_ms, status, url, webhook_endpoint_id } = delivery;
  const endpoint = <a href={`${visit.base}/setup/webhooks/${webhook_endpoint_id}`}>See the endpoint</a>;
  // An endpoint that fails gets no further events until it responds again.
  if (at === null) {
    return {
      at: created_at,
      kind: 'Webhook',
      what: `${type} not sent yet to ${new URL(url).host}`,
      tone: 'wait',
      more: endpoint,
    };
  }
  // Not by its status: a delivered event is waiting again after a user resends it.
  const isDelivered = failure === null;
  const what = `${type} ${isDelivered ? 'delivered to' : 'not accepted by'} ${new URL(url).host}, ${answerText(delivery)}`;
  const attemptsText = attempts > 1 ? `${attempts} attempts` : null;
  const duration = isDelivered && latency_ms !== null ? `responded in ${latency_ms} ms` : null;
  const facts = [attemptsText, duration, STATUS_WORDS[status]].filter(Boolean).join(' · ');
  return {
    at,
    kind: 'Webhook',
    what,
    tone: isDelivered ? 'good' : 'bad',
    more: isDelivered ? (
      facts
    ) : (
      <>
        {facts} · {endpoint}
      </>
    ),
  };
}

const STATUS_WORDS = {
  waiting: 'will be retried',
  failed: 'no more retries',
  canceled: 'not retried: the endpoint is off',
  delivered: null,
};

/** The HTTP status of the last response, or why there was none. */
export function answerText({ status_code, failure }: Pick<EventDeliveryResource, 'status_code' | 'failure'>): string {
  if (status_code !== null) return String(status_code);
  return failure === null ? 'no response yet' : words(failure).toLowerCase();
}

const TEXT_WORDS: Record<string, string> = {
  pay_link: 'The pay link',
  page_code: 'A code for saved cards',
  receipt: 'The receipt',
  late_receipt: 'Late receipt: the payment succeeded after all',
  not_charged: 'Not-charged notice',
  debit_terms: 'The terms of the bank debit',
  debit_returned: 'Returned-debit notice',
  not_collected: 'Failed-capture notice',
};
const TEXT_TONES: Record<string, Tone> = {
  sent: 'plain',
  failed: 'bad',
  unknown: 'wait',
  waiting: 'wait',
  sending: 'wait',
};

export const textTitle = ({ kind }: Pick<TextResource, 'kind'>) => TEXT_WORDS[kind] ?? words(kind);

export function textEntry(text: TextResource): ActivityEntry {
  const state = text.delivery ?? text.status;
  return {
    at: text.created_at,
    ...(text.kind === 'pay_link' && { follows: 'link_asked' }),
    kind: 'Text',
    tone: TEXT_TONES[text.status] ?? 'plain',
    what: `${textTitle(text)} to ${text.recipient}`,
    more: [words(state), text.body].filter(Boolean).join(' · '),
  };
}

const EMAIL_TITLES: Readonly<Record<EmailResource['kind'], string>> = {
  receipt: 'Receipt',
  not_charged: 'Not charged',
  late_receipt: 'Late receipt',
  debit_returned: 'Returned-debit notice',
  not_collected: 'Failed-capture notice',
};

export function emailEntry(email: EmailResource): ActivityEntry {
  return {
    at: email.created_at,
    kind: 'Email',
    tone: TEXT_TONES[email.status] ?? 'plain',
    what: `${EMAIL_TITLES[email.kind]} to ${email.recipient ?? 'an erased caller'}`,
    more: [words(email.status), email.error_code].filter(Boolean).join(' · '),
  };
}

/** @param activity without the parts that the page shows elsewhere */
export function activityEntries(visit: Visit, activity: CheckoutActivity): ActivityEntry[] {
  return [
    ...activity.calls.flatMap((call) => callEntries(visit, call)),
    ...activity.charges.flatMap((charge) => chargeEntries(visit, charge)),
    ...activity.refunds.map((refund) => refundEntry(visit, refund)),
    ...activity.disputes.flatMap((dispute) => disputeEntries(visit, dispute)),
    ...activity.events.flatMap((event) => eventEntries(visit, event)),
    ...activity.texts.map(textEntry),
    ...activity.emails.map(emailEntry),
  ];
}
