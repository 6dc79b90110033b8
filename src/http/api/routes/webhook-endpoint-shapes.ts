/** `/v1/webhook_endpoints`: the schemas of requests and answers. */
import { z } from 'zod';
import { FIELDS, field } from '../../../contract/fields.ts';
import { SUBSCRIBED_TYPES } from '../../../db/webhooks/webhook-endpoints.ts';
import { listOf } from '../pages.ts';
import { anyId, overlapSeconds } from '../text-schemas.ts';

const MAX_URL_LENGTH = 2_048;

const URL_EXAMPLE = 'https://agents.example.com/ringkey';
const urlField = field(
  z.string().min(1).max(MAX_URL_LENGTH),
  'The URL to which events are sent. Must be https with a host on the public internet; a demo on your own machine also accepts `http://127.0.0.1`. Any other URL returns `invalid_url`.',
  URL_EXAMPLE,
);
const eventsField = field(
  z
    .array(z.enum(SUBSCRIBED_TYPES))
    .min(1)
    .refine((kinds) => new Set(kinds).size === kinds.length, { error: 'must not contain a type twice' }),
  'The event types to send, each listed once. Otherwise returns `invalid_events`. The `call.` types report the progress of calls. They are sent once, without retries, and dropped if they are late. The `attention.` types report problems that need a person.',
  ['checkout.completed', 'checkout.failed'],
);

export const CreateWebhookEndpointRequest = z.strictObject({ url: urlField, events: eventsField });

export const ChangeWebhookEndpointRequest = z.strictObject({
  url: urlField.optional(),
  events: eventsField.optional(),
  disabled: field(z.boolean().optional(), 'If true, no events are sent until you set it to false.', true),
});

export const RollSecretRequest = z.strictObject({
  expires_in_seconds: overlapSeconds('the old secret also signs'),
});

export const WebhookEndpointResource = z
  .object({
    webhook_endpoint_id: FIELDS.webhook_endpoint_id,
    url: field(z.string(), 'The URL to which events are sent.', URL_EXAMPLE),
    events: field(z.array(z.enum(SUBSCRIBED_TYPES)), 'The event types that the endpoint receives.', [
      'checkout.completed',
      'checkout.failed',
    ]),
    disabled: field(z.boolean(), 'If true, no events are sent. An answer of 410 also sets it to true.', false),
    created_at: FIELDS.created_at,
  })
  .meta({ id: 'WebhookEndpoint', description: 'An endpoint that receives events. Its secret is never shown again.' });
export type WebhookEndpointResource = z.infer<typeof WebhookEndpointResource>;

/** The only answer with the secret. */
export const NewWebhookEndpointResource = WebhookEndpointResource.extend({
  signing_secret: field(
    z.string(),
    'Signs the deliveries (Standard Webhooks). Shown only once.',
    'whsec_RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZUV4YW0=',
  ),
});
export type NewWebhookEndpointResource = z.infer<typeof NewWebhookEndpointResource>;

export const WebhookEndpointList = listOf('webhook_endpoints', WebhookEndpointResource);
export type WebhookEndpointList = z.infer<typeof WebhookEndpointList>;

export const ResendFailedRequest = z.strictObject({
  since: field(
    z.iso.datetime({ offset: true }),
    'Only deliveries whose last attempt was at this time or later: ISO 8601.',
    '2026-11-20T12:00:00Z',
  ),
  starting_after: field(
    anyId.optional(),
    'The `last_event_id` of the previous response. Only later events are sent.',
    'evt_yjibagi5npbspurws4idy74ijb',
  ),
});

export const ResentFailures = z.object({
  resent: field(z.int(), 'The number of deliveries that are sent again.', 12),
  has_more: field(
    z.boolean(),
    'Whether there may be more. Send the request again with the same `since`, and with `last_event_id` as `starting_after`.',
    false,
  ),
  last_event_id: field(
    z.string().nullable(),
    'The newest of these events. Null if there are none.',
    'evt_yjibagi5npbspurws4idy74ijb',
  ),
});
export type ResentFailures = z.infer<typeof ResentFailures>;

export const DeletedWebhookEndpoint = z.object({
  webhook_endpoint_id: FIELDS.webhook_endpoint_id,
  deleted: field(z.literal(true), 'No more events are sent to the endpoint.', true),
});
export type DeletedWebhookEndpoint = z.infer<typeof DeletedWebhookEndpoint>;
