/** Counts all texts that a list's filters match. */
import type { Scope } from '../../domain/account.ts';
import { TEXT_STATES, type TextTotals } from '../../domain/texts.ts';
import { isNewestOfMerchants } from '../conditions.ts';
import { MOST_SUMMED, readListCounts } from '../list-totals.ts';
import { isLimited } from '../merchant-limit/limit.ts';
import type { Database } from '../pool.ts';
import { TEXT_STATE, type TextFilter, textConditions } from './text-lists.ts';

const COUNTS = [
  'count(*)::integer as texts',
  ...TEXT_STATES.map((state) => `(count(*) filter (where state = '${state}'))::integer as ${state}`),
].join(', ');

/** @returns null as `readListTotals` */
export function readTextTotals(
  database: Pick<Database, 'query' | 'transaction'>,
  scope: Scope,
  filter: TextFilter,
): Promise<TextTotals | null> {
  const order = 'texts.created_at desc, texts.id desc';
  const conditions = textConditions(scope, filter);
  if (isLimited(database)) {
    const limited = `order by ${order} limit ${MOST_SUMMED + 1}`;
    conditions.require(isNewestOfMerchants('texts', conditions.sql, limited));
  }
  const select = `select ${TEXT_STATE} as state from texts`;
  return readListCounts<TextTotals>(database, { sums: COUNTS, select, conditions, order });
}
