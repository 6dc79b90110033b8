/** How loaded each phone process is: a column of its lease. */
import type { Sql } from '../pool.ts';

/** @param percent of the limit */
export async function reportProcessLoad(sql: Sql, leaseId: number, percent: number): Promise<void> {
  await sql.query({
    name: 'report_process_load',
    text: 'update process_leases set load_percent = $2 where id = $1',
    values: [leaseId, percent],
  });
}
