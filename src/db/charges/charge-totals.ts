/**
 * Sums all charges that a list's filters match. The refund of a bank debit counts even if the bank has returned the debit:
 * the payer got both. So it does in the daily summary.
 */
import type { Scope } from '../../domain/account.ts';
import type { ChargeTotals } from '../../domain/charge.ts';
import { readListTotals } from '../list-totals.ts';
import type { Database } from '../pool.ts';
import { IS_APPROVED, TAKEN_CENTS } from './charge-facts.ts';
import { type ChargeFilter, chargeConditions, readsSessions } from './charge-lists.ts';

const SUMS = `
  count(*)::integer as charges, (count(*) filter (where ${IS_APPROVED}))::integer as succeeded,
  coalesce(sum(taken) filter (where status = 'succeeded'), 0)::float8 as "grossCents",
  sum(refunded_cents)::float8 as "refundedCents"`;

/** As {@link readListTotals}. */
export async function readChargeTotals(
  database: Pick<Database, 'query' | 'transaction'>,
  scope: Scope,
  filter: ChargeFilter,
): Promise<ChargeTotals[] | null> {
  const sessions = readsSessions(filter) ? 'join checkout_sessions on checkout_sessions.id = charges.session_id' : '';
  return readListTotals<ChargeTotals>(database, {
    sums: SUMS,
    select: `select charges.currency, charges.status, charges.refunded_cents, ${TAKEN_CENTS('charges')} as taken
               from charges ${sessions}`,
    conditions: await chargeConditions(database, scope, filter),
    order: 'charges.created_at desc, charges.id desc',
    highestFirst: `sum(taken) filter (where status = 'succeeded')`,
  });
}
