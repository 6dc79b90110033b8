/** Handles notifications of payouts: reads the payout and its entries at the processor, and writes them. */
import { type NotedPayout, writePayout } from '../../db/payouts/payouts.ts';
import type { DueNotification } from '../../db/processor-notifications/inbox.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import { unknown } from '../port/answers.ts';
import type { PayoutAnswer, ReadPayout } from '../port/payouts.ts';
import { idOrNull } from '../shared/checked-answers.ts';
import { credentialsOf, type PaymentDeps, processorOf } from '../shared/deps.ts';
import { askOrUnknown } from '../shared/steps.ts';
import { readClock } from './handle-disputes.ts';

type Deps = Pick<PaymentDeps, 'database' | 'processors' | 'credentialsFor' | 'log'>;

type PayoutNotification = DueNotification & { payoutId: string };

/** Of a payout with many pages of entries. */
const READ_LIMIT_MS = 60_000;

/** Whether the notification is about a payout that {@link handlePayout} can read. */
export const isAboutPayout = (due: DueNotification): due is PayoutNotification => due.payoutId !== null;

/** @param stop ends the waits */
export async function handlePayout(
  deps: Deps,
  due: PayoutNotification,
  stop: AbortSignal,
): Promise<'done' | 'not_ours' | 'retry'> {
  const askedAt = await readClock(deps);
  const answer = await readPayout(deps, due, stop);
  const { processor, merchantId } = due;
  if (answer.status === 'unknown') {
    deps.log.warn({ processor, merchantId, cause: answer.cause }, 'payout not read, will retry');
    return 'retry';
  }
  if (answer.status === 'not_found') return 'not_ours';
  const noted = checkedPayout(due.payoutId, answer.payout, askedAt);
  const isWritten = await deps.database.transaction((sql) => writePayout(sql, due, noted));
  const { status, entries } = noted;
  deps.log.info({ processor, merchantId, status, entries: entries.length, isWritten }, 'payout read');
  return 'done';
}

function readPayout(deps: Deps, due: PayoutNotification, stop: AbortSignal): Promise<PayoutAnswer> {
  const about = { processor: due.processor, notification: due.id };
  return askOrUnknown<PayoutAnswer>(deps, about, 'payout of a notification not read', async () => {
    const processor = processorOf(deps, due.processor);
    const payouts = processor?.payouts;
    if (processor === undefined || payouts === undefined) return unknown('processor not configured');
    const credentials = await credentialsOf(deps, processor, due);
    if (credentials === null) return unknown('no usable credentials');
    const request = { mode: due.mode, credentials, payoutId: due.payoutId };
    return withinLimit(READ_LIMIT_MS, (signal) => payouts.read(request, signal), stop);
  });
}

/** Drops what may not be stored, as for every answer of a processor. */
function checkedPayout(processorPayoutId: string, payout: ReadPayout, askedAt: number): NotedPayout {
  // A list that grows while it is read can have one twice.
  const entries = new Map(payout.entries.map((entry) => [entry.processorEntryId, entry]));
  for (const id of entries.keys()) if (idOrNull(id) === null) entries.delete(id);
  return { ...payout, processorPayoutId, entries: [...entries.values()], version: askedAt };
}
