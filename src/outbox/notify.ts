/**
 * Tells the relays of all processes that the outbox has something. Rung after the commit, never inside of it: a NOTIFY
 * makes the commits of the whole server take turns. A ring that is lost (we die between the two) costs a relay's next
 * look at the outbox, a second at most.
 */
import type { BaseLogger } from 'pino';
import type { Sql } from '../db/pool.ts';
import { NOTIFY_OUTBOX } from '../db/events/events.ts';

/** Nobody waits for the disk because of a ring. */
const RING_AT_ONCE = `select set_config('synchronous_commit', 'off', true), ${NOTIFY_OUTBOX}`;

/** @returns rings; it never throws, and rings that come together are one, after the last of them */
export function createOutboxNotify(sql: Sql, log: Pick<BaseLogger, 'warn'>): () => void {
  let ringing = false;
  let again = false;
  async function ringOn(): Promise<void> {
    try {
      do {
        again = false;
        await sql.query({ name: 'ring_events', text: RING_AT_ONCE });
      } while (again);
    } catch (error) {
      log.warn({ err: error }, 'outbox not rung for, its relay finds it by itself');
    } finally {
      ringing = false;
    }
  }
  return () => {
    again = ringing;
    // Not before who waits for the payment has his answer.
    if (!ringing) setImmediate(() => void ringOn());
    ringing = true;
  };
}
