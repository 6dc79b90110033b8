/** `/v1/webhook_endpoints/{id}/deliveries`: request and answer. */
import { z } from 'zod';
import { EVENT_TYPES } from '../../store/events.ts';
import { PageQuery } from './pages.ts';

const STATUSES = ['waiting', 'delivered', 'failed', 'canceled'] as const;

export const ListDeliveriesQuery = PageQuery.extend({ status: z.enum(STATUSES).optional() });

/** What is said of an answer is said of the last attempt. */
export const DeliveryResource = z.object({
  event_id: z.string(),
  type: z.enum([...EVENT_TYPES, 'test']),
  sequence: z.int(),
  /** `waiting`: for its next attempt; `failed`: given up; `canceled`: the endpoint was disabled or deleted. */
  status: z.enum(STATUSES),
  attempts: z.int(),
  next_attempt_at: z.iso.datetime().nullable(),
  attempted_at: z.iso.datetime().nullable(),
  latency_ms: z.int().nullable(),
  /** Null where no answer came. */
  status_code: z.int().nullable(),
  /** Its first 1,024 bytes. */
  answer: z.string().nullable(),
  /** `status`, `redirect`, `gone`, `timeout`, `connection`, `forbidden_address`, `too_old`; null after a success. */
  failure: z.string().nullable(),
});
export type DeliveryResource = z.infer<typeof DeliveryResource>;

export const DeliveryList = z.object({ deliveries: z.array(DeliveryResource), has_more: z.boolean() });
export type DeliveryList = z.infer<typeof DeliveryList>;
