/**
 * A server that has gone without a word (its machine stands still, the network swallows what we send) breaks no connection
 * and answers no statement: somebody must look at the clock.
 *
 * `pg` would, by its `query_timeout`. But it assigns a function literal to a property of each query for it, and V8 puts such
 * functions among what lives long: with each of them its query and all its rows stay in memory until the next big collection.
 */
import type pg from 'pg';

export interface Silence {
  /** The client for a transaction: each of its statements has the whole time. */
  hear(client: pg.PoolClient): Pick<pg.ClientBase, 'query'>;
  close(): void;
}

/** How exact the limit is, as a part of it. */
const LOOKS_A_LIMIT = 10;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Breaks each connection of `pool` that has been in use for `limitMs` without a new statement: whoever waits for it hears of a
 * broken connection, and the pool opens another.
 */
export function breakSilent(pool: pg.Pool, limitMs: number): Silence {
  /** When each connection was last asked something, by `performance.now()`; null while nobody uses it. */
  const asked = new Map<pg.PoolClient, number | null>();
  pool.on('acquire', (client) => asked.set(client, performance.now()));
  pool.on('release', (_error, client) => asked.set(client, null));
  pool.on('remove', (client) => asked.delete(client));
  const looks = setInterval(look, Math.min(LONGEST_PAUSE_MS, limitMs / LOOKS_A_LIMIT)).unref();

  function look(): void {
    const overdue = performance.now() - limitMs;
    for (const [client, at] of asked) {
      if (at !== null && at < overdue) client.connection.stream.destroy(new Error(SILENT));
    }
  }

  return {
    hear: (client) => ({
      query: ((...statement: Parameters<typeof client.query>) => {
        asked.set(client, performance.now());
        return client.query(...statement);
      }) as pg.ClientBase['query'],
    }),
    close: () => clearInterval(looks),
  };
}

/** In `pg`'s own words for it. */
const SILENT = 'Query read timeout';
