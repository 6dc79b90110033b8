/** The blocks of a caller's page: what can be paid, payments, refunds, calls and texts. */
import type { ComponentChildren } from 'preact';
import type { CallResource } from '../../../contract/calls.ts';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { ListedSessionResource } from '../../../contract/listed-sessions.ts';
import type { RefundResource } from '../../../contract/refunds.ts';
import type { TextResource } from '../../../contract/texts.ts';
import { roleCovers } from '../../../domain/user.ts';
import { CallAmount, CallBadge } from '../calls/parts.tsx';
import { mayRefund, RefundLink } from '../charges/actions.tsx';
import { ChargeBadge } from '../charges/parts.tsx';
import { textTitle } from '../checkouts/activity.tsx';
import { checkoutWords } from '../checkouts/words/index.ts';
import { Form } from '../form/form.tsx';
import { searchOf } from '../list/filters.tsx';
import { cardText, durationText } from '../page/links.tsx';
import { Badge, Block, Money, Time } from '../page/parts.tsx';
import { type Column, Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { names } from '../words/names/index.ts';
import { SHOWN } from './read.ts';
import { callerWords } from './words/index.ts';

interface OfCaller {
  visit: Visit;
  /** E.164. */
  phone: string;
}

const mayAct = ({ user }: Visit) => roleCovers(user.role, 'support');

type All = OfCaller & { list: 'charges' | 'calls'; count: number; text: string };

/** A link to the list if the block may not show all. */
function AllLink({ visit, phone, list, count, text }: All) {
  if (count < SHOWN) return null;
  return (
    <p>
      <a href={`${visit.base}/${list}${searchOf({ caller_phone: phone })}`}>{text}</a>
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
  const w = callerWords();
  const columns: readonly Column<ListedSessionResource>[] = [
    { head: w.heads.amount, cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} /> },
    { head: w.heads.merchant, cell: ({ business_name }) => <span>{business_name}</span> },
    { head: w.heads.order, cell: ({ order_id }) => order_id && <bdi class="quiet">{order_id}</bdi> },
    { head: w.heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
  const link: Column<ListedSessionResource> = {
    head: w.heads.payLink,
    kind: 'action',
    cell: ({ checkout_session_id: id }) => (
      <Form visit={visit} action="/callers/link" submit={w.textLink} tone="plain">
        <input type="hidden" name="number" value={phone} />
        <input type="hidden" name="checkout" value={id} />
      </Form>
    ),
  };
  return (
    <Block title={w.open.title}>
      <Table
        label={w.open.label}
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
  const w = callerWords();
  return (
    <Block title={w.payments.title}>
      {charges.length > 0 && totals}
      {charges.length === 0 ? (
        <p class="quiet">{w.payments.none}</p>
      ) : (
        <Table
          label={w.payments.label}
          rows={charges}
          href={({ charge_id: id }) => `${visit.base}/charges/${id}`}
          columns={[
            {
              head: w.heads.amount,
              cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
            },
            { head: w.heads.status, cell: (charge) => <ChargeBadge charge={charge} /> },
            {
              head: w.heads.card,
              width: 'cut',
              cell: (charge) => (
                <>
                  <span class="number">{cardText(charge)}</span> <bdi class="quiet small">{charge.business_name}</bdi>
                </>
              ),
            },
            { head: w.heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
            { head: w.heads.refund, kind: 'action', cell: (charge) => <RefundLink visit={visit} charge={charge} /> },
          ]}
        />
      )}
      <AllLink visit={visit} phone={phone} list="charges" count={charges.length} text={w.payments.all} />
    </Block>
  );
}

/** What most callers who call back want. On phones, it stays in sight. */
export function RefundLatest({ visit, charges }: { visit: Visit; charges: readonly ListedChargeResource[] }) {
  const latest = charges.find((charge) => mayRefund(visit, charge));
  return latest === undefined ? null : (
    <a class="button" href={`${visit.base}/charges/${latest.charge_id}/refund`}>
      {callerWords().payments.refundLatest}
    </a>
  );
}

export function RefundsBlock({ visit, refunds }: { visit: Visit; refunds: readonly RefundResource[] }) {
  if (refunds.length === 0) return null;
  const w = callerWords();
  return (
    <Block title={w.refunds.title}>
      <Table
        label={w.refunds.label}
        rows={refunds}
        href={({ refund_id: id }) => `${visit.base}/refunds/${id}`}
        columns={[
          {
            head: w.heads.amount,
            cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
          },
          { head: w.heads.status, cell: ({ status }) => <Badge status={status} name={names().refundStatus[status]} /> },
          { head: w.heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
    </Block>
  );
}

export function CallsBlock({ visit, phone, calls }: OfCaller & { calls: readonly CallResource[] }) {
  const w = callerWords();
  return (
    <Block title={w.calls.title}>
      {calls.length === 0 ? (
        <p class="quiet">{w.calls.none}</p>
      ) : (
        <Table
          label={w.calls.label}
          rows={calls}
          href={({ call_id: id }) => `${visit.base}/calls/${id}`}
          columns={[
            { head: w.heads.started, cell: ({ created_at }) => <Time at={created_at} /> },
            { head: w.heads.outcome, cell: (call) => <CallBadge call={call} /> },
            { head: w.heads.amount, kind: 'money', cell: (call) => <CallAmount call={call} /> },
            { head: w.heads.merchant, cell: ({ business_name }) => business_name && <span>{business_name}</span> },
            {
              head: w.heads.duration,
              kind: 'number',
              cell: ({ created_at, ended_at }) =>
                ended_at && <span class="number quiet">{durationText(created_at, ended_at)}</span>,
            },
          ]}
        />
      )}
      <AllLink visit={visit} phone={phone} list="calls" count={calls.length} text={w.calls.all} />
    </Block>
  );
}

export function TextsBlock({ visit, texts }: { visit: Visit; texts: readonly TextResource[] }) {
  if (texts.length === 0) return null;
  const w = callerWords();
  const states = checkoutWords().activity.textStates;
  return (
    <Block title={w.texts.title}>
      <Table
        label={w.texts.label}
        rows={texts}
        href={({ checkout_session_id: id }) => `${visit.base}/checkouts/${id}`}
        columns={[
          { head: w.heads.text, cell: (text) => <span>{textTitle(text)}</span> },
          {
            head: w.heads.status,
            cell: ({ status, delivery }) => <Badge status={delivery ?? status} name={states[delivery ?? status]} />,
          },
          { head: w.heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
      />
    </Block>
  );
}
