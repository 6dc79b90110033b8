/** What the steps of charges and of refunds share: what happens when the database is away, or an adapter fails. */

import { isDuplicate } from '../db/duplicate.ts';
import { isTransient } from '../db/transient.ts';
import { withRetries } from '../lib/concurrency/retries.ts';
import { type PaymentDeps, timingsOf } from './deps.ts';
import { type Unknown, unknown } from './ports.ts';

type Deps = Pick<PaymentDeps, 'log' | 'timings'>;

/** What a log line is about. */
type About = Readonly<Record<string, string>>;

/**
 * Writes the pending row. Trying again is safe: the row keeps its id, and nothing has been sent.
 * @param limitMs how long the database may be away
 * @param failure for the log
 * @returns null when the database is away
 */
export async function beginWithRetries<T>(
  { log }: Pick<Deps, 'log'>,
  about: About,
  limitMs: number,
  failure: string,
  begin: () => Promise<T>,
): Promise<T | null> {
  // What a unique index kept out finds the other one when it is tried again.
  const mayRetry = (error: unknown) => isTransient(error) || isDuplicate(error);
  try {
    return await withRetries(limitMs, mayRetry, begin);
  } catch (error) {
    if (!isTransient(error)) throw error;
    log.warn({ err: error, ...about }, failure);
    return null;
  }
}

/** Asks the processor. Where that throws, what became of the request is not known. @param failure for the log */
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
 * @returns null when the database stays away: the answer is lost to us, not the money, and the resolver asks again
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
