/**
 * The sandbox's disputes. Some test cards open one with the payment: it is notified some seconds later, and again when it is
 * decided.
 */
import type { Sql } from '../../db/pool.ts';
import type { ChargeId } from '../../domain/ids.ts';
import type { Currency, Money } from '../../domain/money.ts';
import { unknown } from '../port/answers.ts';
import type { DisputeAnswer, Disputes, ReadDispute } from '../port/disputes.ts';
import { type DisputeBehaviour, TEST_CARDS } from './cards.ts';
import type { SandboxTimings } from './timings.ts';

/** As long as banks give, so that people can look at it. */
const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;
/** From the opening to the decision of a dispute that was answered. */
const REVIEW_TIMES = 10;

/**
 * Opens the dispute of a payment with such a card. Its notifications are put into the inbox, as if they had been received: a
 * signed request would need an address of this service.
 */
export async function openSandboxDispute(
  sql: Sql,
  { settleMs }: Pick<SandboxTimings, 'settleMs'>,
  payment: { cardName: string | null; paymentId: string; reference: ChargeId; amount: Money },
): Promise<void> {
  const behaviour = TEST_CARDS.find(({ name }) => name === payment.cardName)?.dispute;
  if (behaviour === undefined) return;
  const { isAnswered, outcome, reason } = behaviour;
  await sql.query(
    `with opened as (
       insert into sandbox_disputes (dispute_id, payment_id, reason, is_answered, outcome, amount_cents, currency, opens_at,
                                     decided_at)
       values ('sandbox_dispute_' || $2, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 millisecond',
               now() + $9 * interval '1 millisecond')
       on conflict do nothing returning *
     )
     insert into processor_notifications (merchant_id, processor, account_id, mode, event_id, type, payment_id, dispute_id,
                                          due_at)
     select c.merchant_id, c.processor, c.account_id, c.mode, told.type || '_' || o.dispute_id, told.type, o.payment_id,
            o.dispute_id, told.at
       from opened o join charges c on c.id = $1
      cross join lateral (values ('dispute.created', o.opens_at), ('dispute.decided', o.decided_at)) told (type, at)
     on conflict do nothing`,
    [
      payment.reference,
      payment.paymentId,
      reason,
      isAnswered,
      outcome,
      payment.amount.amountCents,
      payment.amount.currency,
      settleMs,
      settleMs + (isAnswered ? REVIEW_TIMES * settleMs : WEEK_MS),
    ],
  );
}

export function sandboxDisputes(sql: Sql): Disputes {
  return { read: ({ disputeId }) => readSandboxDispute(sql, disputeId).catch(() => unknown('database')) };
}

interface DisputeRow extends Pick<DisputeBehaviour, 'outcome' | 'reason' | 'isAnswered'> {
  paymentId: string;
  amountCents: number;
  currency: Currency;
  decidedAt: Date;
  isDecided: boolean;
  since: number;
}

async function readSandboxDispute(sql: Sql, disputeId: string): Promise<DisputeAnswer> {
  const { rows } = await sql.query<DisputeRow>(
    `select payment_id as "paymentId", reason, is_answered as "isAnswered", outcome, amount_cents as "amountCents", currency,
            decided_at as "decidedAt", decided_at <= now() as "isDecided",
            floor(extract(epoch from case when decided_at <= now() then decided_at else opens_at end) * 1000)::double precision
              as since
       from sandbox_disputes where dispute_id = $1 and opens_at <= now()`,
    [disputeId],
  );
  const row = rows[0];
  if (row === undefined) return { status: 'not_found' };
  const { paymentId, reason, isAnswered, outcome, amountCents, currency, decidedAt, isDecided, since } = row;
  const open = isAnswered ? 'under_review' : 'needs_response';
  const dispute: ReadDispute = {
    paymentId,
    kind: 'chargeback',
    status: isDecided ? outcome : open,
    reason,
    processorReason: reason,
    amountCents,
    currency,
    evidenceDueAt: isAnswered ? null : decidedAt,
    version: since,
  };
  return { status: 'found', dispute };
}
