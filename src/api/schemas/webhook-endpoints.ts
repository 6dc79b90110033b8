/** `/v1/webhook_endpoints`: requests and answers. */
import { z } from 'zod';
import { EVENT_TYPES } from '../../store/events.ts';

const MAX_URL_LENGTH = 2_048;
const MAX_OVERLAP_SECONDS = 7 * 24 * 60 * 60;
const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60;

const url = z.string().min(1).max(MAX_URL_LENGTH);
const events = z
  .array(z.enum(EVENT_TYPES))
  .min(1)
  .refine((kinds) => new Set(kinds).size === kinds.length, { error: 'has a kind twice' });

export const CreateWebhookEndpointRequest = z.strictObject({ url, events });

export const ChangeWebhookEndpointRequest = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  disabled: z.boolean().optional(),
});

export const RollSecretRequest = z.strictObject({
  /** How long the old secret signs on beside the new one. */
  expires_in_seconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(DEFAULT_OVERLAP_SECONDS),
});

export const WebhookEndpointResource = z.object({
  webhook_endpoint_id: z.string(),
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  disabled: z.boolean(),
  created_at: z.iso.datetime(),
});
export type WebhookEndpointResource = z.infer<typeof WebhookEndpointResource>;

/** The secret is shown this once. */
export const NewWebhookEndpointResource = WebhookEndpointResource.extend({ signing_secret: z.string() });
export type NewWebhookEndpointResource = z.infer<typeof NewWebhookEndpointResource>;

export const WebhookEndpointList = z.object({
  webhook_endpoints: z.array(WebhookEndpointResource),
  has_more: z.boolean(),
});
export type WebhookEndpointList = z.infer<typeof WebhookEndpointList>;

export const DeletedWebhookEndpoint = z.object({ webhook_endpoint_id: z.string(), deleted: z.literal(true) });
export type DeletedWebhookEndpoint = z.infer<typeof DeletedWebhookEndpoint>;
