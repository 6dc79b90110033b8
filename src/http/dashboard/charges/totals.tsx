/** The totals above the list of charges: of all that match the filters, not only of the page. */
import type { ComponentChildren } from 'preact';
import type { ChargeTotalsResource } from '../../../contract/charges.ts';
import { moneyText } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

/** Null if a filter is invalid, which the list says. */
export async function chargeTotals(
  visit: Visit,
  query: Record<string, string | undefined>,
): Promise<ComponentChildren> {
  const answer = await visit.tryAsk<ChargeTotalsResource>({ path: '/v1/charges/totals', query });
  if (!answer.ok) return null;
  const { totals } = answer.body;
  if (totals === null) return <p class="totals quiet small">Choose a shorter period to see totals.</p>;
  return (
    <ul class="totals" aria-label="Totals of these charges">
      {totals.map((each) => (
        <li key={each.currency}>
          <span>
            {each.charges} {each.charges === 1 ? 'charge' : 'charges'} in {each.currency}, {each.succeeded} succeeded
          </span>
          <span>
            Gross <span class="number">{moneyText(each.gross_cents, each.currency)}</span>
          </span>
          <span>
            Refunded <span class="number">{moneyText(each.refunded_cents, each.currency)}</span>
          </span>
          <span>
            Net <strong class="number">{moneyText(each.net_cents, each.currency)}</strong>
          </span>
        </li>
      ))}
    </ul>
  );
}
