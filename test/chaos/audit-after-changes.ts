/** Tests an audit: changes the database in a transaction, runs the audit, and rolls back. */
import { expect } from 'vitest';
import type { Database, Sql } from '../../src/db/pool.ts';

class Undo extends Error {}

/** What `audit` finds after some changes (SQL), which are rolled back. */
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
