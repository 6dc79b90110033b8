/** Webhook endpoints: the list, and adding an endpoint. */

import { type EndpointHealth, readEndpointHealth } from '../../../db/webhooks/endpoint-health.ts';
import { SUBSCRIBED_TYPES } from '../../../db/webhooks/webhook-endpoints.ts';
import type { NewWebhookEndpointResource, WebhookEndpointResource } from '../../api/routes/webhook-endpoint-shapes.ts';
import { answerText } from '../checkouts/activity.tsx';
import { shownUrl } from '../form/api-call.tsx';
import { type Choices, type FormState, SeveralField, TextField, ticked, tickedOf } from '../form/fields.tsx';
import { formPage } from '../form/form-page.tsx';
import { secretPage } from '../form/settings.tsx';
import { searchOf } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { endpointName } from '../page/links.tsx';
import type { AddPages, FormFields, PageRoutes, View } from '../page/page-routes.ts';
import { Badge, Time } from '../page/parts.tsx';
import type { Column } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { percentText } from '../words/formats.ts';
import { endpointWords } from './words/index.ts';

export const endpointListPages: AddPages = (routes) => {
  endpointList(routes.database)(routes);
  // Guarded in live mode: a new endpoint receives the account's events.
  newEndpointForm(routes);
};

const DEFAULT_EVENTS = ['checkout.completed', 'checkout.succeeded', 'checkout.failed'];
const KINDS: Choices = SUBSCRIBED_TYPES.map((type) => [type, type]);

const endpointList = (database: PageRoutes['database']) =>
  listPage<WebhookEndpointResource>(() => {
    const w = endpointWords().list;
    return {
      at: { tab: 'webhooks' },
      title: w.title,
      lead: w.lead,
      label: w.label,
      source: {
        path: '/v1/webhook_endpoints',
        field: 'webhook_endpoints',
        idOf: ({ webhook_endpoint_id }) => webhook_endpoint_id,
      },
      add: { text: w.add, path: '/setup/webhooks/new' },
      href: ({ webhook_endpoint_id }) => `/setup/webhooks/${webhook_endpoint_id}`,
      columns: (visit, rows) => endpointColumns(visit, rows, database),
      empty: () => ({ icon: 'bolt', title: w.empty.title, text: w.empty.text }),
    };
  });

async function endpointColumns(
  visit: Visit,
  rows: readonly WebhookEndpointResource[],
  database: PageRoutes['database'],
): Promise<readonly Column<WebhookEndpointResource>[]> {
  const all = await readEndpointHealth(
    database,
    rows.map(({ webhook_endpoint_id }) => webhook_endpoint_id),
  );
  const healthOf = ({ webhook_endpoint_id }: WebhookEndpointResource) =>
    all.find(({ id }) => id === webhook_endpoint_id) ?? null;
  const { heads } = endpointWords().list;
  return [
    { head: heads.url, cell: ({ url }) => <span>{url}</span> },
    {
      head: heads.status,
      width: 'status',
      cell: (endpoint) => (
        <>
          <EndpointState of={endpoint} health={healthOf(endpoint)} />
          <LastFailure visit={visit} of={endpoint} health={healthOf(endpoint)} />
        </>
      ),
    },
    {
      head: heads.lastDay,
      width: 'status',
      shortHead: heads.lastDayShort,
      cell: (endpoint) => <LastDay health={healthOf(endpoint)} />,
    },
    { head: heads.types, kind: 'detail', width: 'short', cell: ({ events }) => <span>{events.length}</span> },
    { head: heads.added, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

/** The share of attempts that succeeded. */
function LastDay({ health }: { health: EndpointHealth | null }) {
  if (health === null || health.attempts === 0) return null;
  const { attempts, failedAttempts } = health;
  return <span>{endpointWords().list.lastDay(percentText((attempts - failedAttempts) / attempts), attempts)}</span>;
}

interface EndpointStateProps {
  of: WebhookEndpointResource;
  /** Null: not known. */
  health: EndpointHealth | null;
}

/** Whether events arrive, not only whether they are sent. */
export function EndpointState({ of: { disabled }, health }: EndpointStateProps) {
  const w = endpointWords();
  if (disabled) return <Badge status="disabled" name={w.disabled} tone="bad" />;
  if (health === null || health.failures === 0) return <Badge status="enabled" name={w.enabled} tone="good" />;
  return (
    <>
      <Badge status="failing" name={w.failing} tone="bad" />
      {health.failingSince !== null && (
        <span class="quiet small since"> {w.failingSince(<Time at={health.failingSince.toISOString()} />)}</span>
      )}
    </>
  );
}

/** Why the newest attempt to a failing endpoint failed, and the deliveries that failed alike. */
function LastFailure({ visit, of: endpoint, health }: EndpointStateProps & { visit: Visit }) {
  const last = health?.lastFailure ?? null;
  if (endpoint.disabled || last === null) return null;
  const w = endpointWords().list;
  const { webhook_endpoint_id, url } = endpoint;
  const of = { status_code: last.statusCode, failure: last.failure, failure_detail: last.failureDetail };
  return (
    <span class="last-failure">
      <span class="quiet small since"> {w.lastAttempt(answerText(of))}</span>{' '}
      {last.state !== null && (
        <a
          href={`${visit.base}/events${searchOf({ delivery: last.state, webhook_endpoint_id })}`}
          aria-label={w.failedOf(w.failedDeliveries, endpointName(url))}
        >
          {w.failedDeliveries}
        </a>
      )}
    </span>
  );
}

export function EndpointFields({ form }: { form: FormState }) {
  const w = endpointWords();
  return (
    <>
      <TextField form={form} name="url" label={w.url} hint={w.urlHint} required />
      <SeveralField form={form} name="events" label={w.types} choices={KINDS} />
    </>
  );
}

const newEndpointForm = formPage<NewWebhookEndpointResource>(() => {
  const w = endpointWords();
  return {
    tab: 'webhooks',
    title: w.list.addTitle,
    submit: w.list.add,
    values: ticked('events', DEFAULT_EVENTS),
    fields: (form) => <EndpointFields form={form} />,
    request: (fields) => ({ method: 'POST', path: '/v1/webhook_endpoints', body: endpointOf(fields) }),
    shown: (fields) => ({
      method: 'POST',
      path: '/v1/webhook_endpoints',
      body: { ...endpointOf(fields), url: shownUrl(fields.url?.trim() ?? '', 'WEBHOOK_URL') },
    }),
    created: (visit, endpoint) => endpointSecretPage(visit, endpoint, w.secret.added),
  };
});

/** The request body for REST. */
export const endpointOf = (fields: FormFields) => ({
  url: fields.url?.trim() ?? '',
  events: tickedOf(fields, 'events'),
});

/** Shows the signing secret, once. */
export function endpointSecretPage(visit: Visit, endpoint: NewWebhookEndpointResource, title: string): View {
  const { copyNow, copy, what } = endpointWords().secret;
  return secretPage(visit, {
    tab: 'webhooks',
    title,
    lead: endpoint.url,
    copyNow,
    copy,
    what,
    secret: endpoint.signing_secret,
    next: `/setup/webhooks/${endpoint.webhook_endpoint_id}`,
  });
}
