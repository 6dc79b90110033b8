/**
 * Which phone processes are alive, so that a call whose process died does not keep its session busy.
 *
 * A life holds a connection of its own and on it a session-level advisory lock, which PostgreSQL gives up the moment the
 * process is gone, SIGKILL included; and it moves `seen_at` every few seconds. A free lock alone proves nothing, since a
 * restarted PostgreSQL has no locks either: only lock and heartbeat together do. A heartbeat that stands still much
 * longer counts by itself (a host that lost its power leaves its connection standing). Redis has no part in this.
 */
import pg from 'pg';
import type { BaseLogger } from 'pino';
import type { CallId, CheckoutSessionId } from '../../domain/ids.ts';
import type { Sql } from '../pool.ts';

export interface Life {
  /** `calls.life_id`. */
  readonly id: number;
  readonly instance: string;
  /** Gives the life up: its calls that are still open are free for others to close. */
  close(): Promise<void>;
}

export interface LifeOptions {
  url: string;
  instance: string;
  log: Pick<BaseLogger, 'info' | 'warn'>;
  beatMs?: number;
}

const BEAT_MS = 3_000;
/** No beat for so long and a free lock: dead. */
const SILENT_SECONDS = 12;
/** No beat for so long: dead, whatever the lock says. */
const GONE_SECONDS = 60;
const CONNECT_LIMIT_MS = 3_000;
/** At the start there is no later try: a server that is busy with others that start may take its time. */
const FIRST_CONNECT_LIMIT_MS = 30_000;
const STATEMENT_LIMIT_MS = 5_000;
/** First key of all our advisory locks; the second is the life's id. */
const LOCK_CLASS = 72_140;

/** A life that is over: clean end (no row), or dead. `$1`: our own id, and $2: our instance's name. */
const DEAD_LIFE = `(l.id is null
  or l.seen_at < now() - interval '${GONE_SECONDS} seconds'
  or ((l.instance = $2 or l.seen_at < now() - interval '${SILENT_SECONDS} seconds')
      and pg_try_advisory_xact_lock(${LOCK_CLASS}, l.id)))`;

/**
 * Closes the open calls of dead lives, as `lost`: their sessions can be called and paid again. An earlier life of our
 * own instance is dead as soon as its lock is free. With `sessionId` only that session's call is looked at.
 * @returns a closed call each: the SIP dialogs that it may have left up
 */
export async function closeLostCalls(
  sql: Sql,
  life: Pick<Life, 'id' | 'instance'>,
  sessionId: CheckoutSessionId | null = null,
): Promise<{ id: CallId; sipDialogs: string[] }[]> {
  const { rows } = await sql.query<{ id: CallId; sip_dialogs: string[] }>(
    `update calls set ended_at = now(), outcome = coalesce(outcome, 'lost')
      where ended_at is null and life_id in (
        select c.life_id from (
          select distinct life_id from calls
           where ended_at is null and life_id <> $1 and ($3::text is null or session_id = $3)
        ) c left join phone_lives l on l.id = c.life_id
        where ${DEAD_LIFE})
      returning id, sip_dialogs`,
    [life.id, life.instance, sessionId],
  );
  return rows.map((row) => ({ id: row.id, sipDialogs: row.sip_dialogs }));
}

/** Begins the life of this process. @throws when the database can't be reached now; later it tries for ever */
export async function beginLife(options: LifeOptions): Promise<Life> {
  const first = await connect(options.url, FIRST_CONNECT_LIMIT_MS);
  const inserted = await first.query<{ id: number }>('insert into phone_lives (instance) values ($1) returning id', [
    options.instance,
  ]);
  const id = inserted.rows[0]?.id;
  if (id === undefined) throw new Error('no life was begun');
  const heart = new Heart(options, id);
  await heart.hold(first);
  return { id, instance: options.instance, close: () => heart.stop() };
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

/** Keeps lock and heartbeat, on a new connection when the old one breaks. */
class Heart {
  readonly #options: LifeOptions;
  readonly #id: number;
  readonly #beatMs: number;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: LifeOptions, id: number) {
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
      await client.query('delete from phone_lives where id = $1', [this.#id]);
      await client.end();
    } catch (error) {
      // The others will see the heartbeat stand still.
      this.#options.log.warn({ err: error }, 'end of a phone life not recorded');
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
      // The row comes back if somebody took us for dead.
      await this.#client?.query(
        `insert into phone_lives (id, instance) overriding system value values ($1, $2)
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
    this.#options.log.info({}, 'phone life connected again');
  }

  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#options.log.warn({ err: error }, 'phone life lost its database connection');
    client.end().catch((cause: unknown) => this.#options.log.warn({ err: cause }, 'broken connection not closed'));
  }
}
