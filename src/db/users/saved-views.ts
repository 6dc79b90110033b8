/** The table `saved_views`: lists with their filters, of users and shared in an account. */
import type { Scope } from '../../domain/account.ts';
import type { UserId } from '../../domain/ids.ts';
import type { SavedView, SavedViewId } from '../../domain/saved-view.ts';
import { columnsOf } from '../columns.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';

const VIEW = columnsOf<SavedView>()('saved_views', ['id userId list query name'], {});

/** Who looks: the user's own views and those that are shared are found. */
export interface ViewScope extends Scope {
  userId: UserId;
  /** Only the user's own: the names and filters of shared views can be about any merchant. */
  isLimited: boolean;
}

const IS_VISIBLE = 'account_id = $1 and mode = $2 and (user_id = $3 or (user_id is null and not $4))';
const valuesOf = ({ accountId, mode, userId, isLimited }: ViewScope): unknown[] => [accountId, mode, userId, isLimited];

/** Of one list, by name; shared ones last. */
export async function listSavedViews(sql: Sql, scope: ViewScope, list: string): Promise<SavedView[]> {
  const text = `select ${VIEW} from saved_views where ${IS_VISIBLE} and list = $5
                 order by user_id is null, lower(name), id`;
  return (await sql.query<SavedView>(text, [...valuesOf(scope), list])).rows;
}

/** Null also for a view of another user, account or mode. */
export function findSavedView(sql: Sql, scope: ViewScope, id: SavedViewId): Promise<SavedView | null> {
  return readFirst(sql, `select ${VIEW} from saved_views where ${IS_VISIBLE} and id = $5`, [...valuesOf(scope), id]);
}

/** Call it in a transaction. @returns null if the user, or the account, has `max` views in the mode */
export async function insertSavedView(
  sql: Sql,
  { accountId, mode }: Scope,
  { id, userId, list, query, name }: SavedView,
  max: number,
): Promise<SavedView | null> {
  // One at a time per account, because two concurrent requests could both see the last free place.
  await sql.query('select 1 from accounts where id = $1 for no key update', [accountId]);
  return readFirst(
    sql,
    `insert into saved_views (id, account_id, mode, user_id, list, query, name)
     select $1, $2, $3, $4, $5, $6, $7
      where (select count(*) from saved_views where account_id = $2 and mode = $3 and user_id is not distinct from $4) < $8
     returning ${VIEW}`,
    [id, accountId, mode, userId, list, query, name, max],
  );
}

export function renameSavedView(sql: Sql, id: SavedViewId, name: string): Promise<SavedView> {
  return readOne(sql, `update saved_views set name = $2 where id = $1 returning ${VIEW}`, [id, name]);
}

export async function deleteSavedView(sql: Sql, id: SavedViewId): Promise<void> {
  await sql.query('delete from saved_views where id = $1', [id]);
}

/** Of a user who is removed, in both modes. Shared ones stay. */
export async function deleteOwnSavedViews(sql: Sql, userId: UserId): Promise<void> {
  await sql.query('delete from saved_views where user_id = $1', [userId]);
}
