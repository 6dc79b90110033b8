/** API requests: the list, the page of one request with its body and response, and the redirect from errors. */

import type { FastifyInstance } from 'fastify';
import { CATALOGUE, ERROR_CODES } from '../../../contract/error-catalogue.ts';
import type { RequestResource, RequestWithBodiesResource } from '../../../contract/logged-requests.ts';
import type { Mode } from '../../../domain/session.ts';
import { type Filter, periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import { Badge, Block, Facts, Id, Json, ObjectPage, Time, type Tone } from '../page/parts.tsx';
import type { Column } from '../page/table.tsx';
import { idInPath, type Visit, visitOf } from '../page/visit.ts';
import { unitText } from '../words/formats.ts';
import { requestWords } from './words/index.ts';

export const requestPages: AddPages = (routes) => {
  requestList(routes);
  routes.page('/requests/:id', showRequest);
};

/** The statuses that the API answers with. */
const STATUSES: readonly string[] = [
  ...new Set([200, 201, 202, 204, ...Object.values(CATALOGUE).map(({ status }) => status)]),
]
  .sort((a, b) => a - b)
  .map(String);

const same = (value: string) => [value, value] as const;

function filters(): readonly Filter[] {
  const w = requestWords().filters;
  return [
    ...periodFilters(),
    { kind: 'choice', name: 'status', label: w.status, choices: STATUSES.map(same) },
    { kind: 'choice', name: 'code', label: w.error, choices: ERROR_CODES.toSorted().map(same) },
    { kind: 'text', name: 'path', label: w.operation, hint: '/v1/charge' },
    { kind: 'text', name: 'key_id', label: w.key, hint: 'key_…' },
  ];
}

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

const requestList = listPage<RequestResource>(() => {
  const w = requestWords();
  return {
    at: { section: 'requests' },
    title: w.title,
    lead: w.lead,
    label: w.label,
    source: {
      path: '/v1/requests',
      field: 'requests',
      idOf: ({ request_id }) => request_id,
    },
    filters: filters(),
    csv: CSV,
    href: ({ request_id }) => `/requests/${request_id}`,
    columns: requestColumns,
    empty: () => ({
      icon: 'request',
      title: w.empty.title,
      text: w.empty.text,
      action: (
        <a class="button" href="/docs/api-reference">
          {w.empty.action}
        </a>
      ),
    }),
  };
});

function requestColumns(): readonly Column<RequestResource>[] {
  const { heads, noKey } = requestWords();
  return [
    { head: heads.request, cell: (request) => <code>{titleOf(request)}</code> },
    { head: heads.status, width: 'state', cell: ({ status }) => <StatusBadge status={status} /> },
    { head: heads.error, cell: ({ code }) => (code === null ? null : <span>{code}</span>) },
    {
      head: heads.key,
      kind: 'detail',
      width: 'cut',
      cell: ({ key_name, key_id }) => <span class="quiet">{key_name ?? key_id ?? noKey}</span>,
    },
    {
      head: heads.duration,
      kind: 'number',
      cell: ({ duration_ms }) => <span class="number quiet">{unitText(duration_ms, 'ms')}</span>,
    },
    { head: heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

const titleOf = ({ method, path, url }: RequestResource) => `${method} ${path ?? url}`;

function toneOf(status: number): Tone {
  if (status < 400) return 'good';
  return status < 500 ? 'wait' : 'bad';
}

const StatusBadge = ({ status }: { status: number }) => (
  <Badge status={String(status)} name={String(status)} tone={toneOf(status)} />
);

async function showRequest(visit: Visit<'id'>): Promise<View> {
  const path = `/v1/requests/${idInPath(visit)}`;
  const request = await visit.ask<RequestWithBodiesResource>({ path });
  const w = requestWords();
  return {
    title: titleOf(request),
    section: 'requests',
    body: (
      <ObjectPage
        kind={w.kind}
        id={request.request_id}
        heading={
          <>
            <code class="title">{titleOf(request)}</code> <StatusBadge status={request.status} />
          </>
        }
        side={<RequestFacts request={request} />}
      >
        <Block title={w.requestBody}>
          <Body text={request.request_body} label={w.requestBody} />
        </Block>
        <Block title={w.responseBody}>
          <Body text={request.answer_body} label={w.responseBody} />
        </Block>
      </ObjectPage>
    ),
  };
}

/** The JSON may be truncated. */
function Body({ text, label }: { text: string | null; label: string }) {
  if (text === null) return <p class="quiet">{requestWords().withoutBody}</p>;
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
  const w = requestWords().facts;
  return (
    <Facts
      facts={[
        ['URL', <span class="id">{request.url}</span>],
        [w.error, request.code && <a href={`/docs/api-reference/error-codes#${request.code}`}>{request.code}</a>],
        request.param === null ? null : [w.field, <code>{request.param}</code>],
        [w.duration, `${request.duration_ms} ms`],
        [w.key, request.key_id && <Id id={request.key_id} />],
        request.key_name === null ? null : [w.keyName, request.key_name],
        [w.source, request.source],
        [w.created, <Time at={request.created_at} full />],
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
