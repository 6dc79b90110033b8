/** The figures of the overview, each with its change from the previous period. */
import type { StatisticsFigures } from '../../../contract/statistics.ts';
import { moneyText } from '../page/parts.tsx';

interface FiguresProps {
  period: StatisticsFigures;
  before: StatisticsFigures;
  /** The length of each period. */
  days: number;
}

export function Figures({ period, before, days }: FiguresProps) {
  const ago = `the ${days} days before`;
  const currencies = [...new Set([...period.payments, ...before.payments].map(({ currency }) => currency))];
  return (
    <section class="figures" aria-label="Figures">
      <Figure
        name="Payments"
        value={String(period.charges_succeeded)}
        change={shareChange(period.charges_succeeded, before.charges_succeeded, ago)}
      />
      {currencies.map((currency) => (
        <Net key={currency} currency={currency} period={period} before={before} ago={ago} />
      ))}
      <Figure
        name="Success rate"
        value={period.success_rate === null ? '–' : percent(period.success_rate)}
        change={rateChange(period.success_rate, before.success_rate, ago)}
        about={`${period.charges_succeeded} of ${period.charges_succeeded + period.charges_failed} completed charges`}
      />
      <Figure
        name="Time to pay"
        value={period.median_seconds_to_pay === null ? '–' : `${Math.round(period.median_seconds_to_pay)} s`}
        change={secondsChange(period.median_seconds_to_pay, before.median_seconds_to_pay, ago)}
        about="Median time from answering the call to the charge"
      />
    </section>
  );
}

interface NetProps {
  currency: string;
  period: StatisticsFigures;
  before: StatisticsFigures;
  ago: string;
}

function Net({ currency, period, before, ago }: NetProps) {
  const none = { amount_cents: 0, refunded_cents: 0, net_cents: 0 };
  const of = ({ payments }: StatisticsFigures) => payments.find((each) => each.currency === currency) ?? none;
  const [now, then] = [of(period), of(before)];
  return (
    <Figure
      name={`Net, ${currency}`}
      value={moneyText(now.net_cents, currency)}
      change={shareChange(now.net_cents, then.net_cents, ago)}
      about={`${moneyText(now.amount_cents, currency)} gross, ${moneyText(now.refunded_cents, currency)} refunded`}
    />
  );
}

function Figure({ name, value, change, about }: { name: string; value: string; change: string; about?: string }) {
  return (
    <div>
      <h2>{name}</h2>
      <p class="value number">{value}</p>
      <p class="small quiet">{change}</p>
      {about !== undefined && <p class="small quiet">{about}</p>}
    </div>
  );
}

export const percent = (share: number) => `${Math.round(share * 1_000) / 10}%`;

function shareChange(now: number, then: number, ago: string): string {
  if (then === 0) return now === 0 ? `Also none in ${ago}` : `None in ${ago}`;
  if (now === then) return `Same as in ${ago}`;
  return `${percent(Math.abs(now - then) / then)} ${now > then ? 'more' : 'less'} than in ${ago}`;
}

function rateChange(now: number | null, then: number | null, ago: string): string {
  if (now === null || then === null) return `No data for ${now === null ? 'this period' : ago}`;
  const points = Math.round(Math.abs(now - then) * 1_000) / 10;
  if (points === 0) return `Same as in ${ago}`;
  return `${points} points ${now > then ? 'higher' : 'lower'} than in ${ago}`;
}

function secondsChange(now: number | null, then: number | null, ago: string): string {
  if (now === null || then === null) return `No data for ${now === null ? 'this period' : ago}`;
  const seconds = Math.round(Math.abs(now - then));
  if (seconds === 0) return `Same as in ${ago}`;
  return `${seconds} s ${now > then ? 'slower' : 'faster'} than in ${ago}`;
}
