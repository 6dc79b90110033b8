/** An account sets an item aside, or shows it again. */

import { writeAttentionMark } from '../db/attention/attention-items.ts';
import { insertAuditEvent } from '../db/audit/audit-events.ts';
import { findListedCharge } from '../db/charges/charge-lists.ts';
import type { Database } from '../db/pool.ts';
import type { Scope } from '../domain/account.ts';
import type { AttentionItem } from '../domain/attention.ts';
import type { Actor } from '../domain/audit.ts';
import { parseId } from '../domain/ids.ts';
import { acknowledgeLateCharge } from '../payments/manual/acknowledge.ts';

export type AttentionMark = 'done' | { quietUntil: Date } | null;

/** Audited. To set a late charge aside as done also acknowledges it. @param mark null: the item is shown again */
export async function markAttention(
  database: Database,
  by: Actor,
  scope: Scope,
  { id, kind, subject }: Pick<AttentionItem, 'id' | 'kind' | 'subject'>,
  mark: AttentionMark,
): Promise<void> {
  await database.transaction(async (sql) => {
    await writeAttentionMark(sql, scope, id, mark);
    await insertAuditEvent(sql, by, { ...scope, objectId: id, ...auditOf(kind, mark) });
  });
  const chargeId = mark === 'done' && kind === 'late_charge' ? parseId('Charge', subject) : null;
  const charge = chargeId && (await findListedCharge(database, scope.accountId, chargeId));
  if (charge) await acknowledgeLateCharge(database, by, charge);
}

function auditOf(kind: AttentionItem['kind'], mark: AttentionMark) {
  if (mark === null) return { action: 'attention_item.reopened', changes: { kind } } as const;
  if (mark === 'done') return { action: 'attention_item.done', changes: { kind } } as const;
  const changes = { kind, quiet_until: mark.quietUntil.toISOString() };
  return { action: 'attention_item.quieted', changes } as const;
}
