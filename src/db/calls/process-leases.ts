/**
 * Process leases: which phone processes are alive, so that a call whose process died does not keep its session busy.
 *
 * Each phone process holds a session-level advisory lock on a connection of its own, which PostgreSQL releases the moment the
 * process is gone, SIGKILL included, and moves `seen_at` every few seconds, its heartbeat. A process counts as dead when its
 * lock is free and its heartbeat has stopped: a free lock alone may be a restarted PostgreSQL. A heartbeat that has stopped
 * for much longer is enough by itself: a host that lost its power leaves its connection open.
 */
import pg from 'pg';
import type { BaseLogger } from 'pino';
import type { CallId, CheckoutSessionId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';

export interface ProcessLease {
  /** `calls.lease_id`. */
  readonly id: number;
  readonly instance: string;
  /** Releases the lease. Other processes may then close its calls that are still open. */
  close(): Promise<void>;
}

export interface ProcessLeaseOptions {
  url: string;
  instance: string;
  log: Pick<BaseLogger, 'info' | 'warn'>;
  beatMs?: number;
}

const BEAT_MS = 3_000;
/** Dead: no heartbeat for so long, and the lock is free. */
const SILENT_SECONDS = 12;
/** Dead: no heartbeat for so long, whether the lock is free or not. */
const GONE_SECONDS = 60;
const CONNECT_LIMIT_MS = 3_000;
/** The first connection has no later try, and many processes may be starting at once. */
const FIRST_CONNECT_LIMIT_MS = 30_000;
const STATEMENT_LIMIT_MS = 5_000;
/** First key of the advisory locks; the second is the lease's id. */
const LOCK_CLASS = 72_140;

/** The lease `l` is over: released (no row), or its process is dead. `$2`: the name of our own instance. */
const IS_OVER = `(l.id is null
  or l.seen_at < now() - interval '${GONE_SECONDS} seconds'
  or ((l.instance = $2 or l.seen_at < now() - interval '${SILENT_SECONDS} seconds')
      and pg_try_advisory_xact_lock(${LOCK_CLASS}, l.id)))`;

/**
 * Closes the open calls of dead processes as `lost`, so that their sessions can be called and paid again. An earlier process
 * of our own instance is dead as soon as its lock is free.
 * @param sessionId look at this session's call only
 * @returns the closed calls, with the SIP dialogs that may still be up
 */
export async function closeLostCalls(
  sql: Sql,
  lease: Pick<ProcessLease, 'id' | 'instance'>,
  sessionId: CheckoutSessionId | null = null,
): Promise<{ id: CallId; sipDialogs: string[] }[]> {
  const { rows } = await sql.query<{ id: CallId; sip_dialogs: string[] }>(
    `update calls set ended_at = now(), outcome = coalesce(outcome, 'lost')
      where ended_at is null and lease_id in (
        select c.lease_id from (
          select distinct lease_id from calls
           where ended_at is null and lease_id <> $1 and ($3::text is null or session_id = $3)
        ) c left join process_leases l on l.id = c.lease_id
        where ${IS_OVER})
      returning id, sip_dialogs`,
    [lease.id, lease.instance, sessionId],
  );
  return rows.map((row) => ({ id: row.id, sipDialogs: row.sip_dialogs }));
}

/** Acquires the lease of this process and keeps it alive. @throws when the database can't be reached now; later it retries */
export async function acquireProcessLease(options: ProcessLeaseOptions): Promise<ProcessLease> {
  const first = await connect(options.url, FIRST_CONNECT_LIMIT_MS);
  const inserted = await first.query<{ id: number }>('insert into process_leases (instance) values ($1) returning id', [
    options.instance,
  ]);
  const id = inserted.rows[0]?.id;
  if (id === undefined) throw new Error('no lease was inserted');
  const heartbeat = new Heartbeat(options, id);
  await heartbeat.hold(first);
  return { id, instance: options.instance, close: () => heartbeat.stop() };
}

async function connect(url: string, limitMs = CONNECT_LIMIT_MS): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: limitMs,
    statement_timeout: STATEMENT_LIMIT_MS,
    query_timeout: STATEMENT_LIMIT_MS + 1_000,
  });
  await client.connect();
  return client;
}

/** Keeps the lock and moves `seen_at`, on a new connection when the old one breaks. */
class Heartbeat {
  readonly #options: ProcessLeaseOptions;
  readonly #id: number;
  readonly #beatMs: number;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: ProcessLeaseOptions, id: number) {
    this.#options = options;
    this.#id = id;
    this.#beatMs = options.beatMs ?? BEAT_MS;
  }

  async hold(client: pg.Client): Promise<void> {
    client.on('error', (error) => this.#lose(client, error));
    await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, this.#id]);
    this.#client = client;
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
      // The others will see that the heartbeat has stopped.
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
      if (this.#client === null) await this.#recover();
      // Inserts the row again if another process took this one for dead and deleted it.
      await this.#client?.query(
        `insert into process_leases (id, instance) overriding system value values ($1, $2)
         on conflict (id) do update set seen_at = now()`,
        [this.#id, this.#options.instance],
      );
    } catch (error) {
      if (this.#client !== null) this.#lose(this.#client, error);
    }
    this.#next();
  }

  async #recover(): Promise<void> {
    const client = await connect(this.#options.url);
    client.on('error', (error) => this.#lose(client, error));
    try {
      await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, this.#id]);
    } catch (error) {
      await client.end();
      throw error;
    }
    this.#client = client;
    this.#options.log.info({}, 'process lease connected again');
  }

  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#options.log.warn({ err: error }, 'process lease lost its database connection');
    client.end().catch((cause: unknown) => this.#options.log.warn({ err: cause }, 'broken connection not closed'));
  }
}
