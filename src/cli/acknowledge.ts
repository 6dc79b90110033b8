/** `ringkey charge acknowledge`: marks a charge that was reported as failed and was paid as seen. */
import type { Command } from 'commander';
import { findCharge } from '../db/charges/charges.ts';
import type { Database } from '../db/pool.ts';
import type { ChargeId } from '../domain/ids.ts';
import { acknowledgeLateCharge } from '../payments/manual/acknowledge.ts';
import { idArgument } from './arguments.ts';
import { type CommandContext, CommandFailed, commandActor, requireFound } from './context.ts';
import { withDatabase } from './with-database.ts';

const NOTES = `
The charge no longer needs attention in the dashboard. Nothing else about it changes: refund it if the caller paid twice.`;

/** @param charge the command `ringkey charge` */
export function addAcknowledgeCommand(charge: Command, context: CommandContext): void {
  charge
    .command('acknowledge')
    .description('mark a charge that was reported as failed and was paid as seen')
    .addArgument(idArgument('Charge'))
    .addHelpText('after', NOTES)
    .action(async (id: ChargeId) => {
      console.log(await withDatabase(context.readConfig(), (database) => acknowledge(database, id)));
    });
}

/** @returns the line to print */
async function acknowledge(database: Database, id: ChargeId): Promise<string> {
  const charge = requireFound(await findCharge(database, id), 'charge');
  if (!(await acknowledgeLateCharge(database, commandActor(), charge))) {
    throw new CommandFailed(`${id} was not paid late: there is nothing to acknowledge`);
  }
  return `${id}  acknowledged  ${charge.amount.amountCents} ${charge.amount.currency}`;
}
