/** The connection to PostgreSQL: a pool, one way to run a transaction, and the migrations. */
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate';
import pg from 'pg';
import { beginWithLimits, connectionSettings, type SessionLimits, sessionSettings } from './connection.ts';
import { updateLimitedViews } from './merchant-limit/views.ts';

/**
 * Anything that runs SQL: the pool, or the client of a transaction. A statement with a `name` is parsed and planned
 * once per connection, otherwise each time, which costs up to 0.5 ms. Statements that a caller waits for have names.
 * They list their columns: with `*` they would fail on every open connection after a migration adds a column.
 */
export type Sql = Pick<pg.ClientBase, 'query'>;

export interface Database extends Sql {
  /**
   * Runs `work` in one transaction: commits its result, rolls back if it throws.
   * @param silenceLimitMs a server that is silent for this long counts as gone; by default the database's own limit
   */
  transaction<T>(work: (sql: Sql) => Promise<T>, silenceLimitMs?: number): Promise<T>;
  close(): Promise<void>;
}

interface DatabaseOptions {
  url: string;
  /** The URL leads to a pooler in transaction mode: no setting of a connection outlasts a transaction. */
  isPooled?: boolean;
  maxConnections: number;
  /** Called when an idle connection breaks (server restart). The pool replaces it; use this for the log. */
  onIdleError: (error: Error) => void;
  /**
   * A server that is silent for this long counts as gone. By default a second after it should have ended a statement.
   */
  silenceLimitMs?: number;
  /** Replace the default limits. */
  limits?: Partial<DatabaseLimits>;
}

/** Durations in milliseconds. */
interface DatabaseLimits extends Required<SessionLimits> {
  /** How long to wait for a connection, new or returned by others. */
  connectMs: number;
}

const LIMITS: DatabaseLimits = { connectMs: 3_000, statementMs: 10_000, idleInTransactionMs: 5_000 };
/** A start can wait longer than a caller. */
const MIGRATION_CONNECT_LIMIT_MS = 20_000;
/** A server counts as gone this long after its statement limit. */
const SILENCE_AFTER_LIMIT_MS = 1_000;
/** A new connection costs both sides about 10 ms of key derivation (SCRAM), which no payment should wait for. */
const IDLE_LIMIT_MS = 10 * 60_000;

export function openDatabase(options: DatabaseOptions): Database {
  const limits = { ...LIMITS, ...options.limits };
  const pool = new pg.Pool({
    ...connectionSettings(options.url),
    max: options.maxConnections,
    connectionTimeoutMillis: limits.connectMs,
    idleTimeoutMillis: IDLE_LIMIT_MS,
    query_timeout: options.silenceLimitMs ?? limits.statementMs + SILENCE_AFTER_LIMIT_MS,
    ...(options.isPooled !== true && { onConnect: (client: pg.ClientBase) => client.query(sessionSettings(limits)) }),
  });
  const begin = options.isPooled === true ? beginWithLimits(limits) : 'begin';
  pool.on('error', options.onIdleError);
  const withConnection = freshConnections(pool);
  return {
    query: ((...statement: [string]) => withConnection((client) => client.query(...statement))) as Sql['query'],
    transaction: (work, silenceLimitMs) =>
      withConnection((client, discard) => inTransaction(limitSilence(client, silenceLimitMs), begin, discard, work)),
    close: () => pool.end(),
  };
}

/** A discarded connection is closed after use, not reused. */
type Discard = (cause: Error) => void;
type WithConnection = <T>(work: (client: pg.PoolClient, discard: Discard) => Promise<T>) => Promise<T>;

/**
 * Lends connections of the pool. If one is silent, all older connections count as lost, too: after a failover they all
 * lead to the same dead server, and each would cost its user another wait.
 */
function freshConnections(pool: pg.Pool): WithConnection {
  const openedAt = new WeakMap<pg.PoolClient, number>();
  let silentAt = Number.NEGATIVE_INFINITY;
  pool.on('connect', (client) => void openedAt.set(client, performance.now()));

  async function connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect();
      if ((openedAt.get(client) ?? 0) > silentAt) return client;
      client.release(true);
    }
  }

  return async (work) => {
    const client = await connect();
    let broken: Error | undefined;
    // Without a listener, a connection that is lost between two statements would end the process.
    const discard: Discard = (cause) => {
      broken = cause;
    };
    client.on('error', discard);
    try {
      return await work(client, discard);
    } catch (error) {
      if (isSilent(error)) {
        discard(error);
        silentAt = performance.now();
      }
      throw error;
    } finally {
      client.off('error', discard);
      client.release(broken);
    }
  };
}

async function inTransaction<T>(sql: Sql, begin: string, discard: Discard, work: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    await sql.query(begin);
    const result = await work(sql);
    await sql.query('commit');
    return result;
  } catch (error) {
    if (!isSilent(error)) await sql.query('rollback').catch(discard);
    throw error;
  }
}

/** The database with another limit for a silent server, for callers that have to retry while a person waits. */
export function withSilenceLimit(database: Database, limitMs: number): Database {
  return {
    ...limitSilence(database, limitMs),
    transaction: (work, silenceLimitMs = limitMs) => database.transaction(work, silenceLimitMs),
    close: () => database.close(),
  };
}

function limitSilence(sql: Sql, limitMs: number | undefined): Sql {
  if (limitMs === undefined) return sql;
  const query = (statement: string | pg.QueryConfig, values?: unknown[]) => {
    const config = typeof statement === 'string' ? { text: statement } : statement;
    // Not in the published types.
    const limited: pg.QueryConfig & { query_timeout: number } = { ...config, query_timeout: limitMs };
    return sql.query(limited, values);
  };
  return { query: query as Sql['query'] };
}

/** Reads one of our tables. @throws if the database does not answer, lacks our schema, or is a read-only standby */
export async function requirePrimary(sql: Sql): Promise<void> {
  const { rows } = await sql.query<{ readOnly: boolean }>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly",
            exists (select from accounts) as "hasAccounts"`,
  );
  if (rows[0]?.readOnly !== false) throw new Error('the database is read-only');
}

/**
 * Writes a row that takes a new disk page, rolls it back and commits the rest, which waits for the disk (and for a
 * synchronous standby).
 * @throws if the database accepts no writes: no answer, read-only, or a full disk
 */
export async function requireWritable(sql: Sql): Promise<void> {
  await sql.query(`
    do $$ begin
      begin
        insert into write_checks (filler) values (repeat('x', 5000));
        raise exception using errcode = 'RK001';
      exception when sqlstate 'RK001' then null;
      end;
    end $$`);
}

/** The first row of a statement; null if there is none. */
export async function readFirst<Row extends object>(
  sql: Sql,
  statement: string | pg.QueryConfig,
  values?: unknown[],
): Promise<Row | null> {
  const { rows } = await sql.query<Row>(statement, values);
  return rows[0] ?? null;
}

/** The row of a statement that always returns one, such as an insert. @throws if it returned none */
export async function readOne<Row extends object>(
  sql: Sql,
  statement: string | pg.QueryConfig,
  values?: unknown[],
): Promise<Row> {
  const row = await readFirst<Row>(sql, statement, values);
  if (row === null) throw new Error('a statement gave no row');
  return row;
}

/** The server did not answer within `query_timeout`. Its connection is unusable, even for a rollback. */
function isSilent(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

const MIGRATIONS = join(dirname(fileURLToPath(import.meta.url)), 'migrations');

const LOCK_POLL_MS = 100;

/** Brings the schema up to date. Concurrent processes wait for each other. */
export async function migrate(url: string, log: (message: string) => void): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: MIGRATION_CONNECT_LIMIT_MS });
  await client.connect();
  try {
    // The role can have limits for the statements of calls. A migration takes as long as it takes.
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await waitForMigrationLock(client);
    await runner({
      dbClient: client,
      noLock: true,
      dir: MIGRATIONS,
      direction: 'up',
      migrationsTable: 'migrations',
      checkOrder: true,
      singleTransaction: true,
      log,
    });
    await updateLimitedViews(client, log);
  } finally {
    await client.end();
  }
}

/**
 * Holds the lock of node-pg-migrate until the connection ends. Polls for it: a waiting statement would hold a snapshot,
 * for whose end a concurrent index build would wait, and both would wait forever.
 */
async function waitForMigrationLock(client: pg.Client): Promise<void> {
  const statement = `select pg_try_advisory_lock(${PG_MIGRATE_LOCK_ID}) as "isOurs"`;
  while (!(await readOne<{ isOurs: boolean }>(client, statement)).isOurs) await delay(LOCK_POLL_MS);
}
