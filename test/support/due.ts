/** When work of one kind is due. */
import { dueInMs } from '../../src/db/due.ts';
import type { Sql } from '../../src/db/pool.ts';

/** @param times SQL that selects a column of times */
export async function firstDueInMs(sql: Sql, times: string): Promise<number | null> {
  return (await dueInMs(sql, { first: times })).first;
}
