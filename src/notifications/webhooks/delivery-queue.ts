/**
 * The delivery queue: one BullMQ job for each delivery that is due. A job that comes twice, too early or too late does
 * no harm, because the delivery's row decides what is sent.
 */
import DataLoader from 'dataloader';
import pLimit from 'p-limit';
import type { Sql } from '../../db/pool.ts';
import { isTransient } from '../../db/transient.ts';
import {
  type AttemptRow,
  type Delivery,
  type DeliveryKey,
  readDueDeliveries,
  takeDueDeliveries,
  writeAttempts,
} from '../../db/webhooks/deliveries.ts';
import { type JobQueue, openJobQueue } from '../../lib/concurrency/job-queue.ts';
import { withRetries } from '../../lib/concurrency/retries.ts';
import { type DeliverDeps, deliver, logFields } from './deliver.ts';
import { EndpointLimits, MOST_AT_ONCE } from './endpoint-limits.ts';

export interface DeliveryQueueDeps extends DeliverDeps {
  redisUrl: string;
  /** Cuts waits short; before {@link DeliveryQueue.close}. */
  stop: AbortSignal;
}

/** Statements at the same time: the pool is not ours alone. */
const STATEMENTS = 8;
const SWEEP = 1_000;
/** A job that comes while this process closes is left to others. */
const LEFT_TO_OTHERS_MS = 100;
/** The database may be away for so long without an event being sent twice. */
const WRITE_LIMIT_MS = 45_000;

export class DeliveryQueue {
  readonly #deps: DeliveryQueueDeps;
  readonly #limits = new EndpointLimits();
  readonly #rows: DataLoader<DeliveryKey, Delivery | null>;
  readonly #attempts: DataLoader<AttemptRow, boolean>;
  readonly #jobs: JobQueue<DeliveryKey>;

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

  /** Deliveries that are due. Never rejects. */
  async enqueue(deliveries: readonly DeliveryKey[]): Promise<void> {
    await this.#jobs.add(
      deliveries.map(({ endpointId, eventId }) => ({
        id: `${endpointId}.${eventId}`,
        data: { endpointId, eventId },
      })),
    );
  }

  /** Enqueues what is due and in no job: retries, what Redis lost, and what was too many for its endpoint. */
  async sweep(): Promise<void> {
    await this.enqueue(await takeDueDeliveries(this.#deps.sql, SWEEP));
  }

  /** What was under way and cut short is sent again by another worker. */
  close(): Promise<void> {
    return this.#jobs.close();
  }

  /** @returns milliseconds after which to run again; null when the job is over: its row brings it back where need be */
  async #run(key: DeliveryKey): Promise<number | null> {
    if (this.#deps.stop.aborted) return LEFT_TO_OTHERS_MS;
    if (!this.#limits.begin(key)) return this.#limits.putOff(key.endpointId);
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

  /** Tries for as long as the database may be away. */
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

/** One statement at a time for many jobs: what comes while it runs goes into the next. */
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
