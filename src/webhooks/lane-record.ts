/**
 * The lanes' record: what several lanes ask of it at the same moment goes there together, and a lane bears with it where
 * it is away, so that what was answered meanwhile is not sent again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import type { Sql } from '../db/pool.ts';
import { together } from '../concurrency/batching.ts';
import { isTransient } from '../db/transient.ts';
import {
  type Lane,
  type LaneClaim,
  type LaneReport,
  leaveLanes,
  recordAttempts,
  takeLanes,
} from '../db/webhooks/webhook-lanes.ts';

export interface LaneRecord {
  /** Null when there is nothing to do yet, or another worker is at it. */
  take(claim: LaneClaim): Promise<Lane | null>;
  /** Null when the lane is another's by now. */
  report(report: LaneReport): Promise<Lane | null>;
  /** In how many milliseconds there is something to do; null: nothing. */
  leave(claim: LaneClaim): Promise<number | null>;
}

/** Lanes in one statement. */
const MOST = 16;
/** Deliveries that are read of a lane at once: with {@link MOST} and a body's bounds, some megabytes an answer. */
const BATCH = 25;
const AGAIN_MS = 1_000;
/** About as long as a lane is ours. */
const LONGEST_MS = 45_000;
/** SQLSTATE of a deadlock: nothing was done. */
const DEADLOCK = '40P01';

export interface LaneRecordDeps {
  sql: Sql;
  log: Pick<BaseLogger, 'warn'>;
}

/** @param stop ends the waits for a record that is away */
export function openLaneRecord({ sql, log }: LaneRecordDeps, stop: AbortSignal): LaneRecord {
  // Where the connection broke nobody knows what was done; else what is wrong with one lane is no other's business.
  const mayAskAgain = (error: unknown) => isDeadlock(error) || !isTransient(error);
  const options = { most: MOST, mayAskAgain };
  const patient = <Question extends LaneClaim, Answer>(ask: (question: Question) => Promise<Answer>) =>
    askPatiently(ask, stop, (error, { id }) =>
      log.warn({ err: error, webhookEndpointId: id }, 'webhook lane waits for the record'),
    );
  return {
    take: patient(together((claims) => takeLanes(sql, claims, BATCH), options)),
    report: patient(together((reports) => recordAttempts(sql, reports, BATCH), options)),
    leave: patient(together((claims) => leaveLanes(sql, claims), options)),
  };
}

/**
 * Asks until there is an answer. A report whose answer was lost is made twice: a delivery stays delivered, one that failed
 * has then failed twice.
 */
function askPatiently<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  stop: AbortSignal,
  onAway: (error: unknown, question: Question) => void,
): (question: Question) => Promise<Answer> {
  return async (question) => {
    for (let awayMs = 0; ; awayMs += AGAIN_MS) {
      try {
        return await ask(question);
      } catch (error) {
        if (!isTransient(error) || awayMs >= LONGEST_MS || stop.aborted) throw error;
        if (awayMs === 0) onAway(error, question);
        await delay(AGAIN_MS, undefined, { signal: stop }).catch(() => undefined);
      }
    }
  };
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DEADLOCK;
}
