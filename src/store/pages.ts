/** Lists a page at a time, newest first. */

export interface PageRequest {
  /** 1 … 100. */
  limit: number;
  /** The last id of the page before; null for the first page. */
  startingAfter: string | null;
}

export interface Page<T> {
  items: T[];
  hasMore: boolean;
}

/** A page of rows of which one more than the limit was asked for. */
export function pageOf<Row, T>(rows: readonly Row[], limit: number, itemOf: (row: Row) => T): Page<T> {
  return { items: rows.slice(0, limit).map(itemOf), hasMore: rows.length > limit };
}
