/** The command line `ringkey`: all commands, and the exit code and error message of each. */
import { Command, CommanderError } from 'commander';
import { readConfig } from '../config/config.ts';
import type { Config } from '../config/settings.ts';
import { packageVersion } from '../config/version.ts';
import { ApiError } from '../contract/errors.ts';
import { CannotStart, diskTrouble } from '../lib/start-error.ts';
import { addAccountCommands } from './account.ts';
import { addCallCommand } from './call.ts';
import { type CommandContext, CommandFailed } from './context.ts';
import { addDemoCommand } from './demo.ts';
import { addEventsCommands } from './events-resend.ts';
import { addKeyCommands } from './key.ts';
import { addMcpCommand } from './mcp.ts';
import { addMediaCommands } from './media.ts';
import { addMerchantCommands } from './merchant.ts';
import { addMigrateCommand } from './migrate.ts';
import { addPageCommands } from './page-check.ts';
import { addReconcileCommand } from './reconcile.ts';
import { addRefundCommands } from './refund.ts';
import { addChargeCommands } from './settle.ts';
import { addStartCommand } from './start.ts';
import { addUserCommands } from './user.ts';
import { addVaultCommands } from './vault-reseal.ts';

const NOT_DONE = 1;
const WRONG_COMMAND_LINE = 2;

/**
 * Runs one command.
 * @param words the arguments after `ringkey`
 * @param settings reads the configuration; by default from the environment
 * @returns the exit code: 0 success, 1 failure, 2 invalid command line
 */
export async function runCommandLine(words: readonly string[], settings: () => Config = readConfig): Promise<number> {
  const context: CommandContext = { readConfig: settings, exitCode: 0 };
  try {
    await createProgram(context).parseAsync(words.length === 0 ? ['help'] : [...words], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    // Commander has already printed its message or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_COMMAND_LINE;
    console.error(failureMessage(error));
    return NOT_DONE;
  }
}

function createProgram(context: CommandContext): Command {
  const program = new Command('ringkey')
    .description('Takes a card payment during a phone call.')
    .version(packageVersion())
    // An option belongs to the command that it follows: `call --json`, `call list --json`.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      writeErr: (text) => console.error(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'ringkey: ')),
    })
    .addHelpText(
      'after',
      '\nSettings are environment variables. The page /docs/settings of a running service lists them.\n' +
        'Exit codes: 0 success, 1 failure, 2 invalid command line.',
    );
  addStartCommand(program, context);
  addDemoCommand(program, context);
  addMigrateCommand(program, context);
  addAccountCommands(program, context);
  addKeyCommands(program, context);
  addUserCommands(program, context);
  addMerchantCommands(program, context);
  addChargeCommands(program, context);
  addRefundCommands(program, context);
  addReconcileCommand(program, context);
  addEventsCommands(program, context);
  addPageCommands(program, context);
  addVaultCommands(program, context);
  addMediaCommands(program, context);
  addCallCommand(program, context);
  addMcpCommand(program, context);
  return program;
}

/** Errors that the operator can fix are printed without a stack; a bug of Ringkey keeps it. */
function failureMessage(error: unknown): string {
  if (error instanceof CommandFailed) return `ringkey: ${error.message}`;
  if (error instanceof ApiError) return `ringkey: ${apiErrorMessage(error)}`;
  if (error instanceof CannotStart) return `\n${error.message}\n`;
  return `\n${diskTrouble(error) ?? (error instanceof Error ? error.stack : String(error))}\n`;
}

/** Names the parameter that caused the error, if there is one. */
function apiErrorMessage({ message, facts: { param } }: ApiError): string {
  return param === undefined ? message : `${param}: ${message}`;
}
