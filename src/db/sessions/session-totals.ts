/** Counts and sums all checkout sessions that a list's filters match. */
import type { Scope } from '../../domain/account.ts';
import type { SessionTotals } from '../../domain/session.ts';
import { readListTotals } from '../list-totals.ts';
import type { Database } from '../pool.ts';
import { type SessionFilter, STILL_OPEN, sessionConditions } from './session-lists.ts';

const SUMS = `
  count(*)::integer as sessions, (count(*) filter (where status = 'open'))::integer as open,
  (count(*) filter (where status = 'complete'))::integer as complete,
  (count(*) filter (where status = 'expired'))::integer as expired,
  sum(amount_cents)::float8 as "amountCents",
  coalesce(sum(amount_cents) filter (where status = 'complete'), 0)::float8 as "completeCents"`;

/** As `session_status`: expired also if the sweep has not marked it yet. */
const STATUS = `
  case when checkout_sessions.status = 'open' and not ${STILL_OPEN} then 'expired' else checkout_sessions.status end`;

/** As {@link readListTotals}. */
export function readSessionTotals(
  database: Pick<Database, 'transaction'>,
  scope: Scope,
  filter: SessionFilter,
): Promise<SessionTotals[] | null> {
  return readListTotals<SessionTotals>(database, {
    sums: SUMS,
    select: `select checkout_sessions.currency, checkout_sessions.amount_cents, ${STATUS} as status from checkout_sessions`,
    conditions: sessionConditions(scope, filter),
    order: 'checkout_sessions.created_at desc, checkout_sessions.id desc',
    highestFirst: 'sum(amount_cents)',
  });
}
