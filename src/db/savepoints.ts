/** Transactions within a transaction. */
import type { Database, Sql } from './pool.ts';

/** Each transaction is a savepoint: if it fails, the transaction around it goes on. One at a time. */
export const withSavepoints = (sql: Sql): Pick<Database, 'transaction'> => ({
  transaction: async (work) => {
    await sql.query('savepoint inner_work');
    try {
      const result = await work(sql);
      await sql.query('release savepoint inner_work');
      return result;
    } catch (error) {
      await sql.query('rollback to savepoint inner_work');
      throw error;
    }
  },
});
