/**
 * What happens to some test cards' payments later: a refund in the sandbox's own dashboard, and a refund that fails after it
 * had succeeded. The notifications are put into the inbox, as if they had been received: a signed request would need an
 * address of this service.
 */
import type { Sql } from '../../db/pool.ts';
import type { Money } from '../../domain/money.ts';
import { TEST_CARDS } from './cards.ts';
import type { SandboxTimings } from './timings.ts';

/** A refund of the dashboard is this large, in minor units, or the whole payment. */
const REFUNDED_ELSEWHERE = 100;

const cardNamed = (cardName: string | null) => TEST_CARDS.find(({ name }) => name === cardName);

/** SQL: notifies of `changed (payment_id, refund_id, at)`, with the merchant of the payment's charge. */
const NOTIFY = `
  insert into processor_notifications (merchant_id, processor, account_id, mode, event_id, type, payment_id, due_at)
  select c.merchant_id, c.processor, c.account_id, c.mode, 'refund.updated_' || changed.refund_id, 'refund.updated',
         changed.payment_id, changed.at
    from changed join sandbox_payments p on p.payment_id = changed.payment_id join charges c on c.id = p.reference
  on conflict do nothing`;

/** Refunds a part of the payment some seconds later, if its card is one for that. */
export async function refundElsewhereLater(
  sql: Sql,
  { settleMs }: Pick<SandboxTimings, 'settleMs'>,
  { cardName, paymentId, amount }: { cardName: string | null; paymentId: string; amount: Money },
): Promise<void> {
  if (cardNamed(cardName)?.isRefundedElsewhere !== true) return;
  await sql.query(
    `with refund as (
       insert into sandbox_refunds (reference, refund_id, payment_id, amount_cents, created_at, settles_at)
       select 'dashboard ' || $1, 'sandbox_refund_of_' || $1, $1, $2::integer, at, at
         from (select now() + $3::integer * interval '1 millisecond' as at) later
       on conflict do nothing returning *
     ), counted as (
       update sandbox_payments p set refunded_cents = p.refunded_cents + r.amount_cents from refund r
        where p.payment_id = r.payment_id
     ), changed as (
       select payment_id, refund_id, created_at as at from refund
     ) ${NOTIFY}`,
    [paymentId, Math.min(REFUNDED_ELSEWHERE, amount.amountCents), settleMs],
  );
}

/** Notifies of a refund that fails later, when it has failed. */
export async function notifyLateFailure(sql: Sql, refundId: string): Promise<void> {
  await sql.query(
    `with changed as (
       select payment_id, refund_id, succeeded_until as at from sandbox_refunds
        where refund_id = $1 and succeeded_until is not null
     ) ${NOTIFY}`,
    [refundId],
  );
}
