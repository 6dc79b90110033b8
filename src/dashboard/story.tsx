/** The story of a checkout on one time line: its calls, charges, refunds, events and texts, as REST has them. */
import type { ListedEvent } from '../api/routes/events.ts';
import type { EventDeliveryResource } from '../api/routes/webhook-deliveries.ts';
import type { z } from 'zod';
import type { CallResource } from '../contract/calls.ts';
import type { ListedChargeResource } from '../contract/charges.ts';
import type { RefundResource } from '../contract/refunds.ts';
import type { TextResource } from '../contract/texts.ts';
import { cardText, durationText, ObjectLink } from './views/links.tsx';
import { moneyText, type TimelineEntry, type Tone, words } from './views/parts.tsx';
import type { Visit } from './visit.ts';

/** With what endpoints answered. Null: not asked, see {@link MAX_EVENTS_ASKED}. */
type EventOfStory = z.infer<typeof ListedEvent> & { deliveries: readonly EventDeliveryResource[] | null };

export interface CheckoutStory {
  calls: readonly CallResource[];
  charges: readonly ListedChargeResource[];
  refunds: readonly RefundResource[];
  events: readonly EventOfStory[];
  texts: readonly TextResource[];
}

/** More than a checkout has; of what is beyond, the lists tell. */
const LIMIT = '100';
/** The newest events are shown with their deliveries, which are asked for one event at a time; those of others are on their pages. */
const MAX_EVENTS_ASKED = 10;

/** @param checkoutId null: of a call that has no checkout, so nothing else belongs to it */
export async function readStory(visit: Visit, checkoutId: string | null): Promise<CheckoutStory> {
  if (checkoutId === null) return { calls: [], charges: [], refunds: [], events: [], texts: [] };
  const query = { checkout_session_id: checkoutId, limit: LIMIT };
  const [{ calls }, { charges }, { events }, { texts }] = await Promise.all([
    visit.ask<{ calls: CallResource[] }>({ path: '/v1/calls', query }),
    visit.ask<{ charges: ListedChargeResource[] }>({ path: '/v1/charges', query }),
    visit.ask<{ events: z.infer<typeof ListedEvent>[] }>({ path: '/v1/events', query }),
    visit.ask<{ texts: TextResource[] }>({ path: '/v1/texts', query }),
  ]);
  const given = charges.filter(({ refunded_cents }) => refunded_cents > 0);
  const [refunds, delivered] = await Promise.all([
    Promise.all(given.map(({ charge_id }) => refundsOf(visit, charge_id))),
    Promise.all(events.slice(0, MAX_EVENTS_ASKED).map(({ id }) => deliveriesOf(visit, id))),
  ]);
  const told = events.map((event, at) => ({ ...event, deliveries: delivered[at] ?? null }));
  return { calls, charges, events: told, texts, refunds: refunds.flat() };
}

export async function deliveriesOf(visit: Visit, event: string): Promise<readonly EventDeliveryResource[]> {
  const path = `/v1/events/${encodeURIComponent(event)}/deliveries`;
  return (await visit.ask<{ deliveries: EventDeliveryResource[] }>({ path })).deliveries;
}

export async function refundsOf(visit: Visit, charge: string): Promise<readonly RefundResource[]> {
  const path = '/v1/refunds';
  return (await visit.ask<{ refunds: RefundResource[] }>({ path, query: { charge, limit: LIMIT } })).refunds;
}

/** In the order in which it happened. */
export const byTime = (entries: readonly TimelineEntry[]): TimelineEntry[] =>
  [...entries].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));

const OUTCOME_TONES: Record<string, Tone> = { succeeded: 'good', failed: 'bad', pending: 'wait' };

export function callEntries(visit: Visit, call: CallResource): TimelineEntry[] {
  const link = <ObjectLink visit={visit} to="call" id={call.call_id} />;
  const came: TimelineEntry = { at: call.created_at, kind: 'Call', what: 'The call came in', more: link };
  if (call.ended_at === null || call.outcome === null) return [came];
  const reason = call.reason === null ? '' : `, ${words(call.reason).toLowerCase()}`;
  return [
    came,
    {
      ...{ at: call.ended_at, kind: 'Call', tone: OUTCOME_TONES[call.outcome] ?? 'plain' },
      what: `The call ended: ${words(call.outcome).toLowerCase()}${reason}`,
      more: `After ${durationText(call.created_at, call.ended_at)}`,
    },
  ];
}

const SOURCES = {
  phone: 'keyed on the call',
  saved_card: 'a saved card',
  page: 'on the pay page',
} as const;

export function chargeEntries(visit: Visit, charge: ListedChargeResource): TimelineEntry[] {
  const amount = moneyText(charge.amount_cents, charge.currency);
  const link = <ObjectLink visit={visit} to="charge" id={charge.charge_id} />;
  const begun: TimelineEntry = {
    ...{ at: charge.created_at, kind: 'Charge', what: `${amount} asked of ${cardText(charge)}` },
    more: (
      <>
        {words(SOURCES[charge.source])}, at {charge.processor} · {link}
      </>
    ),
  };
  if (charge.settled_at === null) return [begun];
  const { failure } = charge;
  const settled: TimelineEntry =
    failure === undefined
      ? { at: charge.settled_at, kind: 'Charge', tone: 'good', what: `${amount} paid` }
      : {
          ...{ at: charge.settled_at, kind: 'Charge', tone: 'bad', what: failureTitle(failure) },
          more: failure.message,
        };
  return [begun, settled];
}

function failureTitle({ code, decline_code }: NonNullable<ListedChargeResource['failure']>): string {
  return decline_code === undefined ? words(code) : `Declined: ${words(decline_code).toLowerCase()}`;
}

export function refundEntry(visit: Visit, refund: RefundResource): TimelineEntry {
  const amount = moneyText(refund.amount_cents, refund.currency);
  const what = {
    succeeded: `${amount} given back`,
    pending: `${amount} on its way back`,
    failed: `${amount} could not be given back`,
  }[refund.status];
  const more = <ObjectLink visit={visit} to="refund" id={refund.refund_id} />;
  return { at: refund.created_at, kind: 'Refund', what, more, tone: OUTCOME_TONES[refund.status] ?? 'plain' };
}

/** The event, and what each endpoint answered to the last attempt. */
export function eventEntries(visit: Visit, { id, type, created_at, deliveries }: EventOfStory): TimelineEntry[] {
  const more = (
    <>
      <ObjectLink visit={visit} to="event" id={id} />
      {deliveries === null && ' · its deliveries are on its page'}
    </>
  );
  return [
    { at: created_at, kind: 'Event', what: type, more },
    ...(deliveries ?? []).flatMap((delivery) => deliveryEntries(type, delivery)),
  ];
}

function deliveryEntries(type: string, delivery: EventDeliveryResource): TimelineEntry[] {
  const { attempted_at: at, attempts, failure, latency_ms, status, url } = delivery;
  if (at === null) return [];
  // Not by its status: one that was taken waits again where somebody has it sent once more.
  const isTaken = failure === null;
  const what = `${type} ${isTaken ? 'delivered to' : 'not taken by'} ${new URL(url).host}, ${answerText(delivery)}`;
  const tries = attempts > 1 ? `${attempts} tries` : null;
  const took = isTaken && latency_ms !== null ? `answered after ${latency_ms} ms` : null;
  return [
    {
      ...{ at, kind: 'Webhook', what, tone: isTaken ? 'good' : 'bad' },
      more: [tries, took, STANDINGS[status]].filter(Boolean).join(' · '),
    },
  ];
}

const STANDINGS = {
  waiting: 'to be sent again',
  failed: 'given up',
  canceled: 'not sent again: the endpoint is off',
  delivered: null,
};

/** The HTTP status of the last answer, or why there was none. */
export function answerText({ status_code, failure }: Pick<EventDeliveryResource, 'status_code' | 'failure'>): string {
  if (status_code !== null) return String(status_code);
  return failure === null ? 'no answer yet' : words(failure).toLowerCase();
}

const TEXT_WORDS: Record<string, string> = {
  pay_link: 'The pay link',
  page_code: 'A code for saved cards',
  receipt: 'The receipt',
  not_charged: 'Word that nothing was charged',
};
const TEXT_TONES: Record<string, Tone> = {
  sent: 'plain',
  failed: 'bad',
  unknown: 'wait',
  waiting: 'wait',
  sending: 'wait',
};

export const textTitle = ({ kind }: Pick<TextResource, 'kind'>) => TEXT_WORDS[kind] ?? words(kind);

export function textEntry(text: TextResource): TimelineEntry {
  const state = text.delivery ?? text.status;
  return {
    ...{ at: text.created_at, kind: 'Text', tone: TEXT_TONES[text.status] ?? 'plain' },
    what: `${textTitle(text)} to ${text.recipient}`,
    more: [words(state), text.body].filter(Boolean).join(' · '),
  };
}

/** @param story without what the page tells in another way */
export function storyEntries(visit: Visit, story: CheckoutStory): TimelineEntry[] {
  return [
    ...story.calls.flatMap((call) => callEntries(visit, call)),
    ...story.charges.flatMap((charge) => chargeEntries(visit, charge)),
    ...story.refunds.map((refund) => refundEntry(visit, refund)),
    ...story.events.flatMap((event) => eventEntries(visit, event)),
    ...story.texts.map(textEntry),
  ];
}
