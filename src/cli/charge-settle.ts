/** `ringkey charge settle`: writes the outcome of a charge that an operator found in the processor's books. */
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { findToSettle } from '../db/charges/charges.ts';
import type { Database } from '../db/pool.ts';
import type { Charge } from '../domain/charge.ts';
import type { ChargeId } from '../domain/ids.ts';
import { type ChargeOutcome, settleChargeByHand } from '../payments/settle-by-hand.ts';
import { publishOnce } from '../progress/publish-once.ts';
import { redisUrlOf } from './redis-url.ts';
import { commandActor } from './command-actor.ts';
import { type CommandContext, requireFound } from './context.ts';
import {
  addSettleCommand,
  createOperatorLog,
  notReceivedOption,
  printOutcome,
  settledOrFail,
  type SettleOptions,
  succeededOption,
} from './manual-settlement.ts';

const NOTES = `
With --not-received, --now works ten minutes after the charge began at the earliest, twenty where its bank
asked the payer for something: a payment that is still on its way would be taken, and the caller could pay a
second time.

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
  const { succeeded, now } = options;
  const found = requireFound(await findToSettle(database, id), 'charge');
  const log = createOperatorLog(config, { processorPaymentId: succeeded ?? null });
  const deps = { database, log, by: commandActor(), ...(now && { now }) };
  const said: ChargeOutcome =
    succeeded === undefined ? { outcome: 'not_received' } : { outcome: 'succeeded', processorPaymentId: succeeded };
  const charge = settledOrFail(await settleChargeByHand(deps, found, said), {
    named_otherwise: `is known to the processor as ${found.charge.processorPaymentId}`,
    in_transit: `may still be on its way to the processor: not before it is ${minutesOf(found.charge)} minutes old`,
  });
  await publishOnce(redisUrlOf(config), charge.sessionId, 'charge_changed');
  printOutcome(charge, charge.processorPaymentId);
}

/** A payer whose bank asks for something has ten minutes to confirm. */
const minutesOf = ({ processorPaymentId }: Charge) => (processorPaymentId === null ? 'ten' : 'twenty');
