/** What `charge settle` and `refund settle` share: an outcome that an operator found in the processor's books. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { Database } from '../db/pool.ts';
import type { Id } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import { createLog, type Log } from '../observability/log.ts';
import type { HandRefusal, SettledByHand } from '../payments/settle-by-hand.ts';
import { idArgument } from './arguments.ts';
import { operatorName } from './command-actor.ts';
import { type CommandContext, CommandFailed } from './context.ts';
import { withDatabase } from './with-database.ts';

/** As the command line has them; at most one of the outcomes. */
export interface SettleOptions {
  /** What the processor calls it. */
  succeeded?: string;
  /** Of a refund. */
  refused?: true;
  notReceived?: true;
  /** Although the resolver has not given up. */
  now?: true;
}

interface SettleCommand<K extends 'Charge' | 'Refund'> {
  kind: K;
  /** The options that name an outcome: one of them is needed. */
  outcomes: readonly Option[];
  /** How long the resolver asks the processor. */
  askedFor: string;
  notes: string;
  settle(database: Database, id: Id<K>, options: SettleOptions, config: Config): Promise<void>;
}

/** Adds the command `settle` to `parent`. */
export function addSettleCommand<K extends 'Charge' | 'Refund'>(
  parent: Command,
  context: CommandContext,
  { kind, outcomes, askedFor, notes, settle }: SettleCommand<K>,
): void {
  const command = parent
    .command('settle')
    .description(`write the outcome of a ${kind.toLowerCase()} that stayed pending`)
    .addArgument(idArgument(kind));
  for (const outcome of outcomes) command.addOption(outcome);
  command
    .option('--now', `also while Ringkey still asks the processor by itself, as it does for ${askedFor}`)
    .addHelpText('after', notes)
    .action(async (id: Id<K>, options: SettleOptions) => {
      if (!outcomes.some((outcome) => outcome.attributeName() in options)) {
        command.error(`error: one of ${outcomes.map(({ long }) => long).join(', ')} is needed`);
      }
      const config = context.readConfig();
      await withDatabase(config, (database) => settle(database, id, options, config));
    });
}

/** @param thing what the processor calls so: `payment`, `refund` */
export function succeededOption(thing: string, description: string): Option {
  return new Option('--succeeded <id>', description).argParser((text) => {
    // Printable and without spaces, as the ids of all processors are; a dash is the next option, the id was forgotten.
    if (/^(?!-)[\x21-\x7e]{1,255}$/.test(text)) return text;
    throw new InvalidArgumentError(`It is what the processor calls the ${thing}.`);
  });
}

export function notReceivedOption(thing: string): Option {
  const description = `the processor knows nothing of the ${thing}, and never will`;
  return new Option('--not-received', description).conflicts('succeeded');
}

/** A charge or a refund. */
interface Settleable {
  id: string;
  status: 'pending' | 'succeeded' | 'failed';
  amount: Money;
}

/**
 * @param words what the refusals of its kind are called
 * @returns it as the database has it
 * @throws CommandFailed where it was not to be settled, or not yet
 */
export function settledOrFail<Row extends Settleable>(
  settled: SettledByHand<Row>,
  words: Partial<Record<HandRefusal, string>>,
): Row {
  if (settled.type === 'settled') return settled.row;
  const { reason, row } = settled;
  if (reason === 'named_another') {
    throw new CommandFailed(`${row.id} is not what that id stands for: it is the id of ${settled.other}`);
  }
  const known: Partial<Record<HandRefusal, string>> = {
    not_pending: `is not pending but ${row.status}`,
    still_asked: 'is still being asked about: wait for its outcome, or say --now',
    ...words,
  };
  throw new CommandFailed(`${row.id} ${known[reason] ?? reason}`);
}

/** @param processorId as the database has it */
export function printOutcome({ id, status, amount }: Settleable, processorId: string | null): void {
  console.log([id, status, `${amount.amountCents} ${amount.currency}`, processorId ?? ''].join('  ').trimEnd());
}

/** Names the operator in each line. On standard error, for standard output is the command's answer. */
export function createOperatorLog(config: Config, fields: Record<string, string | null>): Log {
  const { RINGKEY_LOG_LEVEL: level, RINGKEY_INSTANCE: instance } = config;
  const log = createLog({ level, instance, destination: process.stderr });
  return log.child({ source: 'operator', operator: operatorName(), ...fields });
}
