/**
 * The delivery queue: one BullMQ job for each delivery that is due. A job that comes twice, too early or too late does no
 * harm, because the delivery's row decides what is sent.
 */
import DataLoader from 'dataloader';
import pLimit from 'p-limit';
import type { BaseLogger } from 'pino';
import { type JobQueue, openJobQueue } from '../concurrency/job-queue.ts';
import type { Sql } from '../db/pool.ts';
import {
  type Delivery,
  type DeliveryKey,
  type DueDelivery,
  readDueDeliveries,
  takeDueDeliveries,
} from '../db/webhooks/deliveries.ts';
import type { Connections } from '../outgoing-http/post.ts';
import type { Vault } from '../vault/vault.ts';
import { type DeliveryObserver, deliver, logFields } from './deliver.ts';
import { EndpointLimits } from './endpoint-limits.ts';

export interface DeliveryQueueDeps {
  sql: Sql;
  redisUrl: string;
  /** Null without encryption keys: then no endpoint's secret can be read, and nothing is sent. */
  vault: Vault | null;
  connections: Connections;
  /** Endpoints of test mode may be at private addresses. */
  privateTargets: boolean;
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>;
  /** For the counts. */
  onAttempt?: DeliveryObserver;
  /** An endpoint's time to answer; 15 s where not given. */
  answerLimitMs?: number;
  /** Cuts waits short; before {@link DeliveryQueue.close}. */
  stop: AbortSignal;
}

/** A delivery that waits for its endpoint's answer holds a socket and little else. */
const CONCURRENCY = 1_000;
const READ_TOGETHER = 100;
/** Statements at the same time: the pool is not ours alone. */
const STATEMENTS = 8;
const SWEEP = 1_000;
/** A job that comes while this process closes is left to others. */
const LEFT_TO_OTHERS_MS = 100;

export class DeliveryQueue {
  readonly #deps: DeliveryQueueDeps;
  readonly #limits = new EndpointLimits();
  /** Jobs that begin together are read together. */
  readonly #rows: DataLoader<DeliveryKey, Delivery | null>;
  /** By endpoint and event: Redis may have forgotten a job that is under way. */
  readonly #underWay = new Set<string>();
  readonly #jobs: JobQueue<DeliveryKey>;

  constructor(deps: DeliveryQueueDeps) {
    const { redisUrl, log } = deps;
    const limited = pLimit(STATEMENTS);
    const query = ((...statement: Parameters<Sql['query']>) =>
      limited(() => deps.sql.query(...statement))) as Sql['query'];
    const sql = { query };
    this.#deps = { ...deps, sql };
    this.#rows = new DataLoader((keys) => readDueDeliveries(sql, keys), {
      ...{ cache: false, maxBatchSize: READ_TOGETHER, batchScheduleFn: setImmediate },
    });
    this.#jobs = openJobQueue({
      name: '{ringkey-webhooks}',
      ...{ redisUrl, log, concurrency: CONCURRENCY, run: (key: DeliveryKey) => this.#run(key) },
    });
  }

  /** Deliveries that are due. Never rejects. */
  async enqueue(deliveries: readonly DueDelivery[]): Promise<void> {
    await this.#jobs.add(
      deliveries.map(({ endpointId, eventId, round }) => ({
        id: `${endpointId}.${eventId}.${round}`,
        data: { endpointId, eventId },
      })),
    );
  }

  /** Enqueues what is due and in no job: retries, what Redis lost, and what was too many for its endpoint. */
  async sweep(): Promise<void> {
    await this.enqueue(await takeDueDeliveries(this.#deps.sql, SWEEP));
  }

  /** What was under way and cut short is sent again by the next sweep of a worker. */
  close(): Promise<void> {
    return this.#jobs.close();
  }

  /** @returns milliseconds after which to run again, where too many are under way; null when the job is over */
  async #run(key: DeliveryKey): Promise<number | null> {
    const { endpointId, eventId } = key;
    const id = `${endpointId}.${eventId}`;
    if (this.#deps.stop.aborted) return LEFT_TO_OTHERS_MS;
    if (this.#underWay.has(id)) return null;
    const turn = this.#limits.enter(endpointId);
    // The row brings it back.
    if (turn === 'too_late') return null;
    if (turn !== 'now') return turn;
    this.#underWay.add(id);
    const startedAt = performance.now();
    try {
      const delivery = await this.#rows.load(key);
      const isOnlyOne = this.#limits.underWay(endpointId) === 1;
      if (delivery !== null) await deliver(this.#deps, key, delivery, isOnlyOne);
    } catch (error) {
      this.#deps.log.warn({ err: error, ...logFields(key) }, 'webhook not delivered, will be tried again');
    } finally {
      this.#underWay.delete(id);
      this.#limits.leave(endpointId, performance.now() - startedAt);
    }
    return null;
  }
}
