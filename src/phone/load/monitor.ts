/**
 * Watches the load of a phone process: its event loop by a timer, media servers and PostgreSQL by what the calls ask of
 * them.
 */
import { performance } from 'node:perf_hooks';
import type { BaseLogger } from 'pino';
import type { Sql } from '../../db/pool.ts';
import { type LoadReadings, type MediaResponse, Overload, type OverloadCause } from './overload.ts';
import { ResponseTime } from './response-time.ts';

const SAMPLE_MS = 250;
/** Of a new sample in the smoothed value: half of it is from the last half second. */
const WEIGHT = 0.3;
const TELL_EVERY_MS = 60_000;

export class LoadMonitor {
  readonly #media: () => MediaResponse;
  readonly #database = new ResponseTime();
  readonly #overload: Overload;
  readonly #log: Pick<BaseLogger, 'warn'>;
  readonly #timer: NodeJS.Timeout;
  #lastUse = performance.eventLoopUtilization();
  #dueAt = performance.now() + SAMPLE_MS;
  #toldAt = Number.NEGATIVE_INFINITY;
  #eventLoopUse = 0;
  #eventLoopDelayMs = 0;

  /** Starts watching. @param maxLoad as of {@link Overload} */
  constructor(maxLoad: number, media: () => MediaResponse, log: Pick<BaseLogger, 'warn'>) {
    this.#overload = new Overload(maxLoad);
    this.#media = media;
    this.#log = log;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS).unref();
  }

  /** As {@link Overload.refuses}. */
  refuses(calls: number): OverloadCause | null {
    const cause = this.#overload.refuses(calls);
    if (cause !== null) this.#tell(cause, calls);
    return cause;
  }

  get readings(): LoadReadings {
    return {
      eventLoopUse: this.#eventLoopUse,
      eventLoopDelayMs: this.#eventLoopDelayMs,
      ...this.#media(),
      databaseMs: this.#database.ms,
    };
  }

  /** The same database, each of whose answers is timed. */
  timed(sql: Sql): Sql {
    const query = (...args: Parameters<Sql['query']>) => this.#database.track(sql.query(...args) as never);
    return { query: query as Sql['query'] };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const [now, use] = [performance.now(), performance.eventLoopUtilization()];
    const { utilization } = performance.eventLoopUtilization(use, this.#lastUse);
    this.#lastUse = use;
    this.#eventLoopUse += (utilization - this.#eventLoopUse) * WEIGHT;
    this.#eventLoopDelayMs += (Math.max(0, now - this.#dueAt) - this.#eventLoopDelayMs) * WEIGHT;
    this.#dueAt = now + SAMPLE_MS;
    this.#overload.note(this.readings, now);
  }

  /** Once a minute: each refusal has a line of its own, with the level info. */
  #tell(cause: OverloadCause, calls: number): void {
    if (performance.now() - this.#toldAt < TELL_EVERY_MS) return;
    this.#toldAt = performance.now();
    this.#log.warn({ cause, calls, ...this.readings }, 'overloaded: new calls get 503');
  }
}
