/** Sums all charges that a list's filters match. */
import type { Scope } from '../../domain/account.ts';
import type { ChargeTotals } from '../../domain/charge.ts';
import type { Database } from '../pool.ts';
import { IS_APPROVED, TAKEN_CENTS } from './charge-facts.ts';
import { type ChargeFilter, chargeConditions, readsSessions } from './charge-lists.ts';

/** No more charges are summed. */
export const MOST_SUMMED = 10_000;
/** A filter that no index serves reads all charges of the account. */
const STATEMENT_LIMIT_MS = 500;
const QUERY_CANCELED = '57014';

/** @returns null if there are more than {@link MOST_SUMMED}, or if it takes too long */
export async function readChargeTotals(
  database: Pick<Database, 'transaction'>,
  scope: Scope,
  filter: ChargeFilter,
): Promise<ChargeTotals[] | null> {
  const conditions = chargeConditions(scope, filter);
  const limit = conditions.parameter(MOST_SUMMED + 1);
  const text = `
    select currency, count(*)::integer as charges, (count(*) filter (where ${IS_APPROVED}))::integer as succeeded,
           coalesce(sum(taken) filter (where status = 'succeeded'), 0)::float8 as "grossCents",
           coalesce(sum(refunded_cents) filter (where status = 'succeeded'), 0)::float8 as "refundedCents"
      from (select charges.currency, charges.status, charges.refunded_cents, ${TAKEN_CENTS('charges')} as taken
              from charges ${readsSessions(filter) ? 'join checkout_sessions on checkout_sessions.id = charges.session_id' : ''}
             where ${conditions.sql} order by charges.created_at desc, charges.id desc limit ${limit}) listed
     group by currency order by sum(taken) filter (where status = 'succeeded') desc nulls last, currency`;
  try {
    const rows = await database.transaction(async (sql) => {
      await sql.query(`select set_config('statement_timeout', '${STATEMENT_LIMIT_MS}', true)`);
      return (await sql.query<ChargeTotals>(text, conditions.values)).rows;
    });
    return rows.reduce((sum, { charges }) => sum + charges, 0) > MOST_SUMMED ? null : rows;
  } catch (error) {
    if ((error as { code?: unknown }).code === QUERY_CANCELED) return null;
    throw error;
  }
}
