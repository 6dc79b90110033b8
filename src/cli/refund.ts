/** `ringkey refund <charge id>`: gives money back through a running service, over REST. */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import { parseId } from '../domain/ids.ts';
import { REFUND_REASONS } from '../domain/refund.ts';
import { refundSettleCommand } from './refund-settle.ts';
import { CannotStart } from '../domain/start-error.ts';
import { UsageError } from './usage-error.ts';

const USAGE = `Usage: ringkey refund <charge id> [options]
       ringkey refund settle <refund id> …: the outcome of a refund that stayed pending, by hand (--help)

  --amount N             in minor units; all that is left of the charge where not given
  --reason R             ${REFUND_REASONS.join(', ')}
  --idempotency-key K    the one of an earlier try, which then is not made a second time

  RINGKEY_API_KEY in the environment is a key of the charge's account and mode; the demo's charges need none.`;

/** Longer than the service takes to answer. */
const REQUEST_LIMIT_MS = 60_000;

/** @returns the process's exit code: 0 for money that is on its way back. @throws CannotStart for what its reader can mend */
export async function refundCommand(words: string[], config: Config): Promise<number> {
  if (words[0] === 'settle') return refundSettleCommand(words.slice(1), config);
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      ...{ amount: { type: 'string' }, reason: { type: 'string' } },
      ...{ 'idempotency-key': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const [charge, ...more] = positionals;
  if (charge === undefined || more.length > 0) throw new UsageError('one charge id is needed', USAGE);
  if (parseId('Charge', charge) === null) throw new UsageError(`${charge} is no charge id.`);
  const idempotencyKey = values['idempotency-key'] ?? randomUUID();
  const body = {
    charge,
    ...(values.amount !== undefined && { amount_cents: amountOf(values.amount) }),
    ...(values.reason !== undefined && { reason: values.reason }),
  };
  const answer = await ask(config, body, idempotencyKey);
  return tell(answer, idempotencyKey);
}

function amountOf(text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new UsageError('--amount is a whole number of minor units: 1250 is 12.50.');
  return Number(text);
}

interface Answer {
  refund_id?: string;
  status?: string;
  amount_cents?: number;
  currency?: string;
  error?: { code: string; message: string; processor_code?: string };
}

async function ask(config: Config, body: object, idempotencyKey: string): Promise<Answer> {
  const key = config.RINGKEY_API_KEY;
  const base = `http://${config.RINGKEY_HTTP_HOST}:${config.RINGKEY_HTTP_PORT}`;
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
    return (await response.json()) as Answer;
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const again = `If it was reached, the refund may have been made: try again with --idempotency-key ${idempotencyKey}`;
    throw new CannotStart(`No service answers at ${base} (${cause}). ${again}`);
  }
}

function tell({ error, ...refund }: Answer, idempotencyKey: string): number {
  if (error === undefined) {
    console.log(`${refund.refund_id}  ${refund.status}  ${refund.amount_cents} ${refund.currency}`);
    return 0;
  }
  console.error(
    `${error.code}: ${error.message}${error.processor_code === undefined ? '' : ` (${error.processor_code})`}`,
  );
  if (error.code === 'processor_unavailable') console.error(`Its idempotency key: ${idempotencyKey}`);
  return 1;
}
