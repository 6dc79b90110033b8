/** How many SIP servers each phone process misses: columns of its lease. */
import type { Sql } from '../pool.ts';

export async function reportMissingSipServers(sql: Sql, leaseId: number, missing: number): Promise<void> {
  await sql.query({
    name: 'report_missing_sip_servers',
    text: `update process_leases
              set sip_missing = $2, sip_missing_since = case when $2 > 0 then coalesce(sip_missing_since, now()) end
            where id = $1`,
    values: [leaseId, missing],
  });
}
