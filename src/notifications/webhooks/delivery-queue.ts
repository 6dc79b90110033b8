/**
 * The delivery queue. First attempts start in the process that has relayed their events, without Redis in between:
 * that is four commands less per delivery, and the first of 1,000 in one commit go out while the last ones are still
 * being relayed. All others, and those that the process has no room for, are BullMQ jobs, for any worker. A repeated,
 * early or late one is harmless, because the delivery's row decides what is sent.
 */
import DataLoader from 'dataloader';
import pLimit from 'p-limit';
import { isTransient } from '../../db/error-kinds.ts';
import type { Sql } from '../../db/pool.ts';
import {
  type AttemptRow,
  type Delivery,
  type DeliveryKey,
  readDueDeliveries,
  takeDueDeliveries,
  writeAttempts,
} from '../../db/webhooks/deliveries.ts';
import { InFlight } from '../../lib/concurrency/in-flight.ts';
import { type JobQueue, openJobQueue } from '../../lib/concurrency/job-queue.ts';
import { withRetries } from '../../lib/concurrency/retries.ts';
import { type DeliverDeps, deliver, logFields } from './deliver.ts';
import { EndpointLimits, MOST_AT_ONCE } from './endpoint-limits.ts';

interface DeliveryQueueDeps extends DeliverDeps {
  redisUrl: string;
  /** Aborts waits. Call it before {@link DeliveryQueue.close}. */
  stop: AbortSignal;
}

/** Concurrent statements, because others use the pool, too. */
const STATEMENTS = 8;
const SWEEP = 1_000;
/** A job that starts during the shutdown is left to other workers. */
const LEFT_TO_OTHERS_MS = 100;
/** How long the database can be unavailable without an event being sent twice. */
const WRITE_LIMIT_MS = 45_000;
const CLOSE_LIMIT_MS = 2_000;

export class DeliveryQueue {
  readonly #deps: DeliveryQueueDeps;
  readonly #limits = new EndpointLimits();
  readonly #rows: DataLoader<DeliveryKey, Delivery | null>;
  readonly #attempts: DataLoader<AttemptRow, boolean>;
  readonly #jobs: JobQueue<DeliveryKey>;
  readonly #inFlight = new InFlight();

  constructor(deps: DeliveryQueueDeps) {
    const { redisUrl, log } = deps;
    const limited = pLimit(STATEMENTS);
    const query = ((...statement: Parameters<Sql['query']>) =>
      limited(() => deps.sql.query(...statement))) as Sql['query'];
    const sql = { query };
    this.#deps = { ...deps, sql };
    this.#rows = together((keys) => readDueDeliveries(sql, keys));
    this.#attempts = together((rows) => this.#write(rows));
    this.#jobs = openJobQueue({
      name: '{ringkey-webhooks}',
      redisUrl,
      log,
      concurrency: MOST_AT_ONCE,
      run: (key: DeliveryKey) => this.#run(key),
    });
  }

  /** Starts the first attempts of deliveries that this process has just committed. Never throws. */
  start(deliveries: readonly DeliveryKey[]): void {
    for (const key of deliveries) void this.#inFlight.track(this.#runHere(key));
  }

  /** Enqueues due deliveries for any worker. Never rejects. */
  async enqueue(deliveries: readonly DeliveryKey[]): Promise<void> {
    await this.#jobs.add(
      deliveries.map(({ endpointId, eventId }) => ({
        id: `${endpointId}.${eventId}`,
        data: { endpointId, eventId },
      })),
    );
  }

  /**
   * Enqueues due deliveries without a job: retries, jobs that Redis lost, and deliveries beyond an endpoint's limit.
   */
  async sweep(): Promise<void> {
    await this.enqueue(await takeDueDeliveries(this.#deps.sql, SWEEP));
  }

  /** Aborted deliveries are resent by another worker. */
  async close(): Promise<void> {
    this.#limits.clear();
    await Promise.all([this.#jobs.close(), this.#inFlight.idle(CLOSE_LIMIT_MS)]);
  }

  /** If it cannot run here now, it becomes a job. */
  async #runHere(key: DeliveryKey): Promise<void> {
    const againInMs = await this.#run(key);
    if (againInMs !== null && !this.#deps.stop.aborted) await this.enqueue([key]);
  }

  /** @returns milliseconds until the next run; null if the job is done, because its row causes another if needed */
  async #run(key: DeliveryKey): Promise<number | null> {
    if (this.#deps.stop.aborted) return LEFT_TO_OTHERS_MS;
    if (!this.#limits.start(key)) {
      const isWaiting = this.#limits.wait(key, () => this.start([key]));
      return isWaiting ? null : this.#limits.putOff(key.endpointId);
    }
    try {
      const delivery = await this.#rows.load(key);
      const isOnlyOne = this.#limits.underWay(key.endpointId) === 1;
      return delivery && (await deliver(this.#deps, delivery, isOnlyOne, (row) => this.#attempts.load(row)));
    } catch (error) {
      this.#deps.log.warn({ err: error, ...logFields(key) }, 'webhook not delivered, will retry');
      return null;
    } finally {
      this.#limits.end(key);
    }
  }

  /** Retries as long as the database can be unavailable. */
  #write(rows: readonly AttemptRow[]): Promise<boolean[]> {
    const { sql, log, stop } = this.#deps;
    let waits = false;
    const onFailure = (error: Error) => {
      if (!waits)
        log.warn(
          { err: error, attempts: rows.length },
          'result of a webhook attempt not recorded yet: waiting for the database',
        );
      waits = true;
    };
    const mayRetry = (error: unknown) => isTransient(error) && !stop.aborted;
    return withRetries(WRITE_LIMIT_MS, mayRetry, () => writeAttempts(sql, rows), { onFailure });
  }
}

/** Combines the items of many jobs: those that arrive while a statement runs are in the next one. */
function together<Item, Result>(statement: (items: readonly Item[]) => Promise<Result[]>): DataLoader<Item, Result> {
  let running: Promise<unknown> = Promise.resolve();
  const runBatch = (items: readonly Item[]) => {
    const results = statement(items);
    running = results.catch(() => undefined);
    return results;
  };
  const batchScheduleFn = (run: () => void) => void running.then(() => setImmediate(run));
  return new DataLoader<Item, Result>(runBatch, { cache: false, batchScheduleFn });
}
