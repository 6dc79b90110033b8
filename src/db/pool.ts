/** The connection to PostgreSQL: a pool, one way to run a transaction, and the migrations. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

/**
 * Anything that runs SQL: the pool, or the client of a transaction. A statement with a `name` is parsed and planned once a
 * connection, which costs up to 0.5 ms each time otherwise: those that a caller waits for have one.
 * Such a statement lists its columns: with `*` it fails on every open connection once a migration adds a column.
 */
export type Sql = Pick<pg.ClientBase, 'query'>;

export interface Database extends Sql {
  /** Runs `work` in one transaction: commits what it returns, rolls back what it throws. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  maxConnections: number;
  /** An idle connection broke (server restart): the pool replaces it; this is for the log. */
  onIdleError: (error: Error) => void;
  /** A server that says nothing for so long is gone; 11 s where not given: it ends statements itself before that. */
  silenceLimitMs?: number;
}

const CONNECT_LIMIT_MS = 3_000;
/** A start may wait longer than a caller does. */
const MIGRATION_CONNECT_LIMIT_MS = 20_000;
const STATEMENT_LIMIT_MS = 10_000;
const SILENCE_LIMIT_MS = STATEMENT_LIMIT_MS + 1_000;
/** A new connection costs both sides some 10 ms of key derivation (SCRAM): no payment should wait for that. */
const IDLE_LIMIT_MS = 10 * 60_000;

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    idleTimeoutMillis: IDLE_LIMIT_MS,
    keepAlive: true,
    statement_timeout: STATEMENT_LIMIT_MS,
    // A process that stopped in the middle of a transaction, or lost its network, must not keep its locks.
    idle_in_transaction_session_timeout: STATEMENT_LIMIT_MS,
    query_timeout: options.silenceLimitMs ?? SILENCE_LIMIT_MS,
  });
  pool.on('error', options.onIdleError);
  return {
    query: pool.query.bind(pool) as Sql['query'],
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      // Without a listener, a connection that is lost between two statements would end the process.
      const onError = (error: Error) => {
        broken = error;
      };
      client.on('error', onError);
      try {
        await client.query('begin');
        const result = await work(client);
        await client.query('commit');
        return result;
      } catch (error) {
        if (isSilent(error)) broken = error;
        else
          broken ??= await client.query('rollback').then(
            () => undefined,
            (cause: Error) => cause,
          );
        throw error;
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

/** The first row of a statement's result, mapped by `toItem`; null when there is none. */
export async function queryFirst<Row extends pg.QueryResultRow, T>(
  sql: Sql,
  toItem: (row: Row) => T,
  text: string,
  values: unknown[] = [],
): Promise<T | null> {
  const { rows } = await sql.query<Row>(text, values);
  return rows[0] === undefined ? null : toItem(rows[0]);
}

/** The server did not answer within `query_timeout`: its connection is of no use any more, not even for a rollback. */
function isSilent(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout';
}

const MIGRATIONS = join(dirname(fileURLToPath(import.meta.url)), 'migrations');

/** Brings the schema up to date; several processes at once take turns. */
export async function migrate(url: string, log: (message: string) => void): Promise<void> {
  await runner({
    databaseUrl: { connectionString: url, connectionTimeoutMillis: MIGRATION_CONNECT_LIMIT_MS },
    advisoryLockMode: 'wait',
    dir: MIGRATIONS,
    direction: 'up',
    migrationsTable: 'migrations',
    checkOrder: true,
    singleTransaction: true,
    log,
  });
}
