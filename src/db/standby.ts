/** Whether PostgreSQL commits wait for a standby, so that a failover loses no payment. */
import { readOne, type Sql } from './pool.ts';

/** False also if a managed PostgreSQL replicates below PostgreSQL itself, which SQL cannot see. */
export async function waitsForStandby(sql: Sql): Promise<boolean> {
  const text = `
    select current_setting('synchronous_standby_names') <> ''
           and current_setting('synchronous_commit') not in ('off', 'local') as waits`;
  return (await readOne<{ waits: boolean }>(sql, text)).waits;
}
