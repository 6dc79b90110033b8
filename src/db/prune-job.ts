/** The job that deletes old rows, in small batches, so that no other statement waits long for a lock. */
import type { BaseLogger } from 'pino';
import type { Sql } from './pool.ts';
import { PRUNABLES, type Prunable, prune } from './prune.ts';

const BATCH = 500;
/** Of each kind in one run; the rest goes in the next. */
const MAX_BATCHES = 100;

/** @returns how many rows of each kind were pruned */
export async function pruneOldRows(
  sql: Sql,
  log: Pick<BaseLogger, 'info'>,
  stop: AbortSignal,
): Promise<Record<Prunable, number>> {
  const pruned = { deliveries: 0, events: 0, texts: 0, velocitySignals: 0 };
  for (const what of PRUNABLES) {
    for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
      const count = await prune(sql, what, BATCH);
      pruned[what] += count;
      if (count < BATCH) break;
    }
  }
  if (Object.values(pruned).some((count) => count > 0)) log.info(pruned, 'old rows pruned');
  return pruned;
}
