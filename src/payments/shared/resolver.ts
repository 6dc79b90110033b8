/** Shared by the resolvers of charges and refunds: batches of due rows, and the lookup at the processor. */

import { isConnectedSince } from '../../db/merchants/merchant-processors.ts';
import type { Charge } from '../../domain/charge.ts';
import type { HoldChange } from '../../domain/hold.ts';
import type { Refund } from '../../domain/refund.ts';
import { withinLimit } from '../../lib/concurrency/time-limit.ts';
import { type Unknown, unknown } from '../port/answers.ts';
import type { LookupRequest } from '../port/charges.ts';
import type { Processor } from '../port/processor.ts';
import { credentialsOf, type Log, type PaymentDeps, processorOf } from './deps.ts';
import { askOrUnknown } from './steps.ts';

/** Rows claimed at once. */
export const BATCH = 20;
export const LOOK_UP_LIMIT_MS = 10_000;

/** How many were due, and whether there may be more. */
export interface Batch {
  claimed: number;
  more: boolean;
}

/**
 * Processes all claimed rows at once. A row that fails is due again at its next time.
 * @param failure for the log
 */
export async function runBatch<T>(
  log: Log,
  due: readonly T[],
  failure: string,
  work: (item: T) => Promise<void>,
): Promise<Batch> {
  for (const result of await Promise.allSettled(due.map(work))) {
    if (result.status === 'rejected') log.warn({ err: result.reason }, failure);
  }
  return { claimed: due.length, more: due.length === BATCH };
}

/**
 * Looks up a charge or refund.
 * @param ageMs since the row was created
 * @param ask asks the processor, with the fields that every lookup has
 * @param stop ends the wait
 */
export function lookUpAtProcessor<Answer extends { status: string }>(
  deps: Pick<PaymentDeps, 'database' | 'processors' | 'credentialsFor' | 'log'>,
  row: Charge | Refund | HoldChange,
  ageMs: number,
  ask: (
    processor: Processor,
    request: Omit<LookupRequest, 'chargeId' | 'settles'>,
    signal: AbortSignal,
  ) => Promise<Answer>,
  stop: AbortSignal,
): Promise<Answer | Unknown> {
  const about = { rowId: row.id, processor: row.processor };
  return askOrUnknown<Answer | Unknown>(deps, about, 'processor look-up failed', async () => {
    const processor = processorOf(deps, row.processor);
    if (processor === undefined) return unknown('processor not configured');
    const credentials = await credentialsOf(deps, processor, row);
    if (credentials === null) return unknown('no usable credentials');
    const { mode, createdAt } = row;
    const request = { mode, createdAt, askedAt: new Date(createdAt.getTime() + ageMs), credentials };
    const answer = await withinLimit(LOOK_UP_LIMIT_MS, (signal) => ask(processor, request, signal), stop);
    if (answer.status !== 'not_found' || !processor.needsCredentials) return answer;
    // Another account or location of the processor does not know the row, whatever happened to it.
    return (await isConnectedSince(deps.database, row)) ? unknown('connected anew') : answer;
  });
}
