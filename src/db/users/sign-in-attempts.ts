/**
 * The table `sign_in_attempts`: steps begun in a browser that wait for a passkey, an authenticator app or an OpenID
 * provider.
 */

import type { UserId } from '../../domain/ids.ts';
import type { Role } from '../../domain/user.ts';
import { readFirst, type Sql } from '../pool.ts';

const MINUTES = 10;

/**
 * `new_passkey`, `new_authenticator`: one is being added. `oidc_account`: the provider has answered, and the person has
 * users in several accounts.
 */
type AttemptKind = 'passkey' | 'new_passkey' | 'new_authenticator' | 'oidc' | 'oidc_account';

export async function insertAttempt(
  sql: Sql,
  { tokenHash, kind, facts }: { tokenHash: Buffer; kind: AttemptKind; facts: object },
): Promise<void> {
  await sql.query(
    `insert into sign_in_attempts (token_hash, kind, facts, expires_at)
     values ($1, $2, $3, now() + interval '${MINUTES} minutes')`,
    [tokenHash, kind, JSON.stringify(facts)],
  );
}

/** Reads it and keeps it for another answer. @returns its facts; null if there is none, or it is of another kind */
export async function findAttempt<Facts extends object>(
  sql: Sql,
  tokenHash: Buffer,
  kind: AttemptKind,
): Promise<Facts | null> {
  const text = 'select facts from sign_in_attempts where token_hash = $1 and kind = $2 and expires_at > now()';
  return (await readFirst<{ facts: Facts }>(sql, text, [tokenHash, kind]))?.facts ?? null;
}

/** Uses it up, so that no second answer counts. @returns its facts; null if there is none, or it is of another kind */
export async function takeAttempt<Facts extends object>(
  sql: Sql,
  tokenHash: Buffer,
  kind: AttemptKind,
): Promise<Facts | null> {
  const row = await readFirst<{ kind: AttemptKind; facts: Facts }>(
    sql,
    'delete from sign_in_attempts where token_hash = $1 and expires_at > now() returning kind, facts',
    [tokenHash],
  );
  return row?.kind === kind ? row.facts : null;
}

export interface AccountChoice {
  userId: UserId;
  accountName: string;
  role: Role;
}

/** The accounts of the users offered to the browser with this token. */
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
