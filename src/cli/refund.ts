/** `ringkey refund <charge id>`: refunds a charge, over the REST API of a running service. */
import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../config/settings.ts';
import type { ChargeId } from '../domain/ids.ts';
import { REFUND_REASONS } from '../domain/refund.ts';
import { CannotStart } from '../lib/start-error.ts';
import { idArgument } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { findServiceUrl } from './find-service.ts';
import { addRefundSettleCommand } from './settle.ts';

/** Longer than the service ever takes to respond. */
const REQUEST_LIMIT_MS = 60_000;

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
      const answer = await postRefund(context.readConfig(), body, idempotencyKey);
      context.exitCode = printAnswer(answer, idempotencyKey);
    });
  addRefundSettleCommand(refund, context);
}

function parseAmount(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of minor units: 1250 is 12.50.');
}

interface RefundAnswer {
  refund_id?: string;
  status?: string;
  amount_cents?: number;
  currency?: string;
  error?: { code: string; message: string; processor_code?: string };
}

/** @throws CannotStart if no service responds */
async function postRefund(config: Config, body: object, idempotencyKey: string): Promise<RefundAnswer> {
  const key = config.RINGKEY_API_KEY;
  const base = await findServiceUrl(config);
  try {
    const response = await fetch(`${base}/v1/refunds`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
    });
    return (await response.json()) as RefundAnswer;
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const again = `The refund may have been made: to retry safely, add --idempotency-key ${idempotencyKey}`;
    throw new CannotStart(`No response from ${base} (${cause}). ${again}`);
  }
}

/** @returns the exit code */
function printAnswer({ error, ...refund }: RefundAnswer, idempotencyKey: string): number {
  if (error === undefined) {
    console.log(`${refund.refund_id}  ${refund.status}  ${refund.amount_cents} ${refund.currency}`);
    return 0;
  }
  console.error(
    `${error.code}: ${error.message}${error.processor_code === undefined ? '' : ` (${error.processor_code})`}`,
  );
  if (error.code === 'processor_unavailable') console.error(`Idempotency key of this attempt: ${idempotencyKey}`);
  return 1;
}
