/** Transactions within a transaction. */
import type { Database, Sql } from './pool.ts';

/** Each transaction is a savepoint: if it fails, the transaction around it goes on. They take turns. */
export function withSavepoints(sql: Sql): Pick<Database, 'transaction'> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    transaction: (work) => {
      const turn = last.then(() => inSavepoint(sql, work));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

async function inSavepoint<T>(sql: Sql, work: (sql: Sql) => Promise<T>): Promise<T> {
  await sql.query('savepoint inner_work');
  try {
    const result = await work(sql);
    await sql.query('release savepoint inner_work');
    return result;
  } catch (error) {
    await sql.query('rollback to savepoint inner_work');
    throw error;
  }
}
