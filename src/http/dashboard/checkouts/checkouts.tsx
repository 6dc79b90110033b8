/** Checkouts: the list, and the page of one checkout with all its activity on one timeline. */
import type { SessionTotalsResource } from '../../../contract/list-totals.ts';
import type { ListedSessionResource } from '../../../contract/listed-sessions.ts';
import type { CheckoutSessionResource } from '../../../contract/session-resource.ts';
import { type Filter, orderFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { totalsOf } from '../list/totals.tsx';
import { CallerLink, ObjectLink } from '../page/links.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import { Badge, Block, CopyText, Facts, Money, ObjectPage, Time, Timeline } from '../page/parts.tsx';
import { NameCell } from '../page/table.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { pageWords } from '../page/words/index.ts';
import { choicesOf, names } from '../words/names/index.ts';
import { processorText } from '../words/names/processors.ts';
import { activityEntries, readActivity } from './activity.tsx';
import { NextActions, NextBlock } from './next-steps.tsx';
import { byTime } from './timeline-order.ts';
import { checkoutWords } from './words/index.ts';

export const checkoutPages: AddPages = (routes) => {
  checkoutList(routes);
  routes.page('/checkouts/:id', showCheckout);
};

const statusFilter = (): Filter => ({
  kind: 'choice',
  name: 'status',
  label: checkoutWords().status,
  choices: choicesOf(names().sessionStatus),
});

const CSV = [
  'checkout_session_id',
  'created_at',
  'expires_at',
  'session_status',
  'payment_required',
  'purpose',
  'amount_cents',
  'currency',
  'merchant_id',
  'business_name',
  'order_id',
  'platform_call_id',
  'caller_phone',
  'charge.charge_id',
  'charge.status',
];

type SessionTotals = NonNullable<SessionTotalsResource['totals']>[number];

const checkoutList = listPage<ListedSessionResource>(() => {
  const w = checkoutWords();
  return {
    at: { section: 'checkouts' },
    title: w.title,
    label: w.label,
    source: {
      path: '/v1/checkout_sessions',
      field: 'checkout_sessions',
      idOf: ({ checkout_session_id }) => checkout_session_id,
    },
    filters: orderFilters(statusFilter()),
    csv: CSV,
    summary: totalsOf<SessionTotals>({
      path: '/v1/checkout_sessions/totals',
      label: w.totals,
      line: ({ currency, checkout_sessions: all, complete, amount_cents: requested, complete_cents: completed }) => ({
        what: w.counted(all, complete, currency),
        sums: [
          [w.sums.requested, requested],
          [w.sums.completed, completed],
        ],
      }),
    }),
    href: ({ checkout_session_id }) => `/checkouts/${checkout_session_id}`,
    columns: (visit) => [
      {
        head: w.heads.amount,
        width: 'amount',
        cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
      },
      {
        head: w.status,
        width: 'state',
        cell: (checkout) => <CheckoutBadge checkout={checkout} />,
      },
      {
        head: w.heads.merchant,
        kind: 'name',
        cell: ({ business_name, merchant_id }) => <NameCell name={business_name ?? merchant_id} />,
      },
      {
        head: w.heads.order,
        kind: 'detail',
        cell: ({ order_id }) => (order_id === null ? null : <bdi class="quiet">{order_id}</bdi>),
      },
      {
        head: w.heads.caller,
        width: 'phone',
        cell: ({ caller_phone }) => <CallerLink visit={visit} phone={caller_phone} />,
      },
      { head: w.heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
    ],
    empty: () => ({
      icon: 'checkout',
      title: w.empty.title,
      text: w.empty.text,
      action: (
        <a class="button" href="/docs/quickstart">
          {w.empty.action}
        </a>
      ),
    }),
  };
});

/** Says what a checkout without a payment has ended with. */
export function CheckoutBadge({
  checkout: { session_status: status, purpose },
}: {
  checkout: Pick<ListedSessionResource, 'session_status' | 'purpose'>;
}) {
  const isSaved = purpose === 'save_card' && status === 'complete';
  const name = isSaved ? checkoutWords().cardSaved : names().sessionStatus[status];
  return <Badge status={status} name={name} tone={TONES[status]} />;
}

const TONES = { open: 'calm', complete: 'good', expired: 'plain' } as const;

async function showCheckout(visit: Visit<'id'>): Promise<View> {
  const checkout = await visit.ask<CheckoutSessionResource>({ path: `/v1/checkout_sessions/${idInPath(visit)}` });
  const w = checkoutWords();
  const activity = await readActivity(visit, checkout.checkout_session_id);
  const call = activity.calls.find(({ status }) => status === 'live') ?? null;
  const next = { visit, page: 'checkout' as const, call, checkout, charges: activity.charges };
  return {
    title: w.titleOf(checkout.checkout_session_id),
    section: 'checkouts',
    body: (
      <ObjectPage
        kind={w.kind}
        id={checkout.checkout_session_id}
        heading={
          <>
            <Money cents={checkout.amount_cents} currency={checkout.currency} /> <CheckoutBadge checkout={checkout} />
          </>
        }
        actions={<NextActions {...next} />}
        side={
          <>
            <NextBlock {...next} />
            <CheckoutFacts visit={visit} checkout={checkout} />
          </>
        }
      >
        <Block title={w.activity.title}>
          <Timeline
            label={w.activity.title}
            entries={byTime(activityEntries(visit, activity))}
            none={w.activity.none}
          />
        </Block>
        <Metadata metadata={checkout.metadata} />
      </ObjectPage>
    ),
  };
}

function Metadata({ metadata }: { metadata: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return (
    <Block title={checkoutWords().metadata}>
      <Facts facts={entries.map(([name, value]) => [name, <bdi>{String(value)}</bdi>] as const)} />
    </Block>
  );
}

function CheckoutFacts({ visit, checkout }: { visit: Visit; checkout: CheckoutSessionResource }) {
  const { facts: w, required } = checkoutWords();
  return (
    <Facts
      facts={[
        [
          w.merchant,
          <ObjectLink visit={visit} to="merchant" id={checkout.merchant_id} name={checkout.business_name} />,
        ],
        [w.processor, checkout.processor && processorText(checkout.processor)],
        [w.order, checkout.order_id && <bdi>{checkout.order_id}</bdi>],
        [w.caller, checkout.caller_phone && <CallerLink visit={visit} phone={checkout.caller_phone} />],
        [w.payment, checkout.purpose === 'save_card' ? w.onlySaved : required[checkout.payment_required]],
        checkout.charge === null
          ? null
          : [w.charge, <ObjectLink visit={visit} to="charge" id={checkout.charge.charge_id} />],
        [w.returnAddress, checkout.return_to && <CopyText text={checkout.return_to} label={w.copyReturnAddress} />],
        [
          w.platformCallId,
          checkout.platform_call_id && (
            <CopyText text={checkout.platform_call_id} label={pageWords().copyPlatformCallId} />
          ),
        ],
        checkout.screen === null ? null : [w.screening, w.decisions[checkout.screen.decision]],
      ]}
    />
  );
}
