/** Parts of the overview: charges by day, call steps, declines, merchants. Each is a table, two with a chart. */
import type { StatisticsFigures, StatisticsResource } from '../../../contract/statistics.ts';
import { Block, moneyText, words } from '../page/parts.tsx';
import { type Column, Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { percent } from './figures.tsx';
import { DayPlot } from './plot.tsx';

const amounts = (payments: StatisticsFigures['payments']) =>
  payments.map(({ amount_cents, currency }) => moneyText(amount_cents, currency)).join(', ');

type Counts = Pick<StatisticsFigures, 'charges_succeeded' | 'charges_failed' | 'payments'>;

/** Columns of the tables that count charges. */
const COUNTS: readonly Column<Counts>[] = [
  {
    head: 'Succeeded',
    kind: 'number',
    cell: (counts: Counts) => <span class="number">{counts.charges_succeeded} succeeded</span>,
  },
  {
    head: 'Failed',
    kind: 'number',
    cell: (counts: Counts) => <span class="number">{counts.charges_failed} failed</span>,
  },
  { head: 'Amount', kind: 'money', cell: (counts: Counts) => amounts(counts.payments) },
];

export function PaymentsByDay({ days }: { days: StatisticsResource['days'] }) {
  return (
    <Block title="Charges by day">
      <DayPlot
        dates={days.map(({ date }) => date)}
        series={[
          { label: 'Succeeded', values: days.map((day) => day.charges_succeeded), tone: 'good' },
          { label: 'Failed', values: days.map((day) => day.charges_failed), tone: 'bad' },
        ]}
      />
      <details>
        <summary>Show as table</summary>
        <Table
          label="Charges by day, newest first"
          rows={days.toReversed()}
          columns={[{ head: 'Day', cell: ({ date }) => <span class="number">{date}</span> }, ...COUNTS]}
        />
      </details>
    </Block>
  );
}

type FunnelStep = StatisticsFigures['funnel'][number];

const STEPS: Record<FunnelStep['step'], { name: string; isAlways: boolean; left: string }> = {
  answered: { name: 'Call answered', isAlways: true, left: 'reached no question' },
  method: { name: 'Card or bank account asked', isAlways: false, left: 'ended here' },
  saved_card: { name: 'Saved card offered', isAlways: false, left: 'ended here' },
  card_number: { name: 'Card number requested', isAlways: true, left: 'ended here' },
  expiry: { name: 'Expiry date requested', isAlways: true, left: 'ended here' },
  security_code: { name: 'Security code requested', isAlways: true, left: 'ended here' },
  postal_code: { name: 'Postal code requested', isAlways: false, left: 'ended here' },
  part: { name: 'Partial payment offered', isAlways: false, left: 'ended here' },
  part_amount: { name: 'Amount of the part requested', isAlways: false, left: 'ended here' },
  tip: { name: 'Tip offered', isAlways: false, left: 'ended here' },
  routing_number: { name: 'Routing number requested', isAlways: false, left: 'ended here' },
  account_number: { name: 'Account number requested', isAlways: false, left: 'ended here' },
  account_number_again: { name: 'Account number requested again', isAlways: false, left: 'ended here' },
  account_type: { name: 'Account type requested', isAlways: false, left: 'ended here' },
  debit_terms: { name: 'Bank debit authorization requested', isAlways: false, left: 'ended here' },
  keep_card: { name: 'Saving the card offered', isAlways: false, left: 'ended here' },
  confirmation: { name: 'Confirmation requested', isAlways: true, left: 'ended here' },
  charge: { name: 'Card charged', isAlways: true, left: 'not paid' },
  returned: { name: 'Returned to the agent', isAlways: true, left: 'not returned' },
};

export function Funnel({ steps }: { steps: readonly FunnelStep[] }) {
  const shown = steps.filter(({ step, reached }) => STEPS[step].isAlways || reached > 0);
  const most = Math.max(1, ...shown.map(({ reached }) => reached));
  return (
    <Block title="Call funnel">
      <Table
        label="Steps of completed calls"
        rows={shown}
        columns={[
          { head: 'Step', cell: ({ step }) => STEPS[step].name },
          { head: 'Share', cell: ({ reached }) => <Bar share={reached / most} /> },
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
          {
            head: 'Dropped off',
            kind: 'number',
            cell: ({ step, reached, went_on, saved }) => {
              const lost = reached - went_on - saved;
              return (
                <span class="quiet">
                  {saved > 0 && `${saved} saved a card${lost > 0 ? ', ' : ''}`}
                  {lost > 0 && `${lost} ${STEPS[step].left} (${percent(lost / reached)})`}
                </span>
              );
            },
          },
        ]}
      />
    </Block>
  );
}

/** Uses an attribute, because the policy forbids inline styles. */
const Bar = ({ share }: { share: number }) => (
  <svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
    <rect class="whole" width="100" height="8" />
    <rect width={Math.round(share * 1_000) / 10} height="8" />
  </svg>
);

export function Declines({ declines }: { declines: StatisticsFigures['declines'] }) {
  const all = declines.reduce((sum, { count }) => sum + count, 0);
  return (
    <Block title="Why charges failed">
      {declines.length === 0 ? (
        <p class="quiet">No failed charges.</p>
      ) : (
        <Table
          label="Reasons for failed charges"
          rows={declines}
          columns={[
            { head: 'Reason', cell: ({ decline_code: code }) => (code === null ? 'Other than the card' : words(code)) },
            { head: 'Share', cell: ({ count }) => <Bar share={count / all} /> },
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

interface MerchantsProps {
  visit: Visit;
  merchants: StatisticsResource['merchants'];
  nameOf: (id: string) => string;
}

export function Merchants({ visit, merchants, nameOf }: MerchantsProps) {
  if (merchants.length === 0) return null;
  return (
    <Block title="By merchant">
      <Table
        label="Merchants, most charges first"
        rows={merchants}
        href={({ merchant_id }) => `${visit.base}/charges?merchant_id=${encodeURIComponent(merchant_id)}`}
        columns={[{ head: 'Merchant', cell: ({ merchant_id }) => nameOf(merchant_id) }, ...COUNTS]}
      />
    </Block>
  );
}
