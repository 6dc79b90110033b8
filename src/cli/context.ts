/** What the commands share: settings, exit code, printing of results and failures. */
import type { Config } from '../config/settings.ts';
import type { Database } from '../db/pool.ts';
import { withDatabase } from './with-database.ts';

export interface CommandContext {
  /** Called when a command runs, so that help works with invalid settings. @throws ConfigError */
  readConfig(): Config;
  /** The exit code of the process: 0 unless a command sets another. */
  exitCode: number;
}

/** The command failed: its message is printed without a stack, and the exit code is 1. */
export class CommandFailed extends Error {}

/** @throws CommandFailed if nothing was found */
export function requireFound<T>(found: T | null, what: string): T {
  if (found === null) throw new CommandFailed(`${what} not found`);
  return found;
}

/** The result of a command, for programs and for people. */
export interface Report {
  json: object;
  lines: readonly string[];
}

/** Prints the report that `work` reads from the database. */
export async function printReport(
  context: CommandContext,
  asJson: boolean | undefined,
  work: (database: Database, config: Config) => Promise<Report>,
): Promise<void> {
  const config = context.readConfig();
  const { json, lines } = await withDatabase(config, (database) => work(database, config));
  console.log(asJson ? JSON.stringify(json, null, 2) : lines.join('\n'));
}
