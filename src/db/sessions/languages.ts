/** The merchant's language for a session or a charge, in which errors are worded. */
import type { AccountId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';

const OF_SESSION = `
  select m.language from checkout_sessions s join merchants m on m.id = s.merchant_id where s.id = $1 and s.account_id = $2`;
const OF_CHARGE = `
  select m.language from charges c join merchants m on m.id = c.merchant_id where c.id = $1 and c.account_id = $2`;

/** @returns BCP 47; null where the account has no such session, or the session has no merchant */
export function languageOfSession(sql: Sql, accountId: AccountId, id: string): Promise<string | null> {
  return languageOf(sql, OF_SESSION, id, accountId);
}

/** @returns BCP 47; null where the account has no such charge, or its merchant is gone */
export function languageOfCharge(sql: Sql, accountId: AccountId, id: string): Promise<string | null> {
  return languageOf(sql, OF_CHARGE, id, accountId);
}

async function languageOf(sql: Sql, text: string, id: string, accountId: AccountId): Promise<string | null> {
  const { rows } = await sql.query<{ language: string }>(text, [id, accountId]);
  return rows[0]?.language ?? null;
}
