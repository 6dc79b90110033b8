/** Charges: the list, and the page of one. Giving it back is in charge-refund.tsx. */
import type { ListedChargeResource } from '../../contract/charges.ts';
import { CHARGE_STATUSES } from '../../domain/charge.ts';
import { roleCovers } from '../../domain/user.ts';
import { downloadList, type ListSource } from '../list-reading.ts';
import type { AddPages, View } from '../page-routes.ts';
import { byTime, chargeEntries, eventEntries, readStory, refundEntry, textEntry } from '../story.tsx';
import { orderListFilters, readOrderList, TO_SETTLE } from '../views/common-filters.ts';
import type { Filter } from '../views/filters.tsx';
import { cardText, ObjectLink } from '../views/links.tsx';
import { ListPage } from '../views/list-page.tsx';
import { ObjectPage } from '../views/object-page.tsx';
import { Badge, Block, CopyText, EmptyState, Facts, Money, Notice, Time, Timeline, words } from '../views/parts.tsx';
import type { Visit } from '../visit.ts';
import { refundChargePages } from './charge-refund.tsx';
import { NeedsSettling, SettleButton } from './settle-by-hand.tsx';

export const chargePages: AddPages = (routes) => {
  const { page, download } = routes;
  page('/charges', showCharges);
  page('/charges/:id', showCharge);
  refundChargePages(routes);
  const filters = orderListFilters(OWN_FILTERS);
  download('/charges.csv', (visit, reply) => downloadList(visit, reply, CHARGES, { filters, columns: CSV }));
};

const CHARGES: ListSource<ListedChargeResource> = {
  ...{ path: '/v1/charges', field: 'charges', idOf: ({ charge_id }) => charge_id },
};

const OWN_FILTERS: readonly Filter[] = [
  {
    ...{ kind: 'choice', name: 'status', label: 'Status' },
    choices: CHARGE_STATUSES.map((status) => [status, words(status)] as const),
  },
  TO_SETTLE,
];

const CSV = [
  ...['charge_id', 'created_at', 'settled_at', 'status', 'amount_cents', 'currency', 'refunded_cents', 'brand'],
  ...['last_four', 'source', 'failure.code', 'failure.decline_code', 'order_id', 'caller_phone', 'merchant_id'],
  ...['checkout_session_id', 'processor', 'processor_payment_id', 'platform_call_id'],
];

async function showCharges(visit: Visit): Promise<View> {
  const { filters, reading } = await readOrderList(visit, CHARGES, OWN_FILTERS);
  return {
    title: 'Charges',
    section: 'charges',
    body: (
      <ListPage
        visit={visit}
        title="Charges"
        label="Charges, newest first"
        filters={filters}
        reading={reading}
        source={CHARGES}
        href={({ charge_id }) => `${visit.base}/charges/${charge_id}`}
        hasCsv
        columns={[
          { head: 'Amount', cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} /> },
          { head: 'Status', cell: (charge) => <ChargeBadge charge={charge} /> },
          { head: 'Card', cell: (charge) => <span class="number">{cardText(charge)}</span> },
          { head: 'Came', cell: ({ source }) => <span class="quiet">{SOURCES[source]}</span> },
          { head: 'Order', cell: ({ order_id }) => (order_id === null ? null : <span class="quiet">{order_id}</span>) },
          { head: 'Begun', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <EmptyState
            icon="card"
            title="No card has been charged yet"
            text="Each attempt to take money stands here: on calls, with saved cards, on the pay page."
            action={
              <a class="button" href="/docs/test-cards">
                Test cards
              </a>
            }
          />
        }
      />
    ),
  };
}

const SOURCES = { phone: 'On a call', saved_card: 'Saved card', page: 'Pay page' } as const;

/** What was given back counts: a charge that is wholly back has no money left. */
function ChargeBadge({ charge }: { charge: ListedChargeResource }) {
  const { status, refunded_cents, amount_cents, failure } = charge;
  if (refunded_cents > 0) {
    return <Badge status={refunded_cents < amount_cents ? 'Partly given back' : 'Given back'} tone="calm" />;
  }
  return <Badge status={failure?.decline_code === undefined ? status : 'declined'} tone={TONES[status]} />;
}

const TONES = { succeeded: 'good', failed: 'bad', pending: 'wait' } as const;

async function showCharge(visit: Visit): Promise<View> {
  const path = `/v1/charges/${encodeURIComponent(visit.params.id ?? '')}`;
  const charge = await visit.ask<ListedChargeResource>({ path });
  const story = await readStory(visit, charge.checkout_session_id);
  const { charge_id: id } = charge;
  const entries = [
    ...chargeEntries(visit, charge),
    ...story.refunds.filter((refund) => refund.charge === id).map((refund) => refundEntry(visit, refund)),
    ...story.events.filter(({ data }) => data?.charge?.charge_id === id).flatMap((event) => eventEntries(visit, event)),
    ...story.texts.filter(({ charge_id }) => charge_id === id).map(textEntry),
  ];
  return {
    title: `Charge ${id}`,
    section: 'charges',
    body: (
      <ObjectPage
        kind="Charge"
        id={id}
        heading={
          <>
            <Money cents={charge.amount_cents} currency={charge.currency} /> <ChargeBadge charge={charge} />
          </>
        }
        notice={charge.status === 'pending' && <Pending charge={charge} />}
        actions={<Actions visit={visit} charge={charge} />}
        side={<ChargeFacts visit={visit} charge={charge} />}
      >
        <Block title="What happened">
          <Timeline label="What happened" entries={byTime(entries)} />
        </Block>
      </ObjectPage>
    ),
  };
}

const mayRefund = ({ user }: Visit, { status, refunded_cents, amount_cents }: ListedChargeResource) =>
  status === 'succeeded' && refunded_cents < amount_cents && roleCovers(user.role, 'support');

/** What may be done with the charge by this user, if anything. */
function Actions({ visit, charge }: { visit: Visit; charge: ListedChargeResource }) {
  const path = `/charges/${charge.charge_id}`;
  if (charge.needs_settling) return <SettleButton visit={visit} path={path} />;
  if (!mayRefund(visit, charge)) return null;
  return (
    <a class="button" href={`${visit.base}${path}/refund`}>
      Give money back
    </a>
  );
}

function Pending({ charge }: { charge: ListedChargeResource }) {
  if (charge.needs_settling) return <NeedsSettling kind="charge" />;
  return (
    <Notice tone="wait" title="The processor has not said how it ended">
      It is asked again and again. Have nobody pay a second time: this page and the webhook tell how it ends.
    </Notice>
  );
}

function ChargeFacts({ visit, charge }: { visit: Visit; charge: ListedChargeResource }) {
  const { refunded_cents: refunded, currency } = charge;
  return (
    <Facts
      facts={[
        ['Card', <span class="number">{cardText(charge)}</span>],
        refunded === 0 ? null : ['Given back', <Money cents={refunded} currency={currency} />],
        ['Came', SOURCES[charge.source]],
        ['Checkout', <ObjectLink visit={visit} to="checkout" id={charge.checkout_session_id} />],
        ['Order', charge.order_id],
        ['Caller', charge.caller_phone],
        ['Merchant', <ObjectLink visit={visit} to="merchant" id={charge.merchant_id} />],
        ['Processor', charge.processor],
        [
          "In the processor's books",
          charge.processor_payment_id && <CopyText text={charge.processor_payment_id} what="the processor's id" />,
        ],
        charge.failure?.processor_code === undefined
          ? null
          : ["The processor's code", <code>{charge.failure.processor_code}</code>],
        ['Begun', <Time at={charge.created_at} full />],
        ['Settled', charge.settled_at && <Time at={charge.settled_at} full />],
      ]}
    />
  );
}
