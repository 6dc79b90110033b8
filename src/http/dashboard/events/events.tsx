/** Events: the list, the page of one event with its body and deliveries, and resending it. */
import type { z } from 'zod';
import type { EventTotalsResource } from '../../../contract/list-totals.ts';
import { readDeliveryStates } from '../../../db/events/delivery-states.ts';
import { LOGGED_TYPES } from '../../../db/events/event-log.ts';
import { DELIVERY_STATES, type DeliveryState } from '../../../domain/delivery-state.ts';
import type { EventResource, ListedEvent } from '../../api/routes/events.ts';
import type { DeliveryAttemptResource, EventDeliveryResource } from '../../api/routes/webhook-deliveries.ts';
import { deliveriesOf } from '../checkouts/activity.tsx';
import { Form } from '../form/form.tsx';
import { type Filter, periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { countsOf } from '../list/totals.tsx';
import { apiName } from '../page/english.tsx';
import { endpointName } from '../page/links.tsx';
import type { AddPages, FormFields, PageRoutes, Taken, View } from '../page/page-routes.ts';
import { Badge, Block, Facts, Json, Notice, ObjectPage, Time, type Tone } from '../page/parts.tsx';
import { type Column, Table } from '../page/table.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { language } from '../words/language.ts';
import { choicesOf, names } from '../words/names/index.ts';
import { Attempts } from './attempts.tsx';
import { DeliveryBadge, deliveryState } from './delivery-badge.tsx';
import { Response } from './response.tsx';
import { eventWords } from './words/index.ts';

export const eventPages: AddPages = (routes) => {
  eventList(routes.database)(routes);
  routes.page('/events/:id', showEvent);
  routes.action('/events/:id/resend', resendEvent);
};

type Listed = z.infer<typeof ListedEvent>;

function filters(): readonly Filter[] {
  const { filters: w } = eventWords();
  return [
    ...periodFilters(),
    { kind: 'choice', name: 'type', label: w.type, choices: LOGGED_TYPES.map((type) => [type, type]) },
    { kind: 'choice', name: 'delivery', label: w.delivery, choices: choicesOf(names().deliveryState) },
    { kind: 'endpoint', name: 'webhook_endpoint_id', label: w.endpoint },
    { kind: 'text', name: 'checkout_session_id', label: w.checkout, hint: 'cs_…' },
  ];
}

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

type EventTotals = NonNullable<EventTotalsResource['totals']>;

const eventList = (database: PageRoutes['database']) =>
  listPage<Listed>(() => {
    const w = eventWords();
    return {
      at: { section: 'events' },
      title: w.title,
      lead: w.lead,
      label: w.label,
      source: { path: '/v1/events', field: 'events', idOf: ({ id }) => id },
      filters: filters(),
      csv: CSV,
      summary: countsOf<EventTotals>({
        path: '/v1/events/totals',
        label: w.totals,
        line: ({ events, ...counts }) => ({
          what: w.counted(events),
          parts: DELIVERY_STATES.map((state) => [names().deliveryState[state], counts[state]] as const),
        }),
      }),
      href: ({ id }) => `/events/${id}`,
      columns: (visit, rows) => eventColumns(visit, rows, database),
      empty: () => ({
        icon: 'bolt',
        title: w.empty.title,
        text: w.empty.text,
        action: (
          <a class="button" href="/docs/events">
            {w.empty.action}
          </a>
        ),
      }),
    };
  });

async function eventColumns(
  { user }: Visit,
  rows: readonly Listed[],
  database: PageRoutes['database'],
): Promise<readonly Column<Listed>[]> {
  const { heads, filters } = eventWords();
  // Endpoints belong to the account as a whole.
  const isLimited = user.merchants !== null;
  const states = isLimited
    ? new Map<string, DeliveryState>()
    : await readDeliveryStates(
        database,
        rows.map(({ id }) => id),
      );
  const delivery: Column<Listed> = {
    head: filters.delivery,
    width: 'status',
    // Nothing if no endpoint gets the event.
    cell({ id }) {
      const state = states.get(id);
      return state && <DeliveryBadge state={state} />;
    },
  };
  return [
    { head: heads.type, cell: ({ type }) => <Badge status={type} name={typeText(type)} tone={toneOf(type)} /> },
    { head: heads.object, width: 'id', cell: (event) => <span class="id">{aboutOf(event)}</span> },
    ...(isLimited ? [] : [delivery]),
    {
      head: heads.sequence,
      kind: 'detail',
      width: 'short',
      cell: ({ sequence }) => <span class="number quiet">{sequence}</span>,
    },
    { head: heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

/** "Checkout completed" in English. In other languages the type as the API names it. */
const typeText = (type: Listed['type']): string => (language() === 'en' ? apiName(type) : type);

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
  const w = eventWords();
  return {
    title: w.titleOf(event.type),
    section: 'events',
    body: (
      <ObjectPage
        kind={w.kind}
        id={event.id}
        heading={<bdi>{event.type}</bdi>}
        notice={
          (visit.query.notice === 'resent' || visit.query.notice === 'resent_to_one') && (
            <Resent isToOne={visit.query.notice === 'resent_to_one'} />
          )
        }
        actions={
          !isLimited && (
            <Form visit={visit} action={`/events/${event.id}/resend`} submit={w.resend} tone="plain" isOnce />
          )
        }
        side={<EventFacts visit={visit} event={event} />}
      >
        {!isLimited && <Deliveries visit={visit} event={event.id} deliveries={deliveries} />}
        {!isLimited && <Attempts attempts={attempts} />}
        <Block title={w.data}>
          {event.data === null ? (
            <Notice tone="bad" title={w.broken.title}>
              {w.broken.text}
            </Notice>
          ) : (
            <Json value={event} label={w.dataLabel} />
          )}
        </Block>
      </ObjectPage>
    ),
  };
}

interface DeliveriesProps {
  visit: Visit;
  event: string;
  deliveries: readonly EventDeliveryResource[];
}

function Deliveries({ visit, event, deliveries }: DeliveriesProps) {
  const w = eventWords().deliveries;
  // If there is one endpoint, the page's own button says the same.
  const missed = deliveries.length < 2 ? [] : deliveries.filter(({ status }) => RESENT_ALONE.has(status));
  return (
    <Block title={w.title}>
      {deliveries.length === 0 ? (
        <p class="quiet">{w.none}</p>
      ) : (
        <Table
          label={w.label}
          rows={deliveries}
          href={({ webhook_endpoint_id }) => `${visit.base}/setup/webhooks/${webhook_endpoint_id}`}
          columns={[
            { head: w.heads.endpoint, cell: ({ url }) => <bdi>{endpointName(url)}</bdi> },
            {
              head: w.heads.status,
              cell: (delivery) => <DeliveryBadge state={deliveryState(delivery)} />,
            },
            { head: w.heads.response, cell: (delivery) => <Response delivery={delivery} /> },
            { head: w.heads.attempts, isNamed: true, cell: ({ attempts }) => <span class="number">{attempts}</span> },
            {
              head: w.heads.lastAttempt,
              kind: 'time',
              cell: ({ attempted_at }) =>
                attempted_at === null ? <span>{w.notYet}</span> : <Time at={attempted_at} />,
            },
          ]}
        />
      )}
      {missed.map(({ webhook_endpoint_id, url }) => (
        <Form
          visit={visit}
          action={`/events/${event}/resend`}
          submit={w.resendTo(endpointName(url))}
          tone="plain"
          isOnce
          key={webhook_endpoint_id}
        >
          <input type="hidden" name="webhook_endpoint_id" value={webhook_endpoint_id} />
        </Form>
      ))}
    </Block>
  );
}

/** Those that the event may not have reached. */
const RESENT_ALONE: ReadonlySet<string> = new Set(['waiting', 'failed']);

function Resent({ isToOne }: { isToOne: boolean }) {
  const { title, text, textToOne } = eventWords().resent;
  return (
    <Notice tone="good" title={title}>
      {isToOne ? textToOne : text}
    </Notice>
  );
}

function EventFacts({
  visit: { base },
  event: { data, created_at, sequence },
}: {
  visit: Visit;
  event: Listed | EventResource;
}) {
  const session = data?.checkout_session?.checkout_session_id;
  const refund = data?.refund?.refund_id;
  const w = eventWords().facts;
  return (
    <Facts
      facts={[
        [w.created, <Time at={created_at} full />],
        [w.sequence, <span class="number">{sequence}</span>],
        data?.outcome === undefined
          ? null
          : [w.outcome, <Badge status={data.outcome} name={names().callOutcome[data.outcome]} />],
        session === undefined
          ? null
          : [
              w.checkout,
              <a href={`${base}/checkouts/${session}`}>
                <span class="id">{session}</span>
              </a>,
            ],
        refund === undefined
          ? null
          : [
              w.refund,
              <a href={`${base}/refunds/${refund}`}>
                <span class="id">{refund}</span>
              </a>,
            ],
      ]}
    />
  );
}

async function resendEvent(visit: Visit<'id'>, { webhook_endpoint_id }: FormFields): Promise<Taken> {
  const id = idInPath(visit);
  const body = webhook_endpoint_id ? { webhook_endpoint_id } : {};
  await visit.ask({ method: 'POST', path: `/v1/events/${id}/resend`, body });
  return { to: `/events/${id}?notice=${webhook_endpoint_id ? 'resent_to_one' : 'resent'}` };
}
