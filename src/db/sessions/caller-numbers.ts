/** Finds callers' numbers by their last digits. */
import type { Scope } from '../../domain/account.ts';
import { isLimited } from '../merchant-limit/limit.ts';
import type { Sql } from '../pool.ts';

/** Four digits match one number in ten thousand. */
const MAX_NUMBERS = 1_000;

/**
 * Reads one row per number, by an index of reversed numbers. `~<~` compares bytes, as that index does. A charge has the
 * number of its session, so sessions have all numbers.
 * @param ending digits
 * @returns at most 1,000 numbers
 */
export async function findNumbersEndingIn(
  sql: Sql,
  { accountId, mode }: Scope,
  ending: string,
): Promise<readonly string[]> {
  const first = [...ending].reverse().join('');
  const behind = `${first.slice(0, -1)}${String.fromCharCode(first.charCodeAt(first.length - 1) + 1)}`;
  const statement = isLimited(sql) ? NUMBERS_AT_OWN_MERCHANTS : NUMBERS;
  const { rows } = await sql.query<{ number: string }>(statement, [accountId, mode, first, behind, MAX_NUMBERS]);
  return rows.map(({ number }) => number);
}

/** SQL: the next number. @param whose SQL: the sessions, by the beginning of an index of reversed numbers */
const next = (whose: string, condition: string) => `
  (select reverse(s.caller_phone) as reversed from checkout_sessions s
    where ${whose} and s.caller_phone is not null
      and reverse(s.caller_phone) ${condition} and reverse(s.caller_phone) ~<~ $4
    order by reverse(s.caller_phone) using ~<~ limit 1)`;

const reversedNumbers = (whose: string) => `
  with recursive found as (
    ${next(whose, '~>=~ $3')}
    union all
    select ${next(whose, '~>~ found.reversed')} from found where found.reversed is not null
  )
  select reversed from found where reversed is not null limit $5`;

const NUMBERS = `
  select reverse(reversed) as number from (${reversedNumbers('s.account_id = $1 and s.mode = $2')}) found`;

/** For users who are limited to merchants: a number can have many sessions at others. */
const NUMBERS_AT_OWN_MERCHANTS = `
  select reverse(own.reversed) as number from merchants limited_to
   cross join lateral (${reversedNumbers('s.merchant_id = limited_to.id')}) own
   where limited_to.account_id = $1 and limited_to.mode = $2
   group by own.reversed order by own.reversed using ~<~ limit $5`;
