/** The language in which somebody is spoken to who has dialled a number of the payment line, and is nobody's caller. */
import type { NumberOwner } from '../../domain/transfer-number.ts';
import { ONLY_ACCOUNT } from '../keys/accounts.ts';
import { readFirst, type Sql } from '../pool.ts';

/** @returns BCP 47, of most merchants of the number's account and mode; null where it has none */
export async function readNumberLanguage(sql: Sql, owner: NumberOwner): Promise<string | null> {
  const { accountId, mode } = owner === 'only_account' ? { accountId: null, mode: null } : owner;
  const row = await readFirst<{ language: string }>(
    sql,
    `select language from merchants
      where account_id = coalesce($1, ${ONLY_ACCOUNT}) and ($2::mode is null or mode = $2)
      group by language order by count(*) desc, language limit 1`,
    [accountId, mode],
  );
  return row?.language ?? null;
}
