/** Finds callers' numbers by their last digits. */
import type { Scope } from '../../domain/account.ts';
import type { Sql } from '../pool.ts';

/** Four digits match one number in ten thousand. */
const MAX_NUMBERS = 1_000;

/**
 * Reads one row per number, by an index of reversed numbers. `~<~` compares bytes, as that index does.
 * @param ending digits
 * @returns at most 1,000 numbers from each table
 */
export async function findNumbersEndingIn(
  sql: Sql,
  { accountId, mode }: Scope,
  ending: string,
): Promise<readonly string[]> {
  const first = [...ending].reverse().join('');
  const behind = `${first.slice(0, -1)}${String.fromCharCode(first.charCodeAt(first.length - 1) + 1)}`;
  const { rows } = await sql.query<{ number: string }>(
    `select number from (${numbersOf('checkout_sessions')}) s union select number from (${numbersOf('charges')}) c`,
    [accountId, mode, first, behind, MAX_NUMBERS],
  );
  return rows.map(({ number }) => number);
}

function numbersOf(table: 'checkout_sessions' | 'charges'): string {
  const next = (condition: string) => `
    (select reverse(t.caller_phone) as reversed from ${table} t
      where t.account_id = $1 and t.mode = $2 and t.caller_phone is not null
        and reverse(t.caller_phone) ${condition} and reverse(t.caller_phone) ~<~ $4
      order by reverse(t.caller_phone) using ~<~ limit 1)`;
  return `
    with recursive found as (
      ${next('~>=~ $3')}
      union all
      select ${next('~>~ found.reversed')} from found where found.reversed is not null
    )
    select reverse(reversed) as number from found where reversed is not null limit $5`;
}
