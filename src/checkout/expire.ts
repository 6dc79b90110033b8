/** Expires sessions whose time is over, and writes their events. */

import { insertExpiryEvents } from '../db/events/events.ts';
import type { Database } from '../db/pool.ts';
import { expireDueSessions } from '../db/sessions/sessions.ts';
import type { CheckoutSessionId } from '../domain/ids.ts';

const BATCH = 100;

/**
 * Expires one batch.
 * @param onExpired called for each session after the commit
 * @returns whether there may be more
 */
export async function expireSessions(
  database: Database,
  onExpired?: (id: CheckoutSessionId) => void,
): Promise<{ more: boolean }> {
  const ids = await database.transaction(async (sql) => {
    const expired = (await expireDueSessions(sql, BATCH)).map(({ id }) => id);
    if (expired.length > 0) await insertExpiryEvents(sql, expired);
    return expired;
  });
  for (const id of ids) onExpired?.(id);
  return { more: ids.length === BATCH };
}
