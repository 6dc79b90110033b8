/** Shared by the steps of charges and refunds: retries while the database is unavailable, and failing adapters. */

import { isDuplicate, isTransient } from '../../db/error-kinds.ts';
import { withRetries } from '../../lib/concurrency/retries.ts';
import { type Unknown, unknown } from '../port/answers.ts';
import { type PaymentDeps, timingsOf } from './deps.ts';

type Deps = Pick<PaymentDeps, 'log' | 'timings'>;

/** The fields of a log line. */
type About = Readonly<Record<string, string>>;

/**
 * Writes the pending row. A retry is safe: the row keeps its ID, and nothing has been sent.
 * @param limitMs how long the database may be unavailable
 * @param failure for the log
 * @returns null if the database stays unavailable
 */
export async function startWithRetries<T>(
  { log }: Pick<Deps, 'log'>,
  about: About,
  limitMs: number,
  failure: string,
  start: () => Promise<T>,
): Promise<T | null> {
  // After a unique violation, a retry finds the other row.
  const mayRetry = (error: unknown) => isTransient(error) || isDuplicate(error);
  try {
    return await withRetries(limitMs, mayRetry, start);
  } catch (error) {
    if (!isTransient(error)) throw error;
    log.warn({ err: error, ...about }, failure);
    return null;
  }
}

/**
 * Asks the processor. If that throws, the request's outcome is unknown.
 * @param failure for the log
 */
export async function askOrUnknown<T>(
  { log }: Pick<Deps, 'log'>,
  about: About,
  failure: string,
  ask: () => Promise<T>,
): Promise<T | Unknown> {
  try {
    return await ask();
  } catch (error) {
    log.error({ err: error, ...about }, failure);
    return unknown('adapter');
  }
}

/**
 * Writes the processor's answer.
 * @param failure for the log
 * @returns null if the database stays unavailable. The answer is lost here, so the resolver asks the processor again.
 */
export async function recordWithRetries<T>(
  deps: Deps,
  about: About,
  failure: string,
  record: () => Promise<T>,
): Promise<T | null> {
  try {
    return await withRetries(timingsOf(deps).recordLimitMs, isTransient, record);
  } catch (error) {
    deps.log.error({ err: error, ...about }, failure);
    return null;
  }
}
