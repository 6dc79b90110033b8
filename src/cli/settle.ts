/** `ringkey charge settle` and `ringkey refund settle`: record an outcome that an operator looked up at the processor. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Config } from '../config/settings.ts';
import { isProcessorId, type ManualOutcome, SETTLEABLE, type SettleableKind } from '../contract/manual-settlement.ts';
import type { Database } from '../db/pool.ts';
import { holdsCardNumber } from '../domain/card-data.ts';
import { publishOnce } from '../notifications/progress/progress.ts';
import {
  findToSettle,
  processorIdOf,
  type Rows,
  type SettledManually,
  settleManually,
} from '../payments/manual/manual-settlement.ts';
import { addAcknowledgeCommand } from './acknowledge.ts';
import { idArgument } from './arguments.ts';
import { type CommandContext, CommandFailed, commandActor, createOperatorLog, requireFound } from './context.ts';
import { redisUrlOf } from './find-service.ts';
import { addHoldCommands } from './hold.ts';
import { withDatabase } from './with-database.ts';

export function addChargeCommands(program: Command, context: CommandContext): void {
  const charge = program
    .command('charge')
    .description('capture or void a hold, settle charges that stayed pending, acknowledge late ones');
  addSettleCommand(charge, context, CHARGE);
  addAcknowledgeCommand(charge, context);
  addHoldCommands(charge, context);
}

/** @param refund the command `ringkey refund` */
export function addRefundSettleCommand(refund: Command, context: CommandContext): void {
  addSettleCommand(refund, context, REFUND);
}

/** As parsed from the command line, with exactly one of the outcomes. */
interface SettleOptions {
  /** The processor's ID. */
  succeeded?: string;
  /** Refunds only. */
  refused?: true;
  notReceived?: true;
  /** Settle even though the resolver has not given up yet. */
  now?: true;
}

interface SettleCommand<K extends SettleableKind> {
  kind: K;
  /** One of them is required. */
  outcomes: readonly Option[];
  /** How long the resolver keeps asking the processor. */
  lookupPeriod: string;
  notes: string;
  outcomeOf(options: SettleOptions): ManualOutcome<K>;
  /** Why it cannot be settled yet. */
  inTransit(row: Rows[K]): string;
  onSettled(row: Rows[K], config: Config): Promise<void>;
}

const CHARGE: SettleCommand<'charge'> = {
  kind: 'charge',
  outcomes: [
    succeededOption('payment', 'the processor took the payment; <id> is its ID there'),
    notReceivedOption('charge'),
  ],
  lookupPeriod: 'three days',
  notes: `
Look the payment up at the processor first: the outcome is final. Webhooks and texts are sent as for any other charge.

--not-received with --now works once the charge is ten minutes old, or twenty if the bank asked the payer to
confirm. Before that, the payment could still go through after the caller has paid again.`,
  outcomeOf: ({ succeeded }) =>
    succeeded === undefined ? { outcome: 'not_received' } : { outcome: 'succeeded', processorId: succeeded },
  // A payer whose bank asks for confirmation has ten minutes to give it.
  inTransit: ({ processorPaymentId }) =>
    `may still be on its way to the processor: wait until it is ${processorPaymentId === null ? 'ten' : 'twenty'} minutes old`,
  onSettled: ({ sessionId }, config) => publishOnce(redisUrlOf(config), sessionId, 'charge_changed'),
};

const REFUND: SettleCommand<'refund'> = {
  kind: 'refund',
  outcomes: [
    succeededOption('refund', 'the processor made the refund; <id> is its ID there'),
    new Option('--refused', 'the processor accepted the refund, but it failed').conflicts(['succeeded', 'notReceived']),
    notReceivedOption('refund'),
  ],
  lookupPeriod: 'a month',
  notes: `
Look the refund up at the processor first: the outcome is final. The webhook is sent as for any other refund.

If the processor has not returned an ID for the refund yet, --now works only with --succeeded. Ringkey may
still resend such a refund for half a day. If you recorded it as failed, it could be refunded twice.`,
  outcomeOf({ succeeded, refused }) {
    if (succeeded !== undefined) return { outcome: 'succeeded', processorId: succeeded };
    return { outcome: refused ? 'refused' : 'not_received' };
  },
  inTransit: () =>
    'may still be on its way to the processor or be sent again: wait until 12 h 10 min after it was created',
  onSettled: async () => undefined,
};

function succeededOption(resource: string, description: string): Option {
  return new Option('--succeeded <id>', description).argParser((text) => {
    if (isProcessorId(text)) return text;
    if (holdsCardNumber(text)) {
      throw new InvalidArgumentError('It looks like a card number, which Ringkey never stores.');
    }
    throw new InvalidArgumentError(`It must be the processor's ID of the ${resource}.`);
  });
}

function notReceivedOption(resource: string): Option {
  const description = `the processor does not have the ${resource} and never will`;
  return new Option('--not-received', description).conflicts('succeeded');
}

function addSettleCommand<K extends SettleableKind>(
  parent: Command,
  context: CommandContext,
  settleCommand: SettleCommand<K>,
): void {
  const { kind, outcomes, lookupPeriod, notes } = settleCommand;
  const command = parent
    .command('settle')
    .description(`record the outcome of a ${kind} that stayed pending`)
    .addArgument(idArgument(SETTLEABLE[kind].idKind));
  for (const outcome of outcomes) command.addOption(outcome);
  command
    .option('--now', `settle even though Ringkey still asks the processor itself, which it does for ${lookupPeriod}`)
    .addHelpText('after', notes)
    .action(async (id: string, options: SettleOptions) => {
      if (!outcomes.some((outcome) => outcome.attributeName() in options)) {
        command.error(`error: one of ${outcomes.map(({ long }) => long).join(', ')} is required`);
      }
      const config = context.readConfig();
      await withDatabase(config, (database) => settleRow(database, config, settleCommand, id, options));
    });
}

async function settleRow<K extends SettleableKind>(
  database: Database,
  config: Config,
  command: SettleCommand<K>,
  id: string,
  options: SettleOptions,
): Promise<void> {
  const { kind, outcomeOf, onSettled } = command;
  const found = requireFound(await findToSettle(database, kind, id), kind);
  const name = kind === 'charge' ? 'processorPaymentId' : 'processorRefundId';
  const log = createOperatorLog(config, { [name]: options.succeeded ?? processorIdOf(found.row) });
  const order = { found, reported: outcomeOf(options), by: commandActor(), now: options.now === true };
  const settled = await settleManually({ database, log }, kind, order);
  if (settled.type === 'refused') throw new CommandFailed(`${settled.row.id} ${refusalOf(command, settled)}`);
  await onSettled(settled.row, config);
  const { status, amount } = settled.row;
  const line = [settled.row.id, status, `${amount.amountCents} ${amount.currency}`, processorIdOf(settled.row) ?? ''];
  console.log(line.join('  ').trimEnd());
}

function refusalOf<K extends SettleableKind>(
  { inTransit }: SettleCommand<K>,
  refused: Extract<SettledManually<Rows[K]>, { type: 'refused' }>,
): string {
  switch (refused.reason) {
    case 'not_pending':
      return `is not pending: it is ${refused.row.status}`;
    case 'still_asked':
      return 'is still being looked up at the processor: wait for its outcome, or add --now';
    case 'in_transit':
      return inTransit(refused.row);
    case 'card_unknown':
      return 'only saves a card: delete the card at the processor, and settle the charge with --not-received';
    case 'named_otherwise':
      return `has the ID ${processorIdOf(refused.row)} at the processor`;
    case 'named_another':
      return `does not have that ID at the processor: the ID belongs to ${refused.other}`;
  }
}
