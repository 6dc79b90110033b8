/** `ringkey account`: creates, changes and lists accounts. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { accountResource } from '../contract/accounts.ts';
import { findAccount, listAccounts } from '../db/keys/accounts.ts';
import { vaultOf } from '../app/encryption-keys.ts';
import { allowsPrivateTargets, type Config } from '../config.ts';
import type { Database } from '../db/pool.ts';
import type { Account } from '../domain/account.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import { isDeliverable } from '../merchants/order-source.ts';
import type { Currency } from '../domain/money.ts';
import { isNumberPrefix, MAX_RETURN_TARGETS, parseReturnHost } from '../domain/return-permission.ts';
import { changeAccount, createAccount, rollHeaderSecret } from '../keys/accounts.ts';
import { currencyOption, idArgument, jsonOption, modeOption, nameOption } from './arguments.ts';
import { commandActor } from './command-actor.ts';
import { type CommandContext, CommandFailed, printReport, type Report, requireFound } from './context.ts';
import { listReport, MAX_SHOWN } from './lists.ts';

interface NewAccountOptions {
  name: string;
  currency: Currency;
  json?: true;
}

interface AccountChanges {
  /** The whole list; false: none. Absent: as it is. */
  returnHost?: readonly string[] | false;
  returnPrefix?: readonly string[] | false;
  /** Of {@link mode}. False: none. */
  attestationUrl?: string | false;
  mode: Mode;
  json?: true;
}

export function addAccountCommands(program: Command, context: CommandContext): void {
  const account = program.command('account').description('create, change and list accounts');
  account
    .command('create')
    .description('create an account')
    .addOption(nameOption('whose account it is').makeOptionMandatory())
    .addOption(currencyOption().default('USD'))
    .addOption(jsonOption())
    .action((options: NewAccountOptions) =>
      printReport(context, options.json, (database, config) => addAccount(database, config, options)),
    );
  account
    .command('update')
    .description('say where callers may be sent after a call, and who is asked of its attestation')
    .addArgument(idArgument('Account'))
    .addOption(
      new Option(
        '--return-host <host>',
        'a host of return_to: name, *.example.com, address, * (any public one); may be repeated',
      ).argParser(addHost),
    )
    .option('--no-return-host', 'no host')
    .addOption(
      new Option('--return-prefix <prefix>', 'how numbers of return_to begin, +44; may be repeated').argParser(
        addPrefix,
      ),
    )
    .option('--no-return-prefix', 'no number')
    .option('--attestation-url <url>', 'is asked how far the carriers vouch for a call of the mode')
    .option('--no-attestation-url', 'nobody is asked')
    .addOption(modeOption())
    .addOption(jsonOption())
    .action((id: AccountId, options: AccountChanges) =>
      printReport(context, options.json, (database, config) => editAccount(database, config, id, options)),
    );
  account
    .command('roll-secret')
    .description('replace the secret that signs the SIP headers, at once; it is shown once')
    .addArgument(idArgument('Account'))
    .addOption(jsonOption())
    .action((id: AccountId, { json }: { json?: true }) =>
      printReport(context, json, (database, config) => rollSecret(database, config, id)),
    );
  account
    .command('list')
    .description('list all accounts')
    .addOption(jsonOption())
    .action(({ json }: { json?: true }) => printReport(context, json, showAccounts));
}

function addHost(text: string, others: readonly string[] | boolean | undefined): readonly string[] {
  const host = parseReturnHost(text);
  if (host === null) throw new InvalidArgumentError('It is a host name, *.example.com, an address or *.');
  return withOneMore(others, host);
}

function addPrefix(text: string, others: readonly string[] | boolean | undefined): readonly string[] {
  if (!isNumberPrefix(text)) throw new InvalidArgumentError('It is + and 1 to 15 digits, +44.');
  return withOneMore(others, text);
}

/** @param others not a list before the first one */
function withOneMore(others: readonly string[] | boolean | undefined, one: string): readonly string[] {
  const all = [...new Set([...(Array.isArray(others) ? (others as readonly string[]) : []), one])];
  if (all.length > MAX_RETURN_TARGETS) throw new InvalidArgumentError(`An account has at most ${MAX_RETURN_TARGETS}.`);
  return all;
}

/** @throws CommandFailed */
export async function requireAccount(database: Database, id: AccountId): Promise<Account> {
  return requireFound(await findAccount(database, id), 'account');
}

async function addAccount(database: Database, config: Config, { name, currency }: NewAccountOptions): Promise<Report> {
  const { id, headerSecret } = await createAccount(database, vaultOf(config), commandActor(), { name, currency });
  return {
    json: { account_id: id, name, currency, header_signing_secret: headerSecret },
    lines: [
      `Account ${id}`,
      `  signs X-Ringkey-Signature with ${headerSecret}`,
      `  next: ringkey key create --account ${id} --mode test`,
    ],
  };
}

async function editAccount(
  database: Database,
  config: Config,
  id: AccountId,
  { returnHost, returnPrefix, attestationUrl, mode }: AccountChanges,
): Promise<Report> {
  if (attestationUrl && !isDeliverable(attestationUrl, mode, allowsPrivateTargets(config))) {
    throw new CommandFailed('The attestation URL is not an https URL at a public host.');
  }
  const changes = {
    ...(attestationUrl !== undefined && { attestationUrl: { mode, url: attestationUrl || null } }),
    ...(returnHost !== undefined && { hosts: returnHost || [] }),
    ...(returnPrefix !== undefined && { numberPrefixes: returnPrefix || [] }),
  };
  const account = requireFound(
    await changeAccount(database, commandActor(), { accountId: id, mode }, changes),
    'account',
  );
  return { json: accountJson(account), lines: [accountLine(account)] };
}

async function rollSecret(database: Database, config: Config, id: AccountId): Promise<Report> {
  const order = { accountId: id, mode: null };
  const rolled = await rollHeaderSecret(database, vaultOf(config), commandActor(), order);
  const secret = requireFound(rolled, 'account');
  return {
    json: { account_id: id, header_signing_secret: secret },
    lines: [secret, `  signs X-Ringkey-Signature of ${id} from now on. Keep it: it is shown this once.`],
  };
}

async function showAccounts(database: Database): Promise<Report> {
  const accounts = await listAccounts(database, MAX_SHOWN);
  return listReport('accounts', accounts.map(accountJson), accounts.map(accountLine));
}

/** As REST shows it, but of both modes. */
function accountJson(account: Account) {
  const { account_id, name, currency, return_hosts, return_number_prefixes } = accountResource(account, 'live');
  const { attestationUrls: attestation_urls } = account;
  return { account_id, name, currency, return_hosts, return_number_prefixes, attestation_urls };
}

function accountLine({ id, currency, name, returns: { hosts, numberPrefixes } }: Account): string {
  const targets = hosts === null && numberPrefixes.length === 0 ? [] : [...(hosts ?? []), ...numberPrefixes];
  return [id, currency, name, ...(targets.length === 0 ? [] : [`returns to ${targets.join(', ')}`])].join('  ');
}
