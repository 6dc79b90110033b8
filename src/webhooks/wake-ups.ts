/**
 * Wake-ups on BullMQ: "endpoints X and Y have something to do", now or later, for whichever worker is free. They carry
 * nothing else: what there is to do is in the record, and a sweep finds what Redis lost.
 */
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { BaseLogger } from 'pino';
import { parseId, type WebhookEndpointId } from '../domain/ids.ts';

/** The braces keep all of the queue's keys on one node of a Redis Cluster. */
const QUEUE = '{ringkey-webhooks}';
const COMMAND_LIMIT_MS = 1_000;
const CLOSE_LIMIT_MS = 2_000;
const CONCURRENCY = 50;
const LONGEST_RETRY_MS = 1_000;

export interface WakeUps {
  /** Rejects when Redis does not take it. */
  now(ids: readonly WebhookEndpointId[]): Promise<void>;
  /** Rejects when Redis does not take it. */
  later(id: WebhookEndpointId, inMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface WakeUpOptions {
  redisUrl: string;
  onWake: (id: WebhookEndpointId) => void;
  log: Pick<BaseLogger, 'info' | 'warn'>;
}

interface WakeUp {
  webhookEndpointIds: string[];
}

/** In one message: few enough that several workers share what many endpoints have to do. */
const TOGETHER = 8;

const OPTIONS = { removeOnComplete: true, removeOnFail: true };

export function openWakeUps({ redisUrl, onWake, log }: WakeUpOptions): WakeUps {
  const told = onceAway(log);
  const retryStrategy = (times: number) => Math.min(times * 50, LONGEST_RETRY_MS);
  const asking = new Redis(redisUrl, {
    ...{ enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: COMMAND_LIMIT_MS, retryStrategy },
  });
  // BullMQ waits on this one for as long as there is nothing to do.
  const waiting = new Redis(redisUrl, { maxRetriesPerRequest: null, retryStrategy });
  const worker = new Worker<WakeUp>(
    QUEUE,
    async ({ data }) => {
      for (const text of data.webhookEndpointIds) {
        const id = parseId('WebhookEndpoint', text);
        if (id !== null) onWake(id);
      }
    },
    { connection: waiting, concurrency: CONCURRENCY, ...OPTIONS_OF_WORKER },
  );
  const queue = new ReadyQueue(asking, told.away);
  asking.on('error', told.away);
  waiting.on('error', told.away);
  worker.on('error', told.away);
  waiting.on('ready', told.back);
  return {
    async now(ids) {
      const jobs = [];
      for (let at = 0; at < ids.length; at += TOGETHER) {
        const webhookEndpointIds = ids.slice(at, at + TOGETHER);
        jobs.push({ name: 'wake', data: { webhookEndpointIds }, opts: OPTIONS });
      }
      await (await queue.get()).addBulk(jobs);
    },
    async later(id, inMs) {
      await (await queue.get()).add('wake', { webhookEndpointIds: [id] }, { ...OPTIONS, delay: Math.ceil(inMs) });
    },
    close: () => closeAll([worker.close(true), queue.close()], [asking, waiting]),
  };
}

/** A BullMQ queue that was opened with Redis away is broken for good: this one is opened when Redis is there. */
class ReadyQueue {
  readonly #redis: Redis;
  readonly #onError: (error: Error) => void;
  #opening: Promise<Queue<WakeUp>> | null = null;

  constructor(redis: Redis, onError: (error: Error) => void) {
    this.#redis = redis;
    this.#onError = onError;
  }

  /** @throws when Redis is away */
  async get(): Promise<Queue<WakeUp>> {
    if (this.#redis.status !== 'ready') throw new Error('redis is away');
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<Queue<WakeUp>> {
    const queue = new Queue<WakeUp>(QUEUE, { connection: this.#redis });
    queue.on('error', this.#onError);
    try {
      await queue.waitUntilReady();
      return queue;
    } catch (error) {
      this.#opening = null;
      throw error;
    }
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }
}

const OPTIONS_OF_WORKER = { removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } };

/** One line when Redis goes, one when it is back. */
function onceAway(log: WakeUpOptions['log']) {
  let isAway = false;
  return {
    away(error: Error) {
      if (isAway) return;
      isAway = true;
      log.warn({ err: error }, 'redis is away: webhooks are found by sweeping the record');
    },
    back() {
      if (isAway) log.info({}, 'redis is back: webhooks are woken again');
      isAway = false;
    },
  };
}

/** Bounded: with Redis away BullMQ would wait for it. */
async function closeAll(parts: readonly Promise<void>[], connections: readonly Redis[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_LIMIT_MS);
  });
  await Promise.race([Promise.allSettled(parts), late]);
  clearTimeout(timer);
  for (const connection of connections) connection.disconnect();
}
