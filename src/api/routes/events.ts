/** `/v1/events`: the account's events, newest first, one of them, and sending it again. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { PageQuery, requirePage, pageRequest } from '../pages.ts';
import { requireInScope } from '../require-in-scope.ts';
import { parseQuery } from '../validation.ts';
import { sessionIdOf } from '../../checkout/charge.ts';
import { ErrorObject } from '../../contract/error-object.ts';
import { ApiError } from '../../contract/errors.ts';
import { field, FIELDS } from '../../contract/fields.ts';
import { RefundResource } from '../../contract/refunds.ts';
import { ChargeResource, CheckoutSessionResource } from '../../contract/resources.ts';
import { findEvent, listEvents, type LoggedEvent } from '../../db/events/event-log.ts';
import { EVENT_TYPES } from '../../db/events/events.ts';
import { resendEvents } from '../../db/events/outbox.ts';
import type { Sql } from '../../db/pool.ts';
import type { Scope } from '../../domain/account.ts';
import { type EventId, parseId } from '../../domain/ids.ts';
import { bodiesOf, bodyWithoutData } from '../../outbox/bodies.ts';

const EVENT = 'evt_p8a8yfh2n8m5xf373fkkibj7j8';
const KINDS = [...EVENT_TYPES, 'test'] as const;

export const ListEventsQuery = PageQuery.extend({
  type: field(z.enum(KINDS).optional(), 'Only events of this kind.', 'checkout.completed'),
  checkout_session_id: field(z.string().optional(), 'Only events of this session.', 'cs_wj3degzdpcf54erf5dhqd3dqci'),
});

const EventData = z.object({
  checkout_session: field(
    CheckoutSessionResource.nullable(),
    'The session as it was retrieved when the event happened. Null in a `test` event.',
  ),
  charge: field(
    ChargeResource.nullable(),
    'The charge that the event is about. Null where there is none, and in a `test` event.',
  ),
  refund: field(RefundResource.optional(), 'The refund that a `refund.…` event is about; absent in every other.'),
  failure: field(
    ErrorObject.optional(),
    'Of a failed or pending charge: the error object, as the charge operation would have answered it.',
  ),
  outcome: field(
    z.enum(['succeeded', 'failed', 'pending', 'expired']).optional(),
    'How it stands. In `checkout.completed` the last word on the session. Absent in a `test` event, and of a refund.',
    'succeeded',
  ),
});

export const EventResource = z
  .object({
    id: field(
      z.string(),
      'The event, `evt_…`: the same on every attempt. Keep it, to know one that comes twice.',
      EVENT,
    ),
    type: field(z.enum(KINDS), 'What happened. `test`: somebody asked for a test event.', 'checkout.completed'),
    created_at: field(z.iso.datetime(), 'When it happened: ISO 8601, in UTC.', '2026-11-20T12:00:00.000Z'),
    sequence: field(
      z.int(),
      'Ascends in the order in which things happened: an event with a lower one than you have seen of a session is old news.',
      1042,
    ),
    mode: field(z.enum(['test', 'live']), 'Whether real money is meant.', 'test'),
    data: field(EventData, 'What it is about.'),
  })
  .meta({ id: 'Event', description: 'What an endpoint is sent, and the list shows: the same bytes.' });
export type EventResource = z.infer<typeof EventResource>;

/** An event as the list has it: `data` is null where it cannot be rendered. */
export const ListedEvent = EventResource.extend({
  data: field(
    EventData.nullable(),
    'What it is about. Null only where a fault of ours keeps it from being shown, and from being sent: both are mended together.',
  ),
}).meta({ id: 'ListedEvent', description: 'An event as endpoints are sent it: the same bytes.' });

export const EventList = z.object({
  events: field(z.array(ListedEvent), 'Newest first, each as it is delivered.'),
  has_more: FIELDS.has_more,
});

const LIST_EVENTS = {
  id: 'list_events',
  group: 'Events',
  summary: 'List events',
  description: `What happened in this mode, newest first; of one kind or one session where the query says so. Each event is shown as endpoints are sent it, byte for
byte. They are all here, whether an endpoint was subscribed or not: what an outage of yours has missed can be read back.
One that a fault of ours keeps from being sent has \`data\` null until that is mended; then it is sent, and shown whole.`,
  query: ListEventsQuery,
  response: EventList,
  answers: 'A page of the list.',
  errors: ['session_not_found'],
  example: { query: { limit: '5' } },
} satisfies Operation;

/** For each operation on one event. */
export const EVENT_OF_TEST = { name: 'EVENT', operation: 'send_test_event', field: 'id' } satisfies Need;

const RETRIEVE_EVENT = {
  id: 'retrieve_event',
  group: 'Events',
  summary: 'Retrieve an event',
  description: 'One event, as endpoints are sent it and the list shows it.',
  params: z.object({ id: FIELDS.event_id }),
  response: ListedEvent,
  answers: 'The event, as the list shows it.',
  errors: ['not_found'],
  example: { needs: [EVENT_OF_TEST], params: { id: '$EVENT' } },
} satisfies Operation;

const RESEND_EVENT = {
  id: 'resend_event',
  group: 'Events',
  role: 'support',
  summary: 'Send an event again',
  description:
    'To all endpoints that are subscribed to its kind now, with the same id and the same body. A `test` event goes to its own endpoint.',
  params: z.object({ id: FIELDS.event_id }),
  response: ListedEvent,
  answers: 'The event, on its way.',
  errors: ['not_found'],
  example: {
    needs: [EVENT_OF_TEST],
    params: { id: '$EVENT' },
  },
} satisfies Operation;

/** The list never fails for an event that cannot be rendered: that one is shown without its data. */
export function eventRoutes(app: FastifyInstance, { database }: { database: Sql }): void {
  addOperation(app, 'GET /events', LIST_EVENTS, async (request, reply) => {
    const { type = null, checkout_session_id: session, ...page } = parseQuery(ListEventsQuery, request.query);
    const filter = { type, sessionId: session === undefined ? null : sessionIdOf(session) };
    const { items, hasMore } = requirePage(await listEvents(database, request.scope, filter, pageRequest(page)));
    const bodies = await eventBodies(database, items, request);
    return sendJson(reply, `{"events":[${bodies.join(',')}],"has_more":${hasMore}}`);
  });

  addOperation(app, 'GET /events/:id', RETRIEVE_EVENT, async (request, reply) => {
    const event = await requireEvent(database, request.scope, request.params.id);
    const [body = ''] = await eventBodies(database, [event], request);
    return sendJson(reply, body);
  });

  addOperation(app, 'POST /events/:id/resend', RESEND_EVENT, async (request, reply) => {
    const event = await requireEvent(database, request.scope, request.params.id);
    const [body = ''] = await eventBodies(database, [event], request);
    await resendEvents(database, [event.id]);
    return sendJson(reply, body);
  });
}

/** @throws ApiError `not_found`; `invalid_key` for one of the other mode */
export function requireEvent(sql: Sql, scope: Scope, text: string): Promise<LoggedEvent> {
  const find = (id: EventId) => findEvent(sql, scope.accountId, id);
  return requireInScope(scope, parseId('Event', text), find, noSuchEvent);
}

function noSuchEvent(): ApiError {
  return new ApiError('not_found', { param: 'event_id', message: 'No event of this account has that id.' });
}

/** The bodies are texts already: the bytes that endpoints are sent. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}

/** Each as it is delivered; one that cannot be rendered stands there without its data. */
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
