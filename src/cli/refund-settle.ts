/** `ringkey refund settle`: writes the outcome of a refund that an operator found in the processor's books. */
import { type Command, Option } from 'commander';
import type { Config } from '../config.ts';
import type { Database } from '../db/pool.ts';
import { findRefundToSettle } from '../db/refunds/refund-lists.ts';
import type { RefundSettlement } from '../db/refunds/refunds.ts';
import type { RefundId } from '../domain/ids.ts';
import type { Refund } from '../domain/refund.ts';
import { REPEATABLE_MS } from '../payments/ports.ts';
import { settleRefund } from '../payments/settle-refund.ts';
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
  const { refund, givenUp, ageMs } = requireFound(await findRefundToSettle(database, id), 'refund');
  requireSettleable(refund, givenUp, options);
  const settlement = settlementOf(options);
  if (contradictsProcessor(refund, settlement)) {
    throw new CommandFailed(`${id} is known to the processor as ${refund.processorRefundId}`);
  }
  if (!givenUp && settlement.status === 'failed' && mayBeSent(refund, ageMs)) {
    throw new CommandFailed(
      `${id} may be on its way to the processor, or be sent once more: not within 12 h 10 min of its start`,
    );
  }
  const log = createOperatorLog(config, { processorRefundId: options.succeeded ?? refund.processorRefundId });
  const settled = await settleRefund({ database, log, by: commandActor() }, refund, settlement);
  printOutcome(settled, settled.processorRefundId, options);
}

function settlementOf({ succeeded, refused }: SettleOptions): RefundSettlement {
  if (succeeded !== undefined) return { status: 'succeeded', processorRefundId: succeeded };
  return { status: 'failed', reason: refused ? 'refused' : 'not_received', processorCode: null };
}

/** Whether the processor has named it otherwise, or has named what is said to have never reached it. */
function contradictsProcessor({ processorRefundId }: Refund, settlement: RefundSettlement): boolean {
  if (processorRefundId === null) return false;
  if (settlement.status === 'failed') return settlement.reason === 'not_received';
  return settlement.processorRefundId !== processorRefundId;
}

/** The resolver sends again what the processor has not named, for {@link REPEATABLE_MS}. */
function mayBeSent({ processorRefundId }: Refund, ageMs: number): boolean {
  return processorRefundId === null && ageMs < REPEATABLE_MS + IN_TRANSIT_MS;
}
