/** What the commands share: settings, exit code, how an answer is printed and a failure told. */
import type { Config } from '../config.ts';
import type { Database } from '../db/pool.ts';
import { withDatabase } from './with-database.ts';

export interface CommandContext {
  /** Read when a command runs, so that help needs no valid settings. @throws ConfigError */
  readConfig(): Config;
  /** Of the process: 0 unless a command sets another. */
  exitCode: number;
}

/** The command did not do what was asked: the message is printed without a stack, the exit code is 1. */
export class CommandFailed extends Error {}

/** @throws CommandFailed where there is none */
export function requireFound<T>(found: T | null, what: string): T {
  if (found === null) throw new CommandFailed(`there is no such ${what}`);
  return found;
}

/** A command's answer, for programs and for people. */
export interface Report {
  json: object;
  lines: readonly string[];
}

/** Prints what `work` answers from the database. */
export async function printReport(
  context: CommandContext,
  asJson: boolean | undefined,
  work: (database: Database, config: Config) => Promise<Report>,
): Promise<void> {
  const config = context.readConfig();
  const { json, lines } = await withDatabase(config, (database) => work(database, config));
  console.log(asJson ? JSON.stringify(json, null, 2) : lines.join('\n'));
}
