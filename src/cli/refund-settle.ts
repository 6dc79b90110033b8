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
Of a refund that the processor has not named yet, --now takes only --succeeded: Ringkey may be sending it
again, as it does for half a day, and what is called failed can be given back a second time.

Look in the processor's books first: an outcome is final. The webhook follows as from any other refund.`;

interface RefundSettleOptions extends SettleOptions {
  refused?: true;
}

/** @param refund the command `ringkey refund` */
export function addRefundSettleCommand(refund: Command, context: CommandContext): void {
  refund
    .command('settle')
    .description('write the outcome of a refund that stayed pending')
    .addArgument(idArgument('Refund'))
    .addOption(succeededOption('refund', 'the processor gave the money back; <id> is what it calls the refund'))
    .addOption(
      new Option('--refused', 'the processor took the refund on, and it came to nothing').conflicts([
        'succeeded',
        'notReceived',
      ]),
    )
    .addOption(
      new Option('--not-received', 'the processor knows nothing of the refund, and never will').conflicts('succeeded'),
    )
    .option('--now', 'also while Ringkey still asks the processor by itself, as it does for a month')
    .addHelpText('after', NOTES)
    .action(async (id: RefundId, options: RefundSettleOptions, command: Command) => {
      requireOutcome(command, options, ['succeeded', 'refused', 'notReceived']);
      const config = context.readConfig();
      await withDatabase(config, (database) => settleManually(database, id, options, config));
    });
}

async function settleManually(
  database: Database,
  id: RefundId,
  options: RefundSettleOptions,
  config: Config,
): Promise<void> {
  const found = await findRefundToSettle(database, id);
  if (found === null) throw new CommandFailed('there is no such refund');
  const { refund, givenUp, ageMs } = found;
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
  const settled = await settleRefund({ database, log }, refund, settlement);
  printOutcome(settled, settled.processorRefundId, options);
}

function settlementOf({ succeeded, refused }: RefundSettleOptions): RefundSettlement {
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
