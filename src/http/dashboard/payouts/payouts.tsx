/** Payouts: the list, the page of one with what it contains, and all entries, for CSV by day. */
import type { PayoutEntryTotalsResource, PayoutTotalsResource } from '../../../contract/list-totals.ts';
import type { PayoutEntryResource, PayoutResource } from '../../../contract/payouts.ts';
import { type Filter, periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { totalsOf } from '../list/totals.tsx';
import { listWords } from '../list/words/index.ts';
import { merchantName, ObjectLink } from '../page/links.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import { Badge, Block, CopyText, Facts, Money, ObjectPage, Time } from '../page/parts.tsx';
import { type Column, Table } from '../page/table.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { pageWords } from '../page/words/index.ts';
import { timeText } from '../words/formats.ts';
import { choicesOf, names } from '../words/names/index.ts';
import { processorText } from '../words/names/processors.ts';
import { payoutWords } from './words/index.ts';

export const payoutPages: AddPages = (routes) => {
  payoutList(routes);
  entryList(routes);
  routes.page('/payouts/:id', showPayout);
};

type PayoutTotals = NonNullable<PayoutTotalsResource['totals']>[number];
type EntryTotals = NonNullable<PayoutEntryTotalsResource['totals']>[number];

const merchantAndDay = (): readonly Filter[] => [
  { kind: 'merchant', name: 'merchant_id', label: listWords().merchant },
  { kind: 'date', name: 'arrival_date', label: payoutWords().heads.arrival },
];

const TONES = { pending: 'wait', paid: 'good', failed: 'bad', canceled: 'plain' } as const;

const StatusBadge = ({ payout: { status } }: { payout: PayoutResource }) => (
  <Badge status={status} name={names().payoutStatus[status]} tone={TONES[status]} />
);

const PAYOUT_CSV: readonly (keyof PayoutResource)[] = [
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
];

const payoutList = listPage<PayoutResource>(() => {
  const w = payoutWords();
  return {
    at: { section: 'payouts' },
    title: w.title,
    lead: w.lead,
    label: w.label,
    source: {
      path: '/v1/payouts',
      field: 'payouts',
      idOf: ({ payout_id }) => payout_id,
    },
    filters: [
      ...periodFilters(),
      { kind: 'choice', name: 'status', label: listWords().status, choices: choicesOf(names().payoutStatus) },
      ...merchantAndDay(),
    ],
    csv: PAYOUT_CSV,
    summary: totalsOf<PayoutTotals>({
      path: '/v1/payouts/totals',
      label: w.totals,
      line: ({ currency, payouts, paid_cents: paid, pending_cents: pending }) => ({
        what: w.counted(payouts, currency),
        sums: [
          [w.sums.pending, pending],
          [w.sums.paid, paid],
        ],
      }),
    }),
    href: ({ payout_id }) => `/payouts/${payout_id}`,
    columns: payoutColumns,
    empty: () => ({
      icon: 'bank',
      title: w.empty.title,
      text: w.empty.text,
      action: (
        <a class="button" href="/docs/payouts">
          {w.empty.action}
        </a>
      ),
    }),
  };
});

/** @param day in UTC: `2026-11-23` */
const Arrival = ({ day }: { day: string | null }) =>
  day === null ? null : (
    <time class="number" datetime={day}>
      {timeText(day, 'date')}
    </time>
  );

function payoutColumns(): readonly Column<PayoutResource>[] {
  const { heads } = payoutWords();
  return [
    { head: heads.payout, width: 'id', cell: ({ payout_id }) => <span class="id">{payout_id}</span> },
    {
      head: heads.amount,
      kind: 'money',
      cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
    },
    { head: heads.status, width: 'state', cell: (payout) => <StatusBadge payout={payout} /> },
    {
      head: heads.arrival,
      width: 'date',
      shortHead: heads.arrivalShort,
      cell: ({ arrival_date: day }) => <Arrival day={day} />,
    },
    { head: heads.processor, width: 'cut', cell: ({ processor }) => <span>{processorText(processor)}</span> },
    { head: heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

function entryColumns(visit: Visit): readonly Column<PayoutEntryResource>[] {
  const { heads } = payoutWords().entries;
  return [
    { head: heads.kind, width: 'short', cell: ({ kind }) => <span>{names().payoutEntryKind[kind]}</span> },
    { head: heads.charge, width: 'cut', cell: ({ charge }) => <ObjectLink visit={visit} to="charge" id={charge} /> },
    {
      head: heads.order,
      kind: 'detail',
      cell: ({ order_id }) => (order_id === null ? null : <span class="quiet">{order_id}</span>),
    },
    {
      head: heads.gross,
      kind: 'money',
      isNamed: true,
      cell: (entry) => <Money cents={entry.gross_cents} currency={entry.currency} />,
    },
    {
      head: heads.fee,
      kind: 'money',
      isNamed: true,
      cell: (entry) => <Money cents={entry.fee_cents} currency={entry.currency} />,
    },
    {
      head: heads.net,
      kind: 'money',
      isNamed: true,
      onPhone: 'first',
      cell: (entry) => <Money cents={entry.net_cents} currency={entry.currency} />,
    },
  ];
}

const ENTRY_CSV: readonly (keyof PayoutEntryResource)[] = [
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
];

const entryList = listPage<PayoutEntryResource>(() => {
  const { entries: w, kind, heads } = payoutWords();
  return {
    at: { section: 'payout-entries' },
    title: w.title,
    lead: w.lead,
    label: w.label,
    source: {
      path: '/v1/payout_entries',
      field: 'payout_entries',
      idOf: ({ payout_entry_id }) => payout_entry_id,
    },
    summary: totalsOf<EntryTotals>({
      path: '/v1/payout_entries/totals',
      label: w.totals,
      line: ({ currency, payout_entries: entries, gross_cents: gross, fee_cents: fees, net_cents: net }) => ({
        what: w.counted(entries, currency),
        sums: [
          [w.sums.gross, gross],
          [w.sums.fees, fees],
          [w.sums.net, net],
        ],
      }),
    }),
    filters: [...periodFilters(), ...merchantAndDay(), { kind: 'text', name: 'payout', label: kind, hint: 'po_…' }],
    csv: ENTRY_CSV,
    columns: (visit) => [
      ...entryColumns(visit),
      {
        head: heads.arrival,
        kind: 'detail',
        width: 'date',
        cell: ({ arrival_date: day }) => <Arrival day={day} />,
      },
      {
        head: heads.payout,
        kind: 'detail',
        width: 'cut',
        cell: ({ payout_id }) => <ObjectLink visit={visit} to="payout" id={payout_id} />,
      },
    ],
    empty: () => ({ icon: 'bank', title: w.empty.title, text: w.empty.text }),
  };
});

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
  const w = payoutWords();
  return {
    title: w.titleOf(payout.payout_id),
    section: 'payouts',
    body: (
      <ObjectPage
        kind={w.kind}
        id={payout.payout_id}
        heading={
          <>
            <Money cents={payout.amount_cents} currency={payout.currency} /> <StatusBadge payout={payout} />
          </>
        }
        side={<PayoutFacts visit={visit} payout={payout} merchant={merchant} />}
      >
        <Block title={w.contents}>
          {list.payout_entries.length === 0 ? (
            <p class="quiet">{w.noContents}</p>
          ) : (
            <Table rows={list.payout_entries} label={w.contents} columns={entryColumns(visit)} />
          )}
          <p>
            <a href={`${visit.base}/payout-entries?payout=${payout.payout_id}`}>
              {list.has_more ? w.allEntries : w.asList}
            </a>
          </p>
        </Block>
      </ObjectPage>
    ),
  };
}

function PayoutFacts({ visit, payout, merchant }: { visit: Visit; payout: PayoutResource; merchant: string }) {
  const w = payoutWords().facts;
  return (
    <Facts
      facts={[
        [w.merchant, <ObjectLink visit={visit} to="merchant" id={payout.merchant_id} name={merchant} />],
        [w.arrival, payout.arrival_date && <Arrival day={payout.arrival_date} />],
        [w.processor, processorText(payout.processor)],
        [w.reference, <CopyText text={payout.processor_payout_id} label={pageWords().copyReference} />],
        [w.created, <Time at={payout.created_at} full />],
        [w.updated, <Time at={payout.updated_at} full />],
      ]}
    />
  );
}
