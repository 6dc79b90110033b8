/** The totals above a list: of all that match the filters, not only of the page. A line for each currency. */
import type { ComponentChildren } from 'preact';
import type { Visit } from '../page/visit.ts';
import { moneyText } from '../words/formats.ts';
import { listWords } from './words/index.ts';

interface Line {
  /** "3 refunds in USD". */
  what: string;
  sums: readonly (readonly [name: string, cents: number])[];
}

interface ListTotals<Totals> {
  /** `/v1/refunds/totals`. */
  path: string;
  /** For screen readers. */
  label: string;
  line: (totals: Totals) => Line;
}

/** The summary of a list. Null if a filter is invalid, which the list says. */
export const totalsOf =
  <Totals extends { currency: string }>({ path, label, line }: ListTotals<Totals>) =>
  async (visit: Visit, query: Record<string, string | undefined>): Promise<ComponentChildren> => {
    const answer = await visit.tryAsk<{ totals: Totals[] | null }>({ path, query });
    if (!answer.ok) return null;
    const { totals } = answer.body;
    if (totals === null) return <p class="totals quiet small">{listWords().shorterPeriod}</p>;
    return (
      <ul class="totals" aria-label={label}>
        {totals.map((each) => (
          <TotalsLine key={each.currency} currency={each.currency} line={line(each)} />
        ))}
      </ul>
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
