/** A database whose queries a test can delay, count or break. */
import type { Database, Sql } from '../../src/db/pool.ts';

/** @param onQuery called before each query whose text `isWatched`, on the same connection. If it throws, the query fails */
export function watchQueries(
  database: Database,
  isWatched: (text: string) => boolean,
  onQuery: (sql: Sql) => unknown,
): Database {
  const watch = (sql: Sql): Sql => ({
    query: (async (query: string | { text: string }, values?: unknown[]) => {
      if (isWatched(typeof query === 'string' ? query : query.text)) await onQuery(sql);
      return sql.query(query as string, values);
    }) as Sql['query'],
  });
  return {
    ...watch(database),
    transaction: (work) => database.transaction((sql) => work(watch(sql))),
    close: () => database.close(),
  };
}
