/** Expires sessions whose time is over, and writes their events. */
import type { Database } from '../db/pool.ts';
import { insertExpiryEvents } from '../db/events/events.ts';
import { expireDueSessions } from '../db/sessions/sessions.ts';

const BATCH = 100;

/** Expires one batch. @returns whether there may be more */
export async function expireSessions(database: Database): Promise<{ expired: number; more: boolean }> {
  const expired = await database.transaction(async (sql) => {
    const sessions = await expireDueSessions(sql, BATCH);
    if (sessions.length > 0) {
      await insertExpiryEvents(
        sql,
        sessions.map((session) => session.id),
      );
    }
    return sessions.length;
  });
  return { expired, more: expired === BATCH };
}
