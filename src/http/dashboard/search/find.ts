/** What the search finds in each list. */

import type { CallResource } from '../../../contract/calls.ts';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { ListedSessionResource } from '../../../contract/listed-sessions.ts';
import type { MerchantResource } from '../../../contract/merchants.ts';
import { dialedText } from '../../../domain/caller-search.ts';
import type { Visit } from '../page/visit.ts';

/** How many of each list and filter. */
const SHOWN = '10';

/** The lists that are searched. */
export type Listed = 'merchants' | 'calls' | 'charges' | 'checkouts';

/** Filters of a list, by parameter. Each has one. */
type FiltersOf = readonly Readonly<Record<string, string>>[];

export interface Found {
  merchants: readonly MerchantResource[];
  calls: readonly CallResource[];
  charges: readonly ListedChargeResource[];
  checkouts: readonly ListedSessionResource[];
  /** The filters of each list that match more than what was found. */
  more: Readonly<Record<Listed, FiltersOf>>;
}

/** The newest of each list that match the text, which is not empty. */
export async function findByText(visit: Visit, text: string): Promise<Found> {
  const merchants = await findIn<MerchantResource>(visit, '/v1/merchants', 'merchants', [{ search: text }]);
  const filters = filtersFor(text);
  const [calls, charges, checkouts] = await Promise.all([
    findIn<CallResource>(visit, '/v1/calls', 'calls', filters),
    findIn<ListedChargeResource>(visit, '/v1/charges', 'charges', filters),
    findIn<ListedSessionResource>(visit, '/v1/checkout_sessions', 'checkout_sessions', filters),
  ]);
  return {
    merchants: merchants.rows,
    calls: calls.rows,
    charges: charges.rows,
    checkouts: checkouts.rows,
    more: { merchants: merchants.more, calls: calls.more, charges: charges.more, checkouts: checkouts.more },
  };
}

export const isEmpty = ({ merchants, calls, charges, checkouts }: Found): boolean =>
  [merchants, calls, charges, checkouts].every((rows) => rows.length === 0);

/** All filters that the text may match. Their results are combined. */
function filtersFor(text: string): FiltersOf {
  return [
    { order_id: text },
    { platform_call_id: text },
    ...(/^\d{4}$/.test(text) ? [{ last_four: text }] : []),
    ...(dialedText(text) !== null ? [{ caller_phone: text }] : []),
  ];
}

/**
 * One filter after another, so that a search runs no more than three queries at once. A filter that rejects the text,
 * such as an invalid phone number, finds nothing.
 */
async function findIn<T extends object>(
  visit: Visit,
  path: string,
  field: string,
  filters: FiltersOf,
): Promise<{ rows: readonly T[]; more: FiltersOf }> {
  const rows: T[] = [];
  const more: Record<string, string>[] = [];
  for (const query of filters) {
    const answer = await visit.tryAsk<Partial<Record<string, T[]>> & { has_more?: boolean }>({
      path,
      query: { ...query, limit: SHOWN },
    });
    if (!answer.ok) continue;
    rows.push(...(answer.body[field] ?? []));
    if (answer.body.has_more) more.push(query);
  }
  return { rows: [...new Map(rows.map((row) => [Object.values(row)[0], row])).values()], more };
}

const MOST_CALLERS = 10;

/** The numbers of the callers of what was found. */
export function callersOf({ calls, charges, checkouts }: Pick<Found, 'calls' | 'charges' | 'checkouts'>): string[] {
  const phones = [...calls, ...charges, ...checkouts].flatMap(({ caller_phone }) => caller_phone ?? []);
  return [...new Set(phones)].slice(0, MOST_CALLERS);
}
