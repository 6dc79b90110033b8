/** Commands that list objects of an account. */
import type { Command } from 'commander';
import type { Page, PageRequest } from '../db/pages.ts';
import type { Database } from '../db/pool.ts';
import type { Scope } from '../domain/account.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import { accountOption, jsonOption, MODES, modeFilterOption } from './arguments.ts';
import { type CommandContext, printReport, type Report } from './context.ts';

/** Most items in a list, for each mode. */
export const MAX_SHOWN = 1_000;

export interface ListOptions {
  account: AccountId;
  /** Both modes if absent. */
  mode?: Mode;
  json?: true;
}

/** Adds the command `list` to `parent`. */
export function addListCommand(
  parent: Command,
  context: CommandContext,
  description: string,
  show: (database: Database, options: ListOptions) => Promise<Report>,
): void {
  parent
    .command('list')
    .description(description)
    .addOption(accountOption())
    .addOption(modeFilterOption())
    .addOption(jsonOption())
    .action((options: ListOptions) => printReport(context, options.json, (database) => show(database, options)));
}

/** The newest items of each requested mode. */
export async function readModes<T>(
  { account: accountId, mode }: ListOptions,
  read: (scope: Scope, page: PageRequest) => Promise<Page<T> | null>,
): Promise<T[]> {
  const page = { limit: MAX_SHOWN, startingAfter: null };
  const modes = mode === undefined ? MODES : [mode];
  const pages = await Promise.all(modes.map((of) => read({ accountId, mode: of }, page)));
  return pages.flatMap((found) => found?.items ?? []);
}

/** @param name what is listed, in the plural */
export function listReport(name: string, resources: readonly object[], lines: readonly string[]): Report {
  return { json: { [name]: resources }, lines: lines.length === 0 ? [`no ${name}`] : lines };
}
