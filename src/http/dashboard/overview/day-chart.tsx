/**
 * Charges by day or week as bars, drawn on the server. Each bar leads to its charges, and shows its figures under the
 * pointer and on focus. Failed charges are hatched, so that the bars differ without colors.
 */
import { percentText } from '../words/formats.ts';
import { overviewWords } from './words/index.ts';

export interface DayBar {
  /** `20 Nov`. */
  date: string;
  /** `Friday 20 November`. */
  title: string;
  succeeded: number;
  failed: number;
  /** `$1,785.00 net`, per currency. */
  amounts: readonly string[];
  /** The day, or the last day of the week, is not over. */
  isPart: boolean;
  href: string;
}

/** Up to this many bars, each has its date. */
const MOST_DATES = 14;
const WEEK = 7;

export function DayChart({ bars, isByWeek }: { bars: readonly DayBar[]; isByWeek: boolean }) {
  const top = axisTop(Math.max(...bars.map(({ succeeded, failed }) => succeeded + failed)));
  const { chart: w, counts } = overviewWords();
  const isDated = (place: number) => bars.length <= MOST_DATES || (bars.length - 1 - place) % WEEK === 0;
  return (
    <div class="chart">
      <p class="legend" aria-hidden="true">
        <span class="good">{w.succeeded}</span>
        <span class="bad">{w.failed}</span>
        {bars.some(({ isPart }) => isPart) && <span class="part">{isByWeek ? w.currentWeek : w.todaySoFar}</span>}
      </p>
      <Hatch />
      <div class="plot">
        <p class="axis number" aria-hidden="true">
          <span>{top}</span>
          <span>{top / 2}</span>
          <span>0</span>
        </p>
        <ol aria-label={isByWeek ? w.weeksTitle : w.title}>
          {bars.map((bar, place) => (
            <li key={bar.title} class={sideOf(place, bars.length)}>
              <a href={bar.href} class={bar.isPart ? 'part' : undefined}>
                <Bar bar={bar} top={top} />
                <span class="tip">
                  <strong>{bar.isPart ? w.soFar(bar.title) : bar.title}</strong>
                  <span>{counts.succeeded(bar.succeeded)}</span>
                  <span>
                    {bar.failed > 0
                      ? w.failedShare(bar.failed, percentText(bar.failed / (bar.succeeded + bar.failed)))
                      : counts.failed(bar.failed)}
                  </span>
                  {bar.amounts.map((amount) => (
                    <span key={amount}>{amount}</span>
                  ))}
                </span>
              </a>
              {isDated(place) && (
                <span class="date" aria-hidden="true">
                  {bar.date}
                </span>
              )}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

/** Keeps the figures of the first and the last bars inside the chart. */
const sideOf = (place: number, all: number) =>
  place < all / 3 ? 'first' : place >= (2 * all) / 3 ? 'last' : undefined;

/** Lengths are attributes, because the policy forbids inline styles. */
function Bar({ bar: { succeeded, failed }, top }: { bar: DayBar; top: number }) {
  const [good, bad] = [(succeeded / top) * 100, (failed / top) * 100];
  return (
    <svg width="100%" height="100%" aria-hidden="true" focusable="false">
      <rect class="good" x="14%" width="72%" y={`${100 - good}%`} height={`${good}%`} />
      <rect class="bad" x="14%" width="72%" y={`${100 - good - bad}%`} height={`${bad}%`} fill="url(#hatch)" />
    </svg>
  );
}

const Hatch = () => (
  <svg class="unseen" aria-hidden="true" focusable="false">
    <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="hatch" width="2" height="5" />
    </pattern>
  </svg>
);

/** The next even number with one significant digit, at least 4. */
function axisTop(most: number): number {
  if (most <= 4) return 4;
  const unit = 10 ** Math.floor(Math.log10(most));
  const top = [1, 2, 4, 6, 8, 10].map((times) => times * unit).find((each) => each >= most) ?? most;
  return top % 2 === 0 ? top : top + 1;
}
