/**
 * Watches the load of a phone process: measures its event loop with a timer, and media servers and PostgreSQL by how
 * fast they answer the calls.
 */
import { performance } from 'node:perf_hooks';
import type { BaseLogger } from 'pino';
import type { Sql } from '../../db/pool.ts';
import { MinuteLoad } from './minute-load.ts';
import { ALWAYS_TAKEN, type LoadReadings, type MediaResponse, Overload, type OverloadCause } from './overload.ts';
import { ResponseTime } from './response-time.ts';

const SAMPLE_MS = 250;
/** Weight of a new sample in the smoothed value: half of the value is from the last half second. */
const WEIGHT = 0.3;
const WARN_EVERY_MS = 60_000;
/** A response time can be any multiple of its limit. */
const MOST_PERCENT = 1_000;

export class LoadMonitor {
  readonly #media: () => MediaResponse;
  readonly #database = new ResponseTime();
  readonly #overload: Overload;
  readonly #minute = new MinuteLoad();
  readonly #log: Pick<BaseLogger, 'warn'>;
  readonly #timer: NodeJS.Timeout;
  #lastUse = performance.eventLoopUtilization();
  #dueAt = performance.now() + SAMPLE_MS;
  #warnedAtMs = Number.NEGATIVE_INFINITY;
  #eventLoopUse = 0;
  #eventLoopDelayMs = 0;

  /** Starts watching. @param maxLoad as for {@link Overload} */
  constructor(maxLoad: number, media: () => MediaResponse, log: Pick<BaseLogger, 'warn'>) {
    this.#overload = new Overload(maxLoad);
    this.#media = media;
    this.#log = log;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS).unref();
  }

  /** Like {@link Overload.refuses}. */
  refuses(calls: number): OverloadCause | null {
    const cause = this.#overload.refuses(calls);
    if (cause !== null) this.#warn(cause, calls);
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

  /**
   * The load of the last minute in percent of the limit, in steps of five. 0 with so few calls that none is refused.
   * @param calls live and arriving calls
   */
  percentOfLimit(calls: number): number {
    return calls <= ALWAYS_TAKEN ? 0 : Math.min(Math.round(this.#minute.share * 20) * 5, MOST_PERCENT);
  }

  /** The same database, with every answer timed. */
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
    this.#minute.note(this.#overload.sharesOf(this.readings));
  }

  /** Once a minute, because each refusal has its own line with level info. */
  #warn(cause: OverloadCause, calls: number): void {
    if (performance.now() - this.#warnedAtMs < WARN_EVERY_MS) return;
    this.#warnedAtMs = performance.now();
    this.#log.warn({ cause, calls, ...this.readings }, 'overloaded: new calls get 503');
  }
}
