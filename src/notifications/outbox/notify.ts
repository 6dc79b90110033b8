/**
 * Outbox notify: tells the relays of other processes, by PostgreSQL's NOTIFY, that the outbox has new events; a process
 * that has a relay wakes that instead. Sent after the commit, never inside of it: a transaction that notifies makes the
 * commits of the whole server take turns. One that is lost (we die between the two) costs a relay's next sweep, a
 * second at most.
 */
import type { BaseLogger } from 'pino';
import { NOTIFY_OUTBOX, NOTIFY_TEXTS } from '../../db/events/events.ts';
import type { Sql } from '../../db/pool.ts';
import { createRerunner } from '../../lib/concurrency/run-again.ts';

/**
 * Between two notifications. The first of a quiet time leaves at once; in a busy one there are a hundred a second, not
 * as many as there are requests: each is a statement here, and a look at the queue in every process that listens.
 */
const PAUSE_MS = 10;

/** @returns a function that notifies in the background and never throws; calls that come meanwhile are one */
export function createOutboxNotify(sql: Sql, log: Pick<BaseLogger, 'warn'>): () => void {
  return inBackground(sql, NOTIFY_OUTBOX, log);
}

/** The same for texts that `send_link` has queued: the workers of all processes send what is due. */
export function createTextNotify(sql: Sql, log: Pick<BaseLogger, 'warn'>): () => void {
  return inBackground(sql, NOTIFY_TEXTS, log);
}

function inBackground(sql: Sql, notify: string, log: Pick<BaseLogger, 'warn'>): () => void {
  const notifier = createRerunner(async () => {
    try {
      await sql.query(`select ${notify}`);
    } catch (error) {
      log.warn({ err: error }, 'outbox notification failed: the next sweep finds the new events');
    }
    // A process that ends does not wait for it.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
  });
  return () => notifier.wake();
}
