/** `/v1/webhook_endpoints/{id}/deliveries`: request and answer. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { EVENT_TYPES } from '../../db/events/events.ts';
import { PageQuery } from './pages.ts';

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
