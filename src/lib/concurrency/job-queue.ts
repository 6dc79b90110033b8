/**
 * A BullMQ queue and its worker, for jobs whose record is a row in PostgreSQL. A sweep over the rows adds jobs that
 * Redis loses. While Redis is down, jobs run in this process.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { DelayedError, type Processor, Queue, Worker } from 'bullmq';
import { ReplyError } from 'ioredis';
import pLimit from 'p-limit';
import type { BaseLogger } from 'pino';
import { connectRedis, type RedisConnection } from '../redis/connect.ts';
import { createFailureLog } from './failure-log.ts';
import { InFlight } from './in-flight.ts';
import { endsWithin } from './time-limit.ts';

export interface JobQueue<Data> {
  /** Adds jobs, except those whose ID is queued or running. Never rejects. */
  add(jobs: readonly Job<Data>[]): Promise<void>;
  /** Stops taking jobs, and waits for running ones within a limit. */
  close(): Promise<void>;
}

interface Job<Data> {
  /** Must not contain a colon (BullMQ). */
  id: string;
  data: Data;
}

interface JobQueueOptions<Data> {
  /** Has a hash tag `{…}`, which keeps all keys of the queue on one node of a Redis Cluster. */
  name: string;
  redisUrl: string;
  /** Concurrent jobs in this process. */
  concurrency: number;
  /** @returns milliseconds until the job runs again; null if it is finished, as it is after an exception */
  run(data: Data): Promise<number | null>;
  log: Pick<BaseLogger, 'info' | 'warn'>;
}

const COMMAND_LIMIT_MS = 2_000;
const CLOSE_LIMIT_MS = 2_000;
const RECONNECT_LIMIT_MS = 1_000;
const REFUSED_PAUSE_MS = 1_000;
/** Jobs added in one transaction: few enough for Redis to accept them well within the limit. */
const CHUNK = 250;
/** Without Redis, jobs beyond this number are left to the sweep. */
const MOST_IN_PROCESS = 5_000;
/** The lock of a dead worker's jobs expires after LOCK_MS. A regular check then finds them. */
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 5_000;
const retryStrategy = (times: number) => Math.min(times * 50, RECONNECT_LIMIT_MS);

export function openJobQueue<Data>(options: JobQueueOptions<Data>): JobQueue<Data> {
  const { redisUrl, log } = options;
  // BullMQ blocks on this one while there is nothing to do.
  const blocking = connectRedis(redisUrl, { maxRetriesPerRequest: null, retryStrategy });
  const { onError, onJob } = logFailures(blocking, options.name, log);
  blocking.on('error', onError);
  const worker = openWorker(options, blocking, onError).on('active', onJob);
  const queue = openQueue<Data>(options, onError);
  const inProcess = runInProcess(options);
  return {
    async add(jobs) {
      for (let from = 0; from < jobs.length; from += CHUNK) {
        const chunk = jobs.slice(from, from + CHUNK);
        if (!(await queue.add(chunk))) for (const job of chunk) inProcess.add(job);
      }
    },
    async close() {
      // With Redis away BullMQ would wait for it.
      await endsWithin(CLOSE_LIMIT_MS, Promise.all([worker.close(), queue.close(), inProcess.close()]));
      blocking.disconnect();
      queue.disconnect();
    },
  };
}

function openWorker<Data>(
  { name, concurrency, run }: JobQueueOptions<Data>,
  connection: RedisConnection,
  onError: (error: Error) => void,
): Worker<Data> {
  const runJob: Processor<Data> = async (job, token) => {
    const againInMs = await run(job.data);
    if (againInMs === null) return;
    await job.moveToDelayed(Date.now() + againInMs, token);
    throw new DelayedError();
  };
  const worker = new Worker<Data>(name, runJob, {
    connection,
    concurrency,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    runRetryDelay: RECONNECT_LIMIT_MS,
  });
  let pause: NodeJS.Timeout | undefined;
  worker.on('error', (error) => {
    onError(error);
    // BullMQ repeats a command that Redis refuses at once, thousands of times a second.
    if (!(error instanceof ReplyError) || worker.isPaused()) return;
    worker.pause(true).catch(onError);
    pause = setTimeout(() => worker.resume().catch(onError), REFUSED_PAUSE_MS);
  });
  worker.on('closing', () => clearTimeout(pause));
  return worker;
}

/** The side that adds jobs. */
function openQueue<Data>({ name, redisUrl }: JobQueueOptions<Data>, onError: (error: Error) => void) {
  const connection = connectRedis(redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_LIMIT_MS,
    retryStrategy,
  });
  const defaultJobOptions = { removeOnComplete: true, removeOnFail: true };
  let answers = false;
  let queue: Queue | null = null;
  connection.on('error', onError);
  connection.on('ready', () => {
    answers = true;
  });
  connection.on('close', () => {
    answers = false;
  });

  /** A BullMQ queue opened while Redis was slow stays broken: the next jobs open another. */
  async function readyQueue(): Promise<Queue | null> {
    if (!answers) return null;
    queue ??= new Queue(name, { connection, defaultJobOptions }).on('error', onError);
    const opened = queue;
    try {
      await opened.waitUntilReady();
      return opened;
    } catch {
      if (queue === opened) queue = null;
      opened.close().catch(onError);
      return null;
    }
  }

  return {
    /**
     * @returns false if Redis certainly has none of them. Jobs that it may have are left to the sweep, because they
     * could run twice
     */
    async add(jobs: readonly Job<Data>[]): Promise<boolean> {
      const ready = await readyQueue();
      if (ready === null) return false;
      try {
        await ready.addBulk(jobs.map(({ id, data }) => ({ name: 'run', data, opts: { jobId: id } })));
      } catch (error) {
        onError(error as Error);
        if (error instanceof ReplyError) return false;
        // Away until a new connection answers.
        answers = false;
        connection.disconnect(true);
      }
      return true;
    },
    async close() {
      await queue?.close();
    },
    disconnect: () => connection.disconnect(),
  };
}

/** Runs jobs without Redis, by the same rules. They are lost with the process. */
function runInProcess<Data>({ run, concurrency, log }: JobQueueOptions<Data>) {
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

const AWAY_WORDS = {
  failed: 'redis is unavailable: jobs run without it',
  works: 'redis is back: jobs are queued again',
};
const FAILED_WORDS = {
  failed: 'job queue failed: the sweep takes its jobs from the database',
  works: 'job queue works again',
};

/** Logs an outage of Redis, and failures while it is connected, each once a minute. */
function logFailures(redis: RedisConnection, queue: string, log: JobQueueOptions<unknown>['log']) {
  const away = createFailureLog(log, { queue }, AWAY_WORDS);
  const failures = createFailureLog(log, { queue }, FAILED_WORDS);
  redis.on('ready', () => away.worked());
  return {
    onError: (error: Error) => (redis.status === 'ready' ? failures : away).failed(error),
    onJob: () => failures.worked(),
  };
}
