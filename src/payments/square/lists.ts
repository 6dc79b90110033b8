/** Searches Square's lists page by page for a payment or refund of ours: they cannot be filtered by reference. */

import { findListed, listWindow, PAGE } from '../vendor-api/lookup.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';

/** The parameters of all Square lists. */
interface Listing {
  beginTime: string;
  endTime: string;
  sortOrder: 'ASC';
  limit: number;
}

interface Page<T> {
  data: T[];
  response: unknown;
  hasNextPage(): boolean;
  getNextPage(): Promise<Page<T>>;
}

/**
 * @param latest when it may have been created at the latest
 * @throws NoAnswer if it is unknown whether it is there
 */
export async function findInList<T>(
  createdAt: Date,
  list: (listing: Listing) => Promise<Page<T>>,
  isOurs: (item: T) => boolean,
  latest?: Date,
): Promise<T | null> {
  const { from, until } = listWindow(createdAt, latest);
  const listing = {
    beginTime: from.toISOString(),
    endTime: until.toISOString(),
    sortOrder: 'ASC',
    limit: PAGE,
  } as const;
  return findListed(itemsOf(await list(listing)), isOurs);
}

/** @throws NoAnswer if a response is not a page */
export async function* itemsOf<T>(first: Page<T>): AsyncIterable<T> {
  for (let page = first; ; page = await page.getNextPage()) {
    if (!isList(page.response)) throw new NoAnswer('unreadable');
    yield* page.data;
    if (!page.hasNextPage()) return;
  }
}

/** All fields of a list response. An empty list has none (ListPayments, ListPaymentRefunds, ListCards). */
const ENVELOPE: readonly string[] = ['payments', 'refunds', 'cards', 'disputes', 'payouts', 'cursor'];

/**
 * The package turns any other response, even if it is not JSON, into an empty list. That would mean that a payment was
 * never made.
 */
function isList(response: unknown): boolean {
  if (typeof response !== 'object' || response === null) return false;
  return Object.entries(response).every(
    ([name, value]) => ENVELOPE.includes(name) || (name === 'errors' && Array.isArray(value) && value.length === 0),
  );
}
