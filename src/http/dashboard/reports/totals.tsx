/** The sums of a month in one currency, by source and by day, each linked to its list. */
import type { ComponentChildren } from 'preact';
import type { MonthReportResource } from '../../../contract/month-report.ts';
import { searchOf } from '../list/filters.tsx';
import { Block, moneyText } from '../page/parts.tsx';
import { Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';

type Sums = MonthReportResource['totals'][number];

interface TotalsProps {
  visit: Visit;
  report: MonthReportResource;
  totals: Sums;
  /** The currency is named, because there are several. */
  isNamed: boolean;
}

export function MonthTotals({ visit, report, totals, isNamed }: TotalsProps) {
  return (
    <section class="month" aria-label={`Totals in ${totals.currency}`}>
      {isNamed && <h2>{totals.currency}</h2>}
      <Figures visit={visit} report={report} totals={totals} />
      <Ways totals={totals} />
      <Days visit={visit} report={report} totals={totals} />
    </section>
  );
}

type Linked = Omit<TotalsProps, 'isNamed'>;

/** The list of what was counted, within the mode. */
function listOf({ base }: Visit, report: MonthReportResource, list: string, more: Record<string, string> = {}): string {
  const days = report.totals[0]?.days ?? [];
  const [from, to] = [days[0]?.date, days.at(-1)?.date];
  const { merchant_id, time_zone: zone } = report;
  return `${base}/${list}${searchOf({ from, to, zone, merchant_id, ...more })}`;
}

const several = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

function Figures({ visit, report, totals }: Linked) {
  const money = (cents: number) => moneyText(cents, totals.currency);
  const link = (list: string, more?: Record<string, string>) => listOf(visit, report, list, more);
  return (
    <dl class="month-figures">
      <Figure name="Net" value={money(totals.net_cents)} isMain>
        Gross less refunds
      </Figure>
      <Figure name="Gross" value={money(totals.gross_cents)}>
        <a href={link('charges', { status: 'succeeded' })}>{several(totals.payments, 'payment')}</a>
      </Figure>
      <Figure name="Refunded" value={money(totals.refunded_cents)}>
        <a href={link('refunds')}>{several(totals.refunds, 'refund')}</a>
      </Figure>
      <Figure name="Disputed" value={money(totals.disputed_cents)}>
        <a href={link('disputes')}>{several(totals.disputes, 'dispute')}</a>, {money(totals.lost_cents)} lost
      </Figure>
      {totals.payouts > 0 && (
        <Figure name="Paid out" value={money(totals.paid_out_cents)}>
          <a href={`${visit.base}/payouts${searchOf({ merchant_id: report.merchant_id })}`}>
            {several(totals.payouts, 'payout')}
          </a>
          {totals.fee_cents !== null && `, ${money(totals.fee_cents)} fees`}
          {totals.shared_payouts > 0 && `, ${totals.shared_payouts} shared with other merchants`}
        </Figure>
      )}
    </dl>
  );
}

interface FigureProps {
  name: string;
  value: string;
  isMain?: true;
  children: ComponentChildren;
}

const Figure = ({ name, value, isMain, children }: FigureProps) => (
  <div class={isMain && 'main'}>
    <dt>{name}</dt>
    <dd class="value number">{value}</dd>
    <dd class="small quiet">{children}</dd>
  </div>
);

const WAYS = { phone: 'Call', page: 'Pay page', saved_card: 'Saved card' } as const;

function Ways({ totals: { ways, currency } }: Pick<TotalsProps, 'totals'>) {
  if (ways.length === 0) return null;
  return (
    <Block title="By source">
      <Table
        label={`Payments in ${currency} by source`}
        rows={ways}
        columns={[
          { head: 'Source', cell: ({ source }) => <span>{WAYS[source]}</span> },
          { head: 'Payments', kind: 'number', isNamed: true, cell: ({ payments }) => <Count of={payments} /> },
          {
            head: 'Gross',
            kind: 'money',
            cell: ({ gross_cents }) => <Cents cents={gross_cents} currency={currency} />,
          },
        ]}
      />
    </Block>
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Days on which nothing happened are left out. The CSV file has them. */
function Days({ visit, report, totals: { days, currency } }: Linked) {
  const shown = days.filter(({ payments, refunds }) => payments + refunds > 0);
  if (shown.length === 0) return null;
  return (
    <Block title="By day">
      <Table
        label={`Payments in ${currency} by day`}
        rows={shown}
        href={({ date }) => listOf(visit, report, 'charges', { from: date, to: date })}
        columns={[
          { head: 'Day', cell: ({ date }) => <span>{DAY.format(new Date(`${date}T00:00:00Z`))}</span> },
          { head: 'Payments', kind: 'number', isNamed: true, cell: ({ payments }) => <Count of={payments} /> },
          {
            head: 'Gross',
            kind: 'money',
            isNamed: true,
            cell: ({ gross_cents }) => <Cents cents={gross_cents} currency={currency} />,
          },
          {
            head: 'Refunded',
            kind: 'money',
            isNamed: true,
            cell: ({ refunded_cents }) => <Cents cents={refunded_cents} currency={currency} />,
          },
          {
            head: 'Net',
            kind: 'money',
            isNamed: true,
            cell: ({ net_cents }) => <Cents cents={net_cents} currency={currency} />,
          },
        ]}
      />
    </Block>
  );
}

const Count = ({ of }: { of: number }) => <span class="number">{of}</span>;

const Cents = ({ cents, currency }: { cents: number; currency: string }) => (
  <span class={cents === 0 ? 'number quiet' : 'number'}>{moneyText(cents, currency)}</span>
);
