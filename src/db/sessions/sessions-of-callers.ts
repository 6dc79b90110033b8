/** Finds calls and charges by the number of the caller, which only their checkout session has. */
import type { Scope } from '../../domain/account.ts';
import type { Conditions } from '../conditions.ts';
import type { Sql } from '../pool.ts';

/** Callers with more sessions fill a page soon, whatever the list is read by. */
export const MOST_SESSIONS = 5_000;

const COUNT = `
  select count(*)::integer as sessions from (
    select from unnest($3::text[]) phone cross join lateral (
      select from checkout_sessions where account_id = $1 and mode = $2 and caller_phone = phone
       order by created_at desc, id desc limit ${MOST_SESSIONS + 1}) of_one
     limit ${MOST_SESSIONS + 1}) of_all`;

/**
 * Adds to a list's conditions that its rows belong to the callers' sessions, if these are few. Without it, PostgreSQL
 * reads the list by time and the session of each row: 20,000 rows for a caller with one session in a thousand.
 */
export async function requireSessionsOf(
  sql: Sql,
  conditions: Conditions,
  table: 'calls' | 'charges',
  { accountId, mode }: Scope,
  callers: readonly string[],
): Promise<void> {
  const { rows } = await sql.query<{ sessions: number }>(COUNT, [accountId, mode, callers]);
  if ((rows[0]?.sessions ?? 0) > MOST_SESSIONS) return;
  const [account, ofMode, phones] = [accountId, mode, callers].map((value) => conditions.parameter(value));
  conditions.require(`${table}.session_id = any(array(
    select id from checkout_sessions where account_id = ${account} and mode = ${ofMode} and caller_phone = any(${phones})))`);
}
