/** `ringkey refund settle`: records the outcome of a refund that an operator looked up at the processor. */
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
  type SettleOptions,
  settledOrFail,
  succeededOption,
} from './manual-settlement.ts';

const NOTES = `
Look the refund up at the processor first: the outcome is final. The webhook is sent as for any other refund.

If the processor has not returned an ID for the refund yet, --now works only with --succeeded. Ringkey may
still resend such a refund for half a day. If you recorded it as failed, it could be refunded twice.`;

/** @param refund the command `ringkey refund` */
export function addRefundSettleCommand(refund: Command, context: CommandContext): void {
  const refused = new Option('--refused', 'the processor accepted the refund, but it failed');
  addSettleCommand(refund, context, {
    kind: 'Refund',
    outcomes: [
      succeededOption('refund', 'the processor made the refund; <id> is its ID there'),
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
    in_transit:
      'may still be on its way to the processor or be sent again: wait until 12 h 10 min after it was created',
    named_otherwise: `has the ID ${processorRefundId} at the processor`,
  });
  printOutcome(refund, refund.processorRefundId);
}

function outcomeOf({ succeeded, refused }: SettleOptions): RefundOutcome {
  if (succeeded !== undefined) return { outcome: 'succeeded', processorRefundId: succeeded };
  return { outcome: refused ? 'refused' : 'not_received' };
}
