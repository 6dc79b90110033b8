/** A saved view: a list of the dashboard with its filters, under a name. It holds no data of the list. */
import type { Id, UserId } from './ids.ts';

export type SavedViewId = Id<'SavedView'>;

export interface SavedView {
  id: SavedViewId;
  /** Whose it is. Null: shared with all users of the account. */
  userId: UserId | null;
  /** The path of the list within the mode: `/charges`. */
  list: string;
  /** The filters, as in the URL: `since=7d&status=failed`. */
  query: string;
  name: string;
}

export const MAX_VIEW_NAME = 60;
export const MAX_VIEW_QUERY = 1_000;
