/** The table `accounts`. Their API keys are in keys.ts. */
import { randomBytes } from 'node:crypto';
import type { Account } from '../../domain/account.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import { queryFirst, type Sql } from '../pool.ts';

export interface AccountRow {
  id: AccountId;
  name: string;
  currency: Currency;
  header_signing_secret: string;
}

export function accountOf(row: AccountRow): Account {
  return { id: row.id, name: row.name, currency: row.currency, headerSigningSecret: row.header_signing_secret };
}

export async function findAccount(sql: Sql, id: AccountId): Promise<Account | null> {
  return queryFirst(sql, accountOf, 'select id, name, currency, header_signing_secret from accounts where id = $1', [
    id,
  ]);
}

/** Newest first. */
export async function listAccounts(sql: Sql, limit: number): Promise<Account[]> {
  const { rows } = await sql.query<AccountRow>(
    'select id, name, currency, header_signing_secret from accounts order by created_at desc, id limit $1',
    [limit],
  );
  return rows.map(accountOf);
}

/** Makes a new signing secret, too. An account that exists is left as it is. */
export async function insertAccount(
  sql: Sql,
  account: { id: AccountId; name: string; currency?: Currency },
): Promise<void> {
  await sql.query(
    `insert into accounts (id, name, currency, header_signing_secret) values ($1, $2, $3, $4)
     on conflict (id) do nothing`,
    [account.id, account.name, account.currency ?? 'USD', randomBytes(32).toString('base64')],
  );
}
