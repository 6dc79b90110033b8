/** The table `accounts`. Their API keys are in keys.ts. */
import { randomBytes } from 'node:crypto';
import { DEMO_ACCOUNT_ID } from '../../contract/demo.ts';
import type { Account, AccountChange } from '../../domain/account.ts';
import { NO_BRANDING, type PageBranding } from '../../domain/branding.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import { columnsOf } from '../columns.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';

/** SQL: an account's {@link ReturnPermission} from a row of `accounts`. */
export const RETURNS = `json_build_object('hosts', accounts.return_hosts, 'numberPrefixes', accounts.return_number_prefixes)`;

const BRANDING_NAMES = Object.keys(NO_BRANDING) as (keyof PageBranding)[];

/** SQL: a {@link PageBranding}. @param value SQL of a value, by its name */
export const brandingOf = (value: (name: string) => string) =>
  `json_build_object(${BRANDING_NAMES.map((name) => `'${name}', ${value(name)}`).join(', ')})`;

/** SQL: a value of an account's {@link PageBranding} in a mode, from a row of `accounts`. @param mode SQL */
export const accountBranding = (mode: string) => (name: string) =>
  `(case ${mode} when 'live' then accounts.page_branding_live else accounts.page_branding_test end) ->> '${name}'`;

const pageBranding = (mode: string) => brandingOf(accountBranding(mode));

/** SQL: an {@link Account} from a row of `accounts`. */
export const ACCOUNT = columnsOf<Account>()(
  'accounts',
  ['id name currency headerSigningSecret headerSecretSealed textCountries'],
  {
    returns: RETURNS,
    attestationUrls: `json_build_object('test', accounts.attestation_url_test, 'live', accounts.attestation_url_live)`,
    branding: `json_build_object('test', ${pageBranding("'test'")}, 'live', ${pageBranding("'live'")})`,
  },
);

/** SQL: the account's attestation URL for a mode. @param mode SQL */
export const attestationUrl = (mode: string) =>
  `case ${mode} when 'live' then accounts.attestation_url_live else accounts.attestation_url_test end`;

export function findAccount(sql: Sql, id: AccountId): Promise<Account | null> {
  return readFirst(sql, `select ${ACCOUNT} from accounts where id = $1`, [id]);
}

/**
 * SQL: the ID of the installation's only account. The demo's account counts only if there is no other. Null if there
 * are several.
 */
export const ONLY_ACCOUNT = `(
  select case count(*) when 0 then '${DEMO_ACCOUNT_ID}' when 1 then min(other.id) end
    from (select id from accounts where id <> '${DEMO_ACCOUNT_ID}' limit 2) other)`;

/** Whether the installation has at most one account besides the demo's. */
export async function hasOneAccount(sql: Sql): Promise<boolean> {
  return (await readOne<{ only: AccountId | null }>(sql, `select ${ONLY_ACCOUNT} as only`, [])).only !== null;
}

/** Locks the account until the transaction ends. */
export function lockAccount(sql: Sql, id: AccountId): Promise<Account | null> {
  return readFirst(sql, `select ${ACCOUNT} from accounts where id = $1 for no key update`, [id]);
}

/** Base64 of 32 random bytes. */
export function newHeaderSecret(): string {
  return randomBytes(32).toString('base64');
}

type StoredSecret = Pick<Account, 'headerSigningSecret' | 'headerSecretSealed'>;

/** Replaces the secret. @param secret as stored */
export async function setHeaderSecret(sql: Sql, id: AccountId, secret: StoredSecret): Promise<void> {
  await sql.query('update accounts set header_signing_secret = $2, header_secret_sealed = $3 where id = $1', [
    id,
    secret.headerSigningSecret,
    secret.headerSecretSealed,
  ]);
}

/** Locks accounts whose secret is not sealed, up to `limit`, until the transaction ends. */
export async function lockUnsealedAccounts(sql: Sql, limit: number): Promise<Account[]> {
  const text = `select ${ACCOUNT} from accounts where not header_secret_sealed order by id limit $1 for no key update`;
  return (await sql.query<Account>(text, [limit])).rows;
}

/** Newest first. */
export async function listAccounts(sql: Sql, limit: number): Promise<Account[]> {
  return (await sql.query<Account>(`select ${ACCOUNT} from accounts order by created_at desc, id limit $1`, [limit]))
    .rows;
}

/**
 * Inserts an account. An existing account stays unchanged.
 * @param secret as stored; if omitted, a new unsealed one
 */
export async function insertAccount(
  sql: Sql,
  account: { id: AccountId; name: string; currency?: Currency },
  secret: StoredSecret = { headerSigningSecret: newHeaderSecret(), headerSecretSealed: false },
): Promise<void> {
  await sql.query(
    `insert into accounts (id, name, currency, header_signing_secret, header_secret_sealed) values ($1, $2, $3, $4, $5)
     on conflict (id) do nothing`,
    [account.id, account.name, account.currency ?? 'USD', secret.headerSigningSecret, secret.headerSecretSealed],
  );
}

/** Changes the given settings. @returns the account after the change; null if it does not exist */
export function updateAccount(sql: Sql, id: AccountId, change: AccountChange): Promise<Account | null> {
  const { hosts, numberPrefixes, textCountries, attestationUrl } = change;
  const { mode: brandedMode = null, ...branding } = change.branding ?? {};
  return readFirst(
    sql,
    `update accounts set return_hosts = case when $2 then $3::text[] else return_hosts end,
                         return_number_prefixes = coalesce($4, return_number_prefixes),
                         attestation_url_test = case when $5 = 'test' then $6 else attestation_url_test end,
                         attestation_url_live = case when $5 = 'live' then $6 else attestation_url_live end,
                         page_branding_test = case when $7 = 'test' then coalesce(page_branding_test, '{}') || $8
                                                   else page_branding_test end,
                         page_branding_live = case when $7 = 'live' then coalesce(page_branding_live, '{}') || $8
                                                   else page_branding_live end,
                         text_countries = coalesce($9, text_countries)
      where id = $1 returning ${ACCOUNT}`,
    [
      id,
      hosts !== undefined,
      hosts ?? null,
      numberPrefixes ?? null,
      attestationUrl?.mode ?? null,
      attestationUrl?.url ?? null,
      brandedMode,
      JSON.stringify(branding),
      textCountries ?? null,
    ],
  );
}

/** Notes that the account has used 80% of an hour's rendered speech in this process. */
export async function noteSpeechNearLimit(sql: Sql, id: string): Promise<void> {
  await sql.query('update accounts set speech_near_limit_at = now() where id = $1', [id]);
}
