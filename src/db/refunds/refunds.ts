/**
 * The table `refunds`: rows are created as pending, then settled or left pending for the resolver. Locks are taken in
 * the order charge, refund. A trigger maintains `charges.refunded_cents`, and a check limits it.
 */
import type { Scope } from '../../domain/account.ts';
import type { Charge } from '../../domain/charge.ts';
import type { AccountId, ChargeId, RefundId } from '../../domain/ids.ts';
import { newId } from '../../domain/ids.ts';
import type { Refund, RefundFailure } from '../../domain/refund.ts';
import { TAKEN_CENTS } from '../charges/charge-facts.ts';
import { CHARGE } from '../charges/charges.ts';
import { columnsOf, moneyOf } from '../columns.ts';
import { chargeFacts, NOTIFY_OUTBOX, refundFacts } from '../events/events.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';

/** SQL: a {@link Refund} from a row of `refunds`. */
export const REFUND = columnsOf<Refund>()(
  'refunds',
  [
    'id chargeId sessionId accountId merchantId mode status reason origin metadata processor processorPaymentId',
    'processorRefundId failure processorCode createdAt settledAt',
  ],
  { amount: moneyOf('refunds') },
);

/** Any account's refund. The calling function checks the account. */
export function findRefund(sql: Sql, id: RefundId): Promise<Refund | null> {
  return readFirst(sql, `select ${REFUND} from refunds where id = $1`, [id]);
}

/**
 * Locks a charge until the transaction ends, so that concurrent refunds see each other.
 * @returns the charge and its refundable amount; null if the account has no such charge
 */
export async function lockChargeToRefund(
  sql: Sql,
  accountId: AccountId,
  id: ChargeId,
): Promise<{ charge: Charge; leftCents: number } | null> {
  const row = await readFirst<Charge & { leftCents: number }>(
    sql,
    `select ${CHARGE}, ${TAKEN_CENTS('charges')} - refunded_cents as "leftCents"
       from charges where id = $1 and account_id = $2 for no key update`,
    [id, accountId],
  );
  if (row === null) return null;
  const { leftCents, ...charge } = row;
  return { charge, leftCents };
}

/** SHA-256 of an idempotency key, and of its request. */
export interface RefundIdempotency {
  keyHash: Buffer;
  requestHash: Buffer;
}

/** An earlier refund with the same ID or idempotency key. */
export interface EarlierRefund {
  refund: Refund;
  isSameRequest: boolean;
  /** Its key is older than 24 hours and can be used for another request. */
  isStale: boolean;
}

/** The refund with the key, otherwise the one with the ID whose key was forgotten. @returns null if there is neither */
export async function findEarlierRefund(
  sql: Sql,
  { accountId, mode }: Scope,
  id: RefundId,
  idempotency: RefundIdempotency | null,
): Promise<EarlierRefund | null> {
  const row = await readFirst<Refund & Omit<EarlierRefund, 'refund'>>(
    sql,
    `select ${REFUND}, coalesce(request_hash = $5, true) as "isSameRequest",
            created_at < now() - interval '24 hours' as "isStale"
       from refunds
      where id = $1 or (account_id = $2 and mode = $3 and idempotency_key_hash = $4)
      order by idempotency_key_hash is not distinct from $4 desc limit 1`,
    [id, accountId, mode, idempotency?.keyHash ?? null, idempotency?.requestHash ?? null],
  );
  if (row === null) return null;
  const { isSameRequest, isStale, ...refund } = row;
  return { refund, isSameRequest, isStale };
}

/** Frees a refund's idempotency key for another request. */
export async function forgetIdempotencyKey(sql: Sql, id: RefundId): Promise<void> {
  await sql.query('update refunds set idempotency_key_hash = null, request_hash = null where id = $1', [id]);
}

/** A refund to insert as `pending`. */
export interface PendingRefund extends Pick<Refund, 'id' | 'reason' | 'metadata'> {
  amountCents: number;
  idempotency: RefundIdempotency | null;
  /** When the resolver takes over from a process that died. */
  resolveAfterMs: number;
}

const INSERT = `insert into refunds (id, charge_id, session_id, account_id, mode, merchant_id, amount_cents, currency, reason,
                          metadata, processor, processor_payment_id, created_at, idempotency_key_hash, request_hash, resolve_at)`;

/** @throws a unique violation if another refund has the same idempotency key */
export function insertPendingRefund(sql: Sql, charge: Charge, refund: PendingRefund): Promise<Refund> {
  return readOne(
    sql,
    `${INSERT}
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, now(), $13, $14, now() + $15::integer * interval '1 millisecond')
     returning ${REFUND}`,
    [
      refund.id,
      charge.id,
      charge.sessionId,
      charge.accountId,
      charge.mode,
      charge.merchantId,
      refund.amountCents,
      charge.amount.currency,
      refund.reason,
      JSON.stringify(refund.metadata),
      charge.processor,
      charge.processorPaymentId,
      refund.idempotency?.keyHash ?? null,
      refund.idempotency?.requestHash ?? null,
      refund.resolveAfterMs,
    ],
  );
}

/**
 * Restores a refund that the database has lost, as `pending` and due. Its charge is locked.
 * @param idempotency null if it had none, or it is no longer known; a repeat created meanwhile keeps the key
 * @returns false if the refund exists, or the rest of its charge is being refunded
 */
export async function restoreRefund(sql: Sql, refund: Refund, idempotency: RefundIdempotency | null): Promise<boolean> {
  const { rowCount } = await sql.query(
    `${INSERT}
     select $1, c.id, c.session_id, c.account_id, c.mode, c.merchant_id, $3::integer, c.currency, $4, $5::jsonb, c.processor,
            c.processor_payment_id, $6::timestamptz, k.hash, case when k.hash is not null then $8::bytea end, now()
       from charges c
       left join (select $7::bytea as hash) k on not exists (
         select from refunds o where o.account_id = c.account_id and o.mode = c.mode and o.idempotency_key_hash = $7)
      where c.id = $2 and ${TAKEN_CENTS('c')} - c.refunded_cents >= $3::integer
     on conflict do nothing`,
    [
      refund.id,
      refund.chargeId,
      refund.amount.amountCents,
      refund.reason,
      JSON.stringify(refund.metadata),
      refund.createdAt,
      idempotency?.keyHash ?? null,
      idempotency?.requestHash ?? null,
    ],
  );
  return rowCount === 1;
}

/** The final outcome of a refund. */
export type RefundSettlement =
  | { status: 'succeeded'; processorRefundId: string }
  | { status: 'failed'; reason: RefundFailure; processorCode: string | null };

/** Writes the outcome. A failed amount can be refunded again. @returns null if the refund is already settled */
export function writeRefundOutcome(sql: Sql, id: RefundId, outcome: RefundSettlement): Promise<Refund | null> {
  const [processorRefundId, failure, processorCode] =
    outcome.status === 'succeeded'
      ? [outcome.processorRefundId, null, null]
      : [null, outcome.reason, outcome.processorCode];
  return readFirst(
    sql,
    `update refunds
        set status = $2, settled_at = now(), processor_refund_id = coalesce($3, processor_refund_id), failure = $4,
            processor_code = $5
      where id = $1 and status = 'pending'
      returning ${REFUND}`,
    [id, outcome.status, processorRefundId, failure, processorCode],
  );
}

/** Writes the event of a refund that was just settled, with the current refund, charge and session. */
export async function insertRefundEvent(sql: Sql, id: RefundId): Promise<void> {
  await sql.query(
    `insert into events (id, account_id, mode, type, session_id, charge_id, refund_id, is_late_failure, facts)
     select $1, r.account_id, r.mode, 'refund.' || r.status, r.session_id, r.charge_id, r.id,
            r.failed_late_at is not null,
            jsonb_build_object('session_status', s.status, 'outcome', r.status, 'charge', ${chargeFacts('c')},
                               'refund', ${refundFacts('r')})
       from refunds r join charges c on c.id = r.charge_id join checkout_sessions s on s.id = r.session_id
      where r.id = $2
     on conflict do nothing`,
    [newId('Event'), id],
  );
  await sql.query(`select ${NOTIFY_OUTBOX}`);
}

/**
 * The outcome is unknown: hands the refund to the resolver within `resolveAfterMs`, or, if null, at its next due time.
 * @param processorRefundId the processor's ID, if it has accepted the refund
 * @returns null if the refund is already settled
 */
export function leaveRefundPending(
  sql: Sql,
  id: RefundId,
  { processorRefundId, resolveAfterMs }: { processorRefundId: string | null; resolveAfterMs: number | null },
): Promise<Refund | null> {
  return readFirst(
    sql,
    `update refunds set processor_refund_id = coalesce($2, processor_refund_id),
            resolve_at = least(resolve_at, now() + $3::integer * interval '1 millisecond')
      where id = $1 and status = 'pending'
      returning ${REFUND}`,
    [id, processorRefundId, resolveAfterMs],
  );
}
