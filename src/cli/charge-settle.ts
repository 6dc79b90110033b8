/** `ringkey charge settle`: records the outcome of a charge that an operator looked up at the processor. */
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { findToSettle } from '../db/charges/charges.ts';
import type { Database } from '../db/pool.ts';
import type { Charge } from '../domain/charge.ts';
import type { ChargeId } from '../domain/ids.ts';
import { publishOnce } from '../notifications/progress/publish-once.ts';
import { type ChargeOutcome, settleChargeByHand } from '../payments/settle-by-hand.ts';
import { commandActor } from './command-actor.ts';
import { type CommandContext, requireFound } from './context.ts';
import {
  addSettleCommand,
  createOperatorLog,
  notReceivedOption,
  printOutcome,
  type SettleOptions,
  settledOrFail,
  succeededOption,
} from './manual-settlement.ts';
import { redisUrlOf } from './redis-url.ts';

const NOTES = `
Look the payment up at the processor first: the outcome is final. Webhooks and texts are sent as for any other charge.

--not-received with --now works once the charge is ten minutes old, or twenty if the bank asked the payer to
confirm. Before that, the payment could still go through after the caller has paid again.`;

export function addChargeCommands(program: Command, context: CommandContext): void {
  const charge = program.command('charge').description('settle charges that stayed pending');
  addSettleCommand(charge, context, {
    kind: 'Charge',
    outcomes: [
      succeededOption('payment', 'the processor took the payment; <id> is its ID there'),
      notReceivedOption('charge'),
    ],
    askedFor: 'three days',
    notes: NOTES,
    settle: settleManually,
  });
}

async function settleManually(database: Database, id: ChargeId, options: SettleOptions, config: Config): Promise<void> {
  const { succeeded, now } = options;
  const found = requireFound(await findToSettle(database, id), 'charge');
  const log = createOperatorLog(config, { processorPaymentId: succeeded ?? null });
  const deps = { database, log, by: commandActor(), ...(now && { now }) };
  const said: ChargeOutcome =
    succeeded === undefined ? { outcome: 'not_received' } : { outcome: 'succeeded', processorPaymentId: succeeded };
  const charge = settledOrFail(await settleChargeByHand(deps, found, said), {
    named_otherwise: `has the ID ${found.charge.processorPaymentId} at the processor`,
    in_transit: `may still be on its way to the processor: wait until it is ${minutesOf(found.charge)} minutes old`,
  });
  await publishOnce(redisUrlOf(config), charge.sessionId, 'charge_changed');
  printOutcome(charge, charge.processorPaymentId);
}

/** A payer whose bank asks for confirmation has ten minutes to give it. */
const minutesOf = ({ processorPaymentId }: Charge) => (processorPaymentId === null ? 'ten' : 'twenty');
