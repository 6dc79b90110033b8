/** Parts of the overview: charges by day, call steps, declines, merchants. Each figure leads to its list. */
import type { StatisticsFigures, StatisticsResource } from '../../../contract/statistics.ts';
import { callsThatReached } from '../calls/reached.ts';
import { type CountedDays, countedCharges, declineText } from '../charges/counted.ts';
import { Block } from '../page/parts.tsx';
import { type Column, Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { moneyText, percentText } from '../words/formats.ts';
import { DayChart } from './day-chart.tsx';
import { dateText, longDateText } from './period.ts';
import { overviewWords } from './words/index.ts';

type Counts = Pick<StatisticsFigures, 'charges_succeeded' | 'charges_failed' | 'payments'>;
type Payments = StatisticsFigures['payments'][number];

const amounts = (payments: readonly Payments[], name: 'amount_cents' | 'refunded_cents' | 'net_cents') =>
  payments.map((each) => moneyText(each[name], each.currency)).join(', ');

/** Columns of the tables that count charges. @param countedOf the days and the merchant of a row */
function countColumns<T extends Counts>(visit: Visit, countedOf: (row: T) => CountedDays): readonly Column<T>[] {
  const { heads, counts } = overviewWords();
  const link = (row: T, countedAs: 'succeeded' | 'failed', count: number) => (
    <a class="number" href={countedCharges(visit, countedOf(row), countedAs)}>
      {counts[countedAs](count)}
    </a>
  );
  return [
    { head: heads.succeeded, kind: 'number', cell: (row) => link(row, 'succeeded', row.charges_succeeded) },
    { head: heads.failed, kind: 'number', cell: (row) => link(row, 'failed', row.charges_failed) },
    {
      head: heads.gross,
      kind: 'number',
      onPhone: 'hidden',
      cell: ({ payments }) => amounts(payments, 'amount_cents'),
    },
    {
      head: heads.refunded,
      kind: 'number',
      onPhone: 'hidden',
      cell: ({ payments }) => amounts(payments, 'refunded_cents'),
    },
    { head: heads.net, kind: 'money', isNamed: true, cell: ({ payments }) => amounts(payments, 'net_cents') },
  ];
}

interface CountedProps {
  visit: Visit;
  /** The whole period. */
  counted: CountedDays;
}

interface ByDayProps extends CountedProps {
  days: StatisticsResource['days'];
  /** The last day has not ended. */
  isUntilNow: boolean;
}

export function PaymentsByDay({ visit, days, counted, isUntilNow }: ByDayProps) {
  const countedOf = ({ date }: { date: string }) => ({ ...counted, from: date, to: date });
  const w = overviewWords().chart;
  const isByWeek = days.length > MOST_DAYS;
  return (
    <Block title={isByWeek ? w.weeksTitle : w.title}>
      <DayChart
        isByWeek={isByWeek}
        bars={barsOf(days).map((each) => {
          const from = each[0]?.date ?? '';
          const to = each.at(-1)?.date ?? from;
          return {
            date: dateText(from),
            title: from === to ? longDateText(from) : w.days(dateText(from), dateText(to)),
            succeeded: sumOf(each, 'charges_succeeded'),
            failed: sumOf(each, 'charges_failed'),
            amounts: netOf(each).map(({ cents, currency }) => w.net(moneyText(cents, currency))),
            isPart: isUntilNow && to === counted.to,
            href: countedCharges(visit, { ...counted, from, to }, 'completed'),
          };
        })}
      />
      <details>
        <summary>{w.table}</summary>
        <Table
          label={w.tableLabel}
          rows={days.toReversed()}
          href={(day) => countedCharges(visit, countedOf(day), 'completed')}
          columns={[
            {
              head: w.day,
              cell: ({ date }) => (
                <span class="number">
                  {date}
                  {isUntilNow && date === counted.to && <span class="quiet"> {w.dayNotOver}</span>}
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

type Day = StatisticsResource['days'][number];

/** More bars would be too narrow to press, and too many for the keyboard. */
const MOST_DAYS = 45;
const WEEK = 7;

/** The days of each bar: one, or a week. The last week ends with the last day. The first can be shorter. */
function barsOf(days: readonly Day[]): readonly (readonly Day[])[] {
  const length = days.length > MOST_DAYS ? WEEK : 1;
  const bars: Day[][] = [];
  for (let end = days.length; end > 0; end -= length) bars.unshift(days.slice(Math.max(0, end - length), end));
  return bars;
}

const sumOf = (days: readonly Day[], name: 'charges_succeeded' | 'charges_failed') =>
  days.reduce((sum, day) => sum + day[name], 0);

/** The net of each currency. */
function netOf(days: readonly Day[]): { currency: string; cents: number }[] {
  const all = days.flatMap(({ payments }) => payments);
  return [...new Set(all.map(({ currency }) => currency))].map((currency) => ({
    currency,
    cents: all.reduce((sum, each) => sum + (each.currency === currency ? each.net_cents : 0), 0),
  }));
}

type FunnelStep = StatisticsFigures['funnel'][number];

const EVERY_CALL: readonly FunnelStep['step'][] = ['answered', 'charge', 'returned'];
const KEYED_CARD: readonly FunnelStep['step'][] = ['card_number', 'expiry', 'security_code'];
/** Calls that took one of these steps may have skipped {@link KEYED_CARD}. */
const OTHER_WAYS: readonly FunnelStep['step'][] = ['method', 'saved_card', 'routing_number'];

export function Funnel({ visit, counted, steps }: CountedProps & { steps: readonly FunnelStep[] }) {
  const isTaken = ({ reached }: FunnelStep) => reached > 0;
  const hasOtherWays = steps.some((each) => OTHER_WAYS.includes(each.step) && isTaken(each));
  const isOfAll = ({ step }: FunnelStep) => EVERY_CALL.includes(step) || (!hasOtherWays && KEYED_CARD.includes(step));
  const most = Math.max(1, ...steps.map(({ reached }) => reached));
  const others = steps.filter((each) => !isOfAll(each) && isTaken(each));
  const w = overviewWords().funnel;
  return (
    <Block title={w.title}>
      <div class={others.length === 0 ? undefined : 'beside'}>
        <Steps {...{ visit, counted, most }} label={w.ofAll} steps={steps.filter(isOfAll)} />
        {others.length > 0 && (
          <section>
            <h3>{w.some}</h3>
            <Steps {...{ visit, counted, most }} label={w.ofSome} steps={others} />
          </section>
        )}
      </div>
    </Block>
  );
}

interface StepsProps extends CountedProps {
  label: string;
  steps: readonly FunnelStep[];
  /** The calls of the first step. */
  most: number;
}

function Steps({ visit, counted, label, steps, most }: StepsProps) {
  const { funnel: w, steps: stepNames } = overviewWords();
  return (
    <Table
      label={label}
      rows={steps}
      href={({ step, reached }) => (reached === 0 ? undefined : callsThatReached(visit, counted, step))}
      columns={[
        {
          head: w.step,
          cell: ({ step, reached }) => (
            <>
              {stepNames[step]}
              {reached > 0 && <span class="unseen">: {w.ofCalls(reached, most)}</span>}
            </>
          ),
        },
        { head: w.share, cell: ({ reached }) => <Share share={reached / most} /> },
        {
          head: w.calls,
          kind: 'number',
          cell: ({ reached }) =>
            reached === 0 ? <span class="quiet">{w.none}</span> : <span class="number">{w.count(reached)}</span>,
        },
        { head: w.lost, kind: 'number', cell: (step) => <Lost step={step} /> },
      ]}
    />
  );
}

function Lost({ step: { step, reached, went_on, saved } }: { step: FunnelStep }) {
  const { saved: savedText, left } = overviewWords().funnel;
  const lost = reached - went_on - saved;
  const leftText = step === 'answered' || step === 'charge' || step === 'returned' ? left[step] : left.other;
  const words = [
    ...(saved > 0 ? [savedText(saved)] : []),
    ...(lost > 0 ? [leftText(lost, percentText(lost / reached))] : []),
  ];
  return words.length === 0 ? null : <span class="quiet">{words.join(', ')}</span>;
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
  const w = overviewWords().declines;
  return (
    <Block title={w.title}>
      {declines.length === 0 ? (
        <p class="quiet">{w.none}</p>
      ) : (
        <Table
          label={w.label}
          rows={declines}
          href={({ decline_code: code }) => countedCharges(visit, counted, 'failed', code)}
          columns={[
            { head: w.reason, cell: ({ decline_code: code }) => declineText(code) },
            { head: w.share, cell: ({ count }) => <Share share={count / all} /> },
            {
              head: w.charges,
              kind: 'number',
              cell: ({ count }) => <span class="number">{w.count(count)}</span>,
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
  const { merchant, merchants: w } = overviewWords();
  const countedOf = ({ merchant_id: merchantId }: MerchantRow) => ({ ...counted, merchantId });
  return (
    <Block title={w.title}>
      <Table
        label={w.label}
        rows={merchants}
        href={(row) => countedCharges(visit, countedOf(row), 'completed')}
        columns={[
          { head: merchant, cell: ({ merchant_id }) => nameOf(merchant_id) },
          ...countColumns<MerchantRow>(visit, countedOf),
        ]}
      />
    </Block>
  );
}
