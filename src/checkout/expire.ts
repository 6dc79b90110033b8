/** Expires sessions whose time is over, and writes their events. */
import type { Database } from '../db/pool.ts';
import { insertExpiryEvents } from '../db/events/events.ts';
import { expireDueSessions } from '../db/sessions/sessions.ts';

const BATCH = 100;

/** Expires one batch. @returns whether there may be more */
export function expireSessions(database: Database): Promise<{ more: boolean }> {
  return database.transaction(async (sql) => {
    const ids = (await expireDueSessions(sql, BATCH)).map(({ id }) => id);
    if (ids.length > 0) await insertExpiryEvents(sql, ids);
    return { more: ids.length === BATCH };
  });
}
