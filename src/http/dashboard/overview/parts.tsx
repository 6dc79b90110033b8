/** Parts of the overview: charges by day, call steps, declines, merchants. Each figure leads to its charges. */
import type { StatisticsFigures, StatisticsResource } from '../../../contract/statistics.ts';
import { type CountedDays, countedCharges, declineText } from '../charges/counted.ts';
import { Block, moneyText } from '../page/parts.tsx';
import { type Column, Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { DayChart } from './day-chart.tsx';
import { percent } from './figures.tsx';
import { dateText, longDateText } from './period.ts';

type Counts = Pick<StatisticsFigures, 'charges_succeeded' | 'charges_failed' | 'payments'>;
type Payments = StatisticsFigures['payments'][number];

const amounts = (payments: readonly Payments[], name: 'amount_cents' | 'refunded_cents' | 'net_cents') =>
  payments.map((each) => moneyText(each[name], each.currency)).join(', ');

/** Columns of the tables that count charges. @param countedOf the days and the merchant of a row */
function countColumns<T extends Counts>(visit: Visit, countedOf: (row: T) => CountedDays): readonly Column<T>[] {
  const link = (row: T, countedAs: 'succeeded' | 'failed', count: number) => (
    <a class="number" href={countedCharges(visit, countedOf(row), countedAs)}>
      {count} {countedAs}
    </a>
  );
  return [
    { head: 'Succeeded', kind: 'number', cell: (row) => link(row, 'succeeded', row.charges_succeeded) },
    { head: 'Failed', kind: 'number', cell: (row) => link(row, 'failed', row.charges_failed) },
    { head: 'Gross', kind: 'number', isNamed: true, cell: ({ payments }) => amounts(payments, 'amount_cents') },
    { head: 'Refunded', kind: 'number', isNamed: true, cell: ({ payments }) => amounts(payments, 'refunded_cents') },
    { head: 'Net', kind: 'money', isNamed: true, cell: ({ payments }) => amounts(payments, 'net_cents') },
  ];
}

interface CountedProps {
  visit: Visit;
  /** The whole period. */
  counted: CountedDays;
}

export function PaymentsByDay({ visit, days, counted }: CountedProps & { days: StatisticsResource['days'] }) {
  const countedOf = ({ date }: { date: string }) => ({ ...counted, from: date, to: date });
  return (
    <Block title="Charges by day">
      <DayChart
        bars={days.map((day) => ({
          date: dateText(day.date),
          title: longDateText(day.date),
          succeeded: day.charges_succeeded,
          failed: day.charges_failed,
          amounts: day.payments.map(({ net_cents, currency }) => `${moneyText(net_cents, currency)} net`),
          isPart: day.date === counted.to,
          href: countedCharges(visit, countedOf(day), 'completed'),
        }))}
      />
      <details>
        <summary>Show as table</summary>
        <Table
          label="Charges by day, newest first"
          rows={days.toReversed()}
          href={(day) => countedCharges(visit, countedOf(day), 'completed')}
          columns={[
            {
              head: 'Day',
              cell: ({ date }) => (
                <span class="number">
                  {date}
                  {date === counted.to && <span class="quiet"> so far</span>}
                </span>
              ),
            },
            ...countColumns<StatisticsResource['days'][number]>(visit, countedOf),
          ]}
        />
      </details>
    </Block>
  );
}

type FunnelStep = StatisticsFigures['funnel'][number];

const STEPS: Record<FunnelStep['step'], { name: string; left: string }> = {
  answered: { name: 'Call answered', left: 'reached no question' },
  method: { name: 'Payment method requested', left: 'ended here' },
  saved_card: { name: 'Saved card offered', left: 'ended here' },
  card_number: { name: 'Card number requested', left: 'ended here' },
  expiry: { name: 'Expiry date requested', left: 'ended here' },
  security_code: { name: 'Security code requested', left: 'ended here' },
  postal_code: { name: 'Postal code requested', left: 'ended here' },
  part: { name: 'Partial payment offered', left: 'ended here' },
  part_amount: { name: 'Partial amount requested', left: 'ended here' },
  tip: { name: 'Tip offered', left: 'ended here' },
  routing_number: { name: 'Routing number requested', left: 'ended here' },
  account_number: { name: 'Account number requested', left: 'ended here' },
  account_number_again: { name: 'Account number requested again', left: 'ended here' },
  account_type: { name: 'Account type requested', left: 'ended here' },
  debit_terms: { name: 'Bank debit authorization requested', left: 'ended here' },
  keep_card: { name: 'Card saving offered', left: 'ended here' },
  confirmation: { name: 'Confirmation requested', left: 'ended here' },
  charge: { name: 'Card charged', left: 'not paid' },
  returned: { name: 'Returned to the agent', left: 'not returned' },
};

const EVERY_CALL: readonly FunnelStep['step'][] = ['answered', 'charge', 'returned'];
const KEYED_CARD: readonly FunnelStep['step'][] = ['card_number', 'expiry', 'security_code'];
/** Calls that took one of these steps may have skipped {@link KEYED_CARD}. */
const OTHER_WAYS: readonly FunnelStep['step'][] = ['method', 'saved_card', 'routing_number'];

export function Funnel({ steps }: { steps: readonly FunnelStep[] }) {
  const isTaken = ({ reached }: FunnelStep) => reached > 0;
  const hasOtherWays = steps.some((each) => OTHER_WAYS.includes(each.step) && isTaken(each));
  const isOfAll = ({ step }: FunnelStep) => EVERY_CALL.includes(step) || (!hasOtherWays && KEYED_CARD.includes(step));
  const most = Math.max(1, ...steps.map(({ reached }) => reached));
  const others = steps.filter((each) => !isOfAll(each) && isTaken(each));
  return (
    <Block title="Call funnel">
      <div class={others.length === 0 ? undefined : 'beside'}>
        <Steps label="Steps of completed calls" steps={steps.filter(isOfAll)} most={most} />
        {others.length > 0 && (
          <section>
            <h3>Steps of some calls</h3>
            <Steps label="Steps that only some calls take" steps={others} most={most} />
          </section>
        )}
      </div>
    </Block>
  );
}

function Steps({ label, steps, most }: { label: string; steps: readonly FunnelStep[]; most: number }) {
  return (
    <Table
      label={label}
      rows={steps}
      columns={[
        { head: 'Step', cell: ({ step }) => STEPS[step].name },
        { head: 'Share', cell: ({ reached }) => <Share share={reached / most} /> },
        {
          head: 'Calls',
          kind: 'number',
          cell: ({ reached }) =>
            reached === 0 ? (
              <span class="quiet">None</span>
            ) : (
              <span class="number">{reached === 1 ? '1 call' : `${reached} calls`}</span>
            ),
        },
        { head: 'Dropped off', kind: 'number', cell: (step) => <Lost step={step} /> },
      ]}
    />
  );
}

function Lost({ step: { step, reached, went_on, saved } }: { step: FunnelStep }) {
  const lost = reached - went_on - saved;
  return (
    <span class="quiet">
      {saved > 0 && `${saved} saved a card${lost > 0 ? ', ' : ''}`}
      {lost > 0 && `${lost} ${STEPS[step].left} (${percent(lost / reached)})`}
    </span>
  );
}

/** Uses an attribute, because the policy forbids inline styles. */
const Share = ({ share }: { share: number }) => (
  <svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect class="whole" width="100" height="8" />
    <rect width={Math.round(share * 1_000) / 10} height="8" />
  </svg>
);

export function Declines({ visit, declines, counted }: CountedProps & Pick<StatisticsFigures, 'declines'>) {
  const all = declines.reduce((sum, { count }) => sum + count, 0);
  return (
    <Block title="Why charges failed">
      {declines.length === 0 ? (
        <p class="quiet">No failed charges.</p>
      ) : (
        <Table
          label="Reasons for failed charges"
          rows={declines}
          href={({ decline_code: code }) => countedCharges(visit, counted, 'failed', code)}
          columns={[
            { head: 'Reason', cell: ({ decline_code: code }) => declineText(code) },
            { head: 'Share', cell: ({ count }) => <Share share={count / all} /> },
            {
              head: 'Charges',
              kind: 'number',
              cell: ({ count }) => <span class="number">{count === 1 ? '1 charge' : `${count} charges`}</span>,
            },
          ]}
        />
      )}
    </Block>
  );
}

interface MerchantsProps extends CountedProps {
  merchants: StatisticsResource['merchants'];
  nameOf: (id: string) => string;
}

type MerchantRow = StatisticsResource['merchants'][number];

export function Merchants({ visit, merchants, counted, nameOf }: MerchantsProps) {
  if (merchants.length === 0) return null;
  const countedOf = ({ merchant_id: merchantId }: MerchantRow) => ({ ...counted, merchantId });
  return (
    <Block title="By merchant">
      <Table
        label="Merchants, most charges first"
        rows={merchants}
        href={(row) => countedCharges(visit, countedOf(row), 'completed')}
        columns={[
          { head: 'Merchant', cell: ({ merchant_id }) => nameOf(merchant_id) },
          ...countColumns<MerchantRow>(visit, countedOf),
        ]}
      />
    </Block>
  );
}
