/** Refunds: the list, and the page of one refund. */
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { RefundTotalsResource } from '../../../contract/list-totals.ts';
import type { ListedRefundResource, RefundResource } from '../../../contract/refunds.ts';
import { takenCents } from '../charges/taken.ts';
import { type Filter, periodFilters, toSettleFilter } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { totalsOf } from '../list/totals.tsx';
import { listWords } from '../list/words/index.ts';
import { InEnglish } from '../page/english.tsx';
import { CallerLink, cardText, ObjectLink } from '../page/links.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import {
  Badge,
  Block,
  Facts,
  Id,
  Money,
  moneyText,
  ObjectPage,
  Time,
  Timeline,
  type TimelineEntry,
} from '../page/parts.tsx';
import { type Column, NameCell } from '../page/table.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { NeedsSettling, SettleButton } from '../settle/settle.tsx';
import { choicesOf, names } from '../words/names/index.ts';
import { refundWords } from './words/index.ts';

export const refundPages: AddPages = (routes) => {
  refundList(routes);
  routes.page('/refunds/:id', showRefund);
};

const CSV: readonly (keyof ListedRefundResource)[] = [
  'refund_id',
  'created_at',
  'status',
  'amount_cents',
  'currency',
  'reason',
  'origin',
  'charge',
  'checkout_session_id',
  'merchant_id',
  'business_name',
  'caller_phone',
  'processor_refund_id',
];

type RefundTotals = NonNullable<RefundTotalsResource['totals']>[number];

const refundList = listPage<ListedRefundResource>(() => {
  const w = refundWords();
  return {
    at: { section: 'refunds' },
    title: w.title,
    label: w.label,
    source: {
      path: '/v1/refunds',
      field: 'refunds',
      idOf: ({ refund_id }) => refund_id,
    },
    filters: refundFilters(),
    csv: CSV,
    summary: totalsOf<RefundTotals>({
      path: '/v1/refunds/totals',
      label: w.totals,
      line: ({ currency, refunds, succeeded, refunded_cents: refunded, pending_cents: pending }) => ({
        what: w.counted(refunds, succeeded, currency),
        sums: [...(pending === 0 ? [] : [[w.pending, pending] as const]), [w.refunded, refunded]],
      }),
    }),
    href: ({ refund_id }) => `/refunds/${refund_id}`,
    columns: refundColumns,
    empty: () => ({
      icon: 'back',
      title: w.empty.title,
      text: w.empty.text,
      action: (
        <a class="button" href="/docs#create_refund">
          {w.empty.action}
        </a>
      ),
    }),
  };
});

const refundFilters = (): readonly Filter[] => [
  ...periodFilters(),
  { kind: 'choice', name: 'status', label: listWords().status, choices: choicesOf(names().refundStatus) },
  toSettleFilter(),
  { kind: 'merchant', name: 'merchant_id', label: listWords().merchant },
  { kind: 'text', name: 'charge', label: refundWords().chargeFilter, hint: 'ch_…' },
];

function refundColumns(visit: Visit): readonly Column<ListedRefundResource>[] {
  const { heads, atProcessor } = refundWords();
  return [
    { head: heads.refund, width: 'id', cell: ({ refund_id }) => <span class="id">{refund_id}</span> },
    { head: heads.amount, kind: 'money', cell: (refund) => <RefundAmount refund={refund} /> },
    { head: heads.status, width: 'status', cell: ({ status }) => <RefundBadge status={status} /> },
    { head: heads.merchant, kind: 'name', cell: ({ business_name }) => <NameCell name={business_name} /> },
    {
      head: heads.caller,
      width: 'phone',
      cell: ({ caller_phone }) => <CallerLink visit={visit} phone={caller_phone} />,
    },
    {
      head: heads.source,
      kind: 'extra',
      cell: ({ origin }) => (origin === 'processor' ? <span>{atProcessor}</span> : null),
    },
    {
      head: heads.reason,
      kind: 'detail',
      width: 'cut',
      cell: ({ reason }) => reason && <span>{names().refundReason[reason]}</span>,
    },
    { head: heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

const RefundBadge = ({ status }: Pick<RefundResource, 'status'>) => (
  <Badge status={status} name={names().refundStatus[status]} />
);

const RefundAmount = ({ refund: { amount_cents, currency } }: { refund: RefundResource }) => (
  <Money cents={amount_cents} currency={currency} />
);

async function showRefund(visit: Visit<'id'>): Promise<View> {
  const refund = await visit.ask<RefundResource>({ path: `/v1/refunds/${idInPath(visit)}` });
  const charge = await visit.ask<ListedChargeResource>({ path: `/v1/charges/${refund.charge}` });
  const w = refundWords();
  return {
    title: w.titleOf(refund.refund_id),
    section: 'refunds',
    body: (
      <ObjectPage
        kind={w.kind}
        id={refund.refund_id}
        heading={
          <>
            <RefundAmount refund={refund} /> <RefundBadge status={refund.status} />
          </>
        }
        notice={refund.needs_settling && <NeedsSettling kind="refund" />}
        actions={refund.needs_settling && <SettleButton visit={visit} path={`/refunds/${refund.refund_id}`} />}
        side={<RefundFacts visit={visit} refund={refund} charge={charge} />}
      >
        <Block title={w.activity}>
          <Timeline label={w.activity} entries={[{ at: refund.created_at, ...outcomeOf(refund) }]} />
        </Block>
        {Object.keys(refund.metadata).length > 0 && (
          <Block title={w.metadata}>
            <Facts facts={Object.entries(refund.metadata).map(([name, value]) => [name, String(value)] as const)} />
          </Block>
        )}
      </ObjectPage>
    ),
  };
}

function outcomeOf({ status, failure }: RefundResource): Omit<TimelineEntry, 'at'> {
  const w = refundWords().outcomes;
  if (status === 'succeeded') return { what: w.succeeded, tone: 'good' };
  if (status === 'pending') return { what: w.pending, more: w.pendingMore, tone: 'wait' };
  const more = failure && (
    <>
      <InEnglish text={failure.message} />{' '}
    </>
  );
  return {
    what: w.failed,
    more: (
      <>
        {more}
        {w.failedMore}
      </>
    ),
    tone: 'bad',
  };
}

interface RefundFactsProps {
  visit: Visit;
  refund: RefundResource;
  charge: ListedChargeResource;
}

function RefundFacts({ visit, refund, charge }: RefundFactsProps) {
  const { refund_pending_cents: pending = 0, currency } = charge;
  const refunded = charge.refunded_cents - pending;
  const w = refundWords().facts;
  return (
    <Facts
      facts={[
        [w.charge, <ObjectLink visit={visit} to="charge" id={refund.charge} />],
        [w.refunded, w.refundedOf(moneyText(refunded, currency), moneyText(takenCents(charge), currency))],
        pending === 0 ? null : [w.refundPending, <Money cents={pending} currency={currency} />],
        [w.card, <span class="number">{cardText(charge)}</span>],
        [w.caller, charge.caller_phone && <CallerLink visit={visit} phone={charge.caller_phone} />],
        [w.checkout, <ObjectLink visit={visit} to="checkout" id={refund.checkout_session_id} />],
        [w.merchant, <ObjectLink visit={visit} to="merchant" id={refund.merchant_id} name={charge.business_name} />],
        [w.source, refund.origin === 'processor' ? w.processorsDashboard : null],
        [w.reason, refund.reason === null ? null : names().refundReason[refund.reason]],
        [w.reference, refund.processor_refund_id && <Id id={refund.processor_refund_id} />],
        [w.created, <Time at={refund.created_at} full />],
      ]}
    />
  );
}
