/** Charges: the list, and the page of one charge. Refunding is in refund.tsx. */

import type { CallResource } from '../../../contract/calls.ts';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import {
  callEntries,
  chargeEntries,
  emailEntry,
  eventEntries,
  readActivity,
  refundEntry,
  textEntry,
} from '../checkouts/activity.tsx';
import { byTime } from '../checkouts/timeline-order.ts';
import { AnswerDispute, disputeEntries } from '../disputes/parts.tsx';
import { activeFilters, type Filter, orderFilters, toSettleFilter } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { listWords } from '../list/words/index.ts';
import { CallerLink, cardText, ObjectLink } from '../page/links.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import { Block, CopyText, Facts, Money, Notice, ObjectPage, Time, Timeline } from '../page/parts.tsx';
import { type Column, NameCell } from '../page/table.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { pageWords } from '../page/words/index.ts';
import { NeedsSettling } from '../settle/settle.tsx';
import { choicesOf, names } from '../words/names/index.ts';
import { processorText } from '../words/names/processors.ts';
import { ChargeActions, mayRefund } from './actions.tsx';
import { countedFilter, declineFilter } from './counted.ts';
import { acknowledgeCharge, attentionFilter, LateCharge, readOther } from './late.tsx';
import { ChargeBadge } from './parts.tsx';
import { chargeTotals } from './totals.tsx';
import { chargeWords } from './words/index.ts';

export const chargePages: AddPages = (routes) => {
  chargeList(routes);
  routes.page('/charges/:id', showCharge);
  routes.action('/charges/:id/acknowledge', acknowledgeCharge);
};

const CSV = [
  'charge_id',
  'created_at',
  'settled_at',
  'status',
  'amount_cents',
  'currency',
  'tip_cents',
  'remaining_cents',
  'captured_cents',
  'refunded_cents',
  'payout.payout_id',
  'payout.arrival_date',
  'payout.fee_cents',
  'payout.net_cents',
  'payout.currency',
  'brand',
  'last_four',
  'source',
  'failure.code',
  'failure.decline_code',
  'order_id',
  'caller_phone',
  'merchant_id',
  'checkout_session_id',
  'processor',
  'processor_payment_id',
  'platform_call_id',
  'returned_at',
  'capture_failed_at',
  'was_late',
  'duplicate_of',
  'attention_acknowledged_at',
  'refund_pending_cents',
];

const chargeList = listPage<ListedChargeResource>(() => {
  const w = chargeWords();
  const status: Filter = {
    kind: 'choice',
    name: 'status',
    label: listWords().status,
    choices: choicesOf(names().chargeStatus),
  };
  const filters = [...orderFilters(status, toSettleFilter(), attentionFilter()), declineFilter(), countedFilter()];
  return {
    at: { section: 'charges' },
    title: w.title,
    label: w.label,
    source: {
      path: '/v1/charges',
      field: 'charges',
      idOf: ({ charge_id }) => charge_id,
    },
    filters,
    csv: CSV,
    summary: (visit, query) => chargeTotals(visit, query, activeFilters(visit, filters)),
    href: ({ charge_id }) => `/charges/${charge_id}`,
    columns: chargeColumns,
    empty: () => ({
      icon: 'card',
      title: w.empty.title,
      text: w.empty.text,
      action: (
        <a class="button" href="/docs/test-cards">
          {w.empty.action}
        </a>
      ),
    }),
  };
});

function chargeColumns(visit: Visit): readonly Column<ListedChargeResource>[] {
  const { heads } = chargeWords();
  return [
    {
      head: heads.amount,
      width: 'amount',
      cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
    },
    { head: heads.status, width: 'status', cell: (charge) => <ChargeBadge charge={charge} /> },
    { head: heads.card, width: 'card', cell: (charge) => <span class="number">{cardText(charge)}</span> },
    { head: heads.merchant, kind: 'name', cell: ({ business_name }) => <NameCell name={business_name} /> },
    {
      head: heads.caller,
      width: 'phone',
      cell: ({ caller_phone }) => <CallerLink visit={visit} phone={caller_phone} />,
    },
    {
      head: heads.order,
      kind: 'detail',
      cell: ({ order_id }) => (order_id === null ? null : <span class="quiet">{order_id}</span>),
    },
    { head: heads.source, kind: 'extra', cell: (charge) => <span class="quiet">{sourceText(charge)}</span> },
    { head: heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

function sourceText({ source, initiator }: Pick<ListedChargeResource, 'source' | 'initiator'>): string {
  const { sources, withoutCaller } = chargeWords();
  return initiator === 'merchant' ? withoutCaller : sources[source];
}

async function showCharge(visit: Visit<'id'>): Promise<View> {
  const path = `/v1/charges/${idInPath(visit)}`;
  const charge = await visit.ask<ListedChargeResource>({ path });
  const [activity, other] = await Promise.all([
    readActivity(visit, charge.checkout_session_id),
    readOther(visit, charge),
  ]);
  const { charge_id: id } = charge;
  const calls = callsOf(charge, activity.calls);
  const disputes = activity.disputes.filter((dispute) => dispute.charge === id);
  const open = disputes.find(({ status }) => status === 'needs_response');
  const entries = [
    ...calls.flatMap((call) => callEntries(visit, call)),
    ...chargeEntries(visit, charge),
    ...activity.refunds.filter((refund) => refund.charge === id).map((refund) => refundEntry(visit, refund)),
    ...disputes.flatMap((dispute) => disputeEntries(visit, dispute)),
    ...activity.events
      .filter(({ data }) => data?.charge?.charge_id === id)
      .flatMap((event) => eventEntries(visit, event)),
    ...activity.texts.filter(({ charge_id }) => charge_id === id).map(textEntry),
    ...activity.emails.filter(({ charge_id }) => charge_id === id).map(emailEntry),
  ];
  const w = chargeWords();
  return {
    title: w.titleOf(id),
    section: 'charges',
    body: (
      <ObjectPage
        kind={w.kind}
        id={id}
        heading={
          <>
            <Money cents={charge.amount_cents} currency={charge.currency} /> <ChargeBadge charge={charge} />
          </>
        }
        notice={
          (charge.status === 'pending' && <Pending charge={charge} />) ||
          (open !== undefined && <AnswerDispute visit={visit} dispute={open} />) ||
          (charge.was_late && (
            <LateCharge visit={visit} charge={charge} other={other} mayRefund={mayRefund(visit, charge)} />
          ))
        }
        actions={<ChargeActions visit={visit} charge={charge} />}
        side={<ChargeFacts visit={visit} charge={charge} calls={calls} />}
      >
        <Block title={w.activity}>
          <Timeline label={w.activity} entries={byTime(entries)} />
        </Block>
      </ObjectPage>
    ),
  };
}

function Pending({ charge }: { charge: ListedChargeResource }) {
  if (charge.needs_settling) return <NeedsSettling kind="charge" />;
  const { title, text } = chargeWords().pending;
  return (
    <Notice tone="wait" title={title}>
      {text}
    </Notice>
  );
}

/** The calls whose outcome the charge is, and those that were on the line when it was created. */
function callsOf({ charge_id, created_at }: ListedChargeResource, calls: readonly CallResource[]): CallResource[] {
  const isDuring = ({ created_at: from, ended_at: to }: CallResource) =>
    Date.parse(from) <= Date.parse(created_at) && (to === null || Date.parse(created_at) <= Date.parse(to));
  return calls.filter((call) => call.charge_id === charge_id || isDuring(call));
}

/** In the currency of the bank account. */
function payoutFacts(visit: Visit, { payout }: ListedChargeResource) {
  if (payout === undefined) return [];
  const { payout_id: id, currency, arrival_date: day } = payout;
  const w = chargeWords().facts;
  return [
    [w.fee, <Money cents={payout.fee_cents} currency={currency} />],
    [w.net, <Money cents={payout.net_cents} currency={currency} />],
    [w.payout, <ObjectLink visit={visit} to="payout" id={id} name={day === null ? null : w.arrival(day)} />],
  ] as const;
}

interface ChargeFactsProps {
  visit: Visit;
  charge: ListedChargeResource;
  calls: readonly CallResource[];
}

function ChargeFacts({ visit, charge, calls }: ChargeFactsProps) {
  const { refund_pending_cents: refundPending = 0, currency } = charge;
  const refunded = charge.refunded_cents - refundPending;
  const w = chargeWords().facts;
  return (
    <Facts
      facts={[
        [charge.payment_method === undefined ? w.card : w.paidFrom, <span class="number">{cardText(charge)}</span>],
        charge.tip_cents === undefined ? null : [w.tip, <Money cents={charge.tip_cents} currency={currency} />],
        charge.remaining_cents === undefined
          ? null
          : [w.leftToPay, <Money cents={charge.remaining_cents} currency={currency} />],
        charge.debited_at === undefined ? null : [w.debited, <Time at={charge.debited_at} full />],
        charge.returned_at === undefined ? null : [w.returned, <Time at={charge.returned_at} full />],
        charge.capture_failed_at === undefined ? null : [w.captureFailed, <Time at={charge.capture_failed_at} full />],
        charge.capture_before === undefined ? null : [w.captureBefore, <Time at={charge.capture_before} full />],
        charge.captured_cents === undefined
          ? null
          : [w.captured, <Money cents={charge.captured_cents} currency={currency} />],
        ...payoutFacts(visit, charge),
        refunded === 0 ? null : [w.refunded, <Money cents={refunded} currency={currency} />],
        refundPending === 0 ? null : [w.refundPending, <Money cents={refundPending} currency={currency} />],
        [w.source, sourceText(charge)],
        [w.checkout, <ObjectLink visit={visit} to="checkout" id={charge.checkout_session_id} />],
        ...calls.map((call) => [w.call, <ObjectLink visit={visit} to="call" id={call.call_id} />] as const),
        charge.duplicate_of === undefined
          ? null
          : [w.duplicateOf, <ObjectLink visit={visit} to="charge" id={charge.duplicate_of} />],
        [w.order, charge.order_id],
        [w.caller, charge.caller_phone && <CallerLink visit={visit} phone={charge.caller_phone} />],
        [w.merchant, <ObjectLink visit={visit} to="merchant" id={charge.merchant_id} name={charge.business_name} />],
        [w.processor, processorText(charge.processor)],
        [
          w.reference,
          charge.processor_payment_id && (
            <CopyText text={charge.processor_payment_id} label={pageWords().copyReference} />
          ),
        ],
        charge.failure?.processor_code === undefined
          ? null
          : [w.processorCode, <code>{charge.failure.processor_code}</code>],
        [w.created, <Time at={charge.created_at} full />],
        [w.settled, charge.settled_at && <Time at={charge.settled_at} full />],
      ]}
    />
  );
}
