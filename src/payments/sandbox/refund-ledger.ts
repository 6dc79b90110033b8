/** The sandbox processor's refunds, in a table of its own. */
import type { RefundId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import { isDuplicate } from '../../db/duplicate.ts';
import { queryFirst, type Sql } from '../../db/pool.ts';

export interface SandboxRefund {
  refundId: string;
  /** Its outcome, not to be answered before {@link settlesInMs} is 0. */
  status: 'succeeded' | 'failed';
  settlesInMs: number;
}

interface Row {
  refund_id: string;
  status: SandboxRefund['status'];
  settles_in_ms: number;
}

// Not now(): it is the start of the transaction, and a refund written since would seem to lie in the future.
const COLUMNS = `refund_id, status,
  greatest(0, extract(epoch from settles_at - clock_timestamp()) * 1000)::double precision as settles_in_ms`;

function refundOf(row: Row): SandboxRefund {
  return { refundId: row.refund_id, status: row.status, settlesInMs: row.settles_in_ms };
}

/** @param reference our refund id */
export async function findSandboxRefund(sql: Sql, reference: RefundId): Promise<SandboxRefund | null> {
  return queryFirst(sql, refundOf, `select ${COLUMNS} from sandbox_refunds where reference = $1`, [reference]);
}

/** A settled, successful payment that can be refunded. */
export interface RefundablePayment {
  /** Of the test card; null for any other. */
  cardName: string | null;
  /** What has not been refunded yet. */
  leftCents: number;
}

/** @returns null for an unknown payment, a declined one, and one that is not settled yet */
export async function findRefundable(sql: Sql, paymentId: string): Promise<RefundablePayment | null> {
  const { rows } = await sql.query<{ card_name: string | null; left_cents: number }>(
    `select card_name, amount_cents - refunded_cents as left_cents from sandbox_payments
      where payment_id = $1 and status = 'succeeded' and settles_at <= now()`,
    [paymentId],
  );
  return rows[0] === undefined ? null : { cardName: rows[0].card_name, leftCents: rows[0].left_cents };
}

export interface NewSandboxRefund extends SandboxRefund {
  /** Our refund id; a second refund of the same reference is the first one. */
  reference: RefundId;
  paymentId: string;
  amount: Money;
}

/**
 * Inserts a refund in one statement, under the payment's lock: never more than was paid, and once a reference. A refund
 * that will fail does not count. @returns the refund of this reference, and whether it was there before; null: the amount
 * is more than is left
 */
export async function insertSandboxRefund(
  sql: Sql,
  refund: NewSandboxRefund,
): Promise<{ refund: SandboxRefund; repeated: boolean } | null> {
  const { reference, refundId, paymentId, amount, status, settlesInMs } = refund;
  try {
    const { rows } = await sql.query<Row>(
      `with payment as (
         update sandbox_payments
            set refunded_cents = refunded_cents + case $6 when 'failed' then 0 else $4::integer end
          where payment_id = $3 and status = 'succeeded' and currency = $5 and settles_at <= now()
            and refunded_cents + $4::integer <= amount_cents
         returning payment_id
       )
       insert into sandbox_refunds (reference, refund_id, payment_id, amount_cents, status, settles_at)
       select $1, $2, payment_id, $4::integer, $6, now() + $7::integer * interval '1 millisecond' from payment
       returning ${COLUMNS}`,
      [reference, refundId, paymentId, amount.amountCents, amount.currency, status, settlesInMs],
    );
    return rows[0] === undefined ? null : { refund: refundOf(rows[0]), repeated: false };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const first = await findSandboxRefund(sql, reference);
    if (first === null) throw error;
    return { refund: first, repeated: true };
  }
}
