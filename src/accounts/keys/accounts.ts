/** Creates and changes accounts, for REST and the command line. Each change is written to the audit trail. */
import { isDeepStrictEqual } from 'node:util';
import { accountResource } from '../../contract/accounts.ts';
import { ApiError } from '../../contract/errors.ts';
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { insertAccount, lockAccount, newHeaderSecret, setHeaderSecret, updateAccount } from '../../db/keys/accounts.ts';
import { countValidKeys } from '../../db/keys/keys.ts';
import type { Database, Sql } from '../../db/pool.ts';
import type { Account, AccountChange } from '../../domain/account.ts';
import { type Actor, type AuditAction, type AuditChanges, changedFields } from '../../domain/audit.ts';
import { type AccountId, newId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { Mode } from '../../domain/session.ts';
import { sealHeaderSecret, type Vault } from '../../lib/vault/vault.ts';

/** Audits a change of the whole account, in both modes. */
function auditAccount(sql: Sql, by: Actor, action: AuditAction, id: AccountId, changes: AuditChanges): Promise<void> {
  return insertAuditEvent(sql, by, { accountId: id, mode: null, action, objectId: id, changes });
}

/** Creates an account with a new signing secret. */
export async function createAccount(
  database: Database,
  vault: Vault | null,
  by: Actor,
  newAccount: { name: string; currency: Currency },
): Promise<{ id: AccountId; headerSecret: string }> {
  const [id, headerSecret] = [newId('Account'), newHeaderSecret()];
  await database.transaction(async (sql) => {
    await insertAccount(sql, { id, ...newAccount }, sealHeaderSecret(vault, id, headerSecret));
    await auditAccount(sql, by, 'account.created', id, newAccount);
  });
  return { id, headerSecret };
}

/**
 * Replaces the secret of the outcome headers, immediately and in both modes. Only this result contains it.
 * @param mode of the requesting key; null for the operator
 * @returns null if the account does not exist
 * @throws ApiError `invalid_key` for a test key of an account that has live keys
 */
export function rollHeaderSecret(
  database: Database,
  vault: Vault | null,
  by: Actor,
  { accountId, mode }: { accountId: AccountId; mode: Mode | null },
): Promise<string | null> {
  const secret = newHeaderSecret();
  return database.transaction(async (sql) => {
    if (mode === 'test') await requireNoLiveKeys(sql, accountId, 'The secret signs live calls, too');
    if ((await lockAccount(sql, accountId)) === null) return null;
    await setHeaderSecret(sql, accountId, sealHeaderSecret(vault, accountId, secret));
    await auditAccount(sql, by, 'account.secret_rolled', accountId, {});
    return secret;
  });
}

/**
 * Test keys cannot change settings of live calls.
 * @param what the settings, for the message. @throws ApiError `invalid_key`
 */
async function requireNoLiveKeys(sql: Sql, accountId: AccountId, what: string): Promise<void> {
  if ((await countValidKeys(sql, { accountId, mode: 'live' })) === 0) return;
  const message = `${what}. This account has live keys: use one of them for this change.`;
  throw new ApiError('invalid_key', { message });
}

/**
 * Changes the given settings.
 * @param mode of the requesting key: the resource shows that mode's settings
 * @returns the account after the change; null if it does not exist
 * @throws ApiError `invalid_key` for a test key that changes the lists of an account that has live keys
 */
export function changeAccount(
  database: Database,
  by: Actor,
  { accountId: id, mode }: { accountId: AccountId; mode: Mode },
  change: AccountChange,
): Promise<Account | null> {
  return database.transaction(async (sql) => {
    const before = await lockAccount(sql, id);
    const after = await updateAccount(sql, id, change);
    if (before === null || after === null) return null;
    // The operator's command names a mode for the URL alone.
    if (mode === 'test' && by.kind !== 'command' && !isDeepStrictEqual(listsOf(before), listsOf(after)))
      await requireNoLiveKeys(sql, id, 'The lists hold for live calls, too');
    const changes = changedFields(auditedFacts(before, mode), auditedFacts(after, mode));
    await auditAccount(sql, by, 'account.changed', id, changes);
    return after;
  });
}

/** Settings of both modes. */
const listsOf = ({ returns, textCountries }: Account) => ({ returns, textCountries });

/** As in the resource. Settings of one mode include its name, because the entry is visible in both modes. */
function auditedFacts(account: Account, mode: Mode) {
  const facts = Object.entries(accountResource(account, mode));
  return Object.fromEntries(facts.map(([name, value]) => [isOfMode(name) ? `${mode}_${name}` : name, value]));
}

const isOfMode = (name: string) => name === 'attestation_url' || name.startsWith('page_');
