/** Events: the list, the page of one with what endpoints are sent, and sending it again. */
import type { z } from 'zod';
import type { EventResource, ListedEvent } from '../../api/routes/events.ts';
import type { EventDeliveryResource } from '../../api/routes/webhook-deliveries.ts';
import { EVENT_TYPES } from '../../db/events/events.ts';
import { downloadList, type ListSource, readList } from '../list-reading.ts';
import type { AddPages, Taken, View } from '../page-routes.ts';
import { answerText, deliveriesOf } from '../story.tsx';
import { Form } from '../views/form.tsx';
import type { Filter } from '../views/filters.tsx';
import { ListPage } from '../views/list-page.tsx';
import { ObjectPage } from '../views/object-page.tsx';
import { Badge, Block, EmptyState, Facts, Json, Notice, Time, type Tone } from '../views/parts.tsx';
import { Table } from '../views/table.tsx';
import type { Visit } from '../visit.ts';

export const eventPages: AddPages = ({ page, action, download }) => {
  page('/events', showEvents);
  download('/events.csv', (visit, reply) => downloadList(visit, reply, EVENTS, { filters: FILTERS, columns: CSV }));
  page('/events/:id', showEvent);
  action('/events/:id/resend', resendEvent);
};

type Listed = z.infer<typeof ListedEvent>;

const EVENTS: ListSource<Listed> = { path: '/v1/events', field: 'events', idOf: ({ id }) => id };

const FILTERS: readonly Filter[] = [
  { kind: 'choice', name: 'type', label: 'Kind', choices: [...EVENT_TYPES, 'test'].map((type) => [type, type]) },
  { kind: 'text', name: 'checkout_session_id', label: 'Checkout', hint: 'cs_…' },
];

/** An event's data is whole in REST; here is what a table has room for. */
const CSV = [
  ...['id', 'created_at', 'sequence', 'type', 'data.outcome', 'data.failure.code', 'data.failure.decline_code'],
  ...[
    'data.checkout_session.checkout_session_id',
    'data.checkout_session.order_id',
    'data.checkout_session.session_status',
  ],
  ...['data.checkout_session.amount_cents', 'data.checkout_session.currency', 'data.checkout_session.merchant_id'],
  ...[
    'data.charge.charge_id',
    'data.charge.status',
    'data.refund.refund_id',
    'data.refund.amount_cents',
    'data.refund.status',
  ],
];

async function showEvents(visit: Visit): Promise<View> {
  const reading = await readList(visit, EVENTS, FILTERS);
  return {
    title: 'Events',
    section: 'events',
    body: (
      <ListPage
        visit={visit}
        title="Events"
        lead="What happened, as your webhook endpoints are sent it."
        label="Events, newest first"
        filters={FILTERS}
        reading={reading}
        source={EVENTS}
        hasCsv
        href={({ id }) => `${visit.base}/events/${id}`}
        columns={[
          { head: 'Kind', cell: ({ type }) => <Badge status={type} tone={toneOf(type)} /> },
          { head: 'About', cell: (event) => <span class="id">{aboutOf(event)}</span> },
          { head: 'Number', cell: ({ sequence }) => <span class="number quiet">{sequence}</span> },
          { head: 'When', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <EmptyState
            icon="bolt"
            title="Nothing has happened yet"
            text="Each payment, refusal, expiry and refund is an event here, and is sent to your webhook endpoints. The first checkout brings the first one."
            action={
              <a class="button" href="/docs/events">
                Events and webhooks
              </a>
            }
          />
        }
      />
    ),
  };
}

function toneOf(type: Listed['type']): Tone {
  if (type.endsWith('.succeeded')) return 'good';
  if (type.endsWith('.failed')) return 'bad';
  return type.endsWith('.pending') ? 'wait' : 'plain';
}

function aboutOf({ id, data }: Pick<Listed, 'id' | 'data'>): string {
  return data?.refund?.refund_id ?? data?.checkout_session?.checkout_session_id ?? id;
}

async function showEvent(visit: Visit): Promise<View> {
  const path = `/v1/events/${encodeURIComponent(visit.params.id ?? '')}`;
  const event = await visit.ask<z.infer<typeof ListedEvent>>({ path });
  const deliveries = await deliveriesOf(visit, event.id);
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
          <Form visit={visit} action={`/events/${event.id}/resend`} submit="Send it again" tone="plain" isOnce />
        }
        side={<EventFacts visit={visit} event={event} />}
      >
        <Deliveries visit={visit} deliveries={deliveries} />
        <Block title="As endpoints are sent it">
          {event.data === null ? (
            <Notice tone="bad" title="It cannot be shown, and is not sent">
              A fault of the service keeps it; it is sent once that is mended.
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
    <Block title="Delivered to">
      {deliveries.length === 0 ? (
        <p class="quiet">It has gone to no endpoint.</p>
      ) : (
        <Table
          label="Endpoints that it is sent to"
          rows={deliveries}
          href={({ webhook_endpoint_id }) => `${visit.base}/setup/webhooks/${webhook_endpoint_id}`}
          columns={[
            { head: 'Endpoint', cell: ({ url }) => <span>{new URL(url).host}</span> },
            { head: 'State', cell: ({ status }) => <Badge status={status} /> },
            { head: 'Answer', cell: (delivery) => <span>{answerText(delivery)}</span> },
            { head: 'Tries', cell: ({ attempts }) => <span class="number">{attempts}</span> },
            {
              head: 'Last try',
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
  <Notice tone="good" title="On its way again">
    To all endpoints that are subscribed to its kind now, with the same id and the same body.
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
        ['When', <Time at={created_at} full />],
        ['Number in the order of events', <span class="number">{sequence}</span>],
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

async function resendEvent(visit: Visit): Promise<Taken> {
  const id = encodeURIComponent(visit.params.id ?? '');
  await visit.ask({ method: 'POST', path: `/v1/events/${id}/resend` });
  return { to: `/events/${id}?notice=resent` };
}
