/** Webhook endpoints: the list, and a new one. */
import type {
  NewWebhookEndpointResource,
  WebhookEndpointResource,
} from '../../../api/routes/webhook-endpoint-shapes.ts';
import { EVENT_TYPES } from '../../../db/events/events.ts';
import { type ListSource, readList } from '../../list-reading.ts';
import type { AddPages, FormFields, Taken, View } from '../../page-routes.ts';
import { Form } from '../../views/form.tsx';
import { ListPage } from '../../views/list-page.tsx';
import { Badge, EmptyState, Time } from '../../views/parts.tsx';
import { mustSignInForLive, SignInAgain } from '../../views/sign-in-again.tsx';
import type { Visit } from '../../visit.ts';
import {
  type Choices,
  FormFault,
  type FormState,
  SeveralField,
  TextField,
  ticked,
  tickedOf,
  unsent,
} from './fields.tsx';
import { FormPage, refusedView, Secret, setupView } from './frame.tsx';

export const webhookEndpointPages: AddPages = ({ page, formPage, liveGuardedAction }) => {
  page('/setup/webhooks', showEndpoints);
  formPage('/setup/webhooks/new', async (visit) => newEndpointView(visit, unsent(ticked('events', MOST_WANTED))));
  // Whoever adds one gets the account's events.
  liveGuardedAction('/setup/webhooks/new', createEndpoint);
};

const MOST_WANTED = ['checkout.completed', 'checkout.succeeded', 'checkout.failed'];
const KINDS: Choices = EVENT_TYPES.map((type) => [type, type]);

const ENDPOINTS: ListSource<WebhookEndpointResource> = {
  ...{ path: '/v1/webhook_endpoints', field: 'webhook_endpoints', idOf: (endpoint) => endpoint.webhook_endpoint_id },
};

async function showEndpoints(visit: Visit): Promise<View> {
  const reading = await readList(visit, ENDPOINTS, []);
  const add = (
    <a class="button first" href={`${visit.base}/setup/webhooks/new`}>
      Add an endpoint
    </a>
  );
  return setupView(visit, {
    tab: 'webhooks',
    title: 'Webhook endpoints',
    body: (
      <ListPage
        visit={visit}
        title="Webhook endpoints"
        lead="Every outcome is posted there, signed, whichever way a call ended."
        label="Webhook endpoints, newest first"
        reading={reading}
        source={ENDPOINTS}
        actions={add}
        href={(endpoint) => `${visit.base}/setup/webhooks/${endpoint.webhook_endpoint_id}`}
        columns={[
          { head: 'Address', cell: ({ url }) => <span>{url}</span> },
          { head: 'Kinds', cell: ({ events }) => <span>{events.length}</span> },
          { head: 'State', cell: (endpoint) => <EndpointState of={endpoint} /> },
          { head: 'Added', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <EmptyState
            icon="bolt"
            title="Nobody is told yet"
            text="Add the address of your server that is to hear of payments. Calls end well without one, too; the webhook is what to rely on."
            action={add}
          />
        }
      />
    ),
  });
}

export function EndpointState({ of: { disabled } }: { of: WebhookEndpointResource }) {
  return disabled ? <Badge status="off" tone="bad" /> : <Badge status="on" tone="good" />;
}

export function EndpointFields({ form }: { form: FormState }) {
  return (
    <>
      <TextField form={form} name="url" label="Address" hint="https, at a host in the public internet." required />
      <SeveralField form={form} name="events" label="Kinds of events" choices={KINDS} />
    </>
  );
}

function newEndpointView(visit: Visit, form: FormState): View {
  return setupView(visit, {
    tab: 'webhooks',
    title: 'Add a webhook endpoint',
    ...(form.error !== null && { status: 422 }),
    body: (
      <FormPage title="Add a webhook endpoint">
        <FormFault form={form} />
        {mustSignInForLive(visit) ? (
          <SignInAgain visit={visit} what="adding a live endpoint" />
        ) : (
          <Form visit={visit} action="/setup/webhooks/new" submit="Add the endpoint" cancel="/setup/webhooks" isOnce>
            <EndpointFields form={form} />
          </Form>
        )}
      </FormPage>
    ),
  });
}

/** What the fields ask REST for. */
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

/** The signing secret, this once. */
export function endpointSecretView(visit: Visit, endpoint: NewWebhookEndpointResource, title: string): View {
  return setupView(visit, {
    tab: 'webhooks',
    title,
    body: (
      <FormPage title={title} lead={endpoint.url}>
        <Secret
          name="signing secret"
          value={endpoint.signing_secret}
          what="Your server checks with it that an event comes from us (Standard Webhooks)."
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
