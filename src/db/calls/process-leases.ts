/**
 * Process leases: which phone processes are alive, so that the callers of a dead process are not left in silence.
 *
 * Each phone process holds a session-level advisory lock on a connection of its own, which PostgreSQL releases as soon
 * as the process is gone, even after SIGKILL. Every second it updates `seen_at`, its heartbeat. A process counts as
 * dead if its lock is free and two heartbeats are missing, because a free lock alone can be a broken connection. A
 * longer missing heartbeat is enough by itself: a frozen or powerless host leaves its connection open. A process with a
 * new lease does not declare others dead, because after a restart of PostgreSQL they may not have reconnected yet.
 */
import pg from 'pg';
import type { BaseLogger } from 'pino';
import { connectionSettings, connectSession } from '../connection.ts';
import { readOne } from '../pool.ts';

export interface ProcessLease {
  /** `calls.lease_id`. */
  readonly id: number;
  readonly instance: string;
  /** Whether the last heartbeat was written. False while this process is cut off from the database. */
  readonly held: boolean;
  /** Whether no other phone process was alive at the last heartbeat. */
  readonly alone: boolean;
  /** Sets the handler of changes of {@link held} and {@link alone}. */
  onChange(handler: () => void): void;
  /** Releases the lease. Other processes can then close its open calls. */
  close(): Promise<void>;
}

interface ProcessLeaseOptions {
  url: string;
  instance: string;
  log: Pick<BaseLogger, 'info' | 'warn'>;
  beatMs?: number;
}

const BEAT_MS = 1_000;
/** Dead: no heartbeat for this long, and the lock is free. */
const SILENT_SECONDS = 2.5;
/**
 * Dead: no heartbeat for this long, even if the lock is held. Longer than an active process takes to notice a dead
 * connection and to reconnect, about 6 s.
 */
export const FROZEN_SECONDS = 9;
/** A process declares others dead only after it has held its own lease for this long without interruption. */
const JUDGE_AFTER_SECONDS = 10;
const CONNECT_LIMIT_MS = 1_500;
/** The first connection is not retried, and many processes can start at once. */
const FIRST_CONNECT_LIMIT_MS = 30_000;
const STATEMENT_LIMIT_MS = 2_000;
/** First key of the advisory locks; the second is the lease's id. */
const LOCK_CLASS = 72_140;

/** SQL: the process of lease `l` is dead: its lock is free and its heartbeat is missing. */
const IS_DEAD = `(l.seen_at < now() - interval '${SILENT_SECONDS} seconds' and pg_try_advisory_xact_lock(${LOCK_CLASS}, l.id))`;
/** SQL: lease `l` is over: released (no row), or its process is dead. `$1`, `$2`: our own lease and instance. */
export const LEASE_IS_OVER = `(l.id is null
  or (l.instance = $2 and ${IS_DEAD})
  or (exists (select from process_leases mine
               where mine.id = $1 and mine.acquired_at < now() - interval '${JUDGE_AFTER_SECONDS} seconds')
      and (l.seen_at < now() - interval '${FROZEN_SECONDS} seconds' or ${IS_DEAD})))`;

/**
 * Acquires the lease of this process and keeps it alive. Retries later failures.
 * @throws if the database cannot be reached now
 */
export async function acquireProcessLease(options: ProcessLeaseOptions): Promise<ProcessLease> {
  const first = await connect(options.url, FIRST_CONNECT_LIMIT_MS);
  const insert = 'insert into process_leases (instance) values ($1) returning id';
  const { id } = await readOne<{ id: number }>(first, insert, [options.instance]);
  const heartbeat = new Heartbeat(options, id);
  await heartbeat.start(first);
  return {
    id,
    instance: options.instance,
    get held() {
      return heartbeat.held;
    },
    get alone() {
      return heartbeat.alone;
    },
    onChange: (handler) => heartbeat.onChange(handler),
    close: () => heartbeat.stop(),
  };
}

async function connect(url: string, limitMs = CONNECT_LIMIT_MS): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionSettings(url),
    connectionTimeoutMillis: limitMs,
    query_timeout: STATEMENT_LIMIT_MS + 1_000,
  });
  try {
    await connectSession(client, { statementMs: STATEMENT_LIMIT_MS });
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Updates `seen_at` and keeps the lock. Reconnects after a broken connection. */
class Heartbeat {
  readonly #options: ProcessLeaseOptions;
  readonly #id: number;
  readonly #beatMs: number;
  #client: pg.Client | null = null;
  #locked = false;
  #held = false;
  #alone = false;
  #onChange: () => void = () => undefined;
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: ProcessLeaseOptions, id: number) {
    this.#options = options;
    this.#id = id;
    this.#beatMs = options.beatMs ?? BEAT_MS;
  }

  get held(): boolean {
    return this.#held;
  }

  get alone(): boolean {
    return this.#alone;
  }

  onChange(handler: () => void): void {
    this.#onChange = handler;
  }

  async start(client: pg.Client): Promise<void> {
    await this.#use(client);
    this.#next();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#working;
    const client = this.#client;
    this.#client = null;
    if (client === null) return;
    try {
      await client.query('delete from process_leases where id = $1', [this.#id]);
      await client.end();
    } catch (error) {
      // Other processes see that the heartbeat has stopped.
      this.#options.log.warn({ err: error }, 'process lease not released');
    }
  }

  #next(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#working = this.#beat();
    }, this.#beatMs);
  }

  async #beat(): Promise<void> {
    try {
      if (this.#client === null) {
        await this.#use(await connect(this.#options.url));
        this.#options.log.info({}, 'process lease connected again');
      } else await this.#write(this.#client, 'seen_at = now()');
    } catch (error) {
      if (this.#client !== null) this.#lose(this.#client, error);
    }
    this.#next();
  }

  /** The first heartbeat of a connection. @throws if it cannot be written; the connection is then closed */
  async #use(client: pg.Client): Promise<void> {
    client.on('error', (error) => this.#lose(client, error));
    this.#locked = false;
    try {
      // A heartbeat need not wait for the disk.
      await client.query('set synchronous_commit = off');
      await this.#write(client, 'seen_at = now(), acquired_at = now()');
    } catch (error) {
      this.#discard(client);
      throw error;
    }
  }

  async #write(client: pg.Client, change: string): Promise<void> {
    // Inserts the row again if it was deleted meanwhile.
    const { rows } = await client.query<{ alone: boolean }>(
      `insert into process_leases (id, instance) overriding system value values ($1, $2)
       on conflict (id) do update set ${change}
       returning not exists (select from process_leases other
         where other.id <> $1 and other.seen_at > now() - interval '${SILENT_SECONDS} seconds') as alone`,
      [this.#id, this.#options.instance],
    );
    // Does not wait: an older connection of ours that PostgreSQL takes for alive can hold the lock for minutes.
    if (!this.#locked) {
      const lock = await client.query('select pg_try_advisory_lock($1, $2) as locked', [LOCK_CLASS, this.#id]);
      this.#locked = lock.rows[0].locked;
    }
    this.#client = client;
    this.#change(true, rows[0]?.alone ?? false);
  }

  #change(held: boolean, alone = this.#alone): void {
    if (this.#held === held && this.#alone === alone) return;
    this.#held = held;
    this.#alone = alone;
    this.#onChange();
  }

  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#change(false);
    this.#options.log.warn({ err: error }, 'process lease lost its database connection');
    this.#discard(client);
  }

  #discard(client: pg.Client): void {
    client.end().catch((cause: unknown) => this.#options.log.warn({ err: cause }, 'broken connection not closed'));
  }
}
