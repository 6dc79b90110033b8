/**
 * Outbox notify: notifies the relays of other processes, by PostgreSQL's NOTIFY, that the outbox has new events. A
 * process with its own relay wakes that instead. Sent after the commit, because a transaction that notifies makes the
 * commits of the whole server take turns. A lost notification delays events until a relay's next sweep, at most one
 * second.
 */
import type { BaseLogger } from 'pino';
import { NOTIFY_OUTBOX, NOTIFY_TEXTS } from '../../db/events/events.ts';
import type { Sql } from '../../db/pool.ts';
import { createRerunner } from '../../lib/concurrency/run-again.ts';

/**
 * Between two notifications. The first one is sent at once. Under load there are a hundred a second, not one per
 * request: each is a statement here, and a query in every process that listens.
 */
const PAUSE_MS = 10;

/** @returns a function that notifies in the background and never throws. Concurrent calls are combined. */
export function createOutboxNotify(sql: Sql, log: Pick<BaseLogger, 'warn'>): () => void {
  return inBackground(sql, NOTIFY_OUTBOX, log);
}

/** The same for texts from `send_link`: the workers of all processes send the due ones. */
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
    // A process that exits does not wait for it.
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
  });
  return () => notifier.wake();
}
