/** The reference's words on webhook endpoints and events. */
import { z } from 'zod';
import { FIELDS } from '../../contract/fields.ts';
import type { Need, Operation } from '../reference/operation.ts';
import { EventList, EventResource, ListEventsQuery, ListedEvent } from '../schemas/events.ts';
import { PageQuery } from '../schemas/pages.ts';
import {
  ChangeWebhookEndpointRequest,
  CreateWebhookEndpointRequest,
  DeletedWebhookEndpoint,
  NewWebhookEndpointResource,
  RollSecretRequest,
  WebhookEndpointList,
  WebhookEndpointResource,
} from '../schemas/webhook-endpoints.ts';

const group = 'Webhooks';
const ENDPOINT: Need = { name: 'ENDPOINT', operation: 'create_webhook_endpoint', field: 'webhook_endpoint_id' };
const params = z.object({ id: FIELDS.webhook_endpoint_id });
const example = { needs: [ENDPOINT], params: { id: '$ENDPOINT' } };

export const CREATE_WEBHOOK_ENDPOINT: Operation = {
  id: 'create_webhook_endpoint',
  group,
  summary: 'Register a webhook endpoint',
  description: `For signed events of this mode. \`signing_secret\` is shown this once: keep it, deliveries are verified with it. At most 16 endpoints an account and
mode; one more is \`invalid_value\`. In live mode only https addresses in the public internet, checked again at each delivery.`,
  request: CreateWebhookEndpointRequest,
  response: NewWebhookEndpointResource,
  answers: 'The endpoint, and its secret this once.',
  errors: ['missing_required_fields', 'invalid_url', 'invalid_events', 'not_configured'],
  example: { body: { url: 'https://example.com/ringkey', events: ['checkout.completed', 'checkout.failed'] } },
};

export const LIST_WEBHOOK_ENDPOINTS: Operation = {
  id: 'list_webhook_endpoints',
  group,
  summary: 'List webhook endpoints',
  description: 'Newest first. Secrets are never shown.',
  query: PageQuery,
  response: WebhookEndpointList,
  answers: 'A page of the list.',
  errors: [],
  example: {},
};

export const CHANGE_WEBHOOK_ENDPOINT: Operation = {
  id: 'change_webhook_endpoint',
  group,
  summary: 'Change a webhook endpoint',
  description: `What is not given stays as it is; \`events\` replaces the whole list. A disabled endpoint is sent nothing, and what waited for it is canceled;
events go on being kept, and can be sent again when it is back.`,
  params,
  request: ChangeWebhookEndpointRequest,
  response: WebhookEndpointResource,
  answers: 'The endpoint as it is now.',
  errors: ['not_found', 'invalid_url', 'invalid_events'],
  example: { ...example, body: { disabled: true } },
};

export const DELETE_WEBHOOK_ENDPOINT: Operation = {
  id: 'delete_webhook_endpoint',
  group,
  summary: 'Delete a webhook endpoint',
  description: 'Deliveries to it stop, and its secret is forgotten.',
  params,
  response: DeletedWebhookEndpoint,
  answers: 'The endpoint is gone.',
  errors: ['not_found'],
  example,
};

export const ROLL_WEBHOOK_SECRET: Operation = {
  id: 'roll_webhook_secret',
  group,
  summary: 'Roll the signing secret',
  description: `The new secret is shown this once. The old one signs on beside it for as long as you say: until then deliveries have two signatures, and one that fits is
enough.`,
  params,
  request: RollSecretRequest,
  response: NewWebhookEndpointResource,
  answers: 'The endpoint, and its new secret this once.',
  errors: ['not_found', 'not_configured'],
  example: { ...example, body: { expires_in_seconds: 3600 } },
};

export const SEND_TEST_EVENT: Operation = {
  id: 'send_test_event',
  group,
  summary: 'Send a test event',
  description: `An event of the kind \`test\`, signed like any other, to this endpoint alone, whatever it is subscribed to. What came of it is in the list of deliveries.`,
  params,
  response: EventResource,
  answers: 'The event, on its way.',
  errors: ['not_found'],
  example,
};

export const LIST_EVENTS: Operation = {
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
};

export const RESEND_EVENT: Operation = {
  id: 'resend_event',
  group: 'Events',
  summary: 'Send an event again',
  description:
    'To all endpoints that are subscribed to its kind now, with the same id and the same body. A `test` event goes to its own endpoint.',
  params: z.object({ id: FIELDS.event_id }),
  response: ListedEvent,
  answers: 'The event, on its way.',
  errors: ['not_found'],
  example: {
    needs: [{ name: 'EVENT', operation: 'send_test_event', field: 'id' }],
    params: { id: '$EVENT' },
  },
};
