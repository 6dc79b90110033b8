/** The record's connection: a pool, and one way to run a transaction. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { breakSilent } from './silent-server.ts';

/** Anything that runs SQL: the pool, or the client of a transaction. */
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
  /** A server that says nothing for so long has gone; 11 s where not given: it ends statements itself before that. */
  silenceLimitMs?: number;
}

const CONNECT_LIMIT_MS = 3_000;
/** A start may wait longer than a caller does. */
const MIGRATION_CONNECT_LIMIT_MS = 20_000;
const STATEMENT_LIMIT_MS = 10_000;
const SILENCE_LIMIT_MS = STATEMENT_LIMIT_MS + 1_000;
/** A new connection costs both sides some 10 ms of key derivation (SCRAM): no caller should wait for that. */
const IDLE_LIMIT_MS = 10 * 60_000;
/**
 * Every statement of ours finds its rows by an index. A plan that was made while a table was as good as empty would read
 * all of it, and go on so while the table grows, until PostgreSQL next counts its rows: at minutes of thousands of sessions.
 */
const PLANNER = '-c enable_seqscan=off';

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    idleTimeoutMillis: IDLE_LIMIT_MS,
    keepAlive: true,
    options: PLANNER,
    statement_timeout: STATEMENT_LIMIT_MS,
  });
  pool.on('error', options.onIdleError);
  const silence = breakSilent(pool, options.silenceLimitMs ?? SILENCE_LIMIT_MS);
  return {
    query: pool.query.bind(pool) as Sql['query'],
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      // Between two statements nobody waits for the connection: unheard, its end would be the whole process'.
      const onError = (error: Error) => {
        broken = error;
      };
      client.on('error', onError);
      const sql = silence.hear(client);
      try {
        await sql.query('begin');
        const result = await work(sql);
        await sql.query('commit');
        return result;
      } catch (error) {
        await sql.query('rollback').catch((cause: Error) => {
          broken = cause;
        });
        throw error;
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    },
    async close() {
      await pool.end();
      silence.close();
    },
  };
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
