/** `ringkey key`: creates, lists, rolls and revokes API keys. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type IssuedKey, issueKey, MAX_OVERLAP_SECONDS, revokeKey, rollKey } from '../accounts/keys/manage.ts';
import { issuedResource, type KeyResource, keyResource, rolledResource } from '../accounts/keys/resources.ts';
import { findKeyById, listKeys, type StoredKey } from '../db/keys/keys.ts';
import type { Database } from '../db/pool.ts';
import { isAddressRange } from '../domain/address-range.ts';
import type { AccountId, KeyId } from '../domain/ids.ts';
import { KEY_SCOPES, type KeyScope } from '../domain/key.ts';
import type { Mode } from '../domain/session.ts';
import { giveTestData, type TestData } from '../local/standalone/test-data.ts';
import { requireAccount } from './account.ts';
import { accountOption, idArgument, jsonOption, modeOption, nameOption } from './arguments.ts';
import { type CommandContext, commandActor, printReport, type Report, requireFound } from './context.ts';
import { addListCommand, type ListOptions, listReport, readModes } from './lists.ts';

const DAY_SECONDS = 86_400;
const SECONDS = { s: 1, m: 60, h: 3_600, d: DAY_SECONDS };

interface NewKeyOptions {
  account: AccountId;
  mode: Mode;
  name?: string;
  scope: KeyScope;
  expires?: Date;
  allowSource: readonly string[];
  json?: true;
}

export function addKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('create, list, roll and revoke API keys');
  key
    .command('create')
    .description('create a key, and print it once')
    .addOption(accountOption())
    .addOption(modeOption())
    .addOption(nameOption('name of the key in lists'))
    .addOption(
      new Option('--scope <scope>', 'agent: for a voice agent, takes payments only')
        .choices(KEY_SCOPES)
        .default('full'),
    )
    .option('--expires <when>', 'when the key expires: a date, or a time from now such as 90d', parseEnd)
    .option(
      '--allow-source <range>',
      'accept requests from this address or CIDR block only; can be repeated',
      addSource,
      [],
    )
    .addOption(jsonOption())
    .action((options: NewKeyOptions) => printReport(context, options.json, (database) => createKey(database, options)));
  addListCommand(key, context, 'list the keys of an account', showKeys);
  key
    .command('roll')
    .description('replace a key; the old one keeps working for a while')
    .addArgument(idArgument('Key'))
    .addOption(overlapOption())
    .addOption(jsonOption())
    .action((id: KeyId, { expiresIn, json }: { expiresIn: number; json?: true }) =>
      printReport(context, json, (database) => rollKeyOf(database, id, expiresIn)),
    );
  key
    .command('revoke')
    .description('revoke a key; it stops working within a second')
    .addArgument(idArgument('Key'))
    .addOption(jsonOption())
    .action((id: KeyId, { json }: { json?: true }) =>
      printReport(context, json, (database) => revokeKeyOf(database, id)),
    );
}

function overlapOption(): Option {
  const option = new Option('--expires-in <time>', 'how long the old key keeps working: 0 to 7d, in s, m, h or d');
  return option.argParser(parseOverlap).default(DAY_SECONDS, '24h');
}

/** `90m`, `7d`; a bare number is seconds. NaN if it is not a time. */
function parseSeconds(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])?$/.exec(text) ?? [];
  return Number(count) * SECONDS[(unit ?? 's') as keyof typeof SECONDS];
}

/** `90d` from now, `2027-01-31`, `2027-01-31T12:00:00Z`. */
function parseEnd(text: string): Date {
  const seconds = /^\d+[smhd]$/.test(text) ? parseSeconds(text) : Number.NaN;
  const isDate = /^\d{4}-\d{2}-\d{2}(T.*(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const end = new Date(Number.isNaN(seconds) ? (isDate ? text : Number.NaN) : Date.now() + seconds * 1_000);
  if (end.getTime() > Date.now()) return end;
  throw new InvalidArgumentError(
    'It must be in the future: a time from now such as 90d, or a date such as 2049-12-31.',
  );
}

function addSource(text: string, others: readonly string[]): readonly string[] {
  if (isAddressRange(text)) return [...others, text];
  throw new InvalidArgumentError('It must be an IP address or a CIDR block, such as 203.0.113.0/24.');
}

function parseOverlap(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds <= MAX_OVERLAP_SECONDS) return seconds;
  throw new InvalidArgumentError('It must be a time from 0 to 7d, such as 24h.');
}

async function createKey(database: Database, options: NewKeyOptions): Promise<Report> {
  const { account, mode, name = null, scope, expires: issuedUntil = null, allowSource: allowedSources } = options;
  const { currency } = await requireAccount(database, account);
  const grant = { name, scope, issuedUntil, allowedSources };
  const issued = await issueKey(database, commandActor(), { accountId: account, mode }, grant);
  const json = issuedResource(issued);
  // The first test key of an account comes with test data.
  const data = mode === 'test' ? await giveTestData(database, account, currency) : null;
  if (data === null) return { json, lines: issuedLines(issued) };
  return { json: { ...json, test_data: testDataJson(data) }, lines: [...issuedLines(issued), ...testDataLines(data)] };
}

function testDataJson({ merchants, callerPhone, cardId }: TestData): object {
  return {
    merchants: merchants.map(({ merchant, number, orders }) => ({ merchant_id: merchant.id, number, orders })),
    caller_phone: callerPhone,
    instrument_id: cardId,
  };
}

function testDataLines({ merchants, callerPhone, cardId }: TestData): string[] {
  return [
    'Test data:',
    ...merchants.map(({ merchant, number, orders }) =>
      [`  ${merchant.id}`, merchant.businessName, number, orders.join(', ')].join('  ').trimEnd(),
    ),
    `  caller ${callerPhone} with the saved card ${cardId} at ${merchants[0]?.merchant.businessName}`,
  ];
}

function issuedLines({ text, key }: IssuedKey): string[] {
  return [text, `  ${key.id}, mode ${key.mode}, scope ${key.scope}. Save it now: it is not shown again.`];
}

async function showKeys(database: Database, options: ListOptions): Promise<Report> {
  const found = await readModes(options, (scope, page) => listKeys(database, scope, page));
  const keys = found.map(keyResource);
  return listReport('keys', keys, keys.map(keyLine));
}

function keyLine(key: KeyResource): string {
  const words = [key.key_id, key.environment, key.scope, `${key.prefix}…`, keyState(key), ...key.allowed_sources];
  return [...words, key.name ?? ''].join('  ').trimEnd();
}

function keyState({ revoked_at: revokedAt, expires_at: expiresAt }: KeyResource): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  return expiresAt === null ? 'valid' : `expires ${expiresAt}`;
}

async function rollKeyOf(database: Database, id: KeyId, overlapSeconds: number): Promise<Report> {
  const rolled = await rollKey(database, commandActor(), await requireKey(database, id), overlapSeconds);
  return {
    json: rolledResource(rolled),
    lines: [...issuedLines(rolled), `  ${rolled.old.id} expires ${rolled.old.expiresAt?.toISOString() ?? ''}`],
  };
}

async function revokeKeyOf(database: Database, id: KeyId): Promise<Report> {
  const key = await revokeKey(database, commandActor(), await requireKey(database, id));
  return { json: keyResource(key), lines: [`${key.id} is revoked`] };
}

async function requireKey(database: Database, id: KeyId): Promise<StoredKey> {
  return requireFound(await findKeyById(database, id), 'key');
}
