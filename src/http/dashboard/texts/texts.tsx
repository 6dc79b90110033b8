/** Texts to callers: the list. Each row links to the text's checkout. */
import type { TextResource } from '../../../contract/texts.ts';
import { textTitle } from '../checkouts/activity.tsx';
import { type Filter, periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { Badge, Time } from '../page/parts.tsx';

const filters = (): readonly Filter[] => [
  ...periodFilters(),
  { kind: 'text', name: 'checkout_session_id', label: 'Checkout', hint: 'cs_…' },
  { kind: 'text', name: 'charge', label: 'Charge', hint: 'ch_…' },
];

const CSV: readonly (keyof TextResource)[] = [
  'text_id',
  'created_at',
  'kind',
  'recipient',
  'status',
  'delivery',
  'segments',
  'attempts',
  'carrier',
  'error_code',
  'checkout_session_id',
  'charge_id',
];

export const textPages = listPage<TextResource>(() => ({
  at: { section: 'texts' },
  title: 'Texts',
  lead: 'Text messages to callers and their delivery. Pay links and codes are never shown.',
  label: 'Texts, newest first',
  source: { path: '/v1/texts', field: 'texts', idOf: ({ text_id }) => text_id },
  filters: filters(),
  csv: CSV,
  href: ({ checkout_session_id }) => `/checkouts/${checkout_session_id}`,
  columns: () => [
    { head: 'Text', cell: (text) => <span>{textTitle(text)}</span> },
    { head: 'Status', cell: ({ status, delivery }) => <Badge status={delivery ?? status} /> },
    { head: 'Recipient', cell: ({ recipient }) => <span class="number">{recipient}</span> },
    {
      head: 'Message',
      kind: 'detail',
      cell: ({ body }) => (body === null ? null : <span class="quiet clip">{body}</span>),
    },
    { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  empty: () => ({
    icon: 'message',
    title: 'No texts yet',
    text: 'Receipts, pay links and codes appear here. No texts are sent in test mode; the demo shows them on a separate page.',
  }),
}));
