/** Checkouts: the list, and the page of one checkout with all its activity on one timeline. */
import type { ListedSessionResource } from '../../../contract/listed-sessions.ts';
import type { CheckoutSessionResource } from '../../../contract/resources.ts';
import { SESSION_STATUSES } from '../../../domain/session.ts';
import { type Filter, orderFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { CallerLink, ObjectLink } from '../page/links.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import { Badge, Block, CopyText, Facts, Money, ObjectPage, Time, Timeline, words } from '../page/parts.tsx';
import { NameCell } from '../page/table.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { pageWords } from '../page/words/index.ts';
import { activityEntries, readActivity } from './activity.tsx';
import { NextActions, NextBlock } from './next-steps.tsx';
import { byTime } from './timeline-order.ts';

export const checkoutPages: AddPages = (routes) => {
  checkoutList(routes);
  routes.page('/checkouts/:id', showCheckout);
};

const STATUS: Filter = {
  kind: 'choice',
  name: 'status',
  label: 'Status',
  choices: SESSION_STATUSES.map((status) => [status, words(status)] as const),
};

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

const checkoutList = listPage<ListedSessionResource>(() => ({
  at: { section: 'checkouts' },
  title: 'Checkouts',
  label: 'Checkouts, newest first',
  source: {
    path: '/v1/checkout_sessions',
    field: 'checkout_sessions',
    idOf: ({ checkout_session_id }) => checkout_session_id,
  },
  filters: orderFilters(STATUS),
  csv: CSV,
  href: ({ checkout_session_id }) => `/checkouts/${checkout_session_id}`,
  columns: (visit) => [
    {
      head: 'Amount',
      cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
    },
    {
      head: 'Status',
      cell: (checkout) => <CheckoutBadge checkout={checkout} />,
    },
    {
      head: 'Merchant',
      kind: 'name',
      cell: ({ business_name, merchant_id }) => <NameCell name={business_name ?? merchant_id} />,
    },
    {
      head: 'Order',
      kind: 'detail',
      cell: ({ order_id }) => (order_id === null ? null : <span class="quiet">{order_id}</span>),
    },
    { head: 'Caller', cell: ({ caller_phone }) => <CallerLink visit={visit} phone={caller_phone} /> },
    { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  empty: () => ({
    icon: 'checkout',
    title: 'No checkouts yet',
    text: 'Your voice agent creates a checkout with one request and reads the message in the response to the caller.',
    action: (
      <a class="button" href="/docs/quickstart">
        Quickstart
      </a>
    ),
  }),
}));

/** Says what a checkout without a payment has ended with. */
export function CheckoutBadge({
  checkout: { session_status: status, purpose },
}: {
  checkout: Pick<ListedSessionResource, 'session_status' | 'purpose'>;
}) {
  const isSaved = purpose === 'save_card' && status === 'complete';
  return <Badge status={isSaved ? 'Card saved' : status} tone={TONES[status]} />;
}

const TONES = { open: 'calm', complete: 'good', expired: 'plain' } as const;

async function showCheckout(visit: Visit<'id'>): Promise<View> {
  const checkout = await visit.ask<CheckoutSessionResource>({ path: `/v1/checkout_sessions/${idInPath(visit)}` });
  const activity = await readActivity(visit, checkout.checkout_session_id);
  const call = activity.calls.find(({ status }) => status === 'live') ?? null;
  const next = { visit, page: 'checkout' as const, call, checkout, charges: activity.charges };
  return {
    title: `Checkout ${checkout.checkout_session_id}`,
    section: 'checkouts',
    body: (
      <ObjectPage
        kind="Checkout"
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
        <Block title="Activity">
          <Timeline label="Activity" entries={byTime(activityEntries(visit, activity))} none="No activity yet." />
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
    <Block title="Metadata">
      <Facts facts={entries.map(([name, value]) => [name, String(value)] as const)} />
    </Block>
  );
}

function CheckoutFacts({ visit, checkout }: { visit: Visit; checkout: CheckoutSessionResource }) {
  return (
    <Facts
      facts={[
        [
          'Merchant',
          <ObjectLink visit={visit} to="merchant" id={checkout.merchant_id} name={checkout.business_name} />,
        ],
        ['Processor', checkout.processor],
        ['Order', checkout.order_id],
        ['Caller', checkout.caller_phone && <CallerLink visit={visit} phone={checkout.caller_phone} />],
        ['Payment', checkout.purpose === 'save_card' ? 'None, a card is saved' : words(checkout.payment_required)],
        checkout.charge === null
          ? null
          : ['Charge', <ObjectLink visit={visit} to="charge" id={checkout.charge.charge_id} />],
        [
          'Return address',
          checkout.return_to && <CopyText text={checkout.return_to} label="Copy the return address" />,
        ],
        [
          'Platform call ID',
          checkout.platform_call_id && (
            <CopyText text={checkout.platform_call_id} label={pageWords().copyPlatformCallId} />
          ),
        ],
        checkout.screen === null ? null : ['Screening', words(checkout.screen.decision)],
      ]}
    />
  );
}
