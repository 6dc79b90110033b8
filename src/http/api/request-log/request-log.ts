/**
 * The request log: stores REST requests and their answers after the answer is sent, in batches, at least once a second.
 * If the database does not accept a batch, it is dropped and counted, so that the log never delays a request.
 */

import type { Sql } from '../../../db/pool.ts';
import { insertRequests } from '../../../db/requests/requests.ts';
import type { LoggedRequest } from '../../../domain/logged-request.ts';
import type { Log } from '../../../lib/observability/log.ts';

const BATCH = 200;
const LONGEST_WAIT_MS = 1_000;
/** At most 32 MB, with bodies of 8 KiB. */
const MAX_WAITING = 2_000;

export interface RequestLog {
  /** Whether another request fits into the queue. */
  readonly hasRoom: boolean;
  add(request: LoggedRequest): void;
  /** Counts a request that was not added. */
  drop(): void;
  /** Since the start. */
  readonly dropped: number;
  /** Writes all queued requests. Never rejects. */
  flush(): Promise<void>;
}

export function createRequestLog(sql: Sql, log: Pick<Log, 'warn'>): RequestLog {
  return new BatchedRequestLog(sql, log);
}

class BatchedRequestLog implements RequestLog {
  readonly #sql: Sql;
  readonly #log: Pick<Log, 'warn'>;
  #waiting: LoggedRequest[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> | null = null;

  constructor(sql: Sql, log: Pick<Log, 'warn'>) {
    this.#sql = sql;
    this.#log = log;
  }

  get hasRoom(): boolean {
    return this.#waiting.length < MAX_WAITING;
  }

  get dropped(): number {
    return this.#dropped;
  }

  drop(): void {
    this.#dropped += 1;
  }

  add(request: LoggedRequest): void {
    if (!this.hasRoom) {
      this.drop();
      return;
    }
    this.#waiting.push(request);
    if (this.#waiting.length >= BATCH) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), LONGEST_WAIT_MS);
  }

  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  /** One batch at a time, so it uses at most one connection of the pool. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        await insertRequests(this.#sql, batch);
      } catch (error) {
        this.#dropped += batch.length;
        this.#log.warn({ err: error, requests: batch.length }, 'requests not written to the request log');
      }
    }
  }
}
