/** The language of a session's caller, for errors and texts. The caller can change it. */
import type { AccountId, CheckoutSessionId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';

/** SQL: `languageOf` (domain/language.ts) from a row of `checkout_sessions`. @param merchants alias of `merchants` */
export const callerLanguage = (merchants: string): string =>
  `coalesce(checkout_sessions.chosen_language, checkout_sessions.language, ${merchants}.language)`;

const BY_SESSION = `
  select ${callerLanguage('m')} as language
    from checkout_sessions left join merchants m on m.id = checkout_sessions.merchant_id`;

/**
 * @returns BCP 47; null if the account has no such session or charge, or neither session nor merchant has a language
 */
export async function findLanguage(
  sql: Sql,
  table: 'checkout_sessions' | 'charges',
  accountId: AccountId,
  id: string,
): Promise<string | null> {
  const where = {
    checkout_sessions: 'checkout_sessions.id = $1 and checkout_sessions.account_id = $2',
    charges: 'checkout_sessions.id = (select session_id from charges where id = $1 and account_id = $2)',
  };
  const found = await readFirst<{ language: string | null }>(sql, `${BY_SESSION} where ${where[table]}`, [
    id,
    accountId,
  ]);
  return found?.language ?? null;
}

/** Stores the language that the caller has chosen, for receipts, pages and errors after the call. */
export async function setChosenLanguage(sql: Sql, id: CheckoutSessionId, language: string): Promise<void> {
  await sql.query('update checkout_sessions set chosen_language = $2 where id = $1', [id, language]);
}
