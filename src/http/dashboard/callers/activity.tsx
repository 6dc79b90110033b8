/** The blocks of a caller's page: what can be paid, payments, refunds, calls and texts. */
import type { ComponentChildren } from 'preact';
import type { CallResource } from '../../../contract/calls.ts';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { ListedSessionResource } from '../../../contract/listed-sessions.ts';
import type { RefundResource } from '../../../contract/refunds.ts';
import type { TextResource } from '../../../contract/texts.ts';
import { roleCovers } from '../../../domain/user.ts';
import { CallAmount, CallBadge } from '../calls/parts.tsx';
import { RefundLink } from '../charges/actions.tsx';
import { ChargeBadge } from '../charges/parts.tsx';
import { textTitle } from '../checkouts/activity.tsx';
import { Form } from '../form/form.tsx';
import { searchOf } from '../list/filters.tsx';
import { cardText, durationText } from '../page/links.tsx';
import { Badge, Block, Money, Time } from '../page/parts.tsx';
import { type Column, Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { SHOWN } from './read.ts';

interface OfCaller {
  visit: Visit;
  /** E.164. */
  phone: string;
}

const mayAct = ({ user }: Visit) => roleCovers(user.role, 'support');

/** A link to the list if the block may not show all. */
function AllLink({ visit, phone, list, count }: OfCaller & { list: 'charges' | 'calls'; count: number }) {
  if (count < SHOWN) return null;
  return (
    <p>
      <a href={`${visit.base}/${list}${searchOf({ caller_phone: phone })}`}>All {list}</a>
    </p>
  );
}

/** Open checkouts: each can be paid by a link. */
export function CheckoutsBlock({
  visit,
  phone,
  checkouts,
}: OfCaller & { checkouts: readonly ListedSessionResource[] }) {
  if (checkouts.length === 0) return null;
  const columns: readonly Column<ListedSessionResource>[] = [
    { head: 'Amount', cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} /> },
    { head: 'Merchant', cell: ({ business_name }) => <span>{business_name}</span> },
    { head: 'Order', cell: ({ order_id }) => order_id && <span class="quiet">{order_id}</span> },
    { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
  const link: Column<ListedSessionResource> = {
    head: 'Pay link',
    kind: 'action',
    cell: ({ checkout_session_id: id }) => (
      <Form visit={visit} action="/callers/link" submit="Text pay link" tone="plain">
        <input type="hidden" name="number" value={phone} />
        <input type="hidden" name="checkout" value={id} />
      </Form>
    ),
  };
  return (
    <Block title="Can be paid now">
      <Table
        label="Open checkouts, newest first"
        rows={checkouts}
        href={({ checkout_session_id: id }) => `${visit.base}/checkouts/${id}`}
        columns={mayAct(visit) ? [...columns, link] : columns}
      />
    </Block>
  );
}

interface Payments extends OfCaller {
  charges: readonly ListedChargeResource[];
  totals: ComponentChildren;
}

export function PaymentsBlock({ visit, phone, charges, totals }: Payments) {
  return (
    <Block title="Payments">
      {charges.length > 0 && totals}
      {charges.length === 0 ? (
        <p class="quiet">No payments from this number.</p>
      ) : (
        <Table
          label="Charges, newest first"
          rows={charges}
          href={({ charge_id: id }) => `${visit.base}/charges/${id}`}
          columns={[
            {
              head: 'Amount',
              cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
            },
            { head: 'Status', cell: (charge) => <ChargeBadge charge={charge} /> },
            {
              head: 'Card',
              cell: (charge) => (
                <>
                  <span class="number">{cardText(charge)}</span> <span class="quiet small">{charge.business_name}</span>
                </>
              ),
            },
            { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
            { head: 'Refund', kind: 'action', cell: (charge) => <RefundLink visit={visit} charge={charge} /> },
          ]}
        />
      )}
      <AllLink visit={visit} phone={phone} list="charges" count={charges.length} />
    </Block>
  );
}

export function RefundsBlock({ visit, refunds }: { visit: Visit; refunds: readonly RefundResource[] }) {
  if (refunds.length === 0) return null;
  return (
    <Block title="Refunds">
      <Table
        label="Refunds, newest first"
        rows={refunds}
        href={({ refund_id: id }) => `${visit.base}/refunds/${id}`}
        columns={[
          { head: 'Amount', cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} /> },
          { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
          { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
    </Block>
  );
}

export function CallsBlock({ visit, phone, calls }: OfCaller & { calls: readonly CallResource[] }) {
  return (
    <Block title="Calls">
      {calls.length === 0 ? (
        <p class="quiet">No calls from this number.</p>
      ) : (
        <Table
          label="Calls, newest first"
          rows={calls}
          href={({ call_id: id }) => `${visit.base}/calls/${id}`}
          columns={[
            { head: 'Started', cell: ({ created_at }) => <Time at={created_at} /> },
            { head: 'Outcome', cell: (call) => <CallBadge call={call} /> },
            { head: 'Amount', kind: 'money', cell: (call) => <CallAmount call={call} /> },
            { head: 'Merchant', cell: ({ business_name }) => business_name && <span>{business_name}</span> },
            {
              head: 'Duration',
              kind: 'number',
              cell: ({ created_at, ended_at }) =>
                ended_at && <span class="number quiet">{durationText(created_at, ended_at)}</span>,
            },
          ]}
        />
      )}
      <AllLink visit={visit} phone={phone} list="calls" count={calls.length} />
    </Block>
  );
}

export function TextsBlock({ visit, texts }: { visit: Visit; texts: readonly TextResource[] }) {
  if (texts.length === 0) return null;
  return (
    <Block title="Texts">
      <Table
        label="Texts, newest first"
        rows={texts}
        href={({ checkout_session_id: id }) => `${visit.base}/checkouts/${id}`}
        columns={[
          { head: 'Text', cell: (text) => <span>{textTitle(text)}</span> },
          { head: 'Status', cell: ({ status, delivery }) => <Badge status={delivery ?? status} /> },
          { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
    </Block>
  );
}
