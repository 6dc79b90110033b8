/** Whether an audit event was written lately: for those that the service writes by itself, and not each time. */
import type { AuditEntry } from '../../domain/audit.ts';
import { readFirst, type Sql } from '../pool.ts';

/** @param span an interval of PostgreSQL */
export async function wasAuditedWithin(
  sql: Sql,
  { accountId, mode, action, objectId }: Pick<AuditEntry, 'accountId' | 'mode' | 'action' | 'objectId'>,
  span: string,
): Promise<boolean> {
  const recent = await readFirst(
    sql,
    `select from audit_events
      where object_id = $1 and account_id = $2 and mode is not distinct from $3 and action = $4
        and created_at > now() - $5::interval
      order by sequence desc limit 1`,
    [objectId, accountId, mode, action, span],
  );
  return recent !== null;
}
