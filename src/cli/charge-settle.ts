/** `ringkey charge settle`: writes the outcome of a charge that an operator found in the processor's books. */
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { findToSettle } from '../db/charges/charges.ts';
import type { Database } from '../db/pool.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { Settlement } from '../payments/ports.ts';
import { publishOnce } from '../progress/publish-once.ts';
import { RESOLVE_AFTER_MS } from '../payments/schedule.ts';
import { leavePending, NOT_RECEIVED, settleCharge } from '../payments/settle-charge.ts';
import { redisUrlOf } from './redis-url.ts';
import { commandActor } from './command-actor.ts';
import { type CommandContext, CommandFailed, requireFound } from './context.ts';
import {
  addSettleCommand,
  createOperatorLog,
  IN_TRANSIT_MS,
  notReceivedOption,
  printOutcome,
  requireSettleable,
  type SettleOptions,
  succeededOption,
} from './manual-settlement.ts';

const NOTES = `
With --not-received, --now works ten minutes after the charge began at the earliest: a payment that is
still on its way would be taken, and the caller could pay a second time.

Look in the processor's books first: an outcome is final. Webhooks and texts follow as from any other charge.`;

export function addChargeCommands(program: Command, context: CommandContext): void {
  const charge = program.command('charge').description('settle a charge that stayed pending');
  addSettleCommand(charge, context, {
    kind: 'Charge',
    outcomes: [
      succeededOption('payment', 'the processor took the money; <id> is what it calls the payment'),
      notReceivedOption('charge'),
    ],
    askedFor: 'three days',
    notes: NOTES,
    settle: settleManually,
  });
}

async function settleManually(database: Database, id: ChargeId, options: SettleOptions, config: Config): Promise<void> {
  const { succeeded } = options;
  const { charge, givenUp, ageMs } = requireFound(await findToSettle(database, id), 'charge');
  requireSettleable(charge, givenUp, options);
  if (!givenUp && succeeded === undefined && ageMs < IN_TRANSIT_MS) {
    throw new CommandFailed(`${id} may still be on its way to the processor: not before it is ten minutes old`);
  }
  const settlement: Settlement =
    succeeded === undefined ? NOT_RECEIVED : { status: 'succeeded', processorPaymentId: succeeded };
  const log = createOperatorLog(config, { processorPaymentId: succeeded ?? null });
  // As the resolver does: a caller who was left in doubt is texted that nothing was taken, and this event says so.
  if (succeeded === undefined) await leavePending({ database, log }, charge, RESOLVE_AFTER_MS);
  const { charge: settled } = await settleCharge({ database, log, by: commandActor() }, charge, settlement);
  await publishOnce(redisUrlOf(config), settled.sessionId, 'charge_changed');
  printOutcome(settled, settled.processorPaymentId, options);
}
