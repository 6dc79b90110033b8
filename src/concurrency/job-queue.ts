/**
 * A BullMQ queue and its worker, for jobs whose truth is a row in PostgreSQL: what Redis loses is added again by a sweep
 * over the rows, and while Redis is away the jobs run in this process.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { DelayedError, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pLimit from 'p-limit';
import type { BaseLogger } from 'pino';
import { InFlight } from './in-flight.ts';
import { endsWithin } from './time-limit.ts';

export interface JobQueue<Data> {
  /** A job whose id is queued or being worked on is not added again. Never rejects. */
  add(jobs: readonly Job<Data>[]): Promise<void>;
  /** Takes no more jobs, and waits for those under way. Bounded. */
  close(): Promise<void>;
}

export interface Job<Data> {
  /** Without a colon (BullMQ's rule). */
  id: string;
  data: Data;
}

export interface JobQueueOptions<Data> {
  /** With a hash tag `{…}`, which keeps all of the queue's keys on one node of a Redis Cluster. */
  name: string;
  redisUrl: string;
  /** Jobs at the same time in this process. */
  concurrency: number;
  /** @returns milliseconds after which the job is to run again, null when it is over. One that throws is over, too. */
  run(data: Data): Promise<number | null>;
  log: Pick<BaseLogger, 'info' | 'warn'>;
}

const COMMAND_LIMIT_MS = 1_000;
const CLOSE_LIMIT_MS = 2_000;
const RECONNECT_LIMIT_MS = 1_000;
/** Jobs added in one transaction: few enough for Redis to take them long before the limit. */
const CHUNK = 250;
/** Without Redis, more jobs than these are left to the sweep. */
const MOST_IN_PROCESS = 5_000;
/** The jobs of a worker that has died are free after the first, and found by a check every so often as the second says. */
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 5_000;

export function openJobQueue<Data>({ name, redisUrl, concurrency, run, log }: JobQueueOptions<Data>): JobQueue<Data> {
  const retryStrategy = (times: number) => Math.min(times * 50, RECONNECT_LIMIT_MS);
  const commands = new Redis(redisUrl, {
    ...{ enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: COMMAND_LIMIT_MS, retryStrategy },
  });
  // BullMQ blocks on this one while there is nothing to do.
  const blocking = new Redis(redisUrl, { maxRetriesPerRequest: null, retryStrategy });
  const onError = logOnceAway(blocking, name, log);
  const worker = new Worker<Data>(
    name,
    async (job, token) => {
      const againInMs = await run(job.data);
      if (againInMs === null) return;
      await job.moveToDelayed(Date.now() + againInMs, token);
      throw new DelayedError();
    },
    {
      ...{ connection: blocking, concurrency, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } },
      ...{ lockDuration: LOCK_MS, stalledInterval: STALLED_CHECK_MS, runRetryDelay: RECONNECT_LIMIT_MS },
    },
  );
  for (const emitter of [commands, blocking, worker]) emitter.on('error', onError);
  let queue: Queue | null = null;
  /** A BullMQ queue that was opened while Redis is away or slow stays broken: the next job opens another. */
  function openQueue(): Queue {
    if (commands.status !== 'ready') throw new Error('redis is away');
    const defaultJobOptions = { removeOnComplete: true, removeOnFail: true };
    const opened = new Queue(name, { connection: commands, defaultJobOptions });
    opened.on('error', onError);
    opened.waitUntilReady().catch(() => {
      queue = null;
      opened.close().catch(onError);
    });
    return opened;
  }
  const fallback = runInProcess(run, concurrency, log);
  return {
    async add(jobs) {
      for (let from = 0; from < jobs.length; from += CHUNK) {
        const chunk = jobs.slice(from, from + CHUNK);
        try {
          queue ??= openQueue();
          await queue.addBulk(chunk.map(({ id, data }) => ({ name: 'run', data, opts: { jobId: id } })));
        } catch {
          // The connection itself has logged that Redis is away.
          for (const job of chunk) fallback.add(job);
        }
      }
    },
    async close() {
      // With Redis away BullMQ would wait for it.
      await endsWithin(CLOSE_LIMIT_MS, Promise.all([worker.close(), queue?.close(), fallback.close()]));
      for (const connection of [commands, blocking]) connection.disconnect();
    },
  };
}

/** Jobs without Redis: by the same rules, forgotten with the process. */
function runInProcess<Data>(run: JobQueueOptions<Data>['run'], concurrency: number, log: JobQueueOptions<Data>['log']) {
  const stop = new AbortController();
  const limited = pLimit(concurrency);
  const ids = new Set<string>();
  const inFlight = new InFlight();

  async function runUntilOver({ id, data }: Job<Data>): Promise<void> {
    const runOnce = () => limited(() => (stop.signal.aborted ? null : run(data)));
    ids.add(id);
    try {
      for (let againInMs = await runOnce(); againInMs !== null; againInMs = await runOnce()) {
        await delay(againInMs, undefined, { signal: stop.signal });
      }
    } catch (error) {
      if (!stop.signal.aborted) log.warn({ err: error, jobId: id }, 'job failed');
    } finally {
      ids.delete(id);
    }
  }

  return {
    add(job: Job<Data>): void {
      if (ids.has(job.id) || ids.size >= MOST_IN_PROCESS || stop.signal.aborted) return;
      void inFlight.track(runUntilOver(job));
    },
    close(): Promise<void> {
      stop.abort();
      return inFlight.ended();
    },
  };
}

/** One line when Redis goes, one when it is back; what fails in between them is logged each time. */
function logOnceAway(redis: Redis, queue: string, log: JobQueueOptions<unknown>['log']): (error: Error) => void {
  let isAway = false;
  redis.on('ready', () => {
    if (isAway) log.info({ queue }, 'redis is back: jobs are queued again');
    isAway = false;
  });
  return (error) => {
    if (redis.status === 'ready') log.warn({ err: error, queue }, 'job queue failed, its rows are swept');
    else if (!isAway) log.warn({ err: error, queue }, 'redis is away: jobs run without it');
    isAway ||= redis.status !== 'ready';
  };
}
