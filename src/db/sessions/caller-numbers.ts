/** Finds callers' numbers by their last digits. */
import type { Scope } from '../../domain/account.ts';
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
  const { rows } = await sql.query<{ number: string }>(NUMBERS, [accountId, mode, first, behind, MAX_NUMBERS]);
  return rows.map(({ number }) => number);
}

/** SQL: the next number. */
const next = (condition: string) => `
  (select reverse(s.caller_phone) as reversed from checkout_sessions s
    where s.account_id = $1 and s.mode = $2 and s.caller_phone is not null
      and reverse(s.caller_phone) ${condition} and reverse(s.caller_phone) ~<~ $4
    order by reverse(s.caller_phone) using ~<~ limit 1)`;

const NUMBERS = `
  with recursive found as (
    ${next('~>=~ $3')}
    union all
    select ${next('~>~ found.reversed')} from found where found.reversed is not null
  )
  select reverse(reversed) as number from found where reversed is not null limit $5`;
