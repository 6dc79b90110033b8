/** `/v1/events`: requests and answers. */
import { z } from 'zod';
import { ErrorObject } from '../../contract/error-object.ts';
import { FIELDS, field } from '../../contract/fields.ts';
import { RefundResource } from '../../contract/refunds.ts';
import { ChargeResource, CheckoutSessionResource } from '../../contract/resources.ts';
import { EVENT_TYPES } from '../../db/events/events.ts';
import { PageQuery } from './pages.ts';

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
