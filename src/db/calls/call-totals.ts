/** Counts all calls that a list's filters match. */
import type { Scope } from '../../domain/account.ts';
import type { CallTotals } from '../../domain/call.ts';
import { OUTCOME_KINDS } from '../../domain/outcome.ts';
import { readListCounts } from '../list-totals.ts';
import type { Database } from '../pool.ts';
import { CALLS_WITH_SESSION, type CallFilter, callConditions } from './call-lists.ts';

const COUNTS = [
  'count(*)::integer as calls',
  '(count(*) filter (where ended_at is null))::integer as live',
  ...OUTCOME_KINDS.map((kind) => `(count(*) filter (where outcome = '${kind}'))::integer as ${kind}`),
].join(', ');

/** @returns null as `readListTotals` */
export async function readCallTotals(
  database: Pick<Database, 'query' | 'transaction'>,
  scope: Scope,
  filter: CallFilter,
): Promise<CallTotals | null> {
  return readListCounts<CallTotals>(database, {
    sums: COUNTS,
    select: `select calls.ended_at, calls.outcome ${CALLS_WITH_SESSION}`,
    conditions: await callConditions(database, scope, filter),
    order: 'calls.started_at desc, calls.id desc',
  });
}
