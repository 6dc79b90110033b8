/** The activity of a checkout on one timeline: its calls, charges, refunds, events and texts, as REST returns them. */
import type { ComponentChildren } from 'preact';
import type { z } from 'zod';
import type { CallResource } from '../../../contract/calls.ts';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import { deliveryFailureText } from '../../../contract/delivery-failures.ts';
import type { DisputeResource } from '../../../contract/disputes.ts';
import type { EmailResource } from '../../../contract/emails.ts';
import type { ErrorObject } from '../../../contract/error-object.ts';
import type { RefundResource } from '../../../contract/refunds.ts';
import type { TextResource } from '../../../contract/texts.ts';
import type { ListedEvent } from '../../api/routes/events.ts';
import type { EventDeliveryResource } from '../../api/routes/webhook-deliveries.ts';
import { causeOf, causeText } from '../charges/parts.tsx';
import { disputeEntries } from '../disputes/parts.tsx';
import { eventWords } from '../events/words/index.ts';
import { apiName, InEnglish } from '../page/english.tsx';
import { cardText, durationText, endpointName, ObjectLink } from '../page/links.tsx';
import { moneyText, type TimelineEntry, type Tone } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { numberText } from '../words/formats.ts';
import { language } from '../words/language.ts';
import { names } from '../words/names/index.ts';
import { processorText } from '../words/names/processors.ts';
import type { Ordered } from './timeline-order.ts';
import { checkoutWords } from './words/index.ts';

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
  const w = checkoutWords().activity.later;
  if (isPaid) return { ...(amount_cents === 0 ? w.saved : w.paid), tone: 'good' as const };
  return status === 'failed' && outcome === 'pending' ? { ...w.notCharged, tone: 'plain' as const } : null;
}

export function callEntries(visit: Visit, call: CallResource): TimelineEntry[] {
  const link = <ObjectLink visit={visit} to="call" id={call.call_id} />;
  const w = checkoutWords().activity;
  const started: TimelineEntry = { at: call.created_at, kind: w.kinds.call, what: w.callStarted, more: link };
  if (call.ended_at === null || call.outcome === null) return [started];
  const { callOutcome, callReason } = names();
  const outcome = callOutcome[call.outcome];
  return [
    started,
    {
      at: call.ended_at,
      kind: w.kinds.call,
      tone: settledLater(call) ? 'plain' : (OUTCOME_TONES[call.outcome] ?? 'plain'),
      what: call.reason === null ? w.callEnded(outcome) : w.callEndedBecause(outcome, callReason[call.reason]),
      more: w.after(durationText(call.created_at, call.ended_at)),
    },
  ];
}

export function chargeEntries(visit: Visit, charge: ListedChargeResource): ActivityEntry[] {
  const amount = moneyText(charge.amount_cents, charge.currency);
  const isCardOnly = charge.amount_cents === 0;
  const w = checkoutWords().activity;
  const kind = w.kinds.charge;
  const link = <ObjectLink visit={visit} to="charge" id={charge.charge_id} />;
  const created: ActivityEntry = {
    at: charge.created_at,
    tells: 'charge_created',
    // A call's step says so.
    follows: 'charge_sent',
    kind,
    what: isCardOnly ? w.check(cardText(charge)) : w.charge(amount, cardText(charge)),
    more: (
      <>
        {w.by(w.sources[charge.source], <bdi>{processorText(charge.processor)}</bdi>)} · {link}
      </>
    ),
  };
  if (charge.settled_at === null) return [created];
  const { failure, attention_acknowledged_at: seenAt } = charge;
  const settled = { at: charge.settled_at, tells: 'charge_settled', kind } as const;
  if (charge.returned_at !== undefined) {
    const paid: ActivityEntry = { ...settled, tone: 'good', what: w.paid(amount) };
    const code = failure?.processor_code;
    const what = code === undefined ? w.returned : w.returnedWith(code);
    return [created, paid, { at: charge.returned_at, kind, tone: 'bad', what }];
  }
  if (charge.capture_failed_at !== undefined) {
    const paid: ActivityEntry = { ...settled, tone: 'good', what: w.paid(amount) };
    return [created, paid, { at: charge.capture_failed_at, kind, tone: 'bad', what: w.captureFailed }];
  }
  if (failure !== undefined) {
    const more = <InEnglish text={failure.message} />;
    return [created, { ...settled, tone: 'bad', what: failureTitle(charge, failure), more }];
  }
  const paid: ActivityEntry = { ...settled, tone: 'good', what: paidText(charge, amount) };
  return seenAt === undefined ? [created, paid] : [created, paid, { at: seenAt, kind, what: w.seen }];
}

function paidText({ amount_cents: cents, was_late: wasLate }: ListedChargeResource, amount: string): string {
  const w = checkoutWords().activity;
  if (cents === 0) return wasLate ? w.cardSavedLate : w.cardSaved;
  return wasLate ? w.paidLate(amount) : w.paid(amount);
}

function failureTitle(charge: ListedChargeResource, { code, decline_code }: ErrorObject): ComponentChildren {
  // A code of the API, like its message.
  if (decline_code === undefined) return <InEnglish text={apiName(code)} />;
  const cause = causeOf(charge);
  if (cause === 'not_received') return causeText(cause);
  const codes: Readonly<Record<string, string>> = names().declineCode;
  return checkoutWords().activity.failedBecause(causeText(cause), codes[decline_code] ?? decline_code);
}

export function refundEntry(visit: Visit, refund: RefundResource): TimelineEntry {
  const amount = moneyText(refund.amount_cents, refund.currency);
  const w = checkoutWords().activity;
  const what = w.refunds[refund.status](amount);
  const more = <ObjectLink visit={visit} to="refund" id={refund.refund_id} />;
  return { at: refund.created_at, kind: w.kinds.refund, what, more, tone: OUTCOME_TONES[refund.status] ?? 'plain' };
}

/** The event, and the last delivery attempt to each endpoint. */
export function eventEntries(visit: Visit, { id, type, created_at, deliveries }: ActivityEvent): TimelineEntry[] {
  const w = checkoutWords().activity;
  const more = (
    <>
      <ObjectLink visit={visit} to="event" id={id} />
      {deliveries === null && ` · ${w.seeEvent}`}
    </>
  );
  return [
    { at: created_at, kind: w.kinds.event, what: type, more },
    ...(deliveries ?? []).map((delivery) => deliveryEntry(visit, { type, created_at }, delivery)),
  ];
}

function deliveryEntry(
  visit: Visit,
  { type, created_at }: Pick<ActivityEvent, 'type' | 'created_at'>,
  delivery: EventDeliveryResource,
): TimelineEntry {
  const { attempted_at: at, attempts, failure, latency_ms, status, url, webhook_endpoint_id } = delivery;
  const w = checkoutWords().activity;
  const endpoint = <a href={`${visit.base}/setup/webhooks/${webhook_endpoint_id}`}>{w.seeEndpoint}</a>;
  // An endpoint that fails gets no further events until it responds again.
  if (at === null) {
    return {
      at: created_at,
      kind: w.kinds.webhook,
      what: w.notSentYet(type, endpointName(url)),
      tone: 'wait',
      more: endpoint,
    };
  }
  // Not by its status: a delivered event is waiting again after a user resends it.
  const isDelivered = failure === null;
  const what = (isDelivered ? w.delivered : w.notAccepted)(type, endpointName(url), answerText(delivery));
  const attemptsText = attempts > 1 ? w.attempts(attempts) : null;
  const duration = isDelivered && latency_ms !== null ? w.respondedIn(numberText(latency_ms)) : null;
  const retry = status === 'delivered' ? null : w.retries[status];
  const facts = [attemptsText, duration, retry].filter(Boolean).join(' · ');
  return {
    at,
    kind: w.kinds.webhook,
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

/** The HTTP status of the last response, that it is a redirect, or why there was no response. */
export function answerText(delivery: Pick<EventDeliveryResource, 'status_code'> & FailedDelivery): string {
  const { status_code, failure } = delivery;
  if (status_code !== null) {
    const status = eventWords().attempts.statusCode(status_code);
    return failure === 'redirect' ? `${status} (${failureText(delivery)})` : status;
  }
  return failureText(delivery) ?? checkoutWords().activity.noResponse;
}

type FailedDelivery = Pick<EventDeliveryResource, 'failure' | 'failure_detail'>;

/** Why an attempt failed: "host name not found". Null if it has not failed. */
export function failureText({ failure, failure_detail }: FailedDelivery): string | null {
  return failure === null ? null : deliveryFailureText(failure_detail ?? failure, language());
}

const TEXT_TONES: Record<string, Tone> = {
  sent: 'plain',
  failed: 'bad',
  unknown: 'wait',
  waiting: 'wait',
  sending: 'wait',
};

export function textTitle({ kind }: Pick<TextResource, 'kind'>): string {
  const titles: Readonly<Record<string, string>> = checkoutWords().activity.texts;
  return titles[kind] ?? kind;
}

export function textEntry(text: TextResource): ActivityEntry {
  const w = checkoutWords().activity;
  const state = w.textStates[text.delivery ?? text.status];
  return {
    at: text.created_at,
    ...(text.kind === 'pay_link' && { follows: 'link_asked' }),
    kind: w.kinds.text,
    tone: TEXT_TONES[text.status] ?? 'plain',
    what: w.sentTo(textTitle(text), text.recipient),
    more: text.body ? withData(state, text.body) : state,
  };
}

const withData = (words: string, data: string) => (
  <>
    {words} · <bdi>{data}</bdi>
  </>
);

export function emailEntry(email: EmailResource): ActivityEntry {
  const w = checkoutWords().activity;
  const state = w.textStates[email.status];
  return {
    at: email.created_at,
    kind: w.kinds.email,
    tone: TEXT_TONES[email.status] ?? 'plain',
    what: w.sentTo(w.emailTitles[email.kind], email.recipient ?? w.erased),
    more: email.error_code ? withData(state, email.error_code) : state,
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
