/** `ringkey key`: creates, lists, rolls and revokes API keys. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { findKeyById, type StoredKey, listKeys } from '../db/keys/keys.ts';
import type { Database } from '../db/pool.ts';
import type { AccountId, KeyId } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import { issueKey, MAX_OVERLAP_SECONDS, revokeKey, rollKey } from '../keys/manage.ts';
import { issuedResource, type KeyResource, keyResource, rolledResource } from '../keys/resources.ts';
import { requireAccount } from './account.ts';
import {
  accountOption,
  idArgument,
  jsonOption,
  modeFilterOption,
  modeOption,
  modesOf,
  nameOption,
} from './arguments.ts';
import { withDatabase } from './with-database.ts';
import { type CommandContext, CommandFailed, printReport, type Report } from './context.ts';

const MAX_SHOWN = 1_000;
const DAY_SECONDS = 86_400;
const SECONDS = { s: 1, m: 60, h: 3_600, d: DAY_SECONDS };

interface NewKeyOptions {
  account: AccountId;
  mode: Mode;
  name?: string;
  json?: true;
}

export function addKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('create, list, roll and revoke API keys');
  const print = async (json: true | undefined, work: (database: Database) => Promise<Report>) =>
    printReport(await withDatabase(context.readConfig(), work), json);
  key
    .command('create')
    .description('issue a key; it is shown once')
    .addOption(accountOption())
    .addOption(modeOption())
    .addOption(nameOption('for lists'))
    .addOption(jsonOption())
    .action((options: NewKeyOptions) => print(options.json, (database) => createKey(database, options)));
  key
    .command('list')
    .description('list the keys of an account')
    .addOption(accountOption())
    .addOption(modeFilterOption())
    .addOption(jsonOption())
    .action(({ account, mode, json }: { account: AccountId; mode?: Mode; json?: true }) =>
      print(json, (database) => showKeys(database, account, modesOf(mode))),
    );
  key
    .command('roll')
    .description('issue a successor; the old key goes on for a while')
    .addArgument(idArgument('Key'))
    .addOption(overlapOption())
    .addOption(jsonOption())
    .action((id: KeyId, { expiresIn, json }: { expiresIn: number; json?: true }) =>
      print(json, (database) => rollKeyOf(database, id, expiresIn)),
    );
  key
    .command('revoke')
    .description('end a key within a second')
    .addArgument(idArgument('Key'))
    .addOption(jsonOption())
    .action((id: KeyId, { json }: { json?: true }) => print(json, (database) => revokeKeyOf(database, id)));
}

function overlapOption(): Option {
  const option = new Option('--expires-in <time>', 'how long the old key goes on: 0 to 7d, in s, m, h or d');
  return option.argParser(parseOverlap).default(DAY_SECONDS, '24h');
}

/** `90m`, `7d`; a bare number is seconds. */
function parseOverlap(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])?$/.exec(text) ?? [];
  const seconds = Number(count) * SECONDS[(unit ?? 's') as keyof typeof SECONDS];
  if (seconds <= MAX_OVERLAP_SECONDS) return seconds;
  throw new InvalidArgumentError('It is a time from 0 to 7d, e.g. 24h.');
}

async function createKey(database: Database, { account, mode, name }: NewKeyOptions): Promise<Report> {
  await requireAccount(database, account);
  const issued = await issueKey(database, { accountId: account, mode }, name ?? null);
  return {
    json: issuedResource(issued),
    lines: [issued.text, `  ${issued.key.id}, mode ${issued.key.mode}. Keep it: it is shown this once.`],
  };
}

async function showKeys(database: Database, accountId: AccountId, modes: readonly Mode[]): Promise<Report> {
  const page = { limit: MAX_SHOWN, startingAfter: null };
  const pages = await Promise.all(modes.map((mode) => listKeys(database, { accountId, mode }, page)));
  const keys = pages.flatMap((found) => found?.items ?? []).map(keyResource);
  return { json: { keys }, lines: keys.length === 0 ? ['no keys'] : keys.map(keyLine) };
}

function keyLine(key: KeyResource): string {
  return [key.key_id, key.environment, `${key.prefix}…`, keyState(key), key.name ?? ''].join('  ').trimEnd();
}

function keyState({ revoked_at: revokedAt, expires_at: expiresAt }: KeyResource): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  return expiresAt === null ? 'valid' : `ends ${expiresAt}`;
}

async function rollKeyOf(database: Database, id: KeyId, overlapSeconds: number): Promise<Report> {
  const rolled = await rollKey(database, await requireKey(database, id), overlapSeconds);
  return {
    json: rolledResource(rolled),
    lines: [
      rolled.text,
      `  ${rolled.key.id}, mode ${rolled.key.mode}. Keep it: it is shown this once.`,
      `  ${rolled.old.id} ends ${rolled.old.expiresAt?.toISOString() ?? ''}`,
    ],
  };
}

async function revokeKeyOf(database: Database, id: KeyId): Promise<Report> {
  const key = await revokeKey(database, await requireKey(database, id));
  return { json: keyResource(key), lines: [`${key.id} is revoked`] };
}

async function requireKey(database: Database, id: KeyId): Promise<StoredKey> {
  const key = await findKeyById(database, id);
  if (key === null) throw new CommandFailed('there is no such key');
  return key;
}
