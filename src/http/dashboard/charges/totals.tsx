/** The totals above the list of charges, and on the page of a caller. Above failed charges, also their reasons. */
import type { ChargeTotalsResource } from '../../../contract/charges.ts';
import { searchOf } from '../list/filters.tsx';
import { totalsOf } from '../list/totals.tsx';
import type { Visit } from '../page/visit.ts';
import { numberText } from '../words/formats.ts';
import { declineText } from './counted.ts';
import { chargeWords } from './words/index.ts';

type ChargeTotals = NonNullable<ChargeTotalsResource['totals']>[number];
type Query = Record<string, string | undefined>;

/** @param filters of the list in the URL, whose reasons are shown. Undefined: none are */
export function chargeTotals(visit: Visit, query: Query, filters?: Query) {
  const { totals, counted, sums } = chargeWords();
  const show = totalsOf<ChargeTotals, ChargeTotalsResource>({
    path: '/v1/charges/totals',
    label: totals,
    line: ({ currency, charges, succeeded, gross_cents: gross, refunded_cents: refunded, net_cents: net }) => ({
      what: counted(charges, succeeded, currency),
      sums: [
        [sums.gross, gross],
        [sums.refunded, refunded],
        [sums.net, net],
      ],
    }),
    more: ({ declines }) =>
      filters !== undefined && declines !== null && <Reasons visit={visit} filters={filters} declines={declines} />,
  });
  return show(visit, query);
}

const MOST_REASONS = 6;

interface ReasonsProps {
  visit: Visit;
  filters: Query;
  declines: NonNullable<ChargeTotalsResource['declines']>;
}

/** Each reason leads to its charges. A list of one reason already shows it in its filter. */
function Reasons({ visit, filters, declines }: ReasonsProps) {
  if (filters.decline_code !== undefined) return null;
  const w = chargeWords();
  return (
    <ul class="totals reasons" aria-label={w.reasons}>
      {declines.slice(0, MOST_REASONS).map(({ decline_code: code, count }) => (
        <li key={code}>
          <a href={visit.path + searchOf({ ...filters, decline_code: code ?? 'none' })}>{declineText(code)}</a>
          <span class="number">{numberText(count)}</span>
        </li>
      ))}
    </ul>
  );
}
