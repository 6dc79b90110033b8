/** Counts all texts that a list's filters match. */
import type { Scope } from '../../domain/account.ts';
import { TEXT_STATES, type TextTotals } from '../../domain/texts.ts';
import { readListCounts } from '../list-totals.ts';
import type { Database } from '../pool.ts';
import { TEXT_STATE, type TextFilter, textConditions } from './text-lists.ts';

const COUNTS = [
  'count(*)::integer as texts',
  ...TEXT_STATES.map((state) => `(count(*) filter (where state = '${state}'))::integer as ${state}`),
].join(', ');

/** @returns null as `readListTotals` */
export async function readTextTotals(
  database: Pick<Database, 'query' | 'transaction'>,
  scope: Scope,
  filter: TextFilter,
): Promise<TextTotals | null> {
  return readListCounts<TextTotals>(database, {
    sums: COUNTS,
    select: `select ${TEXT_STATE} as state from texts`,
    conditions: await textConditions(database, scope, filter),
    order: 'texts.created_at desc, texts.id desc',
  });
}
