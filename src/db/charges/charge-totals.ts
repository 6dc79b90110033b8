/**
 * Sums all charges that a list's filters match. The refund of a bank debit counts even if the bank has returned the debit:
 * the payer got both. So it does in the daily summary.
 */
import type { Scope } from '../../domain/account.ts';
import type { ChargeTotals, DeclineCode } from '../../domain/charge.ts';
import { readListGroups, readListTotals } from '../list-totals.ts';
import type { Database } from '../pool.ts';
import { IS_APPROVED, TAKEN_CENTS } from './charge-facts.ts';
import { type ChargeFilter, chargeConditions, readsSessions } from './charge-lists.ts';

const SUMS = `
  count(*)::integer as charges, (count(*) filter (where ${IS_APPROVED}))::integer as succeeded,
  coalesce(sum(taken) filter (where status = 'succeeded'), 0)::float8 as "grossCents",
  sum(refunded_cents)::float8 as "refundedCents"`;

const NEWEST_FIRST = 'charges.created_at desc, charges.id desc';

const sessionsFor = (filter: ChargeFilter) =>
  readsSessions(filter) ? 'join checkout_sessions on checkout_sessions.id = charges.session_id' : '';

/** As {@link readListTotals}. */
export async function readChargeTotals(
  database: Pick<Database, 'query' | 'transaction'>,
  scope: Scope,
  filter: ChargeFilter,
): Promise<ChargeTotals[] | null> {
  return readListTotals<ChargeTotals>(database, {
    sums: SUMS,
    select: `select charges.currency, charges.status, charges.refunded_cents, ${TAKEN_CENTS('charges')} as taken
               from charges ${sessionsFor(filter)}`,
    conditions: await chargeConditions(database, scope, filter),
    order: NEWEST_FIRST,
    highestFirst: `sum(taken) filter (where status = 'succeeded')`,
  });
}

export interface DeclineCount {
  /** Null: the card was not the reason. */
  declineCode: DeclineCode | null;
  count: number;
}

/** The reasons of failed charges, the most frequent first. @returns null as {@link readListTotals}, or if others match, too */
export async function readDeclines(
  database: Pick<Database, 'query' | 'transaction'>,
  scope: Scope,
  filter: ChargeFilter,
): Promise<DeclineCount[] | null> {
  const isOfFailed = filter.status === 'failed' || filter.countedAs === 'failed' || filter.declineCode !== null;
  if (!isOfFailed) return null;
  return readListGroups<DeclineCount>(database, {
    by: '"declineCode"',
    select: `select charges.decline_code as "declineCode" from charges ${sessionsFor(filter)}`,
    conditions: await chargeConditions(database, scope, filter),
    order: NEWEST_FIRST,
  });
}
