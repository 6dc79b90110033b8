/** What `charge settle` and `refund settle` share: recording an outcome that an operator looked up at the processor. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config.ts';
import type { Database } from '../db/pool.ts';
import { holdsCardNumber } from '../domain/card-data.ts';
import type { Id } from '../domain/ids.ts';
import type { Money } from '../domain/money.ts';
import { createLog, type Log } from '../lib/observability/log.ts';
import { type HandRefusal, isIdOfProcessor, type SettledByHand } from '../payments/settle-by-hand.ts';
import { idArgument } from './arguments.ts';
import { operatorName } from './command-actor.ts';
import { type CommandContext, CommandFailed } from './context.ts';
import { withDatabase } from './with-database.ts';

/** As parsed from the command line, with at most one of the outcomes. */
export interface SettleOptions {
  /** The processor's ID. */
  succeeded?: string;
  /** Refunds only. */
  refused?: true;
  notReceived?: true;
  /** Settle even though the resolver has not given up yet. */
  now?: true;
}

interface SettleCommand<K extends 'Charge' | 'Refund'> {
  kind: K;
  /** The options that name an outcome: one of them is required. */
  outcomes: readonly Option[];
  /** How long the resolver keeps asking the processor. */
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
    .description(`record the outcome of a ${kind.toLowerCase()} that stayed pending`)
    .addArgument(idArgument(kind));
  for (const outcome of outcomes) command.addOption(outcome);
  command
    .option('--now', `settle even though Ringkey still asks the processor itself, which it does for ${askedFor}`)
    .addHelpText('after', notes)
    .action(async (id: Id<K>, options: SettleOptions) => {
      if (!outcomes.some((outcome) => outcome.attributeName() in options)) {
        command.error(`error: one of ${outcomes.map(({ long }) => long).join(', ')} is required`);
      }
      const config = context.readConfig();
      await withDatabase(config, (database) => settle(database, id, options, config));
    });
}

/** @param thing what the ID belongs to: `payment`, `refund` */
export function succeededOption(thing: string, description: string): Option {
  return new Option('--succeeded <id>', description).argParser((text) => {
    if (isIdOfProcessor(text)) return text;
    if (holdsCardNumber(text)) {
      throw new InvalidArgumentError('It looks like a card number, which Ringkey never stores.');
    }
    throw new InvalidArgumentError(`It must be the processor's ID of the ${thing}.`);
  });
}

export function notReceivedOption(thing: string): Option {
  const description = `the processor does not have the ${thing} and never will`;
  return new Option('--not-received', description).conflicts('succeeded');
}

/** A charge or a refund. */
interface Settleable {
  id: string;
  status: 'pending' | 'succeeded' | 'failed';
  amount: Money;
}

/**
 * @param words messages for the refusals that only this kind has
 * @returns the row as it is now in the database
 * @throws CommandFailed if it cannot be settled, or not yet
 */
export function settledOrFail<Row extends Settleable>(
  settled: SettledByHand<Row>,
  words: Partial<Record<HandRefusal, string>>,
): Row {
  if (settled.type === 'settled') return settled.row;
  const { reason, row } = settled;
  if (reason === 'named_another') {
    throw new CommandFailed(`${row.id} does not have that ID at the processor: the ID belongs to ${settled.other}`);
  }
  const known: Partial<Record<HandRefusal, string>> = {
    not_pending: `is not pending: it is ${row.status}`,
    still_asked: 'is still being looked up at the processor: wait for its outcome, or add --now',
    ...words,
  };
  throw new CommandFailed(`${row.id} ${known[reason] ?? reason}`);
}

/** @param processorId as stored in the database */
export function printOutcome({ id, status, amount }: Settleable, processorId: string | null): void {
  console.log([id, status, `${amount.amountCents} ${amount.currency}`, processorId ?? ''].join('  ').trimEnd());
}

/** Names the operator in each line. Writes to standard error, because standard output has the command's result. */
export function createOperatorLog(config: Config, fields: Record<string, string | null>): Log {
  const { RINGKEY_LOG_LEVEL: level, RINGKEY_INSTANCE: instance } = config;
  const log = createLog({ level, instance, destination: process.stderr });
  return log.child({ source: 'operator', operator: operatorName(), ...fields });
}
