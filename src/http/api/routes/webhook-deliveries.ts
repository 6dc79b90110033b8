/** `/v1/webhook_endpoints/{id}/deliveries`, `/v1/events/{id}/deliveries` and `…/attempts`: deliveries and attempts. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { FIELDS, field } from '../../../contract/fields.ts';
import { LOGGED_TYPES } from '../../../db/events/event-log.ts';
import type { Sql } from '../../../db/pool.ts';
import { type LoggedAttempt, listAttemptsOfEvent } from '../../../db/webhooks/attempt-log.ts';
import {
  type LoggedDelivery,
  type LoggedDeliveryOfEvent,
  listDeliveries,
  listDeliveriesOfEvent,
} from '../../../db/webhooks/delivery-log.ts';
import { CONNECTION_FAILURES } from '../../../domain/delivery-failure.ts';
import type { EventId } from '../../../domain/ids.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { EVENT_OF_TEST, requireEvent } from './events.ts';
import { ENDPOINT_EXAMPLE, ENDPOINT_PARAMS, requireWebhookEndpoint } from './webhook-endpoints.ts';

const STATUSES = ['waiting', 'delivered', 'failed', 'canceled'] as const;
const CAUSES = CONNECTION_FAILURES.map((cause) => `\`${cause}\``).join(', ');

const ListDeliveriesQuery = PageQuery.extend({
  status: field(z.enum(STATUSES).optional(), 'Only deliveries with this status.', 'failed'),
});

export const DeliveryResource = z
  .object({
    event_id: FIELDS.event_id,
    type: field(z.enum(LOGGED_TYPES), 'The type of the event.', 'checkout.completed'),
    sequence: field(z.int(), "The event's position in the order of events.", 1042),
    status: field(
      z.enum(STATUSES),
      '`waiting`: waiting for the next attempt. `delivered`: the endpoint answered 2xx. `failed`: all attempts failed. `canceled`: the endpoint was disabled or deleted.',
      'delivered',
    ),
    attempts: field(z.int(), 'The number of attempts so far.', 1),
    next_attempt_at: field(z.iso.datetime().nullable(), 'When the next attempt starts. Null if there is none.', null),
    attempted_at: field(
      z.iso.datetime().nullable(),
      'When the last attempt started. Null if there was none.',
      '2026-11-20T12:00:00.120Z',
    ),
    latency_ms: field(
      z.int().nullable(),
      'The duration of the last attempt until the answer or the timeout, in milliseconds. Null before the first attempt.',
      84,
    ),
    status_code: field(z.int().nullable(), 'The HTTP status of the last answer. Null if there was no answer.', 200),
    answer: field(
      z.string().nullable(),
      'The first 1,024 bytes of the last answer. Null if there was no answer.',
      '{"ok":true}',
    ),
    failure: field(
      z.string().nullable(),
      'Why the last attempt failed: `status` (not 2xx), `redirect`, `gone` (410), `timeout` (15 s), `connection`, `forbidden_address` (not on the public internet), `too_old`. Null after a success.',
      null,
    ),
    failure_detail: field(
      z.string().nullable(),
      `Why there was no connection, if \`failure\` is \`connection\` and the cause is known: ${CAUSES}. More can be added. Otherwise null.`,
      null,
    ),
  })
  .meta({
    id: 'Delivery',
    description: 'The delivery of an event to an endpoint. The fields about the answer describe the last attempt.',
  });
export type DeliveryResource = z.infer<typeof DeliveryResource>;

export const DeliveryList = listOf('deliveries', DeliveryResource, 'Newest event first.');
export type DeliveryList = z.infer<typeof DeliveryList>;

export const EventDeliveryResource = DeliveryResource.omit({ event_id: true, type: true, sequence: true })
  .extend({
    webhook_endpoint_id: FIELDS.webhook_endpoint_id,
    url: field(z.string(), 'The URL of the endpoint.', 'https://hooks.example.com/ringkey'),
  })
  .meta({
    id: 'EventDelivery',
    description:
      'The delivery of an event to one of its endpoints. The fields about the answer describe the last attempt.',
  });
export type EventDeliveryResource = z.infer<typeof EventDeliveryResource>;

export const EventDeliveryList = z.object({
  deliveries: field(
    z.array(EventDeliveryResource),
    'One delivery for each endpoint of the event, oldest endpoint first. Deleted endpoints are not included.',
  ),
});
export type EventDeliveryList = z.infer<typeof EventDeliveryList>;

const LATENCY = 'The duration until the answer or the timeout, in milliseconds.';

export const DeliveryAttemptResource = z
  .object({
    webhook_endpoint_id: FIELDS.webhook_endpoint_id,
    url: field(z.string(), 'The URL of the endpoint.', 'https://hooks.example.com/ringkey'),
    attempt: field(z.int(), 'Counts the attempts of the delivery. It starts at 1 again after each resend.', 1),
    sent_at: field(z.iso.datetime(), 'When the attempt started.', '2026-11-20T12:00:00.120Z'),
    latency_ms: field(z.int(), LATENCY, 84),
    status_code: DeliveryResource.shape.status_code,
    answer: DeliveryResource.shape.answer,
    failure: DeliveryResource.shape.failure,
    failure_detail: DeliveryResource.shape.failure_detail,
    headers: field(
      z.object({
        'webhook-id': field(z.string(), "The event's ID.", 'evt_p8a8yfh2n8m5xf373fkkibj7j8'),
        'webhook-timestamp': field(z.string(), 'The signed time, in Unix seconds.', '1795176000'),
        'webhook-signature': field(
          z.string(),
          'The signature, or two while a rolled secret is still valid.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      }),
      'The headers that were signed. The signed body is the event as `retrieve_event` returns it, byte for byte.',
    ),
  })
  .meta({
    id: 'DeliveryAttempt',
    description: 'One attempt to deliver an event: the signed request and the answer. Kept for 30 days.',
  });
export type DeliveryAttemptResource = z.infer<typeof DeliveryAttemptResource>;

export const DeliveryAttemptList = z.object({
  attempts: field(
    z.array(DeliveryAttemptResource),
    'Newest first, 100 at most. Attempts to deleted endpoints are not included.',
  ),
});

const LIST_EVENT_ATTEMPTS = {
  id: 'list_event_attempts',
  group: 'Events',
  summary: 'List delivery attempts of an event',
  description: `Lists each attempt to deliver the event, to all its endpoints: time, duration, the answer and the signature headers.
\`list_event_deliveries\` shows where each delivery stands.`,
  params: z.object({ id: FIELDS.event_id }),
  response: DeliveryAttemptList,
  answers: 'The newest 100 attempts.',
  errors: ['not_found'],
  example: { needs: [EVENT_OF_TEST], params: { id: '$EVENT' } },
} satisfies Operation;

const MOST_ATTEMPTS = 100;

const LIST_EVENT_DELIVERIES = {
  id: 'list_event_deliveries',
  group: 'Events',
  summary: 'List deliveries of an event',
  description: `Lists the delivery to each endpoint of the event, with its status and the last answer of the endpoint. Empty if no
endpoint was subscribed to the event's type at that time, and for a moment after the event. \`next_attempt_at\` is
the time of the next attempt. \`resend_event\` sends the event at once.`,
  params: z.object({ id: FIELDS.event_id }),
  response: EventDeliveryList,
  answers: 'All deliveries, at most one per endpoint.',
  errors: ['not_found'],
  example: { needs: [EVENT_OF_TEST], params: { id: '$EVENT' } },
} satisfies Operation;

const LIST_WEBHOOK_DELIVERIES = {
  id: 'list_webhook_deliveries',
  group: 'Webhooks',
  summary: 'List deliveries to a webhook endpoint',
  description: `Lists deliveries with their status and the endpoint's last answer, newest event first. \`starting_after\` is an
event's ID.

Several events can be sent to an endpoint at the same time; \`sequence\` shows their order. Only 2xx counts as
success, and redirects are not followed. A failed delivery is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14
h, 20 h and 24 h, each up to 10% later, or later still if \`Retry-After\` says so. 410 disables the endpoint.`,
  params: ENDPOINT_PARAMS,
  query: ListDeliveriesQuery,
  response: DeliveryList,
  errors: ['not_found'],
  example: ENDPOINT_EXAMPLE,
} satisfies ListOperation;

export function webhookDeliveryRoutes(app: FastifyInstance, { database }: { database: Sql }): void {
  const route = 'GET /webhook_endpoints/:id/deliveries';
  addList(app, route, LIST_WEBHOOK_DELIVERIES, deliveryResource, async (input, { scope }) => {
    const endpoint = await requireWebhookEndpoint(database, scope, input.params.id);
    const { query } = input;
    return listDeliveries(database, endpoint.id, query.status ?? null, pageRequest(query));
  });

  addOperation(app, 'GET /events/:id/deliveries', LIST_EVENT_DELIVERIES, async ({ params }, { scope }) => {
    const event = await requireEvent(database, scope, params.id);
    return { deliveries: (await listDeliveriesOfEvent(database, event.id)).map(eventDeliveryResource) };
  });

  addOperation(app, 'GET /events/:id/attempts', LIST_EVENT_ATTEMPTS, async ({ params }, { scope }) => {
    const event = await requireEvent(database, scope, params.id);
    const attempts = await listAttemptsOfEvent(database, event.id, MOST_ATTEMPTS);
    return { attempts: attempts.map((attempt) => attemptResource(event.id, attempt)) };
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

function attemptResource(eventId: EventId, attempt: LoggedAttempt): DeliveryAttemptResource {
  return {
    webhook_endpoint_id: attempt.endpointId,
    url: attempt.url,
    attempt: attempt.attempt,
    sent_at: attempt.sentAt.toISOString(),
    latency_ms: attempt.latencyMs,
    status_code: attempt.statusCode,
    answer: attempt.answer,
    failure: attempt.failure,
    failure_detail: attempt.failureDetail,
    headers: {
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(attempt.sentAt.getTime() / 1_000)),
      'webhook-signature': attempt.signature,
    },
  };
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
    failure_detail: delivery.failureDetail,
  };
}
