/** The table `charges`: rows are created as pending, then settled or left pending for the resolver. */
import type { Scope } from '../../domain/account.ts';
import type { Charge, Wallet } from '../../domain/charge.ts';
import type { ChargeId, CheckoutSessionId } from '../../domain/ids.ts';
import type { CheckoutSession } from '../../domain/session.ts';
import { columnsOf, moneyOf } from '../columns.ts';
import { claimDue, type DueClaim } from '../due.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';
import { insertSignals, type VelocitySignals } from './attempts.ts';

/** SQL: a {@link Charge} from a row of `charges`. */
export const CHARGE = columnsOf<Charge>()(
  'charges',
  [
    'id sessionId accountId merchantId mode status source processor processorPaymentId instrumentId brand lastFour',
    'declineCode processorCode wallet actionDeadline wasLate duplicateOf createdAt settledAt',
    'capture captureBefore capturedCents paymentMethod debitedAt returnedAt captureFailedAt tipCents',
    'remainingCents',
  ],
  { amount: moneyOf('charges') },
);

export function findCharge(sql: Sql, id: ChargeId): Promise<Charge | null> {
  return readFirst(sql, `select ${CHARGE} from charges where id = $1`, [id]);
}

/** The session's charge, with the order that it pays for; null if the scope's session has no such charge. */
export async function findSessionCharge(
  sql: Sql,
  { accountId, mode }: Scope,
  sessionId: CheckoutSessionId,
  id: ChargeId,
): Promise<{ charge: Charge; order: Pick<CheckoutSession, 'orderId' | 'platformCallId'> } | null> {
  const row = await readFirst<Charge & Pick<CheckoutSession, 'orderId' | 'platformCallId'>>(
    sql,
    `select ${CHARGE}, s.order_id as "orderId", s.platform_call_id as "platformCallId"
       from charges join checkout_sessions s on s.id = charges.session_id
      where charges.id = $1 and charges.session_id = $2 and charges.account_id = $3 and charges.mode = $4`,
    [id, sessionId, accountId, mode],
  );
  if (row === null) return null;
  const { orderId, platformCallId, ...charge } = row;
  return { charge, order: { orderId, platformCallId } };
}

/** The scope's newest charge with this Idempotency-Key; null if there is none. */
export function findChargeByKey(
  sql: Sql,
  { accountId, mode }: Scope,
  sessionId: CheckoutSessionId,
  keyHash: Buffer,
): Promise<Charge | null> {
  return readFirst(sql, {
    name: 'find_charge_by_key',
    text: `select ${CHARGE} from charges
            where session_id = $1 and idempotency_key_hash = $2 and account_id = $3 and mode = $4
            order by created_at desc limit 1`,
    values: [sessionId, keyHash, accountId, mode],
  });
}

/**
 * All charges of the session: at most one live charge, failed ones, and late duplicates. `isOwn`: created by `attemptToken`.
 * `isRepeat`: requested with this Idempotency-Key.
 */
export async function listSessionCharges(
  sql: Sql,
  sessionId: CheckoutSessionId,
  attemptToken: string,
  keyHash: Buffer | null,
): Promise<ListedCharge[]> {
  const { rows } = await sql.query<ListedCharge>({
    name: 'list_session_charges',
    text: `select ${CHARGE}, begun_by is not distinct from $2 as "isOwn",
                  coalesce(idempotency_key_hash = $3, false) as "isRepeat"
             from charges where session_id = $1`,
    values: [sessionId, attemptToken, keyHash],
  });
  return rows;
}

type ListedCharge = Charge & { isOwn: boolean; isRepeat: boolean };

/** A charge to insert as `pending`. */
interface NewCharge
  extends Omit<
    Charge,
    | 'status'
    | 'processorPaymentId'
    | 'declineCode'
    | 'processorCode'
    | 'actionDeadline'
    | 'wasLate'
    | 'duplicateOf'
    | 'captureBefore'
    | 'capturedCents'
    | 'debitedAt'
    | 'returnedAt'
    | 'captureFailedAt'
    | 'createdAt'
    | 'settledAt'
  > {
  signals: VelocitySignals;
  /** The payment attempt that creates it; null if no longer known. */
  attemptToken: string | null;
  /** SHA-256 of the request's Idempotency-Key; null without one. */
  idempotencyKeyHash: Buffer | null;
  /** When the resolver takes over from a process that died. */
  resolveAfterMs: number;
}

/** @throws a unique violation if the session has another live charge */
export async function insertPendingCharge(sql: Sql, charge: NewCharge): Promise<Charge> {
  const { signals } = charge;
  const inserted = await readOne<Charge>(sql, {
    name: 'insert_pending_charge',
    text: `${INSERT} returning ${CHARGE}`,
    values: valuesOf({ ...charge, callerPhone: signals.callerPhone }),
  });
  await insertSignals(sql, charge.id, charge, signals);
  return inserted;
}

/**
 * Restores a charge that the database has lost, as `pending`.
 * @param idempotencyKeyHash lets a repeat of its request find it; null if it had none, or it is no longer known
 * @returns false if the charge exists, or another charge of its session is pending or succeeded
 */
export async function restoreCharge(sql: Sql, charge: Charge, idempotencyKeyHash: Buffer | null): Promise<boolean> {
  const unknown = { callerPhone: null, attemptToken: null };
  const values = valuesOf({ ...charge, ...unknown, idempotencyKeyHash, resolveAfterMs: 0 });
  return (await sql.query(`${INSERT} on conflict do nothing`, values)).rowCount === 1;
}

const INSERT = `insert into charges (id, session_id, account_id, merchant_id, mode, amount_cents, currency, source, processor,
                          instrument_id, brand, last_four, caller_phone, idempotency_key_hash, begun_by, wallet, capture, payment_method,
                          tip_cents, remaining_cents, resolve_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
             now() + $21::integer * interval '1 millisecond')`;

function valuesOf(charge: Omit<NewCharge, 'signals'> & Pick<VelocitySignals, 'callerPhone'>): unknown[] {
  const { amount } = charge;
  return [
    charge.id,
    charge.sessionId,
    charge.accountId,
    charge.merchantId,
    charge.mode,
    amount.amountCents,
    amount.currency,
    charge.source,
    charge.processor,
    charge.instrumentId,
    charge.brand,
    charge.lastFour,
    charge.callerPhone,
    charge.idempotencyKeyHash,
    charge.attemptToken,
    charge.wallet,
    charge.capture,
    charge.paymentMethod,
    charge.tipCents,
    charge.remainingCents,
    charge.resolveAfterMs,
  ];
}

/** What a processor reports about a successful payment. `wallet` is omitted if unknown. */
export interface PaidFacts {
  processorPaymentId: string;
  card?: { brand: string; lastFour: string };
  wallet?: Wallet | null;
  /** Of a hold that was captured before its outcome was known. */
  taken?: { amountCents: number };
}

/** @returns null if the charge is already settled */
export function writeSuccess(sql: Sql, id: ChargeId, paid: PaidFacts): Promise<Charge | null> {
  const { taken } = paid;
  return readFirst(sql, {
    name: 'write_charge_success',
    text: `update charges
        set status = 'succeeded', settled_at = now(), processor_payment_id = $2,
            brand = coalesce($3, brand), last_four = coalesce($4, last_four),
            wallet = case when $5 then $6 else wallet end, action_deadline = null,
            captured_cents = case when capture = 'manual' then coalesce($7::integer, amount_cents) end
      where id = $1 and status = 'pending'
      returning ${CHARGE}`,
    values: [...paidValues(id, paid), taken?.amountCents ?? null],
  });
}

/** The amount is held. @returns null if the charge is already settled */
export function writeAuthorized(
  sql: Sql,
  id: ChargeId,
  { captureBefore, ...paid }: Omit<PaidFacts, 'taken'> & Pick<Charge, 'captureBefore'>,
): Promise<Charge | null> {
  return readFirst(
    sql,
    `update charges
        set status = 'authorized', settled_at = now(), processor_payment_id = $2,
            brand = coalesce($3, brand), last_four = coalesce($4, last_four),
            wallet = case when $5 then $6 else wallet end, action_deadline = null,
            capture_before = $7::timestamptz, hold_check_at = coalesce($7::timestamptz, now() + interval '1 day')
      where id = $1 and status = 'pending' and capture = 'manual'
      returning ${CHARGE}`,
    [...paidValues(id, paid), captureBefore],
  );
}

function paidValues(id: ChargeId, { processorPaymentId, card, wallet }: Omit<PaidFacts, 'taken'>): unknown[] {
  const facts = [card?.brand ?? null, card?.lastFour ?? null];
  return [id, processorPaymentId, ...facts, wallet !== undefined, wallet ?? null];
}

/**
 * @param failure has no decline code unless the card was declined
 * @param attemptToken the payment attempt that failed; null for any. After a failover, another attempt may have created the
 * charge again
 * @returns null if the charge is already settled, or belongs to another attempt
 */
export function writeFailure(
  sql: Sql,
  id: ChargeId,
  {
    declineCode = null,
    processorCode,
    processorPaymentId = null,
  }: Pick<Charge, 'processorCode'> & Partial<Pick<Charge, 'declineCode' | 'processorPaymentId'>>,
  attemptToken: string | null,
): Promise<Charge | null> {
  return readFirst(
    sql,
    `update charges
        set status = 'failed', settled_at = now(), decline_code = $2, processor_code = $3, processor_payment_id = $4,
            action_deadline = null
      where id = $1 and status = 'pending' and ($5::text is null or begun_by is null or begun_by = $5)
      returning ${CHARGE}`,
    [id, declineCode, processorCode, processorPaymentId, attemptToken],
  );
}

/** Makes the charge due for the resolver within `resolveAfterMs`. @returns null if it is already settled */
export function scheduleResolve(sql: Sql, id: ChargeId, resolveAfterMs: number): Promise<Charge | null> {
  return readFirst(
    sql,
    `update charges set resolve_at = least(resolve_at, now() + $2::integer * interval '1 millisecond')
      where id = $1 and status = 'pending'
      returning ${CHARGE}`,
    [id, resolveAfterMs],
  );
}

/** Like {@link scheduleResolve}, for a charge with unknown outcome. It no longer waits for its payer. */
export function writeOutcomeUnknown(sql: Sql, id: ChargeId, resolveAfterMs: number): Promise<Charge | null> {
  return readFirst(
    sql,
    `update charges set resolve_at = least(resolve_at, now() + $2::integer * interval '1 millisecond'), action_deadline = null
      where id = $1 and status = 'pending'
      returning ${CHARGE}`,
    [id, resolveAfterMs],
  );
}

/**
 * The charge waits for its payer, at most `limitMs` from its creation. Until then the resolver ignores it.
 * @param goesOn only if it already waits: another request of the payer may still be unanswered
 * @returns null if it does not wait, because it is settled
 */
export function writeAwaitsPayer(
  sql: Sql,
  id: ChargeId,
  processorPaymentId: string,
  limitMs: number,
  goesOn: boolean,
): Promise<Charge | null> {
  return readFirst(
    sql,
    `update charges set processor_payment_id = $2, action_deadline = created_at + $3::integer * interval '1 millisecond',
                        resolve_at = created_at + $3::integer * interval '1 millisecond', resolve_attempts = 0
      where id = $1 and status = 'pending' and (action_deadline is not null or not $4)
      returning ${CHARGE}`,
    [id, processorPaymentId, limitMs, goesOn],
  );
}

/**
 * The processor has accepted the bank debit. The resolver looks it up next after `checkAfterMs`; null: never, and a person
 * must settle it.
 * @returns null if it is already settled, or no bank debit
 */
export function writeDebited(
  sql: Sql,
  id: ChargeId,
  processorPaymentId: string,
  checkAfterMs: number | null,
): Promise<Charge | null> {
  return readFirst(
    sql,
    `update charges set processor_payment_id = $2, debited_at = coalesce(debited_at, now()), resolve_attempts = 0,
                        resolve_at = coalesce(now() + $3::double precision * interval '1 millisecond', 'infinity')
      where id = $1 and status = 'pending' and payment_method = 'us_bank_account'
      returning ${CHARGE}`,
    [id, processorPaymentId, checkAfterMs],
  );
}

/** A pending charge to ask the processor about. */
export type DueCharge = DueClaim & { charge: Charge };

/** Claims due charges for the resolver; see {@link claimDue}. */
export async function claimDueCharges(sql: Sql, limit: number, delaysMs: readonly number[]): Promise<DueCharge[]> {
  const rows = await claimDue<Charge>(sql, 'charges', CHARGE, limit, delaysMs);
  return rows.map(({ ageMs, attempt, last, ...charge }) => ({ charge, ageMs, attempt, last }));
}
