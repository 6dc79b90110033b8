/** The sandbox processor's books on what it gave back. */
import type { RefundId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';
import type { Sql } from '../../db/pool.ts';

export interface SandboxRefund {
  refundId: string;
  /** What it comes to; to be told only when {@link settlesInMs} is 0. */
  status: 'succeeded' | 'failed';
  settlesInMs: number;
}

interface Row {
  refund_id: string;
  status: SandboxRefund['status'];
  settles_in_ms: number;
}

// Not now(): what was written while a reader's statement was on its way would not have happened yet.
const COLUMNS = `refund_id, status,
  greatest(0, extract(epoch from settles_at - clock_timestamp()) * 1000)::double precision as settles_in_ms`;

function refundOf(row: Row): SandboxRefund {
  return { refundId: row.refund_id, status: row.status, settlesInMs: row.settles_in_ms };
}

/** @param reference our refund id */
export async function findSandboxRefund(sql: Sql, reference: RefundId): Promise<SandboxRefund | null> {
  const { rows } = await sql.query<Row>(`select ${COLUMNS} from sandbox_refunds where reference = $1`, [reference]);
  return rows[0] === undefined ? null : refundOf(rows[0]);
}

/** A settled, successful payment, as a refund of it sees it. */
export interface RefundablePayment {
  /** Of the test card; null for any other. */
  cardName: string | null;
  /** To be given back yet. */
  leftCents: number;
}

/** Null for a payment that is none, that was declined or that is not settled yet. */
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

const UNIQUE_VIOLATION = '23505';

/**
 * In one statement, under the payment's lock: never more than was paid, and once a reference. One that will fail gives
 * nothing back. @returns the refund of this reference, and whether it was there before; null: so much is not left
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
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    const first = await findSandboxRefund(sql, reference);
    if (first === null) throw error;
    return { refund: first, repeated: true };
  }
}
