/** The accounts that a person may choose from after the OpenID provider has answered. */
import type { UserId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';

export interface AccountChoice {
  userId: UserId;
  accountName: string;
  role: string;
}

/** Of users who were offered to the browser with this token. Empty where nothing was. */
export async function listAccountChoices(sql: Sql, tokenHash: Buffer): Promise<AccountChoice[]> {
  const { rows } = await sql.query<AccountChoice>(
    `select u.id as "userId", a.name as "accountName", u.role
       from sign_in_attempts s, users u join accounts a on a.id = u.account_id
      where s.token_hash = $1 and s.kind = 'oidc_account' and s.expires_at > now()
        and s.facts->'users' ? u.id and u.removed_at is null
      order by a.name, u.id`,
    [tokenHash],
  );
  return rows;
}
