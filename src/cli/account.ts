/** `ringkey account`: creates, changes and lists accounts. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { changeAccount, createAccount, rollHeaderSecret } from '../accounts/keys/accounts.ts';
import { isDeliverable } from '../accounts/merchants/order-source.ts';
import { vaultOf } from '../app/encryption-keys.ts';
import { allowsPrivateTargets } from '../config/derived.ts';
import type { Config } from '../config/settings.ts';
import { accountResource } from '../contract/accounts.ts';
import { findAccount, listAccounts } from '../db/keys/accounts.ts';
import type { Database } from '../db/pool.ts';
import type { Account } from '../domain/account.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Currency } from '../domain/money.ts';
import { type Country, parseCountry } from '../domain/phone-number.ts';
import { isNumberPrefix, MAX_RETURN_TARGETS, parseReturnHost } from '../domain/return-permission.ts';
import type { Mode } from '../domain/session.ts';
import { currencyOption, idArgument, jsonOption, modeOption, nameOption } from './arguments.ts';
import { type CommandContext, CommandFailed, commandActor, printReport, type Report, requireFound } from './context.ts';
import { listReport, MAX_SHOWN } from './lists.ts';

interface NewAccountOptions {
  name: string;
  currency: Currency;
  json?: true;
}

interface AccountChanges {
  /** Replaces the whole list. `false` empties it; absent leaves it unchanged. */
  returnHost?: readonly string[] | false;
  returnPrefix?: readonly string[] | false;
  textCountry?: readonly Country[] | false;
  /** For {@link mode}. `false` removes it. */
  attestationUrl?: string | false;
  mode: Mode;
  json?: true;
}

export function addAccountCommands(program: Command, context: CommandContext): void {
  const account = program.command('account').description('create, change and list accounts');
  account
    .command('create')
    .description('create an account')
    .addOption(nameOption('name of the account').makeOptionMandatory())
    .addOption(currencyOption().default('USD'))
    .addOption(jsonOption())
    .action((options: NewAccountOptions) =>
      printReport(context, options.json, (database, config) => addAccount(database, config, options)),
    );
  account
    .command('update')
    .description('set where callers can be returned, which countries get texts, and the attestation URL')
    .addArgument(idArgument('Account'))
    .addOption(
      new Option(
        '--return-host <host>',
        'allow this host in return_to: a name, *.example.com, an IP address, or * for any public host; can be repeated',
      ).argParser(addHost),
    )
    .option('--no-return-host', 'allow no hosts')
    .addOption(
      new Option(
        '--return-prefix <prefix>',
        'allow numbers with this prefix in return_to, such as +44; can be repeated',
      ).argParser(addPrefix),
    )
    .option('--no-return-prefix', 'allow no numbers')
    .addOption(
      new Option(
        '--text-country <country>',
        "send texts to this country too, besides the merchants' own: two letters; can be repeated",
      ).argParser(addCountry),
    )
    .option('--no-text-country', "send texts to the merchants' own countries only")
    .option('--attestation-url <url>', 'where Ringkey asks for the attestation (STIR/SHAKEN) of a call in this mode')
    .option('--no-attestation-url', 'remove the attestation URL of this mode')
    .addOption(modeOption())
    .addOption(jsonOption())
    .action((id: AccountId, options: AccountChanges) =>
      printReport(context, options.json, (database, config) => editAccount(database, config, id, options)),
    );
  account
    .command('roll-secret')
    .description('replace the secret that signs the SIP headers at once, and print the new one')
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
  if (host === null) throw new InvalidArgumentError('It must be a host name, *.example.com, an IP address or *.');
  return withOneMore(others, host);
}

function addPrefix(text: string, others: readonly string[] | boolean | undefined): readonly string[] {
  if (!isNumberPrefix(text)) throw new InvalidArgumentError('It must be + and 1 to 15 digits, such as +44.');
  return withOneMore(others, text);
}

function addCountry(text: string, others: readonly Country[] | boolean | undefined): readonly Country[] {
  const country = parseCountry(text);
  if (country === null) throw new InvalidArgumentError('It must be two letters, such as MX.');
  return withOneMore(others, country);
}

/** @param others what commander has collected so far: a list, or the option's default before the first value */
function withOneMore<T extends string>(others: readonly T[] | boolean | undefined, one: T): readonly T[] {
  const all = [...new Set([...(Array.isArray(others) ? (others as readonly T[]) : []), one])];
  if (all.length > MAX_RETURN_TARGETS)
    throw new InvalidArgumentError(`An account can have at most ${MAX_RETURN_TARGETS}.`);
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
      `  signing secret of X-Ringkey-Signature: ${headerSecret}`,
      `  next: ringkey key create --account ${id} --mode test`,
    ],
  };
}

async function editAccount(
  database: Database,
  config: Config,
  id: AccountId,
  { returnHost, returnPrefix, textCountry, attestationUrl, mode }: AccountChanges,
): Promise<Report> {
  if (attestationUrl && !isDeliverable(attestationUrl, mode, allowsPrivateTargets(config))) {
    throw new CommandFailed('The attestation URL must be an https URL at a public host.');
  }
  const changes = {
    ...(attestationUrl !== undefined && { attestationUrl: { mode, url: attestationUrl || null } }),
    ...(returnHost !== undefined && { hosts: returnHost || [] }),
    ...(returnPrefix !== undefined && { numberPrefixes: returnPrefix || [] }),
    ...(textCountry !== undefined && { textCountries: textCountry || [] }),
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
    lines: [secret, `  signs X-Ringkey-Signature for ${id} from now on. Save it now: it is not shown again.`],
  };
}

async function showAccounts(database: Database): Promise<Report> {
  const accounts = await listAccounts(database, MAX_SHOWN);
  return listReport('accounts', accounts.map(accountJson), accounts.map(accountLine));
}

/** As REST shows it, but for both modes. */
function accountJson(account: Account) {
  const resource = accountResource(account, 'live');
  const { account_id, name, currency, return_hosts, return_number_prefixes, text_countries } = resource;
  const { attestationUrls: attestation_urls } = account;
  return { account_id, name, currency, return_hosts, return_number_prefixes, text_countries, attestation_urls };
}

function accountLine({ id, currency, name, returns: { hosts, numberPrefixes } }: Account): string {
  const targets = hosts === null && numberPrefixes.length === 0 ? [] : [...(hosts ?? []), ...numberPrefixes];
  return [id, currency, name, ...(targets.length === 0 ? [] : [`returns to ${targets.join(', ')}`])].join('  ');
}
