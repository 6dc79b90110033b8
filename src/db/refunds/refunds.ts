/**
 * Refunds in the record. Each step is one statement, hence one transaction. Locks are always taken in the order charge,
 * refund. What may be given back is the charge row's to say: a trigger keeps `charges.refunded_cents`, a check bounds it.
 */
import type { Scope } from '../../domain/account.ts';
import type { ChargeStatus } from '../../domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, MerchantId, RefundId } from '../../domain/ids.ts';
import { newId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { Refund, RefundFailure, RefundReason, RefundStatus } from '../../domain/refund.ts';
import type { Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';
import { chargeFacts, NOTIFY_OUTBOX, refundFacts } from '../events/events.ts';

export interface RefundRow {
  id: RefundId;
  charge_id: ChargeId;
  session_id: CheckoutSessionId;
  account_id: AccountId;
  merchant_id: MerchantId;
  mode: Mode;
  status: RefundStatus;
  amount_cents: number;
  currency: Currency;
  reason: RefundReason | null;
  metadata: Refund['metadata'];
  processor: string;
  processor_payment_id: string;
  processor_refund_id: string | null;
  failure: RefundFailure | null;
  processor_code: string | null;
  created_at: Date;
  settled_at: Date | null;
}

const NAMES = [
  ...['id', 'charge_id', 'session_id', 'account_id', 'merchant_id', 'mode', 'status', 'amount_cents', 'currency'],
  ...['reason', 'metadata', 'processor', 'processor_payment_id', 'processor_refund_id', 'failure', 'processor_code'],
  ...['created_at', 'settled_at'],
];

/** SQL: a {@link RefundRow} from a table alias. */
export function refundColumns(alias: string): string {
  return NAMES.map((name) => `${alias}.${name}`).join(', ');
}

/** A row of `refunds` in the domain's words. */
export function refundOf(row: RefundRow): Refund {
  return {
    id: row.id,
    chargeId: row.charge_id,
    sessionId: row.session_id,
    accountId: row.account_id,
    merchantId: row.merchant_id,
    mode: row.mode,
    status: row.status,
    amount: { amountCents: row.amount_cents, currency: row.currency },
    reason: row.reason,
    metadata: row.metadata,
    processor: row.processor,
    processorPaymentId: row.processor_payment_id,
    processorRefundId: row.processor_refund_id,
    failure: row.failure,
    processorCode: row.processor_code,
    createdAt: row.created_at,
    settledAt: row.settled_at,
  };
}

/** A refund to begin. Whose money it is, and what of it is left, is the charge's business. */
export interface NewRefund {
  id: RefundId;
  chargeId: ChargeId;
  scope: Scope;
  /** Null: all that is left. */
  amountCents: number | null;
  reason: RefundReason | null;
  metadata: Refund['metadata'];
  /** Names of the processors that give money back. */
  processors: readonly string[];
  idempotency: RefundIdempotency | null;
  /** When the resolver takes over from a process that never came back. */
  resolveAfterMs: number;
}

/** SHA-256 of the key that asks, and of what it asks for. */
export interface RefundIdempotency {
  keyHash: Buffer;
  requestHash: Buffer;
}

export type RefundRefusal =
  /** The account has no such charge; or it has, in the other mode. */
  | 'no_charge'
  | 'other_mode'
  /** The charge is pending, or failed. */
  | 'not_paid'
  | 'nothing_left'
  | 'too_much'
  | 'no_refunds_there'
  /** The idempotency key was used for another refund. */
  | 'key_reused';

export type BegunRefund =
  | { type: 'begun'; refund: Refund }
  /** The same request was here before: its refund, however it stands. */
  | { type: 'earlier'; refund: Refund }
  | { type: 'refused'; reason: RefundRefusal };

interface BeginRow extends RefundRow {
  charge_mode: Mode;
  charge_status: ChargeStatus;
  left_cents: number;
  gives_back: boolean;
}

const BEGIN = `
  with charge as (
    select c.id, c.session_id, c.account_id, c.mode, c.merchant_id, c.status, c.currency, c.processor,
           c.processor_payment_id, c.amount_cents - c.refunded_cents as left_cents,
           c.processor = any($8) and c.processor_payment_id is not null as gives_back
      from charges c where c.id = $2 and c.account_id = $3
       for no key update
  ), begun as (
    insert into refunds (id, charge_id, session_id, account_id, mode, merchant_id, amount_cents, currency, reason, metadata,
                         processor, processor_payment_id, idempotency_key_hash, request_hash, resolve_at)
    select $1, id, session_id, account_id, mode, merchant_id, coalesce($5, left_cents), currency, $6, $7,
           processor, processor_payment_id, $9, $10, now() + $11::integer * interval '1 millisecond'
      from charge
     where mode = $4 and status = 'succeeded' and gives_back and coalesce($5, left_cents) between 1 and left_cents
    on conflict do nothing
    returning *
  )
  select ${refundColumns('begun')}, charge.mode as charge_mode, charge.status as charge_status, charge.left_cents,
         charge.gives_back
    from charge left join begun on true`;

/**
 * Writes the pending refund of a succeeded charge. The charge's row is locked first, so that of several at once each sees
 * what the others left. The same refund id again (an answer of the record was lost on the way) finds the refund begun.
 */
export async function beginRefund(sql: Sql, refund: NewRefund): Promise<BegunRefund> {
  const { id, chargeId, scope, idempotency } = refund;
  const { rows } = await sql.query<BeginRow>({
    name: 'begin_refund',
    text: BEGIN,
    values: [
      ...[id, chargeId, scope.accountId, scope.mode, refund.amountCents, refund.reason],
      ...[JSON.stringify(refund.metadata), refund.processors],
      ...[idempotency?.keyHash ?? null, idempotency?.requestHash ?? null, refund.resolveAfterMs],
    ],
  });
  const row = rows[0];
  if (row === undefined) return { type: 'refused', reason: 'no_charge' };
  if (row.id !== null) return { type: 'begun', refund: refundOf(row) };
  const earlier = await findEarlier(sql, refund);
  if (earlier === null) return { type: 'refused', reason: refusalOf(row, scope, refund.amountCents) };
  if (!earlier.stale) return meeting(earlier, refund);
  await forgetIdempotencyKey(sql, earlier.id);
  return beginRefund(sql, refund);
}

function refusalOf(charge: BeginRow, scope: Scope, amountCents: number | null): RefundRefusal {
  if (charge.charge_mode !== scope.mode) return 'other_mode';
  if (charge.charge_status !== 'succeeded') return 'not_paid';
  if (!charge.gives_back) return 'no_refunds_there';
  return charge.left_cents === 0 || amountCents === null ? 'nothing_left' : 'too_much';
}

interface EarlierRow extends RefundRow {
  same_request: boolean;
  /** Its key has had its time, and may ask for something else. */
  stale: boolean;
}

async function findEarlier(sql: Sql, { id, scope, idempotency }: NewRefund): Promise<EarlierRow | null> {
  const { rows } = await sql.query<EarlierRow>(
    `select ${refundColumns('r')}, coalesce(r.request_hash = $5, true) as same_request,
            r.id <> $1 and r.created_at < now() - interval '24 hours' as stale
       from refunds r
      where r.id = $1 or (r.account_id = $2 and r.mode = $3 and r.idempotency_key_hash = $4)`,
    [id, scope.accountId, scope.mode, idempotency?.keyHash ?? null, idempotency?.requestHash ?? null],
  );
  return rows[0] ?? null;
}

function meeting(earlier: EarlierRow, { id }: NewRefund): BegunRefund {
  if (!earlier.same_request) return { type: 'refused', reason: 'key_reused' };
  const isOurs = earlier.id === id && earlier.status === 'pending';
  return { type: isOurs ? 'begun' : 'earlier', refund: refundOf(earlier) };
}

async function forgetIdempotencyKey(sql: Sql, id: RefundId): Promise<void> {
  await sql.query('update refunds set idempotency_key_hash = null, request_hash = null where id = $1', [id]);
}

/** A clear yes or no. */
export type RefundSettlement =
  | { status: 'succeeded'; processorRefundId: string }
  | { status: 'failed'; reason: RefundFailure; processorCode: string | null };

const SETTLE = `
  with held as (
    select c.*, s.status as session_status from charges c join checkout_sessions s on s.id = c.session_id
     where c.id = $2 for no key update of c
  ), settled as (
    update refunds r
       set status = $3, processor_refund_id = coalesce($4, r.processor_refund_id), failure = $5, processor_code = $6,
           settled_at = now()
      from held
     where r.id = $1 and r.charge_id = held.id and r.status = 'pending'
    returning r.*
  ), told as (
    insert into events (id, account_id, mode, type, session_id, charge_id, refund_id, facts)
    select $7, settled.account_id, settled.mode, 'refund.' || settled.status, settled.session_id, held.id, settled.id,
           jsonb_build_object('session_status', held.session_status, 'outcome', settled.status,
                              'charge', ${chargeFacts('held')}, 'refund', ${refundFacts('settled')})
      from settled, held
    on conflict do nothing
  )
  select ${refundColumns('settled')}, ${NOTIFY_OUTBOX} from settled`;

/**
 * Writes the outcome and its event, all or nothing; what failed can be given back again. Settled before: nothing changes.
 * @returns the refund as the record has it, which may be another outcome than `settlement` if somebody was earlier
 */
export async function settleRefund(
  sql: Sql,
  refund: Pick<Refund, 'id' | 'chargeId'>,
  settlement: RefundSettlement,
): Promise<{ refund: Refund; now: boolean }> {
  const made = settlement.status === 'succeeded';
  const { rows } = await sql.query<RefundRow>({
    name: 'settle_refund',
    text: SETTLE,
    values: [
      ...[refund.id, refund.chargeId, settlement.status, made ? settlement.processorRefundId : null],
      ...[made ? null : settlement.reason, made ? null : settlement.processorCode, newId('Event')],
    ],
  });
  if (rows[0] !== undefined) return { refund: refundOf(rows[0]), now: true };
  const earlier = await findRefund(sql, refund.id);
  if (earlier === null) throw new Error('a refund to settle is not in the record');
  return { refund: earlier, now: false };
}

/**
 * The outcome is not known yet: hands the refund to the resolver, in `resolveAfterMs` at the latest; null: when it is due.
 * @param processorRefundId the processor's, where it has said that it has taken the refund on
 */
export async function leaveRefundPending(
  sql: Sql,
  id: RefundId,
  { processorRefundId, resolveAfterMs }: { processorRefundId: string | null; resolveAfterMs: number | null },
): Promise<void> {
  await sql.query(
    `update refunds set processor_refund_id = coalesce($2, processor_refund_id),
            resolve_at = least(resolve_at, now() + $3::integer * interval '1 millisecond')
      where id = $1 and status = 'pending'`,
    [id, processorRefundId, resolveAfterMs],
  );
}

/** Any account's refund: whose it is, is the asker's to check. */
export async function findRefund(sql: Sql, id: RefundId): Promise<Refund | null> {
  const { rows } = await sql.query<RefundRow>(`select ${refundColumns('r')} from refunds r where r.id = $1`, [id]);
  return rows[0] === undefined ? null : refundOf(rows[0]);
}
