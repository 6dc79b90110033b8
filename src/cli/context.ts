/** What the commands share: settings, exit code, how an answer is printed and a failure told. */
import type { Config } from '../config.ts';

export interface CommandContext {
  /** Read when a command runs, so that help needs no valid settings. @throws ConfigError */
  readConfig(): Config;
  /** Of the process: 0 unless a command sets another. */
  exitCode: number;
}

/** The command did not do what was asked: the message is printed without a stack, the exit code is 1. */
export class CommandFailed extends Error {}

/** A command's answer, for programs and for people. */
export interface Report {
  json: object;
  lines: readonly string[];
}

export function printReport({ json, lines }: Report, asJson: boolean | undefined): void {
  console.log(asJson ? JSON.stringify(json, null, 2) : lines.join('\n'));
}
