/**
 * The request log: what was asked over REST and answered, written behind the answers. Requests wait here until there
 * are enough for one statement, or a second has passed. Where the database does not take them, they are dropped and
 * counted: the log is never in a request's way.
 */

import type { Sql } from '../../../db/pool.ts';
import { insertRequests } from '../../../db/requests/requests.ts';
import type { LoggedRequest } from '../../../domain/logged-request.ts';
import type { Log } from '../../../lib/observability/log.ts';

const BATCH = 200;
const LONGEST_WAIT_MS = 1_000;
/** Some 32 MB at the most, with bodies of 8 KiB. */
const MAX_WAITING = 2_000;

export interface RequestLog {
  /** Whether there is room for one more. */
  readonly hasRoom: boolean;
  add(request: LoggedRequest): void;
  /** One that could have been added was not. */
  drop(): void;
  /** Since the start. */
  readonly dropped: number;
  /** Writes what waits. Never rejects. */
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

  /** One batch at a time: one connection of the pool at most. */
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
