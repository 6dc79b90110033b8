/** Events: the list, the page of one event with its body and deliveries, and resending it. */
import type { z } from 'zod';
import { LOGGED_TYPES } from '../../../db/events/event-log.ts';
import type { EventResource, ListedEvent } from '../../api/routes/events.ts';
import type { DeliveryAttemptResource, EventDeliveryResource } from '../../api/routes/webhook-deliveries.ts';
import { answerText, deliveriesOf } from '../checkouts/activity.tsx';
import { Form } from '../form/form.tsx';
import { type Filter, periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import type { AddPages, Taken, View } from '../page/page-routes.ts';
import { Badge, Block, Facts, Json, Notice, ObjectPage, Time, type Tone } from '../page/parts.tsx';
import { Table } from '../page/table.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { Attempts } from './attempts.tsx';

export const eventPages: AddPages = (routes) => {
  eventList(routes);
  routes.page('/events/:id', showEvent);
  routes.action('/events/:id/resend', resendEvent);
};

type Listed = z.infer<typeof ListedEvent>;

const filters = (): readonly Filter[] => [
  ...periodFilters(),
  { kind: 'choice', name: 'type', label: 'Type', choices: LOGGED_TYPES.map((type) => [type, type]) },
  {
    kind: 'choice',
    name: 'delivery',
    label: 'Delivery',
    choices: [
      ['waiting', 'Waiting'],
      ['failing', 'Failing, retried'],
      ['failed', 'Failed, given up'],
      ['delivered', 'Delivered'],
      ['canceled', 'Canceled'],
    ],
  },
  { kind: 'endpoint', name: 'webhook_endpoint_id', label: 'Endpoint' },
  { kind: 'text', name: 'checkout_session_id', label: 'Checkout', hint: 'cs_…' },
];

/** The fields that fit a table. REST has the full data. */
const CSV = [
  'id',
  'created_at',
  'sequence',
  'type',
  'data.outcome',
  'data.failure.code',
  'data.failure.decline_code',

  'data.checkout_session.checkout_session_id',
  'data.checkout_session.order_id',
  'data.checkout_session.session_status',
  'data.checkout_session.amount_cents',
  'data.checkout_session.currency',
  'data.checkout_session.merchant_id',

  'data.charge.charge_id',
  'data.charge.status',
  'data.refund.refund_id',
  'data.refund.amount_cents',
  'data.refund.status',
];

const eventList = listPage<Listed>(() => ({
  at: { section: 'events' },
  title: 'Events',
  lead: 'Events are sent to your webhook endpoints.',
  label: 'Events, newest first',
  source: { path: '/v1/events', field: 'events', idOf: ({ id }) => id },
  filters: filters(),
  csv: CSV,
  href: ({ id }) => `/events/${id}`,
  columns: () => [
    { head: 'Type', cell: ({ type }) => <Badge status={type} tone={toneOf(type)} /> },
    { head: 'Object', cell: (event) => <span class="id">{aboutOf(event)}</span> },
    { head: 'Sequence', kind: 'detail', cell: ({ sequence }) => <span class="number quiet">{sequence}</span> },
    { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  empty: () => ({
    icon: 'bolt',
    title: 'No events yet',
    text: 'Each payment, failure, expiry and refund creates an event, which is sent to your webhook endpoints.',
    action: (
      <a class="button" href="/docs/events">
        Events and webhooks
      </a>
    ),
  }),
}));

function toneOf(type: Listed['type']): Tone {
  if (type.endsWith('.succeeded')) return 'good';
  if (type.endsWith('.failed')) return 'bad';
  return type.endsWith('.pending') ? 'wait' : 'plain';
}

function aboutOf({ id, data }: Pick<Listed, 'id' | 'data'>): string {
  return data?.refund?.refund_id ?? data?.checkout_session?.checkout_session_id ?? data?.attention_item?.title ?? id;
}

async function showEvent(visit: Visit<'id'>): Promise<View> {
  const path = `/v1/events/${idInPath(visit)}`;
  const event = await visit.ask<z.infer<typeof ListedEvent>>({ path });
  // Endpoints belong to the account as a whole.
  const isLimited = visit.user.merchants !== null;
  const [deliveries, { attempts }] = await Promise.all([
    isLimited ? [] : deliveriesOf(visit, event.id),
    isLimited ? { attempts: [] } : visit.ask<{ attempts: DeliveryAttemptResource[] }>({ path: `${path}/attempts` }),
  ]);
  return {
    title: `Event ${event.type}`,
    section: 'events',
    body: (
      <ObjectPage
        kind="Event"
        id={event.id}
        heading={event.type}
        notice={visit.query.notice === 'resent' && <Resent />}
        actions={
          !isLimited && <Form visit={visit} action={`/events/${event.id}/resend`} submit="Resend" tone="plain" isOnce />
        }
        side={<EventFacts visit={visit} event={event} />}
      >
        {!isLimited && <Deliveries visit={visit} deliveries={deliveries} />}
        {!isLimited && <Attempts attempts={attempts} />}
        <Block title="Event data">
          {event.data === null ? (
            <Notice tone="bad" title="This event cannot be shown or delivered">
              An internal error prevents it. The event is delivered once the error is fixed.
            </Notice>
          ) : (
            <Json value={event} label="The event" />
          )}
        </Block>
      </ObjectPage>
    ),
  };
}

function Deliveries({ visit, deliveries }: { visit: Visit; deliveries: readonly EventDeliveryResource[] }) {
  return (
    <Block title="Deliveries">
      {deliveries.length === 0 ? (
        <p class="quiet">No deliveries: no endpoint is subscribed to this event.</p>
      ) : (
        <Table
          label="Deliveries of this event"
          rows={deliveries}
          href={({ webhook_endpoint_id }) => `${visit.base}/setup/webhooks/${webhook_endpoint_id}`}
          columns={[
            { head: 'Endpoint', cell: ({ url }) => <span>{new URL(url).host}</span> },
            { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
            { head: 'Response', cell: (delivery) => <span>{answerText(delivery)}</span> },
            { head: 'Attempts', isNamed: true, cell: ({ attempts }) => <span class="number">{attempts}</span> },
            {
              head: 'Last attempt',
              kind: 'time',
              cell: ({ attempted_at }) => (attempted_at === null ? <span>Not yet</span> : <Time at={attempted_at} />),
            },
          ]}
        />
      )}
    </Block>
  );
}

const Resent = () => (
  <Notice tone="good" title="The event is being resent">
    It is sent to all endpoints that are now subscribed to its type, with the same ID and body.
  </Notice>
);

function EventFacts({
  visit: { base },
  event: { data, created_at, sequence },
}: {
  visit: Visit;
  event: Listed | EventResource;
}) {
  const session = data?.checkout_session?.checkout_session_id;
  const refund = data?.refund?.refund_id;
  return (
    <Facts
      facts={[
        ['Created', <Time at={created_at} full />],
        ['Sequence', <span class="number">{sequence}</span>],
        data?.outcome === undefined ? null : ['Outcome', <Badge status={data.outcome} />],
        session === undefined
          ? null
          : [
              'Checkout',
              <a href={`${base}/checkouts/${session}`}>
                <span class="id">{session}</span>
              </a>,
            ],
        refund === undefined
          ? null
          : [
              'Refund',
              <a href={`${base}/refunds/${refund}`}>
                <span class="id">{refund}</span>
              </a>,
            ],
      ]}
    />
  );
}

async function resendEvent(visit: Visit<'id'>): Promise<Taken> {
  const id = idInPath(visit);
  await visit.ask({ method: 'POST', path: `/v1/events/${id}/resend` });
  return { to: `/events/${id}?notice=resent` };
}
