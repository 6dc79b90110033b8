/** Writes down that a person settled a charge or a refund. */
import { insertAuditEvent } from '../db/audit/audit-events.ts';
import type { Sql } from '../db/pool.ts';
import type { Actor } from '../domain/audit.ts';
import type { Charge } from '../domain/charge.ts';
import type { Refund } from '../domain/refund.ts';

/** In the transaction that writes the outcome. */
export function auditSettlement(
  sql: Sql,
  by: Actor,
  action: 'charge.settled' | 'refund.settled',
  settled: Charge | Refund,
): Promise<void> {
  const { accountId, mode, id: objectId, status, amount, processorPaymentId } = settled;
  const refund = 'processorRefundId' in settled ? { processor_refund_id: settled.processorRefundId } : {};
  const changes = {
    status: { from: 'pending', to: status },
    amount_cents: amount.amountCents,
    currency: amount.currency,
    processor_payment_id: processorPaymentId,
    ...refund,
  };
  return insertAuditEvent(sql, by, { accountId, mode, action, objectId, changes });
}
