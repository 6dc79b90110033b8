/** The figures of the overview, each with its change from the previous period. */
import type { StatisticsFigures } from '../../../contract/statistics.ts';
import { moneyText, numberText, percentText } from '../words/formats.ts';
import { overviewWords } from './words/index.ts';

interface FiguresProps {
  period: StatisticsFigures;
  before: StatisticsFigures;
  /** The length of each period. */
  days: number;
}

export function Figures({ period, before, days }: FiguresProps) {
  const w = overviewWords().figures;
  const completed = period.charges_succeeded + period.charges_failed;
  const currencies = [...new Set([...period.payments, ...before.payments].map(({ currency }) => currency))];
  return (
    <section class="figures" aria-label={w.label}>
      <Figure
        name={w.payments}
        value={numberText(period.charges_succeeded)}
        change={shareChange(period.charges_succeeded, before.charges_succeeded, days)}
      />
      {currencies.map((currency) => (
        <Net key={currency} currency={currency} period={period} before={before} days={days} />
      ))}
      <Figure
        name={w.rate}
        value={period.success_rate === null ? '–' : percentText(period.success_rate)}
        change={rateChange(period.success_rate, before.success_rate, days)}
        about={w.rateOf(period.charges_succeeded, completed)}
      />
      <Figure
        name={w.time}
        value={period.median_seconds_to_pay === null ? '–' : `${Math.round(period.median_seconds_to_pay)} s`}
        change={secondsChange(period.median_seconds_to_pay, before.median_seconds_to_pay, days)}
        about={w.timeOf}
      />
    </section>
  );
}

interface NetProps {
  currency: string;
  period: StatisticsFigures;
  before: StatisticsFigures;
  days: number;
}

function Net({ currency, period, before, days }: NetProps) {
  const w = overviewWords().figures;
  const none = { amount_cents: 0, refunded_cents: 0, net_cents: 0 };
  const of = ({ payments }: StatisticsFigures) => payments.find((each) => each.currency === currency) ?? none;
  const [now, then] = [of(period), of(before)];
  return (
    <Figure
      name={w.net(currency)}
      value={moneyText(now.net_cents, currency)}
      change={shareChange(now.net_cents, then.net_cents, days)}
      about={w.netOf(moneyText(now.amount_cents, currency), moneyText(now.refunded_cents, currency))}
    />
  );
}

/** Longer amounts are smaller on phones, where two figures are beside each other. */
const MOST_LARGE = 9;

function Figure({ name, value, change, about }: { name: string; value: string; change: string; about?: string }) {
  return (
    <div>
      <h2>{name}</h2>
      <p class={`value number${value.length > MOST_LARGE ? ' long' : ''}`}>{value}</p>
      <p class="small quiet">{change}</p>
      {about !== undefined && <p class="small quiet">{about}</p>}
    </div>
  );
}

function shareChange(now: number, then: number, days: number): string {
  const w = overviewWords().change;
  if (then === 0) return now === 0 ? w.alsoNone(days) : w.noneBefore(days);
  if (now === then) return w.same(days);
  const share = percentText(Math.abs(now - then) / then);
  return now > then ? w.more(share, days) : w.less(share, days);
}

function rateChange(now: number | null, then: number | null, days: number): string {
  const w = overviewWords().change;
  if (now === null) return w.noData;
  if (then === null) return w.noDataBefore(days);
  const points = Math.round(Math.abs(now - then) * 1_000) / 10;
  if (points === 0) return w.same(days);
  return now > then ? w.higher(points, days) : w.lower(points, days);
}

function secondsChange(now: number | null, then: number | null, days: number): string {
  const w = overviewWords().change;
  if (now === null) return w.noData;
  if (then === null) return w.noDataBefore(days);
  const seconds = Math.round(Math.abs(now - then));
  if (seconds === 0) return w.same(days);
  return now > then ? w.slower(seconds, days) : w.faster(seconds, days);
}
