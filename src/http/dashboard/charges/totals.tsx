/** The totals above the list of charges, and on the page of a caller. */
import type { ChargeTotalsResource } from '../../../contract/charges.ts';
import { counted, totalsOf } from '../list/totals.tsx';

type ChargeTotals = NonNullable<ChargeTotalsResource['totals']>[number];

export const chargeTotals = totalsOf<ChargeTotals>({
  path: '/v1/charges/totals',
  label: 'Totals of these charges',
  line: ({ currency, charges, succeeded, gross_cents: gross, refunded_cents: refunded, net_cents: net }) => ({
    what: `${counted(charges, 'charge', currency)}, ${succeeded} succeeded`,
    sums: [
      ['Gross', gross],
      ['Refunded', refunded],
      ['Net', net],
    ],
  }),
});
