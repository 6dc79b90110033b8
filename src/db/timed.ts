/** Reports how long each statement takes, by its name. */
import type { QueryConfig } from 'pg';
import type { Database, Sql } from './pool.ts';

/** @param observed.statement the name of a prepared statement, or `other` */
type OnStatement = (observed: { statement: string; seconds: number }) => void;

/** The same database, with every statement reported, also of transactions and of failures. */
export function withTimings(database: Database, onStatement: OnStatement): Database {
  return {
    ...timed(database, onStatement),
    transaction: (work, silenceLimitMs) => database.transaction((sql) => work(timed(sql, onStatement)), silenceLimitMs),
    close: () => database.close(),
  };
}

function timed(sql: Sql, onStatement: OnStatement): Sql {
  const query = async (statement: string | QueryConfig, values?: unknown[]) => {
    const startedAt = performance.now();
    const name = typeof statement === 'string' ? undefined : statement.name;
    try {
      return await sql.query(statement, values);
    } finally {
      onStatement({ statement: name ?? 'other', seconds: (performance.now() - startedAt) / 1_000 });
    }
  };
  return { query: query as Sql['query'] };
}
