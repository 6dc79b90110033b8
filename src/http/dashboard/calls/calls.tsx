/** Calls: the list, and the routes of one call. */
import type { CallResource } from '../../../contract/calls.ts';
import type { CallTotalsResource } from '../../../contract/list-totals.ts';
import { OUTCOME_KINDS } from '../../../domain/outcome.ts';
import { type Filter, orderFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { countsOf } from '../list/totals.tsx';
import { CallerLink, durationText } from '../page/links.tsx';
import type { AddPages } from '../page/page-routes.ts';
import { Time } from '../page/parts.tsx';
import { NameCell } from '../page/table.tsx';
import { names } from '../words/names/index.ts';
import { sendCallPart, showCall } from './call-page.tsx';
import { CallAmount, CallBadge, callerText } from './parts.tsx';
import { reachedFilter } from './reached.ts';
import { callWords } from './words/index.ts';

export const callPages: AddPages = (routes) => {
  callList(routes);
  routes.page('/calls/:id', showCall);
  routes.news('/calls/:id/now', sendCallPart);
};

const outcomeFilter = (): Filter => ({
  kind: 'choice',
  name: 'outcome',
  label: callWords().outcome,
  choices: OUTCOME_KINDS.map((kind) => [kind, names().callOutcome[kind]] as const),
});

const CSV: readonly (keyof CallResource)[] = [
  'call_id',
  'created_at',
  'answered_at',
  'ended_at',
  'outcome',
  'reason',
  'caller_phone',
  'order_id',
  'amount_cents',
  'currency',
  'merchant_id',
  'business_name',
  'checkout_session_id',
  'charge_id',
  'charge_status',
  'charge_amount_cents',
  'platform_call_id',
  'sip_call_id',
  'key_kind',
  'codec',
  'packets_received',
  'packets_lost',
  'jitter_ms',
];

type CallTotals = NonNullable<CallTotalsResource['totals']>;

const callList = listPage<CallResource>(() => {
  const w = callWords();
  return {
    at: { section: 'calls' },
    title: w.title,
    label: w.label,
    source: { path: '/v1/calls', field: 'calls', idOf: ({ call_id }) => call_id },
    filters: orderFilters(outcomeFilter(), reachedFilter()),
    csv: CSV,
    summary: countsOf<CallTotals>({
      path: '/v1/calls/totals',
      label: w.totals,
      line: ({ calls, live, ...outcomes }) => ({
        what: w.counted(calls),
        parts: [[w.live, live], ...OUTCOME_KINDS.map((kind) => [names().callOutcome[kind], outcomes[kind]] as const)],
      }),
    }),
    href: ({ call_id }) => `/calls/${call_id}`,
    columns: (visit) => [
      { head: w.heads.caller, width: 'phone', cell: (call) => <span>{callerText(call)}</span> },
      { head: w.outcome, width: 'state', cell: (call) => <CallBadge call={call} /> },
      { head: w.heads.amount, kind: 'money', cell: (call) => <CallAmount call={call} /> },
      {
        head: w.heads.merchant,
        kind: 'name',
        cell: ({ business_name }) => business_name && <NameCell name={business_name} />,
      },
      {
        head: w.heads.reason,
        kind: 'detail',
        cell: ({ reason }) => (reason === null ? null : <span>{names().callReason[reason]}</span>),
      },
      {
        head: w.heads.order,
        kind: 'detail',
        cell: ({ order_id }) => (order_id === null ? null : <bdi class="quiet">{order_id}</bdi>),
      },
      {
        head: w.heads.duration,
        kind: 'number',
        cell: ({ created_at, ended_at }) =>
          ended_at === null ? null : <span class="number quiet">{durationText(created_at, ended_at)}</span>,
      },
      { head: w.heads.started, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
      {
        head: w.heads.history,
        kind: 'action',
        cell: ({ caller_phone }) => <CallerLink visit={visit} phone={caller_phone} text={w.heads.history} />,
      },
    ],
    empty: ({ mode }) => ({
      icon: 'phone',
      title: w.empty.title,
      text: mode === 'test' ? w.empty.test : w.empty.live,
      action: (
        <a class="button" href="/docs/quickstart">
          {w.empty.action}
        </a>
      ),
    }),
  };
});
