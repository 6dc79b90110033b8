/** The lanes' record: what several lanes ask of it at the same moment goes there together. */
import type { Sql } from '../../store/database.ts';
import { together } from '../../store/together.ts';
import { isTransient } from '../../store/transient.ts';
import {
  type Lane,
  type LaneClaim,
  type LaneReport,
  leaveLanes,
  recordAttempts,
  takeLanes,
} from '../../store/webhook-lanes.ts';

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
/** SQLSTATE of a deadlock: nothing was done. */
const DEADLOCK = '40P01';

export function openLaneRecord(sql: Sql): LaneRecord {
  // Where the connection broke nobody knows what was done; else what is wrong with one lane is no other's business.
  const mayAskAgain = (error: unknown) => isDeadlock(error) || !isTransient(error);
  const options = { most: MOST, mayAskAgain };
  return {
    take: together((claims) => takeLanes(sql, claims, BATCH), options),
    report: together((reports) => recordAttempts(sql, reports, BATCH), options),
    leave: together((claims) => leaveLanes(sql, claims), options),
  };
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DEADLOCK;
}
