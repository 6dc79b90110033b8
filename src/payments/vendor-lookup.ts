/** Looks up a payment or refund of ours in a vendor's lists, which go by time. */
import { NoAnswer } from './no-retry.ts';
import { BooksUnreadable, type NotFound, type Unknown, unknown } from './ports.ts';
import { causeOf, type Fault } from './vendor-faults.ts';

/** The tolerated difference between the vendor's clock and ours; a little less by its own word. */
const CLOCK_MARGIN_MS = 300_000;
const CLOCK_TOLERANCE_MS = 240_000;
/** From the row of ours to the latest moment its request may reach the vendor, where it is sent once only. */
const SENT_WITHIN_MS = 600_000;
/** Items a page, for both vendors the most. */
export const PAGE = 100;
const MAX_ITEMS = 30 * PAGE;
/** Why a list was not read to its end. */
export const TOO_MANY = 'too_many';

/** Where to look for what was begun then. @param latest when it may have been sent at the latest, by our clock */
export function listWindow(begunAt: Date, latest = new Date(begunAt.getTime() + SENT_WITHIN_MS)) {
  return {
    from: new Date(begunAt.getTime() - CLOCK_MARGIN_MS),
    until: new Date(latest.getTime() + CLOCK_MARGIN_MS),
  };
}

/** @returns null when it is not there. @throws NoAnswer when it is not among the first 3,000 */
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
 * Answers a look-up. Where the vendor's clock and ours differ, we look in the wrong hour, and a payment that was taken
 * seems never to have been: that is `unknown`. A look-up that was refused says nothing of the payment.
 * @param find passes each answer of the vendor to `observe`. @param answerOf null: it was begun, and never will be done
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

/** A vendor's list, whose errors say why it could not be read. @throws BooksUnreadable */
export async function* readableBooks<T>(items: AsyncIterable<T>, faultOf: (error: unknown) => Fault): AsyncIterable<T> {
  try {
    yield* items;
  } catch (error) {
    throw new BooksUnreadable(causeOf(faultOf(error)));
  }
}

/** Compares a vendor's clock with ours: each HTTP answer has a Date (RFC 9110, 6.6.1). */
class VendorClock {
  #date: Date | null = null;

  readonly observe = ({ headers }: Pick<Response, 'headers'>): void => {
    const date = new Date(headers.get('date') ?? Number.NaN);
    if (!Number.isNaN(date.getTime())) this.#date = date;
  };

  /** Whether the last answer's time and ours are the same, as far as both are known. @param ours what time it is now */
  agreesWith(ours: Date | undefined): boolean {
    if (this.#date === null || ours === undefined) return true;
    return Math.abs(this.#date.getTime() - ours.getTime()) <= CLOCK_TOLERANCE_MS;
  }
}
