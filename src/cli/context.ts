/** What the commands share: settings, exit code, operator, printing of results and failures. */
import { hostname, userInfo } from 'node:os';
import type { Config } from '../config/settings.ts';
import type { Database } from '../db/pool.ts';
import type { Actor } from '../domain/audit.ts';
import { createLog, type Log } from '../lib/observability/log.ts';
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

/** Who runs a command, for the audit trail and the log. */
export function commandActor(): Actor {
  return { kind: 'command', id: operatorName(), source: hostname(), requestId: null };
}

/** The user's name on this machine, or the user ID: a container may run as a user without a name. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Names the operator in each line. Writes to standard error, because standard output has the command's result. */
export function createOperatorLog(config: Config, fields: Record<string, string | null>): Log {
  const { RINGKEY_LOG_LEVEL: level, RINGKEY_INSTANCE: instance } = config;
  const log = createLog({ level, instance, destination: process.stderr });
  return log.child({ source: 'operator', operator: operatorName(), ...fields });
}
