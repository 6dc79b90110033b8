#!/usr/bin/env node
/** The command `ringkey`: which part of the program runs. */
import { parseArgs } from 'node:util';
import { adminCommand } from './cli/accounts.ts';
import { vaultCommand } from './cli/vault.ts';
import { chargeCommand } from './cli/charge-settle.ts';
import { ConfigError, readConfig } from './config.ts';
import { eventsCommand } from './cli/events-resend.ts';
import { refundCommand } from './cli/refund.ts';
import { runApp } from './app/run.ts';
import { CannotStart, diskTrouble } from './domain/start-error.ts';
import { migrate } from './db/pool.ts';
import { usageOf } from './cli/usage-error.ts';

const HELP = `ringkey: takes a card payment during a phone call

  ringkey start     run the service (roles: RINGKEY_ROLES)
  ringkey events    resend <event id> …: webhooks of an event once more (--help for its options)
  ringkey refund    <charge id>: money back, whole or in part; settle <refund id>: the outcome of one that
                    stayed pending, by hand (--help)
  ringkey charge    settle <charge id>: the outcome of a charge that stayed pending, by hand (--help)
  ringkey migrate   bring the database at DATABASE_URL up to date
  ringkey account   create and list accounts (--help for the options of this and the next two)
  ringkey key       create, list, roll, revoke API keys
  ringkey merchant  create and list merchants
  ringkey vault     reseal: encrypts all that is encrypted with the first of the keys (--help)
  ringkey call      place a test call to a running service (--help for its options)

Settings are environment variables; the README lists them. Exit codes: 0 done, 1 not done, 2 words that do not fit.`;

const LEFTOVERS_LIMIT_MS = 2_000;

/** @returns the process's exit code */
async function main(args: string[]): Promise<number> {
  const [command = 'help', ...rest] = args;
  if ((command === 'start' || command === 'migrate') && isHelp(rest)) return main(['help']);
  switch (command) {
    case 'start':
      parseArgs({ args: rest, options: {} });
      return runApp(readConfig());
    case 'migrate':
      parseArgs({ args: rest, options: {} });
      return migrateOutside();
    case 'account':
    case 'key':
    case 'merchant':
      return adminCommand(args, readConfig());
    case 'events':
      return eventsCommand(rest, readConfig());
    case 'refund':
      return refundCommand(rest, readConfig());
    case 'charge':
      return chargeCommand(rest, readConfig());
    case 'vault':
      return vaultCommand(rest, readConfig());
    case 'call':
      return call(rest);
    case 'help':
    case '--help':
    case '-h':
      console.log(HELP);
      return 0;
    default:
      console.error(`ringkey: unknown command ${command}\n\n${HELP}`);
      return 2;
  }
}

const isHelp = ([word]: string[]) => word === '--help' || word === '-h';

/** Loaded only now: the caller stands on the softswitch's SIP and RTP, which the service itself never imports. */
async function call(words: string[]): Promise<number> {
  const { callCommand } = await import('./scripted-caller/command.ts');
  return callCommand(words, readConfig(), process.argv[1] ?? '');
}

async function migrateOutside(): Promise<number> {
  const { DATABASE_URL } = readConfig();
  if (DATABASE_URL === undefined) throw new CannotStart('ringkey migrate needs DATABASE_URL.');
  await migrate(DATABASE_URL, (message) => console.log(message));
  return 0;
}

/** What the person who typed the command can mend is shown without a stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return `These settings cannot be used:\n  ${error.problems.join('\n  ')}`;
  if (error instanceof CannotStart) return error.message;
  const trouble = diskTrouble(error);
  if (trouble !== null) return trouble;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  return code?.startsWith('ERR_PARSE_ARGS') ? message : (stack ?? String(error));
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const usage = usageOf(error);
  console.error(usage ?? `\n${explain(error)}\n`);
  process.exitCode = usage === null ? 1 : 2;
}
// Everything is closed. Should a part have left a timer or a socket behind all the same, it does not hold us here.
setTimeout(() => process.exit(), LEFTOVERS_LIMIT_MS).unref();
