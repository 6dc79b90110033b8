/** Webhook endpoints: the list, and adding an endpoint. */

import { EVENT_TYPES } from '../../../db/events/events.ts';
import type { NewWebhookEndpointResource, WebhookEndpointResource } from '../../api/routes/webhook-endpoint-shapes.ts';
import {
  type Choices,
  FormFault,
  type FormState,
  SeveralField,
  TextField,
  ticked,
  tickedOf,
  unsent,
} from '../form/fields.tsx';
import { Form, mustSignInForLive, SignInAgain } from '../form/form.tsx';
import { FormPage, refusedView, Secret, setupView } from '../form/settings.tsx';
import { ListPage } from '../list/list-page.tsx';
import { type ListSource, readList } from '../list/list-reading.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Badge, EmptyState, Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

export const endpointListPages: AddPages = ({ page, formPage, liveGuardedAction }) => {
  page('/setup/webhooks', showEndpoints);
  formPage('/setup/webhooks/new', async (visit) => newEndpointView(visit, unsent(ticked('events', MOST_WANTED))));
  // A new endpoint receives the account's events.
  liveGuardedAction('/setup/webhooks/new', createEndpoint);
};

const MOST_WANTED = ['checkout.completed', 'checkout.succeeded', 'checkout.failed'];
const KINDS: Choices = EVENT_TYPES.map((type) => [type, type]);

const ENDPOINTS: ListSource<WebhookEndpointResource> = {
  path: '/v1/webhook_endpoints',
  field: 'webhook_endpoints',
  idOf: (endpoint) => endpoint.webhook_endpoint_id,
};

async function showEndpoints(visit: Visit): Promise<View> {
  const reading = await readList(visit, ENDPOINTS, []);
  const add = (
    <a class="button first" href={`${visit.base}/setup/webhooks/new`}>
      Add endpoint
    </a>
  );
  return setupView(visit, {
    tab: 'webhooks',
    title: 'Webhook endpoints',
    body: (
      <ListPage
        visit={visit}
        title="Webhook endpoints"
        lead="Ringkey posts every outcome to your endpoints, signed, however the call ended."
        label="Webhook endpoints, newest first"
        reading={reading}
        source={ENDPOINTS}
        actions={add}
        href={(endpoint) => `${visit.base}/setup/webhooks/${endpoint.webhook_endpoint_id}`}
        columns={[
          { head: 'URL', cell: ({ url }) => <span>{url}</span> },
          { head: 'Event types', cell: ({ events }) => <span>{events.length}</span> },
          { head: 'Status', cell: (endpoint) => <EndpointState of={endpoint} /> },
          { head: 'Added', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <EmptyState
            icon="bolt"
            title="No webhook endpoints yet"
            text="Add the URL of a server that should receive payment events. Calls work without an endpoint, but the webhook is the reliable source of outcomes."
            action={add}
          />
        }
      />
    ),
  });
}

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

function newEndpointView(visit: Visit, form: FormState): View {
  return setupView(visit, {
    tab: 'webhooks',
    title: 'Add webhook endpoint',
    ...(form.error !== null && { status: 422 }),
    body: (
      <FormPage title="Add webhook endpoint">
        <FormFault form={form} />
        {mustSignInForLive(visit) ? (
          <SignInAgain visit={visit} what="add a live endpoint" />
        ) : (
          <Form visit={visit} action="/setup/webhooks/new" submit="Add endpoint" cancel="/setup/webhooks" isOnce>
            <EndpointFields form={form} />
          </Form>
        )}
      </FormPage>
    ),
  });
}

/** The request body for REST. */
export const wantedEndpoint = (fields: FormFields) => ({
  url: fields.url?.trim() ?? '',
  events: tickedOf(fields, 'events'),
});

async function createEndpoint(visit: Visit, fields: FormFields): Promise<Taken> {
  const answer = await visit.tryAsk<NewWebhookEndpointResource>({
    method: 'POST',
    path: '/v1/webhook_endpoints',
    body: wantedEndpoint(fields),
  });
  if (!answer.ok) return refusedView(answer, (error) => newEndpointView(visit, { values: fields, error }));
  return endpointSecretView(visit, answer.body, 'Endpoint added');
}

/** Shows the signing secret. It is not shown again. */
export function endpointSecretView(visit: Visit, endpoint: NewWebhookEndpointResource, title: string): View {
  return setupView(visit, {
    tab: 'webhooks',
    title,
    body: (
      <FormPage title={title} lead={endpoint.url}>
        <Secret
          name="signing secret"
          value={endpoint.signing_secret}
          what="Your server uses it to verify that events come from Ringkey (Standard Webhooks)."
        />
        <p>
          <a class="button" href={`${visit.base}/setup/webhooks/${endpoint.webhook_endpoint_id}`}>
            I have copied it
          </a>
        </p>
      </FormPage>
    ),
  });
}
