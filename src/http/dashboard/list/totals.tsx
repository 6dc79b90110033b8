/** The totals above a list: of all that match the filters, not only of the page. Sums have a line for each currency. */
import type { ComponentChildren } from 'preact';
import { waitAtMost } from '../../../lib/concurrency/time-limit.ts';
import type { Visit } from '../page/visit.ts';
import { moneyText, numberText } from '../words/formats.ts';
import { listWords } from './words/index.ts';

interface Line {
  /** "3 refunds in USD". */
  what: string;
  sums: readonly (readonly [name: string, cents: number])[];
}

interface ListTotals<Totals, Body> {
  /** `/v1/refunds/totals`. */
  path: string;
  /** For screen readers. */
  label: string;
  line: (totals: Totals) => Line;
  /** Shown below the sums. */
  more?: (body: Body) => ComponentChildren;
}

interface ListCounts<Counts> {
  /** `/v1/calls/totals`. */
  path: string;
  /** For screen readers. */
  label: string;
  /** "3 calls", and the parts of them. Those with none are not shown. */
  line: (counts: Counts) => { what: string; parts: readonly (readonly [name: string, count: number])[] };
}

/**
 * The totals if they are read within `waitMs`, or before the rows; otherwise the hint. So the page of a list that is slow
 * to sum is not slow to open. REST, which waits longer, has its totals.
 */
export const totalsInTime = (
  totals: Promise<ComponentChildren>,
  rows: Promise<unknown>,
  waitMs: number,
): Promise<ComponentChildren> =>
  Promise.race([totals, Promise.all([rows, waitAtMost(waitMs, totals)]).then(() => <ShorterPeriod />)]);

/** The summary of a list without amounts. Null if a filter is invalid, which the list says. */
export const countsOf =
  <Counts,>({ path, label, line }: ListCounts<Counts>) =>
  async (visit: Visit, query: Record<string, string | undefined>): Promise<ComponentChildren> => {
    const answer = await visit.tryAsk<{ totals: Counts | null }>({ path, query });
    if (!answer.ok) return null;
    if (answer.body.totals === null) return <ShorterPeriod />;
    const { what, parts } = line(answer.body.totals);
    return (
      <ul class="totals" aria-label={label}>
        <li>
          <span>{what}</span>
          {parts.map(
            ([name, count]) =>
              count > 0 && (
                <span key={name}>
                  {name} <span class="number">{numberText(count)}</span>
                </span>
              ),
          )}
        </li>
      </ul>
    );
  };

const ShorterPeriod = () => <p class="totals quiet small">{listWords().shorterPeriod}</p>;

/** The summary of a list. Null if a filter is invalid, which the list says. */
export const totalsOf =
  <Totals extends { currency: string }, Body extends object = object>({
    path,
    label,
    line,
    more,
  }: ListTotals<Totals, Body>) =>
  async (visit: Visit, query: Record<string, string | undefined>): Promise<ComponentChildren> => {
    const answer = await visit.tryAsk<Body & { totals: Totals[] | null }>({ path, query });
    if (!answer.ok) return null;
    const { totals } = answer.body;
    if (totals === null) return <ShorterPeriod />;
    return (
      <>
        <ul class="totals" aria-label={label}>
          {totals.map((each) => (
            <TotalsLine key={each.currency} currency={each.currency} line={line(each)} />
          ))}
        </ul>
        {more?.(answer.body)}
      </>
    );
  };

/** The last sum is the one that matters most. */
function TotalsLine({ currency, line: { what, sums } }: { currency: string; line: Line }) {
  return (
    <li>
      <span>{what}</span>
      {sums.map(([name, cents], place) => (
        <span key={name}>
          {name}{' '}
          {place === sums.length - 1 ? (
            <strong class="number">{moneyText(cents, currency)}</strong>
          ) : (
            <span class="number">{moneyText(cents, currency)}</span>
          )}
        </span>
      ))}
    </li>
  );
}
