/** Payouts: the list, the page of one with what it contains, and all entries, for CSV by day. */
import type { PayoutEntryTotalsResource, PayoutTotalsResource } from '../../../contract/list-totals.ts';
import type { PayoutEntryResource, PayoutResource } from '../../../contract/payouts.ts';
import { PAYOUT_STATUSES } from '../../../domain/payout.ts';
import { type Filter, periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { counted, totalsOf } from '../list/totals.tsx';
import { merchantName, ObjectLink } from '../page/links.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import { Badge, Block, CopyText, Facts, Money, ObjectPage, Time, words } from '../page/parts.tsx';
import { type Column, Table } from '../page/table.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { pageWords } from '../page/words/index.ts';

export const payoutPages: AddPages = (routes) => {
  payoutList(routes);
  entryList(routes);
  routes.page('/payouts/:id', showPayout);
};

type PayoutTotals = NonNullable<PayoutTotalsResource['totals']>[number];
type EntryTotals = NonNullable<PayoutEntryTotalsResource['totals']>[number];

const MERCHANT: Filter = { kind: 'merchant', name: 'merchant_id', label: 'Merchant' };
const DAY: Filter = { kind: 'text', name: 'arrival_date', label: 'Arrival', hint: '2026-11-23' };

const TONES = { pending: 'wait', paid: 'good', failed: 'bad', canceled: 'plain' } as const;

const StatusBadge = ({ payout: { status } }: { payout: PayoutResource }) => (
  <Badge status={status} tone={TONES[status]} />
);

const payoutList = listPage<PayoutResource>(() => ({
  at: { section: 'payouts' },
  title: 'Payouts',
  lead: 'What the processors pay to the bank accounts of your merchants.',
  label: 'Payouts, newest first',
  source: {
    path: '/v1/payouts',
    field: 'payouts',
    idOf: ({ payout_id }) => payout_id,
  },
  filters: [
    ...periodFilters(),
    {
      kind: 'choice',
      name: 'status',
      label: 'Status',
      choices: PAYOUT_STATUSES.map((status) => [status, words(status)] as const),
    },
    MERCHANT,
    DAY,
  ],
  csv: [
    'payout_id',
    'arrival_date',
    'status',
    'amount_cents',
    'currency',
    'merchant_id',
    'processor',
    'processor_payout_id',
    'created_at',
    'updated_at',
  ],
  summary: totalsOf<PayoutTotals>({
    path: '/v1/payouts/totals',
    label: 'Totals of these payouts',
    line: ({ currency, payouts, paid_cents: paid, pending_cents: pending }) => ({
      what: counted(payouts, 'payout', currency),
      sums: [
        ['Pending', pending],
        ['Paid', paid],
      ],
    }),
  }),
  href: ({ payout_id }) => `/payouts/${payout_id}`,
  columns: () => [
    { head: 'Payout', cell: ({ payout_id }) => <span class="id">{payout_id}</span> },
    {
      head: 'Amount',
      kind: 'money',
      cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
    },
    { head: 'Status', cell: (payout) => <StatusBadge payout={payout} /> },
    { head: 'Arrival', cell: ({ arrival_date }) => <span class="number">{arrival_date}</span> },
    { head: 'Processor', cell: ({ processor }) => <span>{processor}</span> },
    { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  empty: () => ({
    icon: 'bank',
    title: 'No payouts yet',
    text: 'A payout appears here when a processor notifies Ringkey. Set up the notifications of each merchant, with the payout events.',
    action: (
      <a class="button" href="/docs/payouts">
        Payouts in the docs
      </a>
    ),
  }),
}));

const entryColumns = (visit: Visit): readonly Column<PayoutEntryResource>[] => [
  { head: 'Kind', cell: ({ kind }) => <span>{words(kind)}</span> },
  { head: 'Charge', cell: ({ charge }) => <ObjectLink visit={visit} to="charge" id={charge} /> },
  { head: 'Order', cell: ({ order_id }) => (order_id === null ? null : <span class="quiet">{order_id}</span>) },
  {
    head: 'Gross',
    kind: 'money',
    isNamed: true,
    cell: (entry) => <Money cents={entry.gross_cents} currency={entry.currency} />,
  },
  {
    head: 'Fee',
    kind: 'money',
    isNamed: true,
    cell: (entry) => <Money cents={entry.fee_cents} currency={entry.currency} />,
  },
  {
    head: 'Net',
    kind: 'money',
    isNamed: true,
    cell: (entry) => <Money cents={entry.net_cents} currency={entry.currency} />,
  },
];

const entryList = listPage<PayoutEntryResource>(() => ({
  at: { section: 'payout-entries' },
  title: 'Payout entries',
  lead: 'Each charge, refund, dispute and fee in a payout. To reconcile a day, filter by arrival and export CSV.',
  label: 'Payout entries, newest first',
  source: {
    path: '/v1/payout_entries',
    field: 'payout_entries',
    idOf: ({ payout_entry_id }) => payout_entry_id,
  },
  summary: totalsOf<EntryTotals>({
    path: '/v1/payout_entries/totals',
    label: 'Totals of these entries',
    line: ({ currency, payout_entries: entries, gross_cents: gross, fee_cents: fees, net_cents: net }) => ({
      what: counted(entries, 'entry', currency, 'entries'),
      sums: [
        ['Gross', gross],
        ['Fees', fees],
        ['Net', net],
      ],
    }),
  }),
  filters: [...periodFilters(), MERCHANT, DAY, { kind: 'text', name: 'payout', label: 'Payout', hint: 'po_…' }],
  csv: [
    'arrival_date',
    'payout_id',
    'kind',
    'gross_cents',
    'fee_cents',
    'net_cents',
    'currency',
    'charge',
    'order_id',
    'merchant_id',
    'payout_entry_id',
  ],
  columns: (visit) => [
    ...entryColumns(visit),
    { head: 'Arrival', cell: ({ arrival_date }) => <span class="number">{arrival_date}</span> },
    { head: 'Payout', cell: ({ payout_id }) => <ObjectLink visit={visit} to="payout" id={payout_id} /> },
  ],
  empty: () => ({
    icon: 'bank',
    title: 'No payout entries yet',
    text: 'They appear here with the payouts of the processors.',
  }),
}));

/** Entries shown on the page of a payout. The list has all of them. */
const SHOWN = '100';

async function showPayout(visit: Visit<'id'>): Promise<View> {
  const id = idInPath(visit);
  const [payout, list] = await Promise.all([
    visit.ask<PayoutResource>({ path: `/v1/payouts/${id}` }),
    visit.ask<{ payout_entries: PayoutEntryResource[]; has_more: boolean }>({
      path: '/v1/payout_entries',
      query: { payout: decodeURIComponent(id), limit: SHOWN },
    }),
  ]);
  const merchant = await merchantName(visit, payout.merchant_id);
  return {
    title: `Payout ${payout.payout_id}`,
    section: 'payouts',
    body: (
      <ObjectPage
        kind="Payout"
        id={payout.payout_id}
        heading={
          <>
            <Money cents={payout.amount_cents} currency={payout.currency} /> <StatusBadge payout={payout} />
          </>
        }
        side={<PayoutFacts visit={visit} payout={payout} merchant={merchant} />}
      >
        <Block title="Contents">
          {list.payout_entries.length === 0 ? (
            <p class="quiet">The processor does not say what it contains.</p>
          ) : (
            <Table rows={list.payout_entries} label="Contents" columns={entryColumns(visit)} />
          )}
          <p>
            <a href={`${visit.base}/payout-entries?payout=${payout.payout_id}`}>
              {list.has_more ? 'All entries and CSV' : 'Entries as a list and CSV'}
            </a>
          </p>
        </Block>
      </ObjectPage>
    ),
  };
}

function PayoutFacts({ visit, payout, merchant }: { visit: Visit; payout: PayoutResource; merchant: string }) {
  return (
    <Facts
      facts={[
        ['Merchant', <ObjectLink visit={visit} to="merchant" id={payout.merchant_id} name={merchant} />],
        ['Arrival', payout.arrival_date],
        ['Processor', payout.processor],
        ['Processor reference', <CopyText text={payout.processor_payout_id} label={pageWords().copyReference} />],
        ['Created', <Time at={payout.created_at} full />],
        ['Updated', <Time at={payout.updated_at} full />],
      ]}
    />
  );
}
