/** `/v1/webhook_endpoints`: the shapes of its requests and answers. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { overlapSeconds } from '../text-schemas.ts';
import { EVENT_TYPES } from '../../db/events/events.ts';

const MAX_URL_LENGTH = 2_048;

const URL_EXAMPLE = 'https://agents.example.com/ringkey';
const urlField = field(
  z.string().min(1).max(MAX_URL_LENGTH),
  'Where events are posted: https, at a host in the public internet. In a demo on your own machine also `http://127.0.0.1`. Else `invalid_url`.',
  URL_EXAMPLE,
);
const eventsField = field(
  z
    .array(z.enum(EVENT_TYPES))
    .min(1)
    .refine((kinds) => new Set(kinds).size === kinds.length, { error: 'has a kind twice' }),
  'The kinds that are sent there, each once. Else `invalid_events`.',
  ['checkout.completed', 'checkout.failed'],
);

export const CreateWebhookEndpointRequest = z.strictObject({ url: urlField, events: eventsField });

export const ChangeWebhookEndpointRequest = z.strictObject({
  url: urlField.optional(),
  events: eventsField.optional(),
  disabled: field(z.boolean().optional(), 'True: nothing is sent until it is false again.', true),
});

export const RollSecretRequest = z.strictObject({
  expires_in_seconds: overlapSeconds('the old secret signs on beside the new one'),
});

export const WebhookEndpointResource = z
  .object({
    webhook_endpoint_id: FIELDS.webhook_endpoint_id,
    url: field(z.string(), 'Where events are posted.', URL_EXAMPLE),
    events: field(z.array(z.enum(EVENT_TYPES)), 'The kinds that are sent there.', [
      'checkout.completed',
      'checkout.failed',
    ]),
    disabled: field(z.boolean(), 'True: nothing is sent there. So it is after an answer of 410, too.', false),
    created_at: FIELDS.created_at,
  })
  .meta({ id: 'WebhookEndpoint', description: 'Where events go. Its secret is never shown again.' });
export type WebhookEndpointResource = z.infer<typeof WebhookEndpointResource>;

/** The secret is shown this once. */
export const NewWebhookEndpointResource = WebhookEndpointResource.extend({
  signing_secret: field(
    z.string(),
    'Signs the deliveries (Standard Webhooks). Shown this once and never again.',
    'whsec_RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZUV4YW0=',
  ),
});
export type NewWebhookEndpointResource = z.infer<typeof NewWebhookEndpointResource>;

export const WebhookEndpointList = z.object({
  webhook_endpoints: field(z.array(WebhookEndpointResource), 'Newest first.'),
  has_more: FIELDS.has_more,
});
export type WebhookEndpointList = z.infer<typeof WebhookEndpointList>;

export const DeletedWebhookEndpoint = z.object({
  webhook_endpoint_id: FIELDS.webhook_endpoint_id,
  deleted: field(z.literal(true), 'Nothing more is sent there.', true),
});
export type DeletedWebhookEndpoint = z.infer<typeof DeletedWebhookEndpoint>;
