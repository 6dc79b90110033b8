/** Finds a payment or refund of ours in Square's lists, which have no filter by reference. */

/** The tolerated difference between its clock and ours. */
const CLOCK_MARGIN_MS = 300_000;
/** From the row of ours to the latest moment its request may reach Square, where it is sent once only. */
const WINDOW_MS = 600_000;
const PAGE = 100;
const MAX_PAGES = 30;

interface Window {
  beginTime: string;
  endTime: string;
  sortOrder: 'ASC';
  limit: number;
}

/** All that an answer may hold; of an empty list there is nothing in it (ListPayments, ListPaymentRefunds). */
const ENVELOPE: readonly string[] = ['payments', 'refunds', 'cursor'];

interface Page<T> {
  data: T[];
  response: unknown;
  hasNextPage(): boolean;
  getNextPage(): Promise<Page<T>>;
}

/**
 * The package makes an empty list of whatever is no JSON or something else, and an empty list would mean that a payment
 * was never made.
 * @param latest when it may have been made at the latest, by our clock
 * @returns null when it is not there, `too_many` or `unreadable` when that is not known
 */
export async function findListed<T>(
  begunAt: Date,
  list: (window: Window) => Promise<Page<T>>,
  isOurs: (item: T) => boolean,
  latest: Date = new Date(begunAt.getTime() + WINDOW_MS),
): Promise<T | null | 'too_many' | 'unreadable'> {
  let page = await list({
    beginTime: new Date(begunAt.getTime() - CLOCK_MARGIN_MS).toISOString(),
    endTime: new Date(latest.getTime() + CLOCK_MARGIN_MS).toISOString(),
    sortOrder: 'ASC',
    limit: PAGE,
  });
  for (let pages = 1; ; pages += 1) {
    if (!isList(page.response)) return 'unreadable';
    const found = page.data.find(isOurs);
    if (found !== undefined) return found;
    if (!page.hasNextPage()) return null;
    if (pages === MAX_PAGES) return 'too_many';
    page = await page.getNextPage();
  }
}

function isList(response: unknown): boolean {
  if (typeof response !== 'object' || response === null) return false;
  return Object.entries(response).every(
    ([name, value]) => ENVELOPE.includes(name) || (name === 'errors' && Array.isArray(value) && value.length === 0),
  );
}
