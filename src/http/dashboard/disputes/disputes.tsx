/** Disputes: the list, and the page of one dispute. Evidence is sent in the processor's dashboard. */
import type { DisputeResource } from '../../../contract/disputes.ts';
import type { DisputeTotalsResource } from '../../../contract/list-totals.ts';
import { periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { totalsOf } from '../list/totals.tsx';
import { listWords } from '../list/words/index.ts';
import { merchantName, ObjectLink } from '../page/links.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import { Block, CopyText, Facts, Money, ObjectPage, Time, Timeline } from '../page/parts.tsx';
import type { Column } from '../page/table.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { pageWords } from '../page/words/index.ts';
import { choicesOf, names } from '../words/names/index.ts';
import { processorText } from '../words/names/processors.ts';
import { AnswerDispute, DisputeBadge, disputeEntries } from './parts.tsx';
import { disputeWords } from './words/index.ts';

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

const disputeList = listPage<DisputeResource>(() => {
  const w = disputeWords();
  return {
    at: { section: 'disputes' },
    title: w.title,
    label: w.label,
    source: {
      path: '/v1/disputes',
      field: 'disputes',
      idOf: ({ dispute_id }) => dispute_id,
    },
    filters: [
      ...periodFilters(),
      { kind: 'choice', name: 'status', label: listWords().status, choices: choicesOf(names().disputeStatus) },
      { kind: 'merchant', name: 'merchant_id', label: listWords().merchant },
      { kind: 'text', name: 'charge', label: w.chargeFilter, hint: 'ch_…' },
    ],
    csv: CSV,
    summary: totalsOf<DisputeTotals>({
      path: '/v1/disputes/totals',
      label: w.totals,
      line: ({ currency, disputes, disputed_cents: disputed, open_cents: open, won_cents: won, lost_cents: lost }) => ({
        what: w.counted(disputes, currency),
        sums: [
          [w.sums.disputed, disputed],
          [w.sums.won, won],
          [w.sums.lost, lost],
          [w.sums.open, open],
        ],
      }),
    }),
    href: ({ dispute_id }) => `/disputes/${dispute_id}`,
    columns: disputeColumns,
    empty: () => ({
      icon: 'flag',
      title: w.empty.title,
      text: w.empty.text,
      action: (
        <a class="button" href="/docs/disputes">
          {w.empty.action}
        </a>
      ),
    }),
  };
});

function disputeColumns(): readonly Column<DisputeResource>[] {
  const { heads } = disputeWords();
  return [
    { head: heads.dispute, width: 'id', cell: ({ dispute_id }) => <span class="id">{dispute_id}</span> },
    { head: heads.amount, kind: 'money', cell: (dispute) => <DisputeAmount dispute={dispute} /> },
    { head: heads.status, width: 'status', cell: (dispute) => <DisputeBadge dispute={dispute} /> },
    { head: heads.reason, width: 'cut', cell: ({ reason }) => <span>{names().disputeReason[reason]}</span> },
    {
      head: heads.evidenceDue,
      kind: 'time',
      shortHead: heads.dueShort,
      cell: ({ status, evidence_due_at: at }) => (status === 'needs_response' && at !== null ? <Time at={at} /> : null),
    },
    { head: heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

const DisputeAmount = ({ dispute: { amount_cents, currency } }: { dispute: DisputeResource }) => (
  <Money cents={amount_cents} currency={currency} />
);

async function showDispute(visit: Visit<'id'>): Promise<View> {
  const dispute = await visit.ask<DisputeResource>({ path: `/v1/disputes/${idInPath(visit)}` });
  const merchant = await merchantName(visit, dispute.merchant_id);
  const w = disputeWords();
  return {
    title: w.titleOf(dispute.dispute_id),
    section: 'disputes',
    body: (
      <ObjectPage
        kind={w.kind}
        id={dispute.dispute_id}
        heading={
          <>
            <DisputeAmount dispute={dispute} /> <DisputeBadge dispute={dispute} />
          </>
        }
        notice={dispute.status === 'needs_response' && <AnswerDispute dispute={dispute} />}
        side={<DisputeFacts visit={visit} dispute={dispute} merchant={merchant} />}
      >
        <Block title={w.activity}>
          <Timeline label={w.activity} entries={disputeEntries(visit, dispute)} />
        </Block>
      </ObjectPage>
    ),
  };
}

function DisputeFacts({ visit, dispute, merchant }: { visit: Visit; dispute: DisputeResource; merchant: string }) {
  const { processor_reason: code, evidence_due_at: dueAt } = dispute;
  const w = disputeWords().facts;
  return (
    <Facts
      facts={[
        [w.charge, <ObjectLink visit={visit} to="charge" id={dispute.charge} />],
        [w.checkout, <ObjectLink visit={visit} to="checkout" id={dispute.checkout_session_id} />],
        [w.merchant, <ObjectLink visit={visit} to="merchant" id={dispute.merchant_id} name={merchant} />],
        [w.kind, names().disputeKind[dispute.kind]],
        [w.reason, names().disputeReason[dispute.reason]],
        code === null ? null : [w.processorCode, <code>{code}</code>],
        dueAt === null ? null : [w.evidenceDue, <Time at={dueAt} full />],
        [w.processor, processorText(dispute.processor)],
        [w.reference, <CopyText text={dispute.processor_dispute_id} label={pageWords().copyReference} />],
        [w.created, <Time at={dispute.created_at} full />],
        [w.updated, <Time at={dispute.updated_at} full />],
      ]}
    />
  );
}
