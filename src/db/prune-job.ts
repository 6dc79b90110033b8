/** Forgets what is past its use, in small bites, so that nothing else waits for it. */
import type { BaseLogger } from 'pino';
import type { Sql } from './pool.ts';
import { PRUNABLES, type Prunable, prune } from './prune.ts';

const BATCH = 500;
/** In one go; the rest in the next. */
const MAX_BATCHES = 100;

/** @returns what was forgotten, of each kind */
export async function pruneOldRows(
  sql: Sql,
  log: Pick<BaseLogger, 'info'>,
  stop: AbortSignal,
): Promise<Record<Prunable, number>> {
  const pruned = { deliveries: 0, events: 0, texts: 0, traces: 0 };
  for (const what of PRUNABLES) {
    for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
      const count = await prune(sql, what, BATCH);
      pruned[what] += count;
      if (count < BATCH) break;
    }
  }
  if (Object.values(pruned).some((count) => count > 0)) log.info(pruned, 'old rows forgotten');
  return pruned;
}
