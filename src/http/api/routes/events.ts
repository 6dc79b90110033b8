/** `/v1/events`: the list, one event, and sending an event again. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sessionIdOf } from '../../../checkout/charge.ts';
import { AttentionItemResource } from '../../../contract/attention.ts';
import { ChargeResource } from '../../../contract/charge-resource.ts';
import { DisputeResource } from '../../../contract/disputes.ts';
import { ErrorObject } from '../../../contract/error-object.ts';
import { ApiError } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { EventTotalsResource, eventTotalsResource } from '../../../contract/list-totals.ts';
import { RefundResource } from '../../../contract/refunds.ts';
import { CheckoutSessionResource } from '../../../contract/session-resource.ts';
import {
  type EventFilter,
  findEvent,
  LOGGED_TYPES,
  type LoggedEvent,
  listEvents,
} from '../../../db/events/event-log.ts';
import { readEventTotals } from '../../../db/events/event-totals.ts';
import { resendEvents } from '../../../db/events/outbox.ts';
import type { Database, Sql } from '../../../db/pool.ts';
import { resendDelivery } from '../../../db/webhooks/resend-failed.ts';
import type { Scope } from '../../../domain/account.ts';
import { DELIVERY_STATES } from '../../../domain/delivery-state.ts';
import { type EventId, parseId } from '../../../domain/ids.ts';
import { bodiesOf, bodyWithoutData } from '../../../notifications/outbox/event-body.ts';
import { TIME_FILTERS, timeRange } from '../list-filters.ts';
import { listOf, PageQuery, pageRequest, requirePage } from '../pages.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireInScope } from '../require-in-scope.ts';

const EVENT = 'evt_p8a8yfh2n8m5xf373fkkibj7j8';

const EventFilters = z.object({
  ...TIME_FILTERS,
  type: field(z.enum(LOGGED_TYPES).optional(), 'Only events of this type.', 'checkout.completed'),
  checkout_session_id: field(z.string().optional(), 'Only events of this session.', 'cs_wj3degzdpcf54erf5dhqd3dqci'),
  delivery: field(
    z.enum(DELIVERY_STATES).optional(),
    'Only events with such a delivery: `waiting` for the first attempt, `failing` (waiting for a retry), `delivered`, `failed` (all attempts), or `canceled`.',
    'failed',
  ),
  webhook_endpoint_id: field(
    z.string().max(100).optional(),
    'Only events that were sent to this endpoint. With `delivery`, by their delivery to it.',
    'we_xqnr3qn9ybbt8sny6yzfqgq8nx',
  ),
});

export const ListEventsQuery = PageQuery.extend(EventFilters.shape);

const EventData = z.object({
  checkout_session: field(
    CheckoutSessionResource.nullable(),
    'The session at the time of the event, as `retrieve_checkout_session` returns it. Null in `test` and `attention.…` events.',
  ),
  charge: field(
    ChargeResource.nullable(),
    'The charge that the event is about. Null if there is none, and in `test` and `attention.…` events.',
  ),
  refund: field(RefundResource.optional(), 'The refund that a `refund.…` event is about. Absent in all other events.'),
  dispute: field(
    DisputeResource.optional(),
    'The dispute that a `dispute.…` event is about, as it was then. Absent in all other events.',
  ),
  attention_item: field(
    AttentionItemResource.optional(),
    'The item that an `attention.…` event is about, as it was then. Absent in all other events.',
  ),
  failure: field(
    ErrorObject.optional(),
    'For a failed or pending charge: the error object that the charge operation would have returned.',
  ),
  outcome: field(
    z.enum(['succeeded', 'failed', 'pending', 'expired']).optional(),
    'The outcome so far. In `checkout.completed`, the final outcome of the session. Absent in `test`, `attention.…`, `charge.…`, `dispute.…` and `refund.…` events.',
    'succeeded',
  ),
});

export const EventResource = z
  .object({
    id: field(
      z.string(),
      'The event, `evt_…`. It is the same on every attempt, so store it to detect duplicates.',
      EVENT,
    ),
    type: field(z.enum(LOGGED_TYPES), 'What happened. `test`: a test event was requested.', 'checkout.completed'),
    created_at: field(z.iso.datetime(), 'When it happened: ISO 8601, in UTC.', '2026-11-20T12:00:00.000Z'),
    sequence: field(
      z.int(),
      'Ascends in the order of the events. Ignore an event if you have seen a higher number for its session.',
      1042,
    ),
    mode: field(z.enum(['test', 'live']), 'Whether real money is involved.', 'test'),
    data: field(EventData, 'The data of the event.'),
  })
  .meta({ id: 'Event', description: 'An event as endpoints receive it and the list shows it, byte for byte.' });
export type EventResource = z.infer<typeof EventResource>;

/** An event in the list. `data` is null if it cannot be rendered. */
export const ListedEvent = EventResource.extend({
  data: field(
    EventData.nullable(),
    'The data of the event. Null only while an error on our side prevents it from being shown and sent.',
  ),
}).meta({ id: 'ListedEvent', description: 'An event as endpoints receive it, byte for byte.' });

export const EventList = listOf('events', ListedEvent, 'Newest first, each as it is delivered.');

const LIST_EVENTS = {
  id: 'list_events',
  limited: 'read',
  group: 'Events',
  summary: 'List events',
  description: `Lists the events in this mode, newest first. You can filter by time, type, session, endpoint or delivery. Each event is shown exactly as
endpoints receive it. The list contains all events, even if no endpoint was subscribed, so you can read what you
missed during an outage. Only \`attention.…\` events are missing if no endpoint was subscribed.

If an error on our side prevents an event from being sent, its \`data\` is null. Once the error is fixed, the event
is sent and shown completely.`,
  query: ListEventsQuery,
  response: EventList,
  answers: 'A page of the list.',
  errors: ['session_not_found'],
  example: { query: { limit: '5' } },
} satisfies Operation;

const RETRIEVE_EVENT_TOTALS = {
  id: 'retrieve_event_totals',
  limited: 'read',
  group: 'Events',
  summary: 'Retrieve totals of events',
  description: `Counts the events that match the filters of \`list_events\`, and those with a delivery in each state. An event
that was sent to several endpoints counts in each state that one of its deliveries has. With \`webhook_endpoint_id\`,
only the deliveries to that endpoint count.`,
  query: EventFilters,
  response: EventTotalsResource,
  answers: 'The counts.',
  errors: ['session_not_found'],
  example: { query: { created_after: '2026-11-01T00:00:00Z' } },
} satisfies Operation;

/** For all operations on an event. */
export const EVENT_OF_TEST = { name: 'EVENT', operation: 'send_test_event', field: 'id' } satisfies Need;

const RETRIEVE_EVENT = {
  id: 'retrieve_event',
  limited: 'read',
  group: 'Events',
  summary: 'Retrieve an event',
  description: 'Returns one event as endpoints receive it and the list shows it.',
  params: z.object({ id: FIELDS.event_id }),
  response: ListedEvent,
  answers: 'The event, as in the list.',
  errors: ['not_found'],
  example: { needs: [EVENT_OF_TEST], params: { id: '$EVENT' } },
} satisfies Operation;

const ResendEventRequest = z.strictObject({
  webhook_endpoint_id: FIELDS.webhook_endpoint_id.optional().describe('Only to this endpoint. Default: to all.'),
});

const RESEND_EVENT = {
  id: 'resend_event',
  group: 'Events',
  role: 'support',
  summary: 'Send an event again',
  description:
    'Sends the event to all endpoints that are subscribed to its type now, with the same ID and the same body. A `test` event goes to its own endpoint. With `webhook_endpoint_id`, sends it only to that endpoint, which must have been sent it before.',
  params: z.object({ id: FIELDS.event_id }),
  request: ResendEventRequest,
  response: ListedEvent,
  answers: 'The event. It will be sent now.',
  errors: ['not_found'],
  example: {
    needs: [EVENT_OF_TEST],
    params: { id: '$EVENT' },
    body: {},
  },
} satisfies Operation;

export function eventRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  addOperation(app, 'GET /events', LIST_EVENTS, async ({ query }, request, reply) => {
    const page = await listEvents(database, request.scope, eventFilter(query), pageRequest(query));
    const { items, hasMore } = requirePage(page);
    const bodies = await eventBodies(database, items, request);
    return sendJson(reply, `{"events":[${bodies.join(',')}],"has_more":${hasMore}}`);
  });

  addOperation(app, 'GET /events/totals', RETRIEVE_EVENT_TOTALS, async ({ query }, { scope }) =>
    eventTotalsResource(await readEventTotals(database, scope, eventFilter(query))),
  );

  addOperation(app, 'GET /events/:id', RETRIEVE_EVENT, async ({ params }, request, reply) => {
    const event = await requireEvent(database, request.scope, params.id);
    const [body = ''] = await eventBodies(database, [event], request);
    return sendJson(reply, body);
  });

  addOperation(app, 'POST /events/:id/resend', RESEND_EVENT, async (input, request, reply) => {
    const event = await requireEvent(database, request.scope, input.params.id);
    const { webhook_endpoint_id: only } = input.body;
    const [body = ''] = await eventBodies(database, [event], request);
    if (only === undefined) {
      await resendEvents(database, [event.id]);
    } else {
      const endpointId = parseId('WebhookEndpoint', only);
      if (endpointId === null || !(await resendDelivery(database, event.id, endpointId))) throw neverSentThere();
    }
    return sendJson(reply, body);
  });
}

/** @throws ApiError `session_not_found` for a malformed session ID */
function eventFilter(query: z.infer<typeof EventFilters>): EventFilter {
  const { type = null, checkout_session_id: session, delivery = null, webhook_endpoint_id: endpointId = null } = query;
  return {
    ...timeRange(query),
    type,
    sessionId: session === undefined ? null : sessionIdOf(session),
    delivery,
    endpointId,
  };
}

/** @throws ApiError `not_found`; `invalid_key` for an event of the other mode */
export function requireEvent(sql: Sql, scope: Scope, text: string): Promise<LoggedEvent> {
  const find = (id: EventId) => findEvent(sql, scope.accountId, id);
  return requireInScope(scope, parseId('Event', text), find, noSuchEvent);
}

const neverSentThere = () =>
  new ApiError('invalid_value', {
    param: 'webhook_endpoint_id',
    message: 'The event was never sent to this webhook endpoint, or the endpoint is disabled or deleted.',
  });

function noSuchEvent(): ApiError {
  return new ApiError('not_found', { param: 'event_id', message: 'No event of this account has this ID.' });
}

/** Sends JSON text as it is, so that the body is identical to the one that endpoints receive. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}

/** The bodies as delivered. An event that cannot be rendered is shown without its data. */
async function eventBodies(
  sql: Sql,
  events: readonly LoggedEvent[],
  { log, server: { docsUrl } }: Pick<FastifyRequest, 'log' | 'server'>,
): Promise<string[]> {
  const { rendered, unrendered } = await bodiesOf(sql, events, docsUrl);
  for (const { eventId, error } of unrendered) log.error({ err: error, eventId }, 'event shown without its data');
  const bodies = new Map(rendered.map(({ id, body }) => [id, body]));
  return events.map((event) => bodies.get(event.id) ?? bodyWithoutData(event, docsUrl));
}
