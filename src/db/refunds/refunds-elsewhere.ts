/** Refunds that were made at the processor, and succeeded refunds that failed later. The charge is locked by the caller. */
import type { Charge } from '../../domain/charge.ts';
import type { ChargeId, RefundId } from '../../domain/ids.ts';
import type { Refund } from '../../domain/refund.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';
import { REFUND } from './refunds.ts';

/** The charge's refund with one of these IDs. The processor's own ID says more than the reference beside it. */
export function findRefundOfCharge(
  sql: Sql,
  chargeId: ChargeId,
  { refundId, processorRefundId }: { refundId: RefundId | null; processorRefundId: string },
): Promise<Refund | null> {
  const text = `select ${REFUND} from refunds
                 where charge_id = $1 and (id = $2 or processor_refund_id = $3)
                 order by processor_refund_id is not distinct from $3 desc limit 1`;
  return readFirst(sql, text, [chargeId, refundId, processorRefundId]);
}

/** Whether a pending refund of the charge may exist at the processor under an ID that is not known here. */
export async function hasUnnamedRefund(sql: Sql, chargeId: ChargeId): Promise<boolean> {
  const text = `select from refunds where charge_id = $1 and status = 'pending' and processor_refund_id is null limit 1`;
  return (await readFirst(sql, text, [chargeId])) !== null;
}

/** A refund that was made at the processor. */
export interface RefundElsewhere {
  id: RefundId;
  processorRefundId: string;
  status: 'pending' | 'succeeded';
  amountCents: number;
}

/** The resolver looks up a pending one. @returns null if another charge has a refund with the ID */
export function insertRefundElsewhere(
  sql: Sql,
  charge: Charge,
  { id, processorRefundId, status, amountCents }: RefundElsewhere,
): Promise<Refund | null> {
  return readFirst(
    sql,
    `insert into refunds (id, charge_id, session_id, account_id, mode, merchant_id, status, amount_cents, currency,
                          processor, processor_payment_id, processor_refund_id, origin, settled_at, resolve_at)
     select $1, c.id, c.session_id, c.account_id, c.mode, c.merchant_id, $3::refund_status, $4::integer, c.currency,
            c.processor, c.processor_payment_id, $5, 'processor', case when $3::text = 'succeeded' then now() end,
            now() + interval '1 hour'
       from charges c where c.id = $2
     on conflict (id) do nothing
     returning ${REFUND}`,
    [id, charge.id, status, amountCents, processorRefundId],
  );
}

/** A succeeded refund has failed. Its amount can be refunded again. */
export function writeLateFailure(sql: Sql, id: RefundId, processorCode: string | null): Promise<Refund> {
  return readOne(
    sql,
    `update refunds set status = 'failed', failure = 'refused', processor_code = $2, settled_at = now(),
                        failed_late_at = now()
      where id = $1 and status = 'succeeded'
     returning ${REFUND}`,
    [id, processorCode],
  );
}

/** A refund that failed here was made there. @returns null if it succeeded before it failed, or did not fail */
export function writeMadeAfterAll(sql: Sql, id: RefundId, processorRefundId: string): Promise<Refund | null> {
  return readFirst(
    sql,
    `update refunds set status = 'succeeded', failure = null, processor_code = null, processor_refund_id = $2,
                        settled_at = now()
      where id = $1 and status = 'failed' and failed_late_at is null
     returning ${REFUND}`,
    [id, processorRefundId],
  );
}
