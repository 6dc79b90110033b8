/** What `charge settle` and `refund settle` share: an outcome that an operator found in the processor's books. */
import { userInfo } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { Money } from '../domain/money.ts';
import { createLog, type Log } from '../observability/log.ts';
import { CommandFailed } from './context.ts';

/** Long after the last request for something has ended, at the processor too. */
export const IN_TRANSIT_MS = 10 * 60_000;

export interface SettleOptions {
  /** What the processor calls it. */
  succeeded?: string;
  notReceived?: true;
  /** Although the resolver has not given up. */
  now?: true;
}

/** @param thing what the processor calls so: `payment`, `refund` */
export function succeededOption(thing: string, description: string): Option {
  return new Option('--succeeded <id>', description).argParser((text) => {
    // Printable and without spaces, as the ids of all processors are; a dash is the next option, the id was forgotten.
    if (/^(?!-)[\x21-\x7e]{1,255}$/.test(text)) return text;
    throw new InvalidArgumentError(`It is what the processor calls the ${thing}.`);
  });
}

/** Ends the command line that names no outcome. */
export function requireOutcome(command: Command, options: object, outcomes: readonly string[]): void {
  if (outcomes.some((name) => name in options)) return;
  const flags = command.options.filter((option) => outcomes.includes(option.attributeName()));
  command.error(`error: one of ${flags.map(({ long }) => long).join(', ')} is needed`);
}

/** A charge or a refund. */
interface Settleable {
  id: string;
  status: 'pending' | 'succeeded' | 'failed';
  amount: Money;
}

/** @param givenUp the resolver no longer asks the processor. @throws CommandFailed where it is not to be settled, or not yet */
export function requireSettleable({ id, status }: Settleable, givenUp: boolean, { now }: SettleOptions): void {
  if (status !== 'pending') throw new CommandFailed(`${id} is not pending but ${status}`);
  if (!givenUp && now !== true) {
    throw new CommandFailed(`${id} is still being asked about: wait for its outcome, or say --now`);
  }
}

/**
 * Prints the outcome as the database has it.
 * @param processorId as the database has it
 * @throws CommandFailed where another outcome was written at the same time
 */
export function printOutcome(
  { id, status, amount }: Settleable,
  processorId: string | null,
  { succeeded }: SettleOptions,
): void {
  const line = [id, status, `${amount.amountCents} ${amount.currency}`, processorId ?? ''].join('  ').trimEnd();
  const isAsked = succeeded === undefined ? status === 'failed' : status === 'succeeded' && processorId === succeeded;
  if (!isAsked) throw new CommandFailed(`${id} was settled otherwise at the same time: ${line}`);
  console.log(line);
}

/** Names the operator in each line. On standard error, for standard output is the command's answer. */
export function createOperatorLog(config: Config, fields: Record<string, string | null>): Log {
  const log = createLog({
    level: config.RINGKEY_LOG_LEVEL,
    instance: config.RINGKEY_INSTANCE,
    destination: process.stderr,
  });
  return log.child({ source: 'operator', operator: operatorName(), ...fields });
}

/** As the machine knows them: a container may run as a user that has no name. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
