/** `ringkey refund settle`: writes the outcome of a refund that an operator found in the processor's books. */
import { type Command, Option } from 'commander';
import type { Config } from '../config.ts';
import type { Database } from '../db/pool.ts';
import { findRefundToSettle } from '../db/refunds/refund-lists.ts';
import type { RefundId } from '../domain/ids.ts';
import { type RefundOutcome, settleRefundByHand } from '../payments/settle-by-hand.ts';
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
Of a refund that the processor has not named yet, --now takes only --succeeded: Ringkey may be sending it
again, as it does for half a day, and what is called failed can be given back a second time.

Look in the processor's books first: an outcome is final. The webhook follows as from any other refund.`;

/** @param refund the command `ringkey refund` */
export function addRefundSettleCommand(refund: Command, context: CommandContext): void {
  const refused = new Option('--refused', 'the processor took the refund on, and it came to nothing');
  addSettleCommand(refund, context, {
    kind: 'Refund',
    outcomes: [
      succeededOption('refund', 'the processor gave the money back; <id> is what it calls the refund'),
      refused.conflicts(['succeeded', 'notReceived']),
      notReceivedOption('refund'),
    ],
    askedFor: 'a month',
    notes: NOTES,
    settle: settleManually,
  });
}

async function settleManually(database: Database, id: RefundId, options: SettleOptions, config: Config): Promise<void> {
  const { succeeded, now } = options;
  const found = requireFound(await findRefundToSettle(database, id), 'refund');
  const { processorRefundId } = found.refund;
  const log = createOperatorLog(config, { processorRefundId: succeeded ?? processorRefundId });
  const deps = { database, log, by: commandActor(), ...(now && { now }) };
  const refund = settledOrFail(await settleRefundByHand(deps, found, outcomeOf(options)), {
    in_transit: 'may be on its way to the processor, or be sent once more: not within 12 h 10 min of its start',
    named_otherwise: `is known to the processor as ${processorRefundId}`,
  });
  printOutcome(refund, refund.processorRefundId);
}

function outcomeOf({ succeeded, refused }: SettleOptions): RefundOutcome {
  if (succeeded !== undefined) return { outcome: 'succeeded', processorRefundId: succeeded };
  return { outcome: refused ? 'refused' : 'not_received' };
}
