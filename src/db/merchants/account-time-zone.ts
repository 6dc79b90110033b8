/** The time zone of an account: the one that most of its merchants have. */
import type { Scope } from '../../domain/account.ts';
import { readFirst, type Sql } from '../pool.ts';

/**
 * The zone of the merchant, if it belongs to the account. Otherwise that of most merchants in the mode, or in the other
 * mode if this one has none.
 * @param merchantId any text; empty for no merchant
 * @returns its IANA name, or null if the account has no merchants
 */
export async function findAccountTimeZone(
  sql: Sql,
  { accountId, mode }: Scope,
  merchantId: string,
): Promise<string | null> {
  const found = await readFirst<{ timeZone: string }>(
    sql,
    `select time_zone as "timeZone" from merchants where account_id = $1
      group by time_zone
      order by bool_or(id = $3) desc, count(*) filter (where mode = $2) desc, count(*) desc, time_zone limit 1`,
    [accountId, mode, merchantId],
  );
  return found?.timeZone ?? null;
}
