/** The merchant's language for a session or a charge, in which errors are worded. */
import type { AccountId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';

/** @returns BCP 47; null where the account has no such session or charge, or it has no merchant */
export async function findLanguage(
  sql: Sql,
  table: 'checkout_sessions' | 'charges',
  accountId: AccountId,
  id: string,
): Promise<string | null> {
  const merchant = await readFirst<{ language: string }>(
    sql,
    `select m.language from ${table} t join merchants m on m.id = t.merchant_id where t.id = $1 and t.account_id = $2`,
    [id, accountId],
  );
  return merchant?.language ?? null;
}
