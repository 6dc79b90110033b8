/** The sandbox's lists of payments and refunds, by time. They have the account, but no merchant and no session. */
import type { Sql } from '../../db/pool.ts';
import { type ChargeId, parseId } from '../../domain/ids.ts';
import { unknown } from '../port/answers.ts';
import {
  type ProcessorRecords,
  type RecordedPayment,
  type RecordedRefund,
  type RecordsRequest,
  RecordsUnreadable,
} from '../port/records.ts';
import { answerOf, unreachable } from './answers.ts';
import { unsettledDebit } from './debits.ts';
import { listSandboxPayments } from './ledger.ts';
import { statusNow } from './refund-ledger.ts';

export function sandboxRecords(sql: Sql): ProcessorRecords {
  return {
    async *payments(request): AsyncIterable<RecordedPayment> {
      const rows = await listSandboxPayments(sql, request).catch(unreadable);
      for (const { reference, createdAt, amountCents, capturedCents, currency, ...payment } of rows) {
        const answer = payment.settlesInMs > 0 ? (unsettledDebit(payment) ?? unknown('processing')) : answerOf(payment);
        const taken = { amountCents: capturedCents ?? amountCents, currency };
        const listed = answer.status === 'succeeded' ? { ...answer, taken } : answer;
        yield { chargeId: reference, origin: null, createdAt, answer: listed };
      }
    },
    async *refunds(request): AsyncIterable<RecordedRefund> {
      yield* await listRefunds(sql, request).catch(unreadable);
    },
  };
}

function unreadable(error: unknown): never {
  throw new RecordsUnreadable(unreachable(error).cause);
}

async function listRefunds(sql: Sql, { accountId, mode, from, until }: RecordsRequest): Promise<RecordedRefund[]> {
  const { rows } = await sql.query<
    Omit<RecordedRefund, 'readChargeId' | 'refundId'> & { chargeId: ChargeId; reference: string }
  >(
    `select r.refund_id as "processorRefundId", r.payment_id as "processorPaymentId", r.reference,
            p.reference as "chargeId", r.amount_cents as "amountCents", p.currency, r.created_at as "createdAt",
            case when r.settles_at > clock_timestamp() then 'pending' else ${statusNow('r')} end as status
       from sandbox_refunds r join sandbox_payments p on p.payment_id = r.payment_id
      where p.account_id = $1 and p.mode = $2 and r.created_at >= $3 and r.created_at < least($4, clock_timestamp())`,
    [accountId, mode, from, until],
  );
  return rows.map(({ chargeId, reference, ...refund }) => ({
    ...refund,
    refundId: parseId('Refund', reference),
    readChargeId: async () => chargeId,
  }));
}
