/** Finds calls and charges by the number of the caller, which only their checkout session has. */
import type { Scope } from '../../domain/account.ts';
import type { Conditions } from '../conditions.ts';
import { isLimited } from '../merchant-limit/limit.ts';
import type { Sql } from '../pool.ts';

/** Callers with more sessions fill a page soon, whatever the list is read by. */
export const MOST_SESSIONS = 5_000;

/** SQL: the IDs of at most one more. @param account, mode, phones SQL */
type SessionsOf = (account: string, mode: string, phones: string) => string;

const atAllMerchants: SessionsOf = (account, mode, phones) => `
  select own.id from unnest(${phones}::text[]) phone cross join lateral (
    select id from checkout_sessions where account_id = ${account} and mode = ${mode} and caller_phone = phone
     order by created_at desc, id desc limit ${MOST_SESSIONS + 1}) own
   limit ${MOST_SESSIONS + 1}`;

/** For users who are limited to merchants: their sessions can be few among those of a caller. */
const atOwnMerchants: SessionsOf = (account, mode, phones) => `
  select own.id from unnest(${phones}::text[]) phone
   cross join merchants limited_to
   cross join lateral (${sessionsAt('limited_to.id', 'phone')} limit ${MOST_SESSIONS + 1}) own
   where limited_to.account_id = ${account} and limited_to.mode = ${mode}
   limit ${MOST_SESSIONS + 1}`;

/** SQL: by the index of reversed numbers, which also finds their last digits. */
const sessionsAt = (merchant: string, phone: string) => `
  select id from checkout_sessions where merchant_id = ${merchant} and reverse(caller_phone) = reverse(${phone})`;

/** SQL: whether the caller has a session at a merchant that the user is limited to. `$1` and `$2` are the scope. */
export const hasCalledOwnMerchant = (phone: string): string => `exists (
  select from merchants limited_to cross join lateral (${sessionsAt('limited_to.id', phone)} limit 1) own
   where limited_to.account_id = $1 and limited_to.mode = $2)`;

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
  const sessionsOf = isLimited(sql) ? atOwnMerchants : atAllMerchants;
  const count = `select count(*)::integer as sessions from (${sessionsOf('$1', '$2', '$3')}) found`;
  const { rows } = await sql.query<{ sessions: number }>(count, [accountId, mode, callers]);
  if ((rows[0]?.sessions ?? 0) > MOST_SESSIONS) return;
  const parameter = (value: unknown) => conditions.parameter(value);
  const found = sessionsOf(parameter(accountId), parameter(mode), parameter(callers));
  conditions.require(`${table}.session_id = any(array(${found}))`);
}
