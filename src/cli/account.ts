/** `ringkey account`: creates and lists accounts. */
import type { Command } from 'commander';
import { findAccount, insertAccount, listAccounts } from '../db/keys/accounts.ts';
import type { Database } from '../db/pool.ts';
import type { Account } from '../domain/account.ts';
import { type AccountId, newId } from '../domain/ids.ts';
import type { Currency } from '../domain/money.ts';
import { currencyOption, jsonOption, nameOption } from './arguments.ts';
import { withDatabase } from './with-database.ts';
import { type CommandContext, CommandFailed, printReport, type Report } from './context.ts';

const MAX_SHOWN = 1_000;

export function addAccountCommands(program: Command, context: CommandContext): void {
  const account = program.command('account').description('create and list accounts');
  account
    .command('create')
    .description('create an account')
    .addOption(nameOption('whose account it is').makeOptionMandatory())
    .addOption(currencyOption().default('USD'))
    .addOption(jsonOption())
    .action(async ({ name, currency, json }: { name: string; currency: Currency; json?: true }) => {
      const report = await withDatabase(context.readConfig(), (database) => createAccount(database, name, currency));
      printReport(report, json);
    });
  account
    .command('list')
    .description('list all accounts')
    .addOption(jsonOption())
    .action(async ({ json }: { json?: true }) => {
      printReport(await withDatabase(context.readConfig(), showAccounts), json);
    });
}

/** @throws CommandFailed */
export async function requireAccount(database: Database, id: AccountId): Promise<Account> {
  const account = await findAccount(database, id);
  if (account === null) throw new CommandFailed('there is no such account');
  return account;
}

async function createAccount(database: Database, name: string, currency: Currency): Promise<Report> {
  const id = newId('Account');
  await insertAccount(database, { id, name, currency });
  const { headerSigningSecret } = await requireAccount(database, id);
  return {
    json: { account_id: id, name, currency, header_signing_secret: headerSigningSecret },
    lines: [
      `Account ${id}`,
      `  signs X-Ringkey-Signature with ${headerSigningSecret}`,
      `  next: ringkey key create --account ${id} --mode test`,
    ],
  };
}

async function showAccounts(database: Database): Promise<Report> {
  const accounts = await listAccounts(database, MAX_SHOWN);
  const lines = accounts.map(({ id, currency, name }) => [id, currency, name].join('  '));
  return {
    json: { accounts: accounts.map(({ id, name, currency }) => ({ account_id: id, name, currency })) },
    lines: lines.length === 0 ? ['no accounts'] : lines,
  };
}
