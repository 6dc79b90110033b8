/** What a function's statements read, by EXPLAIN: buffers of 8 KB, from the cache or the disk. */
import type pg from 'pg';
import type { Database, Sql } from '../../../src/db/pool.ts';
import { spreadOf } from '../call/figures.ts';

interface Reading {
  buffers: number;
  /** Median of {@link REPEATS}, without EXPLAIN. */
  ms: number;
}

const REPEATS = 15;

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/** Changes are rolled back. */
export async function readBy(database: Database, work: (sql: Sql) => Promise<unknown>): Promise<Reading> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    await rolledBack(database, async (sql) => {
      const startedAt = performance.now();
      await work(sql);
      times.push(performance.now() - startedAt);
    });
  }
  let buffers = 0;
  await rolledBack(database, (sql) =>
    work({
      async query(statement: string | pg.QueryConfig, given: unknown[] = []) {
        const { text, values = given } = typeof statement === 'string' ? { text: statement } : statement;
        const save = 'savepoint explained';
        await sql.query(save);
        const { rows } = await sql.query(`explain (analyze, buffers, timing off, format json) ${text}`, values);
        await sql.query(`rollback to ${save}`);
        const plan = (rows[0] as { 'QUERY PLAN': { Plan: Plan }[] })['QUERY PLAN'][0]?.Plan;
        if (plan === undefined) throw new Error('EXPLAIN returned no plan');
        buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        return sql.query(text, values);
      },
    } as unknown as Sql),
  );
  return { buffers, ms: spreadOf(times).median };
}

class RollBack extends Error {}

async function rolledBack(database: Database, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  await database
    .transaction(async (sql) => {
      await work(sql);
      throw new RollBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof RollBack)) throw error;
    });
}
