/** Reads what tells in which countries an account's merchants are: to read numbers as they are dialled there. */
import type { Scope } from '../../domain/account.ts';
import type { MerchantOrigins } from '../../domain/caller-search.ts';
import type { Sql } from '../pool.ts';

/** A few numbers name the countries. */
const MAX_NUMBERS = 50;

export async function readMerchantOrigins(sql: Sql, { accountId, mode }: Scope): Promise<MerchantOrigins> {
  const { rows } = await sql.query<MerchantOrigins>(
    `select array(select distinct currency from merchants where account_id = $1 and mode = $2) as currencies,
            array(select distinct language from merchants where account_id = $1 and mode = $2) as languages,
            array(select number from merchant_numbers where account_id = $1 and mode = $2 limit $3) as numbers`,
    [accountId, mode, MAX_NUMBERS],
  );
  return rows[0] ?? { currencies: [], languages: [], numbers: [] };
}
