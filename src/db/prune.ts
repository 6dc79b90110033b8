/**
 * Deletes old rows, and the velocity signals of old charges. Each kind is pruned separately, page by page, oldest
 * first: no statement reads more than a page, holds many locks, or waits for another kind.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import { createFailureLog } from '../lib/concurrency/failure-log.ts';
import { readOne, type Sql } from './pool.ts';
import { ALWAYS_PRUNED, type PageRow, type PrunedKind, pruningStatement, REQUESTS, SESSIONS } from './prune-kinds.ts';

interface RetentionDays {
  /** How long sessions are kept. 0, the default, keeps them forever. */
  sessionDays?: number | undefined;
  /** How long the request log is kept, 30 days by default. 0: it is off, and existing rows are deleted. */
  requestDays?: number | undefined;
}

type KindName = keyof typeof ALWAYS_PRUNED | keyof typeof REQUESTS | keyof typeof SESSIONS;

/** How many rows of each kind were deleted or cleared. */
type Pruned = Record<KindName, number>;

interface Pruner {
  /**
   * Prunes until nothing old is left, or `stop`. The kinds alternate, so that the backlog of one does not delay others.
   * A kind that fails is logged and continues in the next run at the same place.
   */
  run(stop: AbortSignal): Promise<{ pruned: Pruned; failed: boolean }>;
}

const REQUEST_DAYS = 30;
/** Rows per statement. Fewer after a failure, because a slow page would be too slow again. */
const PAGE = { most: 500, least: 20, shrink: 5, grow: 2 };
/** How long a kind can run while others wait. */
const TURN_MS = 2_000;
/** Pause after a statement, as a share of its duration, to leave room for callers' and payers' statements. */
const PAUSE_SHARE = 0.5;
const WORDS = {
  failed: 'old rows of a kind not pruned, will retry',
  works: 'old rows of a kind pruned again',
};
const START = { at: '-infinity', place: '(0,0)' };

/** @param turnMs how long a kind can run while others wait, but at least a page; set only in tests */
export function createPruner(
  sql: Sql,
  log: Pick<BaseLogger, 'info' | 'warn'>,
  days: RetentionDays = {},
  turnMs = TURN_MS,
): Pruner {
  const { sessionDays = 0, requestDays = REQUEST_DAYS } = days;
  const walk = (name: string, kind: PrunedKind, values: number[] = []) => new Walk(sql, log, name, kind, values);
  const walks = [
    ...Object.entries(ALWAYS_PRUNED).map(([name, kind]) => walk(name, kind)),
    ...Object.entries(REQUESTS).map(([name, kind]) => walk(name, kind, [requestDays])),
    ...Object.entries(sessionDays === 0 ? {} : SESSIONS).map(([name, kind]) => walk(name, kind, [sessionDays])),
  ];
  return {
    async run(stop) {
      const pruned = Object.fromEntries(ALL_KINDS.map((name) => [name, 0])) as Pruned;
      const failed = new Set<Walk>();
      for (let left = walks; left.length > 0 && !stop.aborted; ) {
        const unfinished: Walk[] = [];
        for (const one of left) {
          if (stop.aborted) break;
          const turn = await one.turn(turnMs, stop);
          pruned[one.name as KindName] += turn.gone;
          if (turn.end === 'more') unfinished.push(one);
          if (turn.end === 'failed') failed.add(one);
        }
        left = unfinished;
      }
      if (Object.values(pruned).some((count) => count > 0)) log.info(pruned, 'old rows pruned');
      return { pruned, failed: failed.size > 0 };
    },
  };
}

const ALL_KINDS = Object.keys({ ...ALWAYS_PRUNED, ...REQUESTS, ...SESSIONS });

interface Turn {
  gone: number;
  end: 'done' | 'more' | 'failed';
}

/** Iterates over the old rows of one kind, oldest first, and starts over at the end. */
class Walk {
  readonly name: string;
  readonly #sql: Sql;
  readonly #statement: string;
  readonly #values: readonly number[];
  readonly #failures: ReturnType<typeof createFailureLog>;
  #after = START;
  #pageSize = PAGE.most;

  constructor(
    sql: Sql,
    log: Pick<BaseLogger, 'info' | 'warn'>,
    name: string,
    kind: PrunedKind,
    values: readonly number[],
  ) {
    this.name = name;
    this.#sql = sql;
    this.#statement = pruningStatement(kind);
    this.#values = values;
    this.#failures = createFailureLog(log, { kind: name }, WORDS);
  }

  /** Prunes a page, and more until the end of the rows, the time slice, or `stop`. Never rejects. */
  async turn(turnMs: number, stop: AbortSignal): Promise<Turn> {
    const startedAt = performance.now();
    const turn: Turn = { gone: 0, end: 'more' };
    do {
      try {
        const page = await this.#page(stop);
        turn.gone += page.gone;
        if (page.isLast) turn.end = 'done';
      } catch (error) {
        this.#pageSize = Math.max(PAGE.least, Math.floor(this.#pageSize / PAGE.shrink));
        this.#failures.failed(error);
        turn.end = 'failed';
      }
    } while (turn.end === 'more' && !stop.aborted && performance.now() - startedAt < turnMs);
    return turn;
  }

  async #page(stop: AbortSignal): Promise<{ gone: number; isLast: boolean }> {
    const [startedAt, pageSize] = [performance.now(), this.#pageSize];
    const values = [pageSize, this.#after.at, this.#after.place, ...this.#values];
    const { seen, gone, at, place } = await readOne<PageRow>(this.#sql, this.#statement, values);
    this.#failures.worked();
    this.#pageSize = Math.min(PAGE.most, pageSize * PAGE.grow);
    const isLast = seen < pageSize || at === null || place === null;
    this.#after = isLast ? START : { at, place };
    if (!isLast) await pause((performance.now() - startedAt) * PAUSE_SHARE, stop);
    return { gone, isLast };
  }
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stop }).catch(() => undefined);
}
