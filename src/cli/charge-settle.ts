/** `ringkey charge settle`: writes the outcome of a charge that an operator found in the processor's books. */
import { type Command, Option } from 'commander';
import type { Config } from '../config.ts';
import { findToSettle } from '../db/charges/charges.ts';
import type { Database } from '../db/pool.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { Settlement } from '../payments/ports.ts';
import { RESOLVE_AFTER_MS } from '../payments/schedule.ts';
import { leavePending, NOT_RECEIVED, settleCharge } from '../payments/settle-charge.ts';
import { idArgument } from './arguments.ts';
import { withDatabase } from './with-database.ts';
import { type CommandContext, CommandFailed } from './context.ts';
import {
  createOperatorLog,
  IN_TRANSIT_MS,
  printOutcome,
  requireOutcome,
  requireSettleable,
  type SettleOptions,
  succeededOption,
} from './manual-settlement.ts';

const NOTES = `
With --not-received, --now works ten minutes after the charge began at the earliest: a payment that is
still on its way would be taken, and the caller could pay a second time.

Look in the processor's books first: an outcome is final. Webhooks and texts follow as from any other charge.`;

export function addChargeCommands(program: Command, context: CommandContext): void {
  program
    .command('charge')
    .description('settle a charge that stayed pending')
    .command('settle')
    .description('write the outcome of a charge that stayed pending')
    .addArgument(idArgument('Charge'))
    .addOption(succeededOption('payment', 'the processor took the money; <id> is what it calls the payment'))
    .addOption(
      new Option('--not-received', 'the processor knows nothing of the charge, and never will').conflicts('succeeded'),
    )
    .option('--now', 'also while Ringkey still asks the processor by itself, as it does for three days')
    .addHelpText('after', NOTES)
    .action(async (id: ChargeId, options: SettleOptions, command: Command) => {
      requireOutcome(command, options, ['succeeded', 'notReceived']);
      const config = context.readConfig();
      await withDatabase(config, (database) => settleManually(database, id, options, config));
    });
}

async function settleManually(database: Database, id: ChargeId, options: SettleOptions, config: Config): Promise<void> {
  const { succeeded } = options;
  const found = await findToSettle(database, id);
  if (found === null) throw new CommandFailed('there is no such charge');
  const { charge, givenUp, ageMs } = found;
  requireSettleable(charge, givenUp, options);
  if (!givenUp && succeeded === undefined && ageMs < IN_TRANSIT_MS) {
    throw new CommandFailed(`${id} may still be on its way to the processor: not before it is ten minutes old`);
  }
  // As the resolver does: a caller who was left in doubt is texted that nothing was taken, and this event says so.
  if (succeeded === undefined) await leavePending(database, id, RESOLVE_AFTER_MS);
  const settlement: Settlement =
    succeeded === undefined ? NOT_RECEIVED : { status: 'succeeded', processorPaymentId: succeeded };
  const log = createOperatorLog(config, { processorPaymentId: succeeded ?? null });
  const { charge: settled } = await settleCharge({ database, log }, charge, settlement);
  printOutcome(settled, settled.processorPaymentId, options);
}
