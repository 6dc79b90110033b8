/** API requests: the list, the page of one request with its body and response, and the redirect from errors. */

import type { FastifyInstance } from 'fastify';
import type { RequestResource, RequestWithBodiesResource } from '../../../contract/logged-requests.ts';
import type { Mode } from '../../../domain/session.ts';
import { type Filter, periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import { Badge, Block, Facts, Id, Json, ObjectPage, Time, type Tone } from '../page/parts.tsx';
import { idInPath, type Visit, visitOf } from '../page/visit.ts';

export const requestPages: AddPages = (routes) => {
  requestList(routes);
  routes.page('/requests/:id', showRequest);
};

const filters = (): readonly Filter[] => [
  ...periodFilters(),
  { kind: 'text', name: 'status', label: 'Status', hint: '402' },
  { kind: 'text', name: 'code', label: 'Error', hint: 'card_declined' },
  { kind: 'text', name: 'path', label: 'Operation', hint: '/v1/charge' },
  { kind: 'text', name: 'key_id', label: 'Key', hint: 'key_…' },
];

const CSV: readonly (keyof RequestResource)[] = [
  'request_id',
  'created_at',
  'method',
  'path',
  'status',
  'code',
  'param',
  'duration_ms',
  'key_id',
  'key_name',
  'source',
];

const requestList = listPage<RequestResource>(() => ({
  at: { section: 'requests' },
  title: 'Requests',
  lead: 'API requests made with your keys. Kept for 30 days, without secrets.',
  label: 'Requests, newest first',
  source: {
    path: '/v1/requests',
    field: 'requests',
    idOf: ({ request_id }) => request_id,
  },
  filters: filters(),
  csv: CSV,
  href: ({ request_id }) => `/requests/${request_id}`,
  columns: () => [
    { head: 'Request', cell: (request) => <code>{titleOf(request)}</code> },
    { head: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { head: 'Error', cell: ({ code }) => (code === null ? null : <span>{code}</span>) },
    {
      head: 'Key',
      kind: 'detail',
      cell: ({ key_name, key_id }) => <span class="quiet">{key_name ?? key_id ?? 'No key'}</span>,
    },
    {
      head: 'Duration',
      kind: 'number',
      cell: ({ duration_ms }) => <span class="number quiet">{duration_ms} ms</span>,
    },
    { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  empty: () => ({
    icon: 'request',
    title: 'No requests yet',
    text: 'Each request made with one of your keys appears here for 30 days, with its response.',
    action: (
      <a class="button" href="/docs/api-reference">
        API reference
      </a>
    ),
  }),
}));

const titleOf = ({ method, path, url }: RequestResource) => `${method} ${path ?? url}`;

function toneOf(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'wait' : 'bad';
}

const StatusBadge = ({ status }: { status: number }) => <Badge status={String(status)} tone={toneOf(status)} />;

async function showRequest(visit: Visit<'id'>): Promise<View> {
  const path = `/v1/requests/${idInPath(visit)}`;
  const request = await visit.ask<RequestWithBodiesResource>({ path });
  return {
    title: titleOf(request),
    section: 'requests',
    body: (
      <ObjectPage
        kind="Request"
        id={request.request_id}
        heading={
          <>
            <code class="title">{titleOf(request)}</code> <StatusBadge status={request.status} />
          </>
        }
        side={<RequestFacts request={request} />}
      >
        <Block title="Request body">
          <Body text={request.request_body} label="Request body" />
        </Block>
        <Block title="Response body">
          <Body text={request.answer_body} label="Response body" />
        </Block>
      </ObjectPage>
    ),
  };
}

/** The JSON may be truncated. */
function Body({ text, label }: { text: string | null; label: string }) {
  if (text === null) return <p class="quiet">No body.</p>;
  return <Json value={parsed(text)} label={label} />;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function RequestFacts({ request }: { request: RequestWithBodiesResource }) {
  return (
    <Facts
      facts={[
        ['URL', <span class="id">{request.url}</span>],
        ['Error', request.code && <a href={`/docs/api-reference/error-codes#${request.code}`}>{request.code}</a>],
        request.param === null ? null : ['Field', <code>{request.param}</code>],
        ['Duration', `${request.duration_ms} ms`],
        ['Key', request.key_id && <Id id={request.key_id} />],
        request.key_name === null ? null : ['Key name', request.key_name],
        ['Source', request.source],
        ['Created', <Time at={request.created_at} full />],
      ]}
    />
  );
}

const MODES: readonly Mode[] = ['test', 'live'];

/** @param app behind `requireUser` */
export function requestLinkRoute(app: FastifyInstance): void {
  app.get<{ Params: { id: string } }>('/:id', async (request, reply) => {
    const id = encodeURIComponent(request.params.id);
    const { mode: only } = request.user;
    const seen = MODES.filter((mode) => only === undefined || mode === only);
    const answers = await Promise.all(
      seen.map(async (mode) => {
        const visit = visitOf(request, {
          mode,
          csrf: '',
          knownPaths: new Set(),
          merchants: async () => request.user.merchants,
        });
        return { mode, ...(await visit.tryAsk({ path: `/v1/requests/${id}` })) };
      }),
    );
    const mode = answers.find(({ ok }) => ok)?.mode ?? seen[0];
    return reply.redirect(`/dashboard/${mode}/requests/${id}`, 303);
  });
}
