/** Saves, renames and removes views. Changes of shared ones are in the audit trail. */
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import type { Database, Sql } from '../../db/pool.ts';
import { deleteSavedView, insertSavedView, renameSavedView, type ViewScope } from '../../db/users/saved-views.ts';
import type { Actor, AuditAction, AuditChanges } from '../../domain/audit.ts';
import { newId } from '../../domain/ids.ts';
import type { SavedView } from '../../domain/saved-view.ts';

/** Of a user, and of those shared in an account, per mode. */
export const MAX_VIEWS = 50;

/** @param isShared otherwise it is the user's own. @returns null if there are {@link MAX_VIEWS} */
export function saveView(
  database: Database,
  by: Actor,
  scope: ViewScope,
  { isShared, ...view }: Pick<SavedView, 'list' | 'query' | 'name'> & { isShared: boolean },
): Promise<SavedView | null> {
  return database.transaction(async (sql) => {
    const userId = isShared ? null : scope.userId;
    const saved = await insertSavedView(sql, scope, { id: newId('SavedView'), userId, ...view }, MAX_VIEWS);
    if (saved !== null)
      await audit(sql, by, scope, 'saved_view.created', saved, { name: saved.name, list: saved.list });
    return saved;
  });
}

export function renameView(
  database: Database,
  by: Actor,
  scope: ViewScope,
  view: SavedView,
  name: string,
): Promise<void> {
  return database.transaction(async (sql) => {
    await renameSavedView(sql, view.id, name);
    await audit(sql, by, scope, 'saved_view.changed', view, { name: { from: view.name, to: name } });
  });
}

export function removeView(database: Database, by: Actor, scope: ViewScope, view: SavedView): Promise<void> {
  return database.transaction(async (sql) => {
    await deleteSavedView(sql, view.id);
    await audit(sql, by, scope, 'saved_view.deleted', view, { name: view.name, list: view.list });
  });
}

async function audit(
  sql: Sql,
  by: Actor,
  { accountId, mode }: ViewScope,
  action: AuditAction,
  { id, userId }: SavedView,
  changes: AuditChanges,
): Promise<void> {
  if (userId !== null) return;
  await insertAuditEvent(sql, by, { accountId, mode, action, objectId: id, changes });
}
