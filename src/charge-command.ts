/** `ringkey charge settle <charge id>`: the outcome that a person found in the processor's books, into the record. */
import { parseArgs } from 'node:util';
import { withRecord } from './admin/connect.ts';
import { isProcessorsId, ON_ITS_WAY_MS, operatorsLog, refuse } from './by-hand.ts';
import type { Config } from './config.ts';
import type { Charge } from './domain/charge.ts';
import { type ChargeId, parseId } from './domain/ids.ts';
import { RESOLVE_AFTER_MS } from './payments/schedule.ts';
import { NOT_RECEIVED, settle } from './payments/settle.ts';
import { findToSettle, leavePending, type Settlement } from './store/charges.ts';
import type { Database } from './store/database.ts';
import { UsageError } from './usage-error.ts';

const USAGE = `Usage: ringkey charge settle <charge id> --succeeded <processor payment id> | --not-received [--now]

  --succeeded ID    the processor took the money; ID is what it calls the payment
  --not-received    the processor knows nothing of the charge, and never will: no money moved
  --now             also while Ringkey still asks the processor by itself, as it does for three days.
                    With --not-received, ten minutes after the charge began at the earliest: a payment that is
                    still on its way would be taken, and the caller could pay a second time

  Look in the processor's books first: an outcome is final. Webhooks and texts follow as from any other charge.`;

interface Order {
  id: ChargeId;
  settlement: Settlement;
  /** Although the resolver has not given up. */
  now: boolean;
}

/** @returns the process's exit code: 0 when the charge has that outcome now. @throws UsageError */
export async function chargeCommand(words: string[], config: Config): Promise<number> {
  const order = readOrder(words);
  if (order === null) {
    console.log(USAGE);
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
      ...{ succeeded: { type: 'string' }, 'not-received': { type: 'boolean' }, now: { type: 'boolean' } },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return null;
  const [verb, charge, ...more] = positionals;
  if (verb !== 'settle') throw new UsageError('there is no such command', USAGE);
  if (charge === undefined || more.length > 0) throw new UsageError('one charge id is needed', USAGE);
  const id = parseId('Charge', charge);
  if (id === null) throw new UsageError(`${charge} is no charge id.`);
  const { succeeded, 'not-received': notReceived = false, now = false } = values;
  if ((succeeded !== undefined) === notReceived) {
    throw new UsageError('one of --succeeded and --not-received is needed', USAGE);
  }
  return { id, settlement: succeeded === undefined ? NOT_RECEIVED : succeededAs(succeeded), now };
}

function succeededAs(processorPaymentId: string): Settlement {
  if (!isProcessorsId(processorPaymentId)) throw new UsageError('--succeeded needs the processor payment id.');
  return { status: 'succeeded', processorPaymentId };
}

async function settleByHand(sql: Database, { id, settlement, now }: Order, config: Config): Promise<number> {
  const found = await findToSettle(sql, id);
  if (found === null) return refuse('there is no such charge');
  const { charge, givenUp, ageMs } = found;
  if (charge.status !== 'pending') return refuse(`${id} is not pending but ${charge.status}`);
  if (!givenUp && !now) return refuse(`${id} is still being asked about: wait for its outcome, or say --now`);
  if (!givenUp && settlement.status === 'declined' && ageMs < ON_ITS_WAY_MS) {
    return refuse(`${id} may still be on its way to the processor: not before it is ten minutes old`);
  }
  // As the resolver does: whoever was left in doubt is texted that nothing was taken, and this event says that he was.
  if (settlement.status === 'declined') await leavePending(sql, id, RESOLVE_AFTER_MS);
  const { processorPaymentId } = settlement;
  const { charge: settled } = await settle(
    { sql, log: operatorsLog(config, { processorPaymentId }) },
    charge,
    settlement,
  );
  if (!isAsOrdered(settled, settlement))
    return refuse(`${id} was settled otherwise at the same time: ${lineOf(settled)}`);
  console.log(lineOf(settled));
  return 0;
}

/** Of another settler's outcome, if one was first, the payment's id tells whether it is ours, too. */
function isAsOrdered(settled: Charge, settlement: Settlement): boolean {
  if (settlement.status === 'declined') return settled.status === 'failed';
  return settled.status === 'succeeded' && settled.processorPaymentId === settlement.processorPaymentId;
}

const lineOf = ({ id, status, amount, processorPaymentId }: Charge) =>
  [id, status, `${amount.amountCents} ${amount.currency}`, processorPaymentId ?? ''].join('  ').trimEnd();
