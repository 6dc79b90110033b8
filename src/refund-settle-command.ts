/** `ringkey refund settle <refund id>`: the outcome that a person found in the processor's books, into the record. */
import { parseArgs } from 'node:util';
import { withRecord } from './admin/connect.ts';
import { isProcessorsId, ON_ITS_WAY_MS, operatorsLog, refuse } from './by-hand.ts';
import type { Config } from './config.ts';
import { parseId, type RefundId } from './domain/ids.ts';
import type { Refund } from './domain/refund.ts';
import { REPEATABLE_MS } from './payments/ports.ts';
import { settleRefundAs } from './payments/refund.ts';
import type { Sql } from './store/database.ts';
import { findRefundToSettle } from './store/refund-lists.ts';
import type { RefundSettlement } from './store/refunds.ts';
import { UsageError } from './usage-error.ts';

export const SETTLE_USAGE = `Usage: ringkey refund settle <refund id> --succeeded <processor refund id> | --refused | --not-received [--now]

  --succeeded ID    the processor has given the money back; ID is what it calls the refund
  --refused         the processor took the refund on, and it came to nothing: the merchant has the money
  --not-received    the processor knows nothing of the refund, and never will
  --now             also while Ringkey still asks the processor by itself, as it does for a month.
                    Of a refund that the processor has not named yet, only --succeeded: Ringkey may be sending it
                    again, as it does for half a day, and what is called failed can be given back a second time

  Look in the processor's books first: an outcome is final. The webhook follows as from any other refund.`;

interface Order {
  id: RefundId;
  settlement: RefundSettlement;
  /** Although the resolver has not given up. */
  now: boolean;
}

/** @returns the process's exit code: 0 when the refund has that outcome now. @throws UsageError */
export async function refundSettleCommand(words: string[], config: Config): Promise<number> {
  const order = readOrder(words);
  if (order === null) {
    console.log(SETTLE_USAGE);
    return 0;
  }
  return withRecord(config, ({ database }) => settleByHand(database, order, config));
}

/** @returns null for who asks for help */
function readOrder(words: string[]): Order | null {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      ...{ succeeded: { type: 'string' }, refused: { type: 'boolean' }, 'not-received': { type: 'boolean' } },
      ...{ now: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    },
  });
  if (values.help) return null;
  const [refund, ...more] = positionals;
  if (refund === undefined || more.length > 0) throw new UsageError('one refund id is needed', SETTLE_USAGE);
  const id = parseId('Refund', refund);
  if (id === null) throw new UsageError(`${refund} is no refund id.`);
  const { succeeded, refused = false, 'not-received': notReceived = false, now = false } = values;
  if (Number(succeeded !== undefined) + Number(refused) + Number(notReceived) !== 1) {
    throw new UsageError('one of --succeeded, --refused and --not-received is needed', SETTLE_USAGE);
  }
  return { id, now, settlement: settlementOf(succeeded, refused) };
}

function settlementOf(processorRefundId: string | undefined, refused: boolean): RefundSettlement {
  if (processorRefundId === undefined) {
    return { status: 'failed', reason: refused ? 'refused' : 'not_received', processorCode: null };
  }
  if (!isProcessorsId(processorRefundId)) throw new UsageError('--succeeded needs the processor refund id.');
  return { status: 'succeeded', processorRefundId };
}

async function settleByHand(sql: Sql, { id, settlement, now }: Order, config: Config): Promise<number> {
  const found = await findRefundToSettle(sql, id);
  if (found === null) return refuse('there is no such refund');
  const { refund, givenUp, ageMs } = found;
  const failed = settlement.status === 'failed';
  if (refund.status !== 'pending') return refuse(`${id} is not pending but ${refund.status}`);
  if (contradicts(refund, settlement)) return refuse(`${id} is known to the processor as ${refund.processorRefundId}`);
  if (!givenUp && !now) return refuse(`${id} is still being asked about: wait for its outcome, or say --now`);
  if (!givenUp && failed && mayBeSent(refund, ageMs)) {
    return refuse(
      `${id} may be on its way to the processor, or be sent once more: not within 12 h 10 min of its start`,
    );
  }
  const processorRefundId = failed ? refund.processorRefundId : settlement.processorRefundId;
  const settled = await settleRefundAs({ sql, log: operatorsLog(config, { processorRefundId }) }, refund, settlement);
  if (!isAsOrdered(settled, settlement)) {
    return refuse(`${id} was settled otherwise at the same time: ${lineOf(settled)}`);
  }
  console.log(lineOf(settled));
  return 0;
}

/** What the processor has told us of it is another refund's, or of one that it never got. */
function contradicts({ processorRefundId }: Refund, settlement: RefundSettlement): boolean {
  if (processorRefundId === null) return false;
  if (settlement.status === 'failed') return settlement.reason === 'not_received';
  return settlement.processorRefundId !== processorRefundId;
}

/** The resolver sends again what the processor has not named (refund-resolve.ts). */
function mayBeSent({ processorRefundId }: Refund, ageMs: number): boolean {
  return processorRefundId === null && ageMs < REPEATABLE_MS + ON_ITS_WAY_MS;
}

/** Of another settler's outcome, if one was first, the refund's name at the processor tells whether it is ours, too. */
function isAsOrdered(settled: Refund, settlement: RefundSettlement): boolean {
  if (settlement.status === 'failed') return settled.status === 'failed';
  return settled.status === 'succeeded' && settled.processorRefundId === settlement.processorRefundId;
}

const lineOf = ({ id, status, amount, processorRefundId }: Refund) =>
  [id, status, `${amount.amountCents} ${amount.currency}`, processorRefundId ?? ''].join('  ').trimEnd();
