/** The page of a webhook endpoint: what was delivered lately, a test event, its settings, a new secret, off and gone. */
import type { DeliveryResource } from '../../../api/routes/webhook-deliveries.ts';
import type {
  NewWebhookEndpointResource,
  WebhookEndpointResource,
} from '../../../api/routes/webhook-endpoint-shapes.ts';
import { DashboardFault } from '../../faults.ts';
import { noticeOf } from '../../notices.ts';
import type { AddPages, FormFields, Taken, View } from '../../page-routes.ts';
import { Form } from '../../views/form.tsx';
import { Badge, Block, Facts, Notice, Time } from '../../views/parts.tsx';
import { mustSignInForLive, SignInAgain } from '../../views/sign-in-again.tsx';
import { Table } from '../../views/table.tsx';
import type { Visit } from '../../visit.ts';
import { ChoiceField, FormFault, type FormState, OVERLAPS, ticked, unsent } from './fields.tsx';
import { FormPage, refusedView, setupView } from './frame.tsx';
import { EndpointFields, endpointSecretView, EndpointState, wantedEndpoint } from './webhook-endpoints.tsx';

export const webhookEndpointPage: AddPages = ({ formPage, action, liveGuardedAction }) => {
  formPage('/setup/webhooks/:id', showEndpoint);
  // Whoever changes the address gets the account's events.
  liveGuardedAction('/setup/webhooks/:id', changeEndpoint);
  action('/setup/webhooks/:id/test', sendTest);
  action('/setup/webhooks/:id/state', switchEndpoint);
  // By its secret anybody can send what the integrator's servers believe.
  liveGuardedAction('/setup/webhooks/:id/roll', rollSecret);
  action('/setup/webhooks/:id/delete', deleteEndpoint);
};

const pathOf = ({ params }: Visit) => `/v1/webhook_endpoints/${encodeURIComponent(params.id ?? '')}`;
const addressOf = ({ params }: Visit) => `/setup/webhooks/${encodeURIComponent(params.id ?? '')}`;

async function showEndpoint(visit: Visit): Promise<View> {
  const { url, events } = await findEndpoint(visit);
  return endpointView(visit, unsent({ url, ...ticked('events', events) }));
}

/** There are 16 at most: REST lists them, and has no address for one of them. */
async function findEndpoint(visit: Visit): Promise<WebhookEndpointResource> {
  const { webhook_endpoints: all } = await visit.ask<{ webhook_endpoints: WebhookEndpointResource[] }>({
    path: '/v1/webhook_endpoints',
    query: { limit: '100' },
  });
  const found = all.find(({ webhook_endpoint_id }) => webhook_endpoint_id === visit.params.id);
  if (found === undefined) throw new DashboardFault('not_found');
  return found;
}

const NOTICES: Record<string, string> = {
  changed: 'Saved',
  tested: 'A test event is on its way: look below in a moment',
  on: 'Events are sent there again',
  off: 'Nothing is sent there any more',
};

async function endpointView(visit: Visit, form: FormState): Promise<View> {
  const endpoint = await findEndpoint(visit);
  const { deliveries } = await visit.ask<{ deliveries: DeliveryResource[] }>({ path: `${pathOf(visit)}/deliveries` });
  const notice = noticeOf(visit, NOTICES);
  return setupView(visit, {
    tab: 'webhooks',
    title: 'Webhook endpoint',
    ...(form.error !== null && { status: 422 }),
    body: (
      <FormPage
        title={
          <>
            Webhook endpoint <EndpointState of={endpoint} />
          </>
        }
        lead={endpoint.url}
      >
        {notice !== null && form.error === null && <Notice tone="good" title={notice} />}
        <Deliveries visit={visit} deliveries={deliveries} />
        <Block title="Where and what">
          <FormFault form={form} />
          {mustSignInForLive(visit) ? (
            <>
              <Facts facts={[['Kinds of events', endpoint.events.join(', ')]]} />
              <SignInAgain visit={visit} what="changing where events go" />
            </>
          ) : (
            <Form visit={visit} action={addressOf(visit)} submit="Save">
              <EndpointFields form={form} />
            </Form>
          )}
        </Block>
        <EndpointActions visit={visit} endpoint={endpoint} />
      </FormPage>
    ),
  });
}

function Deliveries({ visit, deliveries }: { visit: Visit; deliveries: readonly DeliveryResource[] }) {
  return (
    <Block title="Delivered lately">
      {deliveries.length === 0 ? (
        <p class="quiet">Nothing was sent there yet.</p>
      ) : (
        <Table
          label="Deliveries, newest event first"
          rows={deliveries}
          href={({ event_id }) => `${visit.base}/events/${event_id}`}
          columns={[
            { head: 'Event', cell: ({ type }) => <span>{type}</span> },
            { head: 'State', cell: ({ status }) => <Badge status={status} /> },
            { head: 'Answer', cell: ({ status_code, failure }) => <span>{status_code ?? failure ?? ''}</span> },
            { head: 'Tries', cell: ({ attempts }) => <span class="number">{attempts}</span> },
            {
              head: 'Last try',
              kind: 'time',
              cell: ({ attempted_at }) => (attempted_at === null ? <span>Not yet</span> : <Time at={attempted_at} />),
            },
          ]}
        />
      )}
      <Form visit={visit} action={`${addressOf(visit)}/test`} submit="Send a test event" tone="plain" isOnce />
    </Block>
  );
}

function EndpointActions({ visit, endpoint: { disabled } }: { visit: Visit; endpoint: WebhookEndpointResource }) {
  const address = addressOf(visit);
  return (
    <>
      <Block title="Signing secret">
        <p>A new secret is shown once; until the old one ends, events carry both signatures.</p>
        {mustSignInForLive(visit) ? (
          <SignInAgain visit={visit} what="making a new secret" />
        ) : (
          <Form visit={visit} action={`${address}/roll`} submit="Make a new secret" tone="plain" isOnce>
            <ChoiceField form={unsent()} name="expires_in_seconds" label="The old secret signs on" choices={OVERLAPS} />
          </Form>
        )}
      </Block>
      <Block title={disabled ? 'Switch it on' : 'Switch it off, or delete it'}>
        <p>While it is off nothing is sent there. Deleted, it is gone with its secret and its deliveries.</p>
        <div class="actions">
          <Form
            visit={visit}
            action={`${address}/state`}
            submit={disabled ? 'Switch it on' : 'Switch it off'}
            tone="plain"
          >
            <input type="hidden" name="disabled" value={String(!disabled)} />
          </Form>
          <Form visit={visit} action={`${address}/delete`} submit="Delete this endpoint" tone="danger" />
        </div>
      </Block>
    </>
  );
}

async function changeEndpoint(visit: Visit, fields: FormFields): Promise<Taken> {
  const answer = await visit.tryAsk({ method: 'PATCH', path: pathOf(visit), body: wantedEndpoint(fields) });
  if (answer.ok) return { to: `${addressOf(visit)}?notice=changed` };
  const { error } = answer;
  const view = await endpointView(visit, { values: fields, error });
  return refusedView(answer, () => view);
}

async function sendTest(visit: Visit): Promise<Taken> {
  const path = `${pathOf(visit)}/test`;
  await visit.ask({ method: 'POST', path });
  return { to: `${addressOf(visit)}?notice=tested` };
}

async function switchEndpoint(visit: Visit, fields: FormFields): Promise<Taken> {
  const disabled = fields.disabled === 'true';
  await visit.ask({ method: 'PATCH', path: pathOf(visit), body: { disabled } });
  return { to: `${addressOf(visit)}?notice=${disabled ? 'off' : 'on'}` };
}

async function rollSecret(visit: Visit, { expires_in_seconds }: FormFields): Promise<Taken> {
  const rolled = await visit.ask<NewWebhookEndpointResource>({
    method: 'POST',
    path: `${pathOf(visit)}/roll_secret`,
    body: { expires_in_seconds: Number(expires_in_seconds) },
  });
  return endpointSecretView(visit, rolled, 'New signing secret');
}

async function deleteEndpoint(visit: Visit): Promise<Taken> {
  await visit.ask({ method: 'DELETE', path: pathOf(visit) });
  return { to: '/setup/webhooks' };
}
