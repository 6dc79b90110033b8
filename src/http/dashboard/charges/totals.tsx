/** The totals above the list of charges, and on the page of a caller. */
import type { ChargeTotalsResource } from '../../../contract/charges.ts';
import { totalsOf } from '../list/totals.tsx';
import type { Visit } from '../page/visit.ts';
import { chargeWords } from './words/index.ts';

type ChargeTotals = NonNullable<ChargeTotalsResource['totals']>[number];

export function chargeTotals(visit: Visit, query: Record<string, string | undefined>) {
  const { totals, counted, sums } = chargeWords();
  const show = totalsOf<ChargeTotals>({
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
  });
  return show(visit, query);
}
