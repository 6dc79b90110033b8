/** Writes changes of merchants to the audit trail. */
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import type { Sql } from '../../db/pool.ts';
import type { Actor, AuditAction, AuditChanges } from '../../domain/audit.ts';
import type { Merchant } from '../../domain/merchant.ts';

/** Call it in the transaction of the change. */
export function auditMerchant(
  sql: Sql,
  by: Actor,
  action: AuditAction,
  { accountId, mode, id: objectId }: Merchant,
  changes: AuditChanges,
): Promise<void> {
  return insertAuditEvent(sql, by, { accountId, mode, action, objectId, changes });
}
