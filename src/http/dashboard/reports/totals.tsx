/** The sums of a month in one currency, by source and by day, each linked to its list. */
import type { ComponentChildren } from 'preact';
import type { MonthReportResource } from '../../../contract/month-report.ts';
import { searchOf } from '../list/filters.tsx';
import { Block } from '../page/parts.tsx';
import { Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { moneyText, timeText } from '../words/formats.ts';
import { reportWords } from './words/index.ts';

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
    <section class="month" aria-label={reportWords().totalsIn(totals.currency)}>
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

function Figures({ visit, report, totals }: Linked) {
  const money = (cents: number) => moneyText(cents, totals.currency);
  const link = (list: string, more?: Record<string, string>) => listOf(visit, report, list, more);
  const w = reportWords();
  return (
    <dl class="month-figures">
      <Figure name={w.figures.net} value={money(totals.net_cents)} isMain>
        {w.grossLessRefunds}
      </Figure>
      <Figure name={w.figures.gross} value={money(totals.gross_cents)}>
        <a href={link('charges', { status: 'succeeded' })}>{w.payments(totals.payments)}</a>
      </Figure>
      <Figure name={w.figures.refunded} value={money(totals.refunded_cents)}>
        <a href={link('refunds')}>{w.refunds(totals.refunds)}</a>
      </Figure>
      <Figure name={w.figures.disputed} value={money(totals.disputed_cents)}>
        <a href={link('disputes')}>{w.disputes(totals.disputes)}</a>, {w.lost(money(totals.lost_cents))}
      </Figure>
      {totals.payouts > 0 && (
        <Figure name={w.figures.paidOut} value={money(totals.paid_out_cents)}>
          <a href={`${visit.base}/payouts${searchOf({ merchant_id: report.merchant_id })}`}>
            {w.payouts(totals.payouts)}
          </a>
          {totals.fee_cents !== null && `, ${w.fees(money(totals.fee_cents))}`}
          {totals.shared_payouts > 0 && `, ${w.shared(totals.shared_payouts)}`}
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

function Ways({ totals: { ways, currency } }: Pick<TotalsProps, 'totals'>) {
  if (ways.length === 0) return null;
  const { heads, sources, bySource, bySourceIn } = reportWords();
  return (
    <Block title={bySource}>
      <Table
        label={bySourceIn(currency)}
        rows={ways}
        isFixed
        columns={[
          { head: heads.source, cell: ({ source }) => <span>{sources[source]}</span> },
          { head: heads.payments, kind: 'number', isNamed: true, cell: ({ payments }) => <Count of={payments} /> },
          {
            head: heads.gross,
            kind: 'money',
            cell: ({ gross_cents }) => <Cents cents={gross_cents} currency={currency} />,
          },
        ]}
      />
    </Block>
  );
}

/** Days on which nothing happened are left out. The CSV file has them. */
function Days({ visit, report, totals: { days, currency } }: Linked) {
  const shown = days.filter(({ payments, refunds }) => payments + refunds > 0);
  if (shown.length === 0) return null;
  const { heads, byDay, byDayIn } = reportWords();
  return (
    <Block title={byDay}>
      <Table
        label={byDayIn(currency)}
        rows={shown}
        isFixed
        href={({ date }) => listOf(visit, report, 'charges', { from: date, to: date })}
        columns={[
          { head: heads.day, cell: ({ date }) => <span>{timeText(date, 'weekday')}</span> },
          { head: heads.payments, kind: 'number', isNamed: true, cell: ({ payments }) => <Count of={payments} /> },
          {
            head: heads.gross,
            kind: 'money',
            isNamed: true,
            cell: ({ gross_cents }) => <Cents cents={gross_cents} currency={currency} />,
          },
          {
            head: heads.refunded,
            kind: 'money',
            isNamed: true,
            cell: ({ refunded_cents }) => <Cents cents={refunded_cents} currency={currency} />,
          },
          {
            head: heads.net,
            kind: 'money',
            isNamed: true,
            onPhone: 'first',
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
