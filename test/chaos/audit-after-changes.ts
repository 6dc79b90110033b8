/** Whether an audit finds what it is there to find: it looks at a record that was spoilt, and is then as it was. */
import { expect } from 'vitest';
import type { Database, Sql } from '../../src/db/pool.ts';

class Undo extends Error {}

/** What `audit` finds after some changes (SQL), which are then undone. */
export async function auditAfterChanges(
  database: Database,
  changes: readonly string[],
  audit: (sql: Sql) => Promise<string[]>,
): Promise<string[]> {
  let faults: string[] = [];
  const undone = database.transaction(async (sql) => {
    for (const change of changes) await sql.query(change);
    faults = await audit(sql);
    throw new Undo();
  });
  await expect(undone).rejects.toThrow(Undo);
  return faults;
}
