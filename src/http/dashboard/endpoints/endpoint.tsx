/** A webhook endpoint: recent deliveries, a test event, settings, rolling the secret, disabling and deleting. */
import { readEndpointHealth } from '../../../db/webhooks/endpoint-health.ts';
import type { DeliveryResource } from '../../api/routes/webhook-deliveries.ts';
import type { NewWebhookEndpointResource, WebhookEndpointResource } from '../../api/routes/webhook-endpoint-shapes.ts';
import type { WebhookHealth } from '../../api/routes/webhook-health.ts';
import { CodeBlock } from '../../shared/document.tsx';
import { answerText } from '../checkouts/activity.tsx';
import { DeliveryBadge, deliveryState } from '../events/delivery-badge.tsx';
import { Response } from '../events/response.tsx';
import { ChoiceField, FormFault, type FormState, overlapChoices, ticked, unsent } from '../form/fields.tsx';
import { Form, GuardedForm, mustSignInForLive } from '../form/form.tsx';
import { sendForm } from '../form/form-page.tsx';
import { maySend } from '../form/roles.tsx';
import { settingsPage } from '../form/settings.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { AddPages, FormFields, PageRoutes, Taken, View } from '../page/page-routes.ts';
import { Block, Facts, Notice, noticeOf, Time } from '../page/parts.tsx';
import { Table } from '../page/table.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { EndpointFields, EndpointState, endpointOf, endpointSecretPage } from './endpoints.tsx';
import { EndpointHealth } from './health.tsx';
import { ResendFailures, resendFailures } from './resend-failures.tsx';
import { VerifyCode } from './verify-code.tsx';
import { endpointWords } from './words/index.ts';

export const endpointPages: AddPages = ({ attemptPage, action, liveGuardedAction, database }) => {
  attemptPage('/setup/webhooks/:id', (visit) => showEndpoint(database, visit));
  // The URL decides who receives the account's events.
  liveGuardedAction('/setup/webhooks/:id', (visit, fields) => changeEndpoint(database, visit, fields));
  action('/setup/webhooks/:id/test', sendTest);
  action('/setup/webhooks/:id/resend_failed', resendFailures);
  action('/setup/webhooks/:id/state', switchEndpoint);
  // Anyone with the secret can send events that the integrator's servers trust.
  liveGuardedAction('/setup/webhooks/:id/roll', rollSecret);
  action('/setup/webhooks/:id/delete', deleteEndpoint);
};

/** Of the 100 that are read to find the last attempt. Events wait without an attempt while an endpoint fails. */
const SHOWN_DELIVERIES = 20;
const SHOWN_ANSWER = 200;

const pathOf = (visit: Visit<'id'>) => `/v1/webhook_endpoints/${idInPath(visit)}`;
const addressOf = (visit: Visit<'id'>) => `/setup/webhooks/${idInPath(visit)}`;

type Database = PageRoutes['database'];

async function showEndpoint(database: Database, visit: Visit<'id'>): Promise<View> {
  const { url, events } = await findEndpoint(visit);
  return endpointView(database, visit, unsent({ url, ...ticked('events', events) }));
}

/** REST can only list endpoints. There are 16 at most. */
async function findEndpoint(visit: Visit<'id'>): Promise<WebhookEndpointResource> {
  const { webhook_endpoints: all } = await visit.ask<{ webhook_endpoints: WebhookEndpointResource[] }>({
    path: '/v1/webhook_endpoints',
    query: { limit: '100' },
  });
  const found = all.find(({ webhook_endpoint_id }) => webhook_endpoint_id === visit.params.id);
  if (found === undefined) throw new DashboardFault('not_found');
  return found;
}

export type EndpointNotice = 'changed' | 'resent' | 'resent_part' | 'none_failed' | 'tested' | 'on' | 'off';

async function endpointView(database: Database, visit: Visit<'id'>, form: FormState): Promise<View> {
  const endpoint = await findEndpoint(visit);
  const [[now = null], { deliveries }, health] = await Promise.all([
    readEndpointHealth(database, [endpoint.webhook_endpoint_id]),
    visit.ask<{ deliveries: DeliveryResource[] }>({ path: `${pathOf(visit)}/deliveries`, query: { limit: '100' } }),
    visit.ask<WebhookHealth>({ path: `${pathOf(visit)}/health` }),
  ]);
  const w = endpointWords();
  const notice = noticeOf(visit, w.notices);
  return settingsPage(visit, {
    tab: 'webhooks',
    title: w.title,
    heading: (
      <>
        {w.title} <EndpointState of={endpoint} health={now} />
      </>
    ),
    lead: endpoint.url,
    forms: [form],
    children: (
      <>
        {notice !== null && form.error === null && <Notice tone="good" title={notice} />}
        <LastFailure visit={visit} deliveries={deliveries} />
        <EndpointHealth hours={health.hours} />
        <Deliveries visit={visit} deliveries={deliveries.slice(0, SHOWN_DELIVERIES)} />
        {!endpoint.disabled && <ResendFailures visit={visit} />}
        <Block title={w.settings}>
          <FormFault form={form} />
          {mustSignInForLive(visit) && <Facts facts={[[w.types, endpoint.events.join(', ')]]} />}
          <GuardedForm visit={visit} action={addressOf(visit)} submit={w.save}>
            <EndpointFields form={form} />
          </GuardedForm>
        </Block>
        <VerifyCode />
        <EndpointActions visit={visit} endpoint={endpoint} />
      </>
    ),
  });
}

/** Why events do not arrive: the response to the newest attempt, unless that one succeeded. */
function LastFailure({ visit, deliveries }: { visit: Visit<'id'>; deliveries: readonly DeliveryResource[] }) {
  const at = (delivery: DeliveryResource) => delivery.attempted_at ?? '';
  const [last] = deliveries.toSorted((one, other) => at(other).localeCompare(at(one)));
  if (last === undefined || last.failure === null || last.attempted_at === null) return null;
  return (
    <Notice tone="bad" title={endpointWords().lastFailed(answerText(last))}>
      <p>
        <Time at={last.attempted_at} />, <a href={`${visit.base}/events/${last.event_id}`}>{last.type}</a>
      </p>
      {last.answer !== null && last.answer !== '' && <CodeBlock text={last.answer.slice(0, SHOWN_ANSWER)} />}
    </Notice>
  );
}

function Deliveries({ visit, deliveries }: { visit: Visit<'id'>; deliveries: readonly DeliveryResource[] }) {
  const w = endpointWords().deliveries;
  return (
    <Block title={w.title}>
      {deliveries.length === 0 ? (
        <p class="quiet">{w.none}</p>
      ) : (
        <Table
          label={w.label}
          rows={deliveries}
          href={({ event_id }) => `${visit.base}/events/${event_id}`}
          columns={[
            { head: w.heads.event, cell: ({ type }) => <span>{type}</span> },
            {
              head: w.heads.status,
              cell: (delivery) => <DeliveryBadge state={deliveryState(delivery)} />,
            },
            {
              head: w.heads.response,
              cell: (delivery) => <Response delivery={delivery} />,
            },
            { head: w.heads.attempts, isNamed: true, cell: ({ attempts }) => <span class="number">{attempts}</span> },
            {
              head: w.heads.lastAttempt,
              kind: 'time',
              cell: ({ attempted_at }) =>
                attempted_at === null ? <span>{w.notYet}</span> : <Time at={attempted_at} />,
            },
          ]}
        />
      )}
      <Form visit={visit} action={`${addressOf(visit)}/test`} submit={w.sendTest} tone="plain" isOnce />
    </Block>
  );
}

function EndpointActions({ visit, endpoint: { disabled } }: { visit: Visit<'id'>; endpoint: WebhookEndpointResource }) {
  const address = addressOf(visit);
  const { roll, state } = endpointWords();
  if (!maySend(visit, address)) return null;
  return (
    <>
      <Block title={roll.title}>
        <p>{roll.text}</p>
        <GuardedForm visit={visit} action={`${address}/roll`} submit={roll.submit} tone="plain" isOnce>
          <ChoiceField form={unsent()} name="expires_in_seconds" label={roll.expires} choices={overlapChoices()} />
        </GuardedForm>
      </Block>
      <Block title={disabled ? state.titleOff : state.titleOn}>
        <p>{state.text}</p>
        <div class="actions">
          <Form visit={visit} action={`${address}/state`} submit={disabled ? state.enable : state.disable} tone="plain">
            <input type="hidden" name="disabled" value={String(!disabled)} />
          </Form>
          <Form visit={visit} action={`${address}/delete`} submit={state.remove} tone="danger" />
        </div>
      </Block>
    </>
  );
}

async function changeEndpoint(database: Database, visit: Visit<'id'>, fields: FormFields): Promise<Taken> {
  return sendForm(visit, fields, {
    request: { method: 'PATCH', path: pathOf(visit), body: endpointOf(fields) },
    done: () => ({ to: `${addressOf(visit)}?notice=changed` }),
    again: (form) => endpointView(database, visit, form),
  });
}

async function sendTest(visit: Visit<'id'>): Promise<Taken> {
  const path = `${pathOf(visit)}/test`;
  await visit.ask({ method: 'POST', path });
  return { to: `${addressOf(visit)}?notice=tested` };
}

async function switchEndpoint(visit: Visit<'id'>, fields: FormFields): Promise<Taken> {
  const disabled = fields.disabled === 'true';
  await visit.ask({ method: 'PATCH', path: pathOf(visit), body: { disabled } });
  return { to: `${addressOf(visit)}?notice=${disabled ? 'off' : 'on'}` };
}

async function rollSecret(visit: Visit<'id'>, { expires_in_seconds }: FormFields): Promise<Taken> {
  const rolled = await visit.ask<NewWebhookEndpointResource>({
    method: 'POST',
    path: `${pathOf(visit)}/roll_secret`,
    body: { expires_in_seconds: Number(expires_in_seconds) },
  });
  return endpointSecretPage(visit, rolled, endpointWords().secret.rolled);
}

async function deleteEndpoint(visit: Visit<'id'>): Promise<Taken> {
  await visit.ask({ method: 'DELETE', path: pathOf(visit) });
  return { to: '/setup/webhooks' };
}
