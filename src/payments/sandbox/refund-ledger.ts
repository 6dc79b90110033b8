/** The sandbox processor's refunds, in their own table. */

import { isDuplicate } from '../../db/error-kinds.ts';
import type { Sql } from '../../db/pool.ts';
import type { RefundId } from '../../domain/ids.ts';
import type { Money } from '../../domain/money.ts';

export interface SandboxRefund {
  refundId: string;
  /** The outcome, which is not returned before {@link settlesInMs} is 0. */
  status: 'succeeded' | 'failed';
  settlesInMs: number;
}

// Not now(), which is the start of the transaction: a refund written since would seem to be in the future.
/** SQL: the outcome of a settled refund. One that fails later is said to have succeeded until then. @param row alias */
export const statusNow = (row: string) =>
  `case when ${row}.succeeded_until > clock_timestamp() then 'succeeded' else ${row}.status end`;

const COLUMNS = `refund_id as "refundId", ${statusNow('sandbox_refunds')} as status,
  greatest(0, extract(epoch from settles_at - clock_timestamp()) * 1000)::double precision as "settlesInMs"`;

/** @param reference our refund ID @param refundId the sandbox's, if it is known */
export async function findSandboxRefund(
  sql: Sql,
  reference: RefundId,
  refundId: string | null = null,
): Promise<SandboxRefund | null> {
  const text = `select ${COLUMNS} from sandbox_refunds where reference = $1 or refund_id = $2`;
  return (await sql.query<SandboxRefund>(text, [reference, refundId])).rows[0] ?? null;
}

export interface NewSandboxRefund extends SandboxRefund {
  /** Our refund ID. A second refund with the same reference returns the first one. */
  reference: RefundId;
  paymentId: string;
  amount: Money;
  /** How long a refund that fails is said to have succeeded. Null: not at all. */
  succeedsForMs: number | null;
}

/**
 * Inserts a refund in one statement, under the payment's lock: never more than was paid, and once per reference. A
 * refund that will fail does not count.
 * @returns the refund with this reference, and whether it existed before; null if the amount exceeds what is left
 */
export async function insertSandboxRefund(
  sql: Sql,
  refund: NewSandboxRefund,
): Promise<{ refund: SandboxRefund; repeated: boolean } | null> {
  const { reference, refundId, paymentId, amount, status, settlesInMs, succeedsForMs } = refund;
  try {
    const { rows } = await sql.query<SandboxRefund>(
      `with payment as (
         update sandbox_payments
            set refunded_cents = refunded_cents + case $6 when 'failed' then 0 else $4::integer end
          where payment_id = $3 and status = 'succeeded' and currency = $5 and settles_at <= now()
            and refunded_cents + $4::integer <= coalesce(captured_cents, amount_cents)
         returning payment_id
       )
       insert into sandbox_refunds (reference, refund_id, payment_id, amount_cents, status, settles_at, succeeded_until)
       select $1, $2, payment_id, $4::integer, $6, now() + $7::integer * interval '1 millisecond',
              now() + $8::integer * interval '1 millisecond' from payment
       returning ${COLUMNS}`,
      [reference, refundId, paymentId, amount.amountCents, amount.currency, status, settlesInMs, succeedsForMs],
    );
    return rows[0] === undefined ? null : { refund: rows[0], repeated: false };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const first = await findSandboxRefund(sql, reference);
    if (first === null) throw error;
    return { refund: first, repeated: true };
  }
}
