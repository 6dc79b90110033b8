/** All refunds of a payment at the sandbox. One that was made there has a reference that is no ID of ours. */
import type { Sql } from '../../db/pool.ts';
import { parseId } from '../../domain/ids.ts';
import type { ProcessorHistories, RefundThere } from '../port/history.ts';
import { unreachable } from './answers.ts';
import { statusNow } from './refund-ledger.ts';

export function sandboxHistories(sql: Sql): ProcessorHistories {
  return {
    after: /^refund\./,
    read: ({ processorPaymentId }) =>
      listRefunds(sql, processorPaymentId)
        .then((refunds) => ({ status: 'read' as const, refunds }))
        .catch(unreachable),
  };
}

async function listRefunds(sql: Sql, paymentId: string): Promise<RefundThere[]> {
  const { rows } = await sql.query<Omit<RefundThere, 'refundId' | 'processorCode'> & { reference: string }>(
    `select r.refund_id as "processorRefundId", r.reference, r.amount_cents as "amountCents", p.currency,
            case when r.settles_at > clock_timestamp() then 'pending' else ${statusNow('r')} end as status
       from sandbox_refunds r join sandbox_payments p on p.payment_id = r.payment_id
      where r.payment_id = $1 and r.created_at <= clock_timestamp() order by r.created_at`,
    [paymentId],
  );
  return rows.map(({ reference, ...refund }) => ({
    ...refund,
    refundId: parseId('Refund', reference),
    processorCode: refund.status === 'failed' ? 'refund_failed' : null,
  }));
}
