/** A person has seen a late charge, and it no longer needs attention. Nothing else about the charge changes. */
import { insertAuditEvent } from '../../db/audit/audit-events.ts';
import { writeAcknowledgement } from '../../db/charges/late-charges.ts';
import type { Database } from '../../db/pool.ts';
import type { Actor } from '../../domain/audit.ts';
import type { Charge } from '../../domain/charge.ts';

/** Can be repeated: the first one counts. @returns false if the charge was not late */
export async function acknowledgeLateCharge(
  database: Pick<Database, 'transaction'>,
  by: Actor,
  { id: objectId, accountId, mode, wasLate }: Pick<Charge, 'id' | 'accountId' | 'mode' | 'wasLate'>,
): Promise<boolean> {
  if (!wasLate) return false;
  await database.transaction(async (sql) => {
    if (!(await writeAcknowledgement(sql, objectId))) return;
    await insertAuditEvent(sql, by, { accountId, mode, action: 'charge.acknowledged', objectId });
  });
  return true;
}
