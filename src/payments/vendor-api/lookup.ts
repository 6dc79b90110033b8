/** Looks up a payment or refund of ours in a vendor's lists, which are ordered by time. */

import { type NotFound, type Unknown, unknown } from '../port/answers.ts';
import { RecordsUnreadable } from '../port/records.ts';
import { causeOf, type Fault } from './faults.ts';
import { NoAnswer } from './no-retry.ts';

/** The accepted difference between the vendor's clock and ours. Vendors themselves accept a little less. */
const CLOCK_MARGIN_MS = 300_000;
const CLOCK_TOLERANCE_MS = 240_000;
/** From our row to the latest time at which its request may reach the vendor, if it is sent only once. */
const SENT_WITHIN_MS = 600_000;
/** Items per page: the maximum of both vendors. */
export const PAGE = 100;
const MAX_ITEMS = 30 * PAGE;
/** The list was too long to read to its end. */
export const TOO_MANY = 'too_many';

/**
 * The part of the list to search.
 * @param latest when it may have been sent at the latest, by our clock
 */
export function listWindow(createdAt: Date, latest = new Date(createdAt.getTime() + SENT_WITHIN_MS)) {
  return {
    from: new Date(createdAt.getTime() - CLOCK_MARGIN_MS),
    until: new Date(latest.getTime() + CLOCK_MARGIN_MS),
  };
}

/**
 * @returns null if it is not in the list
 * @throws NoAnswer if it is not among the first 3,000
 */
export async function findListed<T>(items: AsyncIterable<T>, isOurs: (item: T) => boolean): Promise<T | null> {
  let seen = 0;
  for await (const item of items) {
    if (isOurs(item)) return item;
    seen += 1;
    if (seen === MAX_ITEMS) throw new NoAnswer(TOO_MANY);
  }
  return null;
}

/**
 * Looks something up. If the vendor's clock and ours differ, we may search the wrong hour and miss a payment that was
 * taken, so the answer is `unknown`. A rejected lookup says nothing about the payment.
 * @param find passes each response of the vendor to `observe`
 * @param answerOf null: it was created there, and will never be done
 */
export async function lookUpListed<T, Answer>(
  { askedAt }: { askedAt?: Date },
  find: (observe: VendorClock['observe']) => Promise<T | null>,
  answerOf: (found: T) => Answer | null,
  faultOf: (error: unknown) => Fault,
): Promise<Answer | Unknown | NotFound> {
  try {
    const clock = new VendorClock();
    const found = await find(clock.observe);
    if (found === null && !clock.agreesWith(askedAt)) return unknown('clocks_differ');
    return (found === null ? null : answerOf(found)) ?? { status: 'not_found' };
  } catch (error) {
    return unknown(causeOf(faultOf(error)));
  }
}

/** Makes errors of a vendor's list say why it could not be read. @throws RecordsUnreadable */
export async function* readableRecords<T>(
  items: AsyncIterable<T>,
  faultOf: (error: unknown) => Fault,
): AsyncIterable<T> {
  try {
    yield* items;
  } catch (error) {
    throw new RecordsUnreadable(causeOf(faultOf(error)));
  }
}

/** Compares a vendor's clock with ours by the Date of each HTTP response (RFC 9110, 6.6.1). */
class VendorClock {
  #date: Date | null = null;

  readonly observe = ({ headers }: Pick<Response, 'headers'>): void => {
    const date = new Date(headers.get('date') ?? Number.NaN);
    if (!Number.isNaN(date.getTime())) this.#date = date;
  };

  /** Whether the last response's time equals ours, as far as both are known. @param ours the current time */
  agreesWith(ours: Date | undefined): boolean {
    if (this.#date === null || ours === undefined) return true;
    return Math.abs(this.#date.getTime() - ours.getTime()) <= CLOCK_TOLERANCE_MS;
  }
}
