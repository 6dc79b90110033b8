/** Webhook endpoints: the list, and adding an endpoint. */

import { SUBSCRIBED_TYPES } from '../../../db/webhooks/webhook-endpoints.ts';
import type { NewWebhookEndpointResource, WebhookEndpointResource } from '../../api/routes/webhook-endpoint-shapes.ts';
import { shownUrl } from '../form/api-call.tsx';
import { type Choices, type FormState, SeveralField, TextField, ticked, tickedOf } from '../form/fields.tsx';
import { formPage } from '../form/form-page.tsx';
import { secretPage } from '../form/settings.tsx';
import { listPage } from '../list/list-page.tsx';
import type { AddPages, FormFields, View } from '../page/page-routes.ts';
import { Badge, Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

export const endpointListPages: AddPages = (routes) => {
  endpointList(routes);
  // Guarded in live mode: a new endpoint receives the account's events.
  newEndpointForm(routes);
};

const DEFAULT_EVENTS = ['checkout.completed', 'checkout.succeeded', 'checkout.failed'];
const KINDS: Choices = SUBSCRIBED_TYPES.map((type) => [type, type]);

const endpointList = listPage<WebhookEndpointResource>(() => ({
  at: { tab: 'webhooks' },
  title: 'Webhook endpoints',
  lead: 'Ringkey sends every outcome to your endpoints in a signed request, however the call ended.',
  label: 'Webhook endpoints, newest first',
  source: {
    path: '/v1/webhook_endpoints',
    field: 'webhook_endpoints',
    idOf: ({ webhook_endpoint_id }) => webhook_endpoint_id,
  },
  add: { text: 'Add endpoint', path: '/setup/webhooks/new' },
  href: ({ webhook_endpoint_id }) => `/setup/webhooks/${webhook_endpoint_id}`,
  columns: () => [
    { head: 'URL', cell: ({ url }) => <span>{url}</span> },
    { head: 'Event types', cell: ({ events }) => <span>{events.length}</span> },
    { head: 'Status', cell: (endpoint) => <EndpointState of={endpoint} /> },
    { head: 'Added', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  empty: () => ({
    icon: 'bolt',
    title: 'No webhook endpoints yet',
    text: 'Add the URL of a server that should receive payment events. Calls work without an endpoint, but the webhook is the reliable source of outcomes.',
  }),
}));

export function EndpointState({ of: { disabled } }: { of: WebhookEndpointResource }) {
  return disabled ? <Badge status="disabled" tone="bad" /> : <Badge status="enabled" tone="good" />;
}

export function EndpointFields({ form }: { form: FormState }) {
  return (
    <>
      <TextField form={form} name="url" label="URL" hint="An https URL on the public internet." required />
      <SeveralField form={form} name="events" label="Event types" choices={KINDS} />
    </>
  );
}

const newEndpointForm = formPage<NewWebhookEndpointResource>(() => ({
  tab: 'webhooks',
  title: 'Add webhook endpoint',
  submit: 'Add endpoint',
  values: ticked('events', DEFAULT_EVENTS),
  fields: (form) => <EndpointFields form={form} />,
  request: (fields) => ({ method: 'POST', path: '/v1/webhook_endpoints', body: endpointOf(fields) }),
  shown: (fields) => ({
    method: 'POST',
    path: '/v1/webhook_endpoints',
    body: { ...endpointOf(fields), url: shownUrl(fields.url?.trim() ?? '', 'WEBHOOK_URL') },
  }),
  created: (visit, endpoint) => endpointSecretPage(visit, endpoint, 'Endpoint added'),
}));

/** The request body for REST. */
export const endpointOf = (fields: FormFields) => ({
  url: fields.url?.trim() ?? '',
  events: tickedOf(fields, 'events'),
});

/** Shows the signing secret, once. */
export const endpointSecretPage = (visit: Visit, endpoint: NewWebhookEndpointResource, title: string): View =>
  secretPage(visit, {
    tab: 'webhooks',
    title,
    lead: endpoint.url,
    copyNow: 'Copy the signing secret now',
    copy: 'Copy the signing secret',
    what: 'Your server uses it to verify that events come from Ringkey (Standard Webhooks).',
    secret: endpoint.signing_secret,
    next: `/setup/webhooks/${endpoint.webhook_endpoint_id}`,
  });
