/** `/v1/events`: requests and answers. */
import { z } from 'zod';
import { ErrorObject } from '../../domain/errors.ts';
import { ChargeResource, CheckoutSessionResource } from '../../domain/resources.ts';
import { EVENT_TYPES } from '../../store/events.ts';
import { PageQuery } from './pages.ts';

const KINDS = [...EVENT_TYPES, 'test'] as const;

export const ListEventsQuery = PageQuery.extend({
  type: z.enum(KINDS).optional(),
  checkout_session_id: z.string().optional(),
});

/** What an endpoint is sent, and the list shows. */
export const EventResource = z.object({
  id: z.string(),
  type: z.enum(KINDS),
  created_at: z.iso.datetime(),
  /** Ascending in the order in which things happened. */
  sequence: z.int(),
  mode: z.enum(['test', 'live']),
  data: z.object({
    /** Null in a `test` event. */
    checkout_session: CheckoutSessionResource.extend({ metadata: z.record(z.string(), z.string()) }).nullable(),
    charge: ChargeResource.nullable(),
    failure: ErrorObject.optional(),
    outcome: z.enum(['succeeded', 'failed', 'pending', 'expired']).optional(),
  }),
});
export type EventResource = z.infer<typeof EventResource>;

export const EventList = z.object({ events: z.array(EventResource), has_more: z.boolean() });
