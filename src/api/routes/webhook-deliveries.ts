/** What was sent to webhook endpoints, and what they answered: `/v1/webhook_endpoints/{id}/deliveries`, `/v1/events/{id}/deliveries`. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addOperation, type Operation } from '../reference/operation.ts';
import { PageQuery, requirePage, pageRequest } from '../pages.ts';
import { EVENT_OF_TEST, requireEvent } from './events.ts';
import { ENDPOINT_EXAMPLE, ENDPOINT_PARAMS, requireWebhookEndpoint } from './webhook-endpoints.ts';
import { parseQuery } from '../validation.ts';
import { field, FIELDS } from '../../contract/fields.ts';
import { EVENT_TYPES } from '../../db/events/events.ts';
import type { Sql } from '../../db/pool.ts';
import {
  listDeliveries,
  listDeliveriesOfEvent,
  type LoggedDelivery,
  type LoggedDeliveryOfEvent,
} from '../../db/webhooks/delivery-log.ts';

const STATUSES = ['waiting', 'delivered', 'failed', 'canceled'] as const;

export const ListDeliveriesQuery = PageQuery.extend({
  status: field(z.enum(STATUSES).optional(), 'Only deliveries that stand so.', 'failed'),
});

export const DeliveryResource = z
  .object({
    event_id: FIELDS.event_id,
    type: field(z.enum([...EVENT_TYPES, 'test']), "The event's kind.", 'checkout.completed'),
    sequence: field(z.int(), "The event's place in the order in which things happened.", 1042),
    status: field(
      z.enum(STATUSES),
      '`waiting`: for its next attempt. `delivered`: the endpoint answered 2xx. `failed`: given up. `canceled`: the endpoint was disabled or deleted.',
      'delivered',
    ),
    attempts: field(z.int(), 'How often it was sent so far.', 1),
    next_attempt_at: field(z.iso.datetime().nullable(), 'When it is sent next. Null: never again.', null),
    attempted_at: field(
      z.iso.datetime().nullable(),
      'When it was sent last. Null: not yet.',
      '2026-11-20T12:00:00.120Z',
    ),
    latency_ms: field(
      z.int().nullable(),
      'How long the last attempt took until its answer, or until we gave up, in milliseconds. Null before any.',
      84,
    ),
    status_code: field(z.int().nullable(), 'The HTTP status of the last answer. Null where none came.', 200),
    answer: field(
      z.string().nullable(),
      'The first 1,024 bytes of the last answer. Null where none came.',
      '{"ok":true}',
    ),
    failure: field(
      z.string().nullable(),
      'Why the last attempt failed: `status` (not 2xx), `redirect`, `gone` (410), `timeout` (15 s), `connection`, `forbidden_address` (not in the public internet), `too_old`. Null after a success.',
      null,
    ),
  })
  .meta({
    id: 'Delivery',
    description: 'An event on its way to an endpoint; what is said of an answer is of the last attempt.',
  });
export type DeliveryResource = z.infer<typeof DeliveryResource>;

export const DeliveryList = z.object({
  deliveries: field(z.array(DeliveryResource), 'Newest event first.'),
  has_more: FIELDS.has_more,
});
export type DeliveryList = z.infer<typeof DeliveryList>;

export const EventDeliveryResource = DeliveryResource.omit({ event_id: true, type: true, sequence: true })
  .extend({
    webhook_endpoint_id: FIELDS.webhook_endpoint_id,
    url: field(z.string(), 'Where the endpoint is.', 'https://hooks.example.com/ringkey'),
  })
  .meta({
    id: 'EventDelivery',
    description: 'An event on its way to one of its endpoints; what is said of an answer is of the last attempt.',
  });
export type EventDeliveryResource = z.infer<typeof EventDeliveryResource>;

export const EventDeliveryList = z.object({
  deliveries: field(
    z.array(EventDeliveryResource),
    'One for each endpoint that the event goes to, oldest endpoint first. Of endpoints that were deleted since there is none.',
  ),
});
export type EventDeliveryList = z.infer<typeof EventDeliveryList>;

const LIST_EVENT_DELIVERIES = {
  id: 'list_event_deliveries',
  group: 'Events',
  summary: 'List deliveries of an event',
  description: `How it went at each endpoint that the event is sent to: how the delivery stands, and what the endpoint answered last. Empty where no endpoint was subscribed
to its kind when it happened, and for a moment after that. When it is sent again is told by \`next_attempt_at\`; \`resend_event\` sends it at once.`,
  params: z.object({ id: FIELDS.event_id }),
  response: EventDeliveryList,
  answers: 'All of them, at most one an endpoint.',
  errors: ['not_found'],
  example: { needs: [EVENT_OF_TEST], params: { id: '$EVENT' } },
} satisfies Operation;

const LIST_WEBHOOK_DELIVERIES = {
  id: 'list_webhook_deliveries',
  group: 'Webhooks',
  summary: 'List deliveries to a webhook endpoint',
  description: `Newest event first: how each stands, and what the endpoint answered last. \`starting_after\` is an event's id.

An endpoint may be sent several events at the same time: their order is told by \`sequence\`. Only 2xx is success; redirects are not followed. A
failed one is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each up to a tenth later, or later still where
\`Retry-After\` says so. 410 disables the endpoint.`,
  params: ENDPOINT_PARAMS,
  query: ListDeliveriesQuery,
  response: DeliveryList,
  answers: 'A page of the list.',
  errors: ['not_found'],
  example: ENDPOINT_EXAMPLE,
} satisfies Operation;

export function webhookDeliveryRoutes(app: FastifyInstance, { database }: { database: Sql }): void {
  addOperation(app, 'GET /webhook_endpoints/:id/deliveries', LIST_WEBHOOK_DELIVERIES, async (request) => {
    const endpoint = await requireWebhookEndpoint(database, request);
    const query = parseQuery(ListDeliveriesQuery, request.query);
    const page = requirePage(await listDeliveries(database, endpoint.id, query.status ?? null, pageRequest(query)));
    return { deliveries: page.items.map(deliveryResource), has_more: page.hasMore };
  });

  addOperation(app, 'GET /events/:id/deliveries', LIST_EVENT_DELIVERIES, async ({ scope, params }) => {
    const event = await requireEvent(database, scope, params.id);
    return { deliveries: (await listDeliveriesOfEvent(database, event.id)).map(eventDeliveryResource) };
  });
}

function deliveryResource(delivery: LoggedDelivery): DeliveryResource {
  return {
    event_id: delivery.eventId,
    type: delivery.type,
    sequence: Number(delivery.sequence),
    ...deliveryState(delivery),
  };
}

function eventDeliveryResource(delivery: LoggedDeliveryOfEvent): EventDeliveryResource {
  return { webhook_endpoint_id: delivery.endpointId, url: delivery.url, ...deliveryState(delivery) };
}

function deliveryState(delivery: Omit<LoggedDelivery, 'eventId' | 'type' | 'sequence'>) {
  return {
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
    attempted_at: delivery.attemptedAt?.toISOString() ?? null,
    latency_ms: delivery.latencyMs,
    status_code: delivery.statusCode,
    answer: delivery.answer,
    failure: delivery.failure,
  };
}
