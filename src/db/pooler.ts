/**
 * Connection poolers, such as PgBouncer: finds out whether a URL leads to one, and whether we can work with it. In
 * transaction mode each transaction of a connection can run on another server connection, so that session locks,
 * LISTEN and `set` do not last, and prepared statements need a pooler that knows of them.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { connectionSettings } from './connection.ts';
import { readOne } from './pool.ts';

const LIMIT_MS = 5_000;
/** Other users of the pooler can take the server connection that a round expects. */
const ROUNDS = 5;
/** SQLSTATE: duplicate prepared statement, unknown prepared statement. */
const STATEMENT_STATES = new Set(['42P05', '26000']);

/** Whether the URL leads to a pooler in transaction mode. @throws if it cannot be reached */
export function sharesConnections(url: string): Promise<boolean> {
  return withClient(url, async (one) => {
    if (!(await isProxied(one))) return false;
    return withClient(url, async (other) => {
      for (let round = 0; round < ROUNDS; round += 1) if (await isShared(one, other)) return true;
      return false;
    });
  });
}

/** Whether a setting of one client's connection is lost by it, or seen by the other client. */
async function isShared(one: pg.Client, other: pg.Client): Promise<boolean> {
  const mark = randomUUID();
  const isMarked = async (client: pg.Client) => {
    const statement = `select current_setting('ringkey.mark', true) is not distinct from $1 as "isMarked"`;
    return (await readOne<{ isMarked: boolean }>(client, statement, [mark])).isMarked;
  };
  await one.query(`select set_config('ringkey.mark', $1, false)`, [mark]);
  // While this transaction holds a server connection, the first client gets another one, unless it has its own.
  await other.query('begin');
  const isShared = (await isMarked(other)) || !(await isMarked(one));
  await other.query('rollback');
  return isShared;
}

/** Whether prepared statements work through the pooler. @throws if it cannot be reached */
export function keepsStatements(url: string): Promise<boolean> {
  return withClient(url, (one) =>
    withClient(url, async (other) => {
      try {
        for (let round = 0; round < ROUNDS; round += 1) await useStatement(one, other);
        return true;
      } catch (error) {
        if (error instanceof pg.DatabaseError && STATEMENT_STATES.has(error.code ?? '')) return false;
        throw error;
      }
    }),
  );
}

/** Both clients prepare the same name, and the first executes it again. */
async function useStatement(one: pg.Client, other: pg.Client): Promise<void> {
  const statement = { name: `ringkey_${randomUUID()}`, text: 'select 1' };
  for (const client of [one, other, one]) await client.query(statement);
}

/** The limits of statements that neither the role nor the pooler sets. */
export function readUnsetLimits(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select name from pg_settings where name in ('lock_timeout', 'statement_timeout') and setting = '0' order by name`,
    );
    return rows.map(({ name }) => name);
  });
}

/** Whether both URLs lead to the same database: an advisory lock that one client holds, the other cannot take. */
export function leadToSameDatabase(directUrl: string, pooledUrl: string): Promise<boolean> {
  const key = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  return withClient(directUrl, async (direct) => {
    await direct.query('select pg_advisory_lock($1)', [key]);
    return withClient(pooledUrl, async (pooled) => {
      const statement = 'select pg_try_advisory_xact_lock($1) as "isFree"';
      return !(await readOne<{ isFree: boolean }>(pooled, statement, [key])).isFree;
    });
  });
}

/** PostgreSQL itself names its own process when a client connects; a pooler names another. */
async function isProxied(client: pg.Client): Promise<boolean> {
  // Not in the published types.
  const { processID } = client as pg.Client & { processID: number | null };
  return (await readOne<{ pid: number }>(client, 'select pg_backend_pid() as pid')).pid !== processID;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    ...connectionSettings(url),
    connectionTimeoutMillis: LIMIT_MS,
    query_timeout: LIMIT_MS,
  });
  // The statement under way fails with the same error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
