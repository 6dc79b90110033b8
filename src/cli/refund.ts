/** `ringkey refund <charge id>`: refunds a charge, over the REST API of a running service. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { ChargeId } from '../domain/ids.ts';
import { REFUND_REASONS } from '../domain/refund.ts';
import { idArgument, parseAmount } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { type ErrorAnswer, postToService, printError } from './post-to-service.ts';
import { addRefundSettleCommand } from './settle.ts';

interface RefundOptions {
  amount?: number;
  reason?: string;
  idempotencyKey?: string;
}

export function addRefundCommands(program: Command, context: CommandContext): void {
  const refund = program
    .command('refund')
    .description('refund a charge, in full or in part')
    .addArgument(idArgument('Charge'))
    .option('--amount <n>', 'amount in minor units (default: all that is left of the charge)', parseAmount)
    .option('--reason <reason>', `one of ${REFUND_REASONS.join(', ')}`)
    .option('--idempotency-key <key>', 'key of an earlier attempt, which is then not made twice')
    .addHelpText(
      'after',
      "\nSet RINGKEY_API_KEY to a key of the charge's account and mode. Charges of the demo need none.",
    )
    .action(async (charge: ChargeId, { amount, reason, idempotencyKey = randomUUID() }: RefundOptions) => {
      const body = {
        charge,
        ...(amount !== undefined && { amount_cents: amount }),
        ...(reason !== undefined && { reason }),
      };
      const again = `The refund may have been made: to retry safely, add --idempotency-key ${idempotencyKey}`;
      const options = { again, idempotencyKey };
      const answer = await postToService<RefundAnswer>(context.readConfig(), '/v1/refunds', body, options);
      context.exitCode = printAnswer(answer, idempotencyKey);
    });
  addRefundSettleCommand(refund, context);
}

interface RefundAnswer extends ErrorAnswer {
  refund_id?: string;
  status?: string;
  amount_cents?: number;
  currency?: string;
}

/** @returns the exit code */
function printAnswer({ error, ...refund }: RefundAnswer, idempotencyKey: string): number {
  if (error === undefined) {
    console.log(`${refund.refund_id}  ${refund.status}  ${refund.amount_cents} ${refund.currency}`);
    return 0;
  }
  printError(error);
  if (error.code === 'processor_unavailable') console.error(`Idempotency key of this attempt: ${idempotencyKey}`);
  return 1;
}
