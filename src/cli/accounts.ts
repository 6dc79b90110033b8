/** The commands `ringkey account …`, `ringkey key …` and `ringkey merchant …`: for whoever has the record, hence no key asked. */
import type { Config } from '../config.ts';
import type { Account } from '../domain/account.ts';
import { ApiError } from '../contract/errors.ts';
import { type AccountId, type KeyId, newId } from '../domain/ids.ts';
import { issueKey, revokeKey, rollKey } from '../keys/manage.ts';
import { issuedResource, type KeyResource, keyResource, rolledResource } from '../keys/resources.ts';
import { findAccount, insertAccount, listAccounts } from '../db/keys/accounts.ts';
import { findKeyById, type KeptKey, listKeys } from '../db/keys/keys.ts';
import { UsageError } from './usage-error.ts';
import { type AdminDeps, withRecord } from './connect.ts';
import { addMerchant, type Report, saidOf, showMerchants } from './merchants.ts';
import { ADMIN_USAGE, type AdminCommand, readAdminOptions } from './options.ts';

/** The account or key that the command names. */
class NotThere extends Error {}

const MAX_SHOWN = 1_000;

/** @param words from `account` or `key` on. @returns the exit code */
export async function adminCommand(words: readonly string[], config: Config): Promise<number> {
  if (words.includes('--help')) {
    console.log(ADMIN_USAGE);
    return 0;
  }
  try {
    const { command, json } = readAdminOptions(words);
    const report = await withRecord(config, (deps) => run(deps, command));
    console.log(json ? JSON.stringify(report.json, null, 2) : report.lines.join('\n'));
    return 0;
  } catch (error) {
    if (error instanceof UsageError) console.error(`ringkey: ${error.message}\n\n${ADMIN_USAGE}`);
    else if (error instanceof NotThere) console.error(`ringkey: ${error.message}`);
    else if (error instanceof ApiError) console.error(`ringkey: ${saidOf(error)}`);
    else throw error;
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(deps: AdminDeps, command: AdminCommand): Promise<Report> {
  switch (command.kind) {
    case 'account list':
      return showAccounts(deps);
    case 'account create':
      return createAccount(deps, command);
    case 'merchant create':
      return addMerchant(deps.database, command, (await existingAccount(deps, command.accountId)).currency);
    case 'merchant list':
      return showMerchants(deps.database, command.accountId, command.modes, MAX_SHOWN);
    case 'key create':
      return createKey(deps, command);
    case 'key list':
      return showKeys(deps, command);
    case 'key roll':
      return roll(deps, command);
    case 'key revoke':
      return revoke(deps, command);
  }
}

type Of<K extends AdminCommand['kind']> = Extract<AdminCommand, { kind: K }>;

async function createAccount({ database }: AdminDeps, { name, currency }: Of<'account create'>): Promise<Report> {
  const id = newId('Account');
  await insertAccount(database, { id, name, currency });
  const account = await findAccount(database, id);
  if (account === null) throw new Error('a new account is not there');
  return {
    json: { account_id: id, name, currency, header_signing_secret: account.headerSigningSecret },
    lines: [
      `Account ${id}`,
      `  signs X-Ringkey-Signature with ${account.headerSigningSecret}`,
      `  next: ringkey key create --account ${id} --mode test`,
    ],
  };
}

async function showAccounts({ database }: AdminDeps): Promise<Report> {
  const accounts = await listAccounts(database, MAX_SHOWN);
  const lines = accounts.map(({ id, currency, name }) => [id, currency, name].join('  '));
  return {
    json: { accounts: accounts.map(({ id, name, currency }) => ({ account_id: id, name, currency })) },
    lines: lines.length === 0 ? ['no accounts'] : lines,
  };
}

async function createKey({ database }: AdminDeps, command: Of<'key create'>): Promise<Report> {
  await existingAccount({ database }, command.accountId);
  const issued = await issueKey(database, command, command.name);
  return {
    json: issuedResource(issued),
    lines: [issued.text, `  ${issued.key.id}, mode ${issued.key.mode}. Keep it: it is shown this once.`],
  };
}

async function showKeys({ database }: AdminDeps, { accountId, modes }: Of<'key list'>): Promise<Report> {
  const pages = await Promise.all(
    modes.map((mode) => listKeys(database, { accountId, mode }, { limit: MAX_SHOWN, startingAfter: null })),
  );
  const keys = pages.flatMap((page) => page?.items ?? []).map(keyResource);
  return { json: { keys }, lines: keys.length === 0 ? ['no keys'] : keys.map(lineOf) };
}

function lineOf(key: KeyResource): string {
  const state =
    key.revoked_at !== null
      ? `revoked ${key.revoked_at}`
      : key.expires_at !== null
        ? `ends ${key.expires_at}`
        : 'valid';
  return [key.key_id, key.environment, `${key.prefix}…`, state, key.name ?? ''].join('  ').trimEnd();
}

async function roll(deps: AdminDeps, { keyId, overlapSeconds }: Of<'key roll'>): Promise<Report> {
  const rolled = await rollKey(deps, await existingKey(deps, keyId), overlapSeconds);
  await rolled.everywhere;
  return {
    json: rolledResource(rolled),
    lines: [
      rolled.text,
      `  ${rolled.key.id}, mode ${rolled.key.mode}. Keep it: it is shown this once.`,
      `  ${rolled.old.id} ends ${rolled.old.expiresAt?.toISOString() ?? ''}`,
    ],
  };
}

async function revoke(deps: AdminDeps, { keyId }: Of<'key revoke'>): Promise<Report> {
  const { key, everywhere } = await revokeKey(deps, await existingKey(deps, keyId));
  // 30 s at most: when the command ends, the key is dead in every process.
  await everywhere;
  return { json: keyResource(key), lines: [`${key.id} is revoked`] };
}

async function existingAccount({ database }: Pick<AdminDeps, 'database'>, id: AccountId): Promise<Account> {
  const account = await findAccount(database, id);
  if (account === null) throw new NotThere('there is no such account');
  return account;
}

async function existingKey({ database }: AdminDeps, id: KeyId): Promise<KeptKey> {
  const key = await findKeyById(database, id);
  if (key === null) throw new NotThere('there is no such key');
  return key;
}
