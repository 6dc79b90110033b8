/**
 * The port for lists of disputes and payouts: what happened lately at a processor, so that nothing is missed if its
 * notifications did not arrive. What is listed is read like what was notified.
 */
import type { ProcessorAccess } from './credentials.ts';

export interface ListRequest extends ProcessorAccess {
  /** What was opened, made or changed since. More is harmless. */
  since: Date;
}

export interface ListedItem {
  /** As a notification names it. */
  id: string;
  /** Differs whenever the item has changed. */
  state: string;
}

/** Throws RecordsUnreadable. The reader stops early if there are too many. */
export type ListItems = (request: ListRequest, signal: AbortSignal) => AsyncIterable<ListedItem>;
