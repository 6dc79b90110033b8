/** Reads Square's lists, page by page, for a payment or refund of ours: they have no filter by reference. */
import { NoAnswer } from '../no-retry.ts';
import { findListed, listWindow, PAGE } from '../vendor-lookup.ts';

/** The parameters that all of Square's lists have. */
interface Listing {
  beginTime: string;
  endTime: string;
  sortOrder: 'ASC';
  limit: number;
}

export interface Page<T> {
  data: T[];
  response: unknown;
  hasNextPage(): boolean;
  getNextPage(): Promise<Page<T>>;
}

/** @param latest when it may have been made at the latest. @throws NoAnswer when it is not known whether it is there */
export async function findInList<T>(
  begunAt: Date,
  list: (listing: Listing) => Promise<Page<T>>,
  isOurs: (item: T) => boolean,
  latest?: Date,
): Promise<T | null> {
  const { from, until } = listWindow(begunAt, latest);
  const listing = {
    beginTime: from.toISOString(),
    endTime: until.toISOString(),
    sortOrder: 'ASC',
    limit: PAGE,
  } as const;
  return findListed(itemsOf(await list(listing)), isOurs);
}

/** @throws NoAnswer where a page is none */
export async function* itemsOf<T>(first: Page<T>): AsyncIterable<T> {
  for (let page = first; ; page = await page.getNextPage()) {
    if (!isList(page.response)) throw new NoAnswer('unreadable');
    yield* page.data;
    if (!page.hasNextPage()) return;
  }
}

/** All that an answer may hold; of an empty list there is nothing in it (ListPayments, ListPaymentRefunds). */
const ENVELOPE: readonly string[] = ['payments', 'refunds', 'cursor'];

/**
 * The package makes an empty list of whatever is no JSON or something else, and an empty list would mean that a payment
 * was never made.
 */
function isList(response: unknown): boolean {
  if (typeof response !== 'object' || response === null) return false;
  return Object.entries(response).every(
    ([name, value]) => ENVELOPE.includes(name) || (name === 'errors' && Array.isArray(value) && value.length === 0),
  );
}
