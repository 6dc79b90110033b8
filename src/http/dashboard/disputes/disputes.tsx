/** Disputes: the list, and the page of one dispute. Evidence is sent in the processor's dashboard. */
import type { DisputeResource } from '../../../contract/disputes.ts';
import type { DisputeTotalsResource } from '../../../contract/list-totals.ts';
import { DISPUTE_STATUSES } from '../../../domain/dispute.ts';
import { periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { counted, totalsOf } from '../list/totals.tsx';
import { merchantName, ObjectLink } from '../page/links.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import { Block, CopyText, Facts, Money, ObjectPage, Time, Timeline, words } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { pageWords } from '../page/words/index.ts';
import { AnswerDispute, DisputeBadge, disputeEntries } from './parts.tsx';

export const disputePages: AddPages = (routes) => {
  disputeList(routes);
  routes.page('/disputes/:id', showDispute);
};

const CSV: readonly (keyof DisputeResource)[] = [
  'dispute_id',
  'created_at',
  'updated_at',
  'kind',
  'status',
  'reason',
  'processor_reason',
  'amount_cents',
  'currency',
  'evidence_due_at',
  'charge',
  'checkout_session_id',
  'merchant_id',
  'processor',
  'processor_dispute_id',
];

type DisputeTotals = NonNullable<DisputeTotalsResource['totals']>[number];

const disputeList = listPage<DisputeResource>(() => ({
  at: { section: 'disputes' },
  title: 'Disputes',
  label: 'Disputes, newest first',
  source: {
    path: '/v1/disputes',
    field: 'disputes',
    idOf: ({ dispute_id }) => dispute_id,
  },
  filters: [
    ...periodFilters(),
    {
      kind: 'choice',
      name: 'status',
      label: 'Status',
      choices: DISPUTE_STATUSES.map((status) => [status, words(status)] as const),
    },
    { kind: 'merchant', name: 'merchant_id', label: 'Merchant' },
    { kind: 'text', name: 'charge', label: 'Charge', hint: 'ch_…' },
  ],
  csv: CSV,
  summary: totalsOf<DisputeTotals>({
    path: '/v1/disputes/totals',
    label: 'Totals of these disputes',
    line: ({ currency, disputes, disputed_cents: disputed, open_cents: open, won_cents: won, lost_cents: lost }) => ({
      what: counted(disputes, 'dispute', currency),
      sums: [
        ['Disputed', disputed],
        ['Won', won],
        ['Lost', lost],
        ['Open', open],
      ],
    }),
  }),
  href: ({ dispute_id }) => `/disputes/${dispute_id}`,
  columns: () => [
    { head: 'Dispute', cell: ({ dispute_id }) => <span class="id">{dispute_id}</span> },
    { head: 'Amount', kind: 'money', cell: (dispute) => <DisputeAmount dispute={dispute} /> },
    { head: 'Status', cell: (dispute) => <DisputeBadge dispute={dispute} /> },
    { head: 'Reason', cell: ({ reason }) => <span>{words(reason)}</span> },
    {
      head: 'Evidence due',
      kind: 'time',
      isNamed: true,
      cell: ({ status, evidence_due_at: at }) => (status === 'needs_response' && at !== null ? <Time at={at} /> : null),
    },
    { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  empty: () => ({
    icon: 'flag',
    title: 'No disputes yet',
    text: 'A dispute appears here when a payer’s bank questions a charge. Set up the processor’s notifications on the page of each merchant.',
    action: (
      <a class="button" href="/docs/disputes">
        Disputes in the docs
      </a>
    ),
  }),
}));

const DisputeAmount = ({ dispute: { amount_cents, currency } }: { dispute: DisputeResource }) => (
  <Money cents={amount_cents} currency={currency} />
);

async function showDispute(visit: Visit<'id'>): Promise<View> {
  const dispute = await visit.ask<DisputeResource>({ path: `/v1/disputes/${idInPath(visit)}` });
  const merchant = await merchantName(visit, dispute.merchant_id);
  return {
    title: `Dispute ${dispute.dispute_id}`,
    section: 'disputes',
    body: (
      <ObjectPage
        kind="Dispute"
        id={dispute.dispute_id}
        heading={
          <>
            <DisputeAmount dispute={dispute} /> <DisputeBadge dispute={dispute} />
          </>
        }
        notice={dispute.status === 'needs_response' && <AnswerDispute dispute={dispute} />}
        side={<DisputeFacts visit={visit} dispute={dispute} merchant={merchant} />}
      >
        <Block title="Activity">
          <Timeline label="Activity" entries={disputeEntries(visit, dispute)} />
        </Block>
      </ObjectPage>
    ),
  };
}

function DisputeFacts({ visit, dispute, merchant }: { visit: Visit; dispute: DisputeResource; merchant: string }) {
  const { processor_reason: code, evidence_due_at: dueAt } = dispute;
  return (
    <Facts
      facts={[
        ['Charge', <ObjectLink visit={visit} to="charge" id={dispute.charge} />],
        ['Checkout', <ObjectLink visit={visit} to="checkout" id={dispute.checkout_session_id} />],
        ['Merchant', <ObjectLink visit={visit} to="merchant" id={dispute.merchant_id} name={merchant} />],
        ['Kind', words(dispute.kind)],
        ['Reason', words(dispute.reason)],
        code === null ? null : ['Processor code', <code>{code}</code>],
        dueAt === null ? null : ['Evidence due', <Time at={dueAt} full />],
        ['Processor', dispute.processor],
        ['Processor reference', <CopyText text={dispute.processor_dispute_id} label={pageWords().copyReference} />],
        ['Created', <Time at={dispute.created_at} full />],
        ['Updated', <Time at={dispute.updated_at} full />],
      ]}
    />
  );
}
