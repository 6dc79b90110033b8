/** Calls: the list, and the routes of one call. */
import type { CallResource } from '../../../contract/calls.ts';
import { OUTCOME_KINDS } from '../../../domain/outcome.ts';
import { type Filter, orderFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { CallerLink, durationText } from '../page/links.tsx';
import type { AddPages } from '../page/page-routes.ts';
import { Time, words } from '../page/parts.tsx';
import { NameCell } from '../page/table.tsx';
import { sendCallPart, showCall } from './call-page.tsx';
import { CallAmount, CallBadge, callerText } from './parts.tsx';

export const callPages: AddPages = (routes) => {
  callList(routes);
  routes.page('/calls/:id', showCall);
  routes.news('/calls/:id/now', sendCallPart);
};

const OUTCOME: Filter = {
  kind: 'choice',
  name: 'outcome',
  label: 'Outcome',
  choices: OUTCOME_KINDS.map((kind) => [kind, words(kind)] as const),
};

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
  'platform_call_id',
  'sip_call_id',
  'key_kind',
  'codec',
  'packets_received',
  'packets_lost',
  'jitter_ms',
];

const callList = listPage<CallResource>(() => ({
  at: { section: 'calls' },
  title: 'Calls',
  label: 'Calls, newest first',
  source: { path: '/v1/calls', field: 'calls', idOf: ({ call_id }) => call_id },
  filters: orderFilters(OUTCOME),
  csv: CSV,
  href: ({ call_id }) => `/calls/${call_id}`,
  columns: (visit) => [
    { head: 'Caller', cell: (call) => <span>{callerText(call)}</span> },
    { head: 'Outcome', cell: (call) => <CallBadge call={call} /> },
    { head: 'Amount', kind: 'money', cell: (call) => <CallAmount call={call} /> },
    { head: 'Merchant', kind: 'name', cell: ({ business_name }) => business_name && <NameCell name={business_name} /> },
    { head: 'Reason', cell: ({ reason }) => (reason === null ? null : <span>{words(reason)}</span>) },
    {
      head: 'Order',
      kind: 'detail',
      cell: ({ order_id }) => (order_id === null ? null : <span class="quiet">{order_id}</span>),
    },
    {
      head: 'Duration',
      kind: 'number',
      cell: ({ created_at, ended_at }) =>
        ended_at === null ? null : <span class="number quiet">{durationText(created_at, ended_at)}</span>,
    },
    { head: 'Started', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      head: 'History',
      kind: 'action',
      cell: ({ caller_phone }) => <CallerLink visit={visit} phone={caller_phone} text="History" />,
    },
  ],
  empty: ({ mode }) => ({
    icon: 'phone',
    title: 'No calls yet',
    text:
      mode === 'test'
        ? 'Create a checkout and transfer a call to its address, or run a scripted caller: npm run call.'
        : 'Calls appear here once your voice agent transfers the first one.',
    action: (
      <a class="button" href="/docs/quickstart">
        Quickstart
      </a>
    ),
  }),
}));
