/** Refunds: the list, and the page of one refund. */
import type { RefundTotalsResource } from '../../../contract/list-totals.ts';
import type { RefundResource } from '../../../contract/refunds.ts';
import { REFUND_STATUSES } from '../../../domain/refund.ts';
import { PERIOD, TO_SETTLE } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { counted, totalsOf } from '../list/totals.tsx';
import { merchantName, ObjectLink } from '../page/links.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import {
  Badge,
  Block,
  Facts,
  Id,
  Money,
  ObjectPage,
  Time,
  Timeline,
  type TimelineEntry,
  words,
} from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { NeedsSettling, SettleButton } from '../settle/settle.tsx';

export const refundPages: AddPages = (routes) => {
  refundList(routes);
  routes.page('/refunds/:id', showRefund);
};

const CSV: readonly (keyof RefundResource)[] = [
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
  'processor_refund_id',
];

type RefundTotals = NonNullable<RefundTotalsResource['totals']>[number];

const refundList = listPage<RefundResource>({
  at: { section: 'refunds' },
  title: 'Refunds',
  label: 'Refunds, newest first',
  source: {
    path: '/v1/refunds',
    field: 'refunds',
    idOf: ({ refund_id }) => refund_id,
  },
  filters: [
    ...PERIOD,
    {
      kind: 'choice',
      name: 'status',
      label: 'Status',
      choices: REFUND_STATUSES.map((status) => [status, words(status)] as const),
    },
    TO_SETTLE,
    { kind: 'merchant', name: 'merchant_id', label: 'Merchant' },
    { kind: 'text', name: 'charge', label: 'Charge', hint: 'ch_…' },
  ],
  csv: CSV,
  summary: totalsOf<RefundTotals>({
    path: '/v1/refunds/totals',
    label: 'Totals of these refunds',
    line: ({ currency, refunds, succeeded, refunded_cents: refunded, pending_cents: pending }) => ({
      what: `${counted(refunds, 'refund', currency)}, ${succeeded} succeeded`,
      sums: [...(pending === 0 ? [] : [['Pending', pending] as const]), ['Refunded', refunded]],
    }),
  }),
  href: ({ refund_id }) => `/refunds/${refund_id}`,
  columns: () => [
    { head: 'Refund', cell: ({ refund_id }) => <span class="id">{refund_id}</span> },
    { head: 'Amount', kind: 'money', cell: (refund) => <RefundAmount refund={refund} /> },
    { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
    { head: 'Source', cell: ({ origin }) => (origin === 'processor' ? <span>Processor</span> : null) },
    { head: 'Reason', cell: ({ reason }) => (reason === null ? null : <span>{words(reason)}</span>) },
    { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  empty: () => ({
    icon: 'back',
    title: 'No refunds yet',
    text: 'A refund returns all or part of a charge to the card that paid. Refund a charge on its page or with the API.',
    action: (
      <a class="button" href="/docs#create_refund">
        Refunds in the API
      </a>
    ),
  }),
});

const RefundAmount = ({ refund: { amount_cents, currency } }: { refund: RefundResource }) => (
  <Money cents={amount_cents} currency={currency} />
);

async function showRefund(visit: Visit<'id'>): Promise<View> {
  const refund = await visit.ask<RefundResource>({ path: `/v1/refunds/${idInPath(visit)}` });
  const merchant = await merchantName(visit, refund.merchant_id);
  return {
    title: `Refund ${refund.refund_id}`,
    section: 'refunds',
    body: (
      <ObjectPage
        kind="Refund"
        id={refund.refund_id}
        heading={
          <>
            <RefundAmount refund={refund} /> <Badge status={refund.status} />
          </>
        }
        notice={refund.needs_settling && <NeedsSettling kind="refund" />}
        actions={refund.needs_settling && <SettleButton visit={visit} path={`/refunds/${refund.refund_id}`} />}
        side={<RefundFacts visit={visit} refund={refund} merchant={merchant} />}
      >
        <Block title="Activity">
          <Timeline label="Activity" entries={[{ at: refund.created_at, ...OUTCOMES[refund.status](refund) }]} />
        </Block>
        {Object.keys(refund.metadata).length > 0 && (
          <Block title="Metadata">
            <Facts facts={Object.entries(refund.metadata).map(([name, value]) => [name, String(value)] as const)} />
          </Block>
        )}
      </ObjectPage>
    ),
  };
}

const OUTCOMES: Record<RefundResource['status'], (refund: RefundResource) => Omit<TimelineEntry, 'at'>> = {
  succeeded: () => ({ what: 'Refunded by the processor', tone: 'good' }),
  pending: () => ({
    what: 'Refund requested',
    more: 'The processor has not confirmed the outcome. Do not create another refund: this page and the webhook report the outcome.',
    tone: 'wait',
  }),
  failed: ({ failure }: RefundResource) => ({
    what: 'Refund failed',
    more: failure === undefined ? 'Nothing was refunded.' : `${failure.message} Nothing was refunded.`,
    tone: 'bad',
  }),
};

function RefundFacts({ visit, refund, merchant }: { visit: Visit; refund: RefundResource; merchant: string }) {
  return (
    <Facts
      facts={[
        ['Charge', <ObjectLink visit={visit} to="charge" id={refund.charge} />],
        ['Checkout', <ObjectLink visit={visit} to="checkout" id={refund.checkout_session_id} />],
        ['Merchant', <ObjectLink visit={visit} to="merchant" id={refund.merchant_id} name={merchant} />],
        ['Source', refund.origin === 'processor' ? 'Processor’s dashboard' : null],
        ['Reason', refund.reason === null ? null : words(refund.reason)],
        ['Processor reference', refund.processor_refund_id && <Id id={refund.processor_refund_id} />],
        ['Created', <Time at={refund.created_at} full />],
      ]}
    />
  );
}
