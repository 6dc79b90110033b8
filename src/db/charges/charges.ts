/** Charges in the database: begun as pending, then settled or left pending for the resolver. */
import type { Charge, ChargeSource, ChargeStatus, DeclineCode } from '../../domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { Mode } from '../../domain/session.ts';
import { claimDue, type DueClaim, findRowToSettle, type ToSettle } from '../due.ts';
import { queryFirst, type Sql } from '../pool.ts';
import type { VelocitySignals } from './attempts.ts';

export interface ChargeRow {
  id: ChargeId;
  session_id: CheckoutSessionId;
  account_id: AccountId;
  merchant_id: MerchantId;
  mode: Mode;
  status: ChargeStatus;
  amount_cents: number;
  currency: Currency;
  source: ChargeSource;
  processor: string;
  processor_payment_id: string | null;
  instrument_id: InstrumentId | null;
  brand: string | null;
  last_four: string | null;
  decline_code: DeclineCode | null;
  processor_code: string | null;
  created_at: Date;
  settled_at: Date | null;
}

/** A row of `charges` in the domain's words. */
export function chargeOf(row: ChargeRow): Charge {
  return {
    id: row.id,
    sessionId: row.session_id,
    accountId: row.account_id,
    merchantId: row.merchant_id,
    mode: row.mode,
    status: row.status,
    amount: { amountCents: row.amount_cents, currency: row.currency },
    source: row.source,
    processor: row.processor,
    processorPaymentId: row.processor_payment_id,
    instrumentId: row.instrument_id,
    brand: row.brand,
    lastFour: row.last_four,
    declineCode: row.decline_code,
    processorCode: row.processor_code,
    createdAt: row.created_at,
    settledAt: row.settled_at,
  };
}

export async function findCharge(sql: Sql, id: ChargeId): Promise<Charge | null> {
  return queryFirst(sql, chargeOf, 'select * from charges where id = $1', [id]);
}

/** A charge for an operator to settle, see {@link findRowToSettle}. */
export async function findToSettle(sql: Sql, id: ChargeId): Promise<({ charge: Charge } & ToSettle) | null> {
  const row = await findRowToSettle<ChargeRow>(sql, 'charges', id);
  return row === null ? null : { charge: chargeOf(row), givenUp: row.givenUp, ageMs: row.ageMs };
}

/** Every charge of the session: one at most that is pending or succeeded, and those that failed. */
export async function listSessionCharges(sql: Sql, sessionId: CheckoutSessionId): Promise<Charge[]> {
  const { rows } = await sql.query<ChargeRow>('select * from charges where session_id = $1', [sessionId]);
  return rows.map(chargeOf);
}

/** A charge to write, as `pending`. */
export interface NewCharge
  extends Pick<
    Charge,
    | 'id'
    | 'sessionId'
    | 'accountId'
    | 'merchantId'
    | 'mode'
    | 'amount'
    | 'source'
    | 'processor'
    | 'instrumentId'
    | 'brand'
    | 'lastFour'
  > {
  signals: VelocitySignals;
  /** When the resolver takes over from a process that never came back. */
  resolveAfterMs: number;
}

/** @throws a unique violation where another charge of the session is pending or succeeded */
export async function insertPendingCharge(sql: Sql, charge: NewCharge): Promise<Charge> {
  const { signals, amount } = charge;
  const { rows } = await sql.query<ChargeRow>(
    `insert into charges (id, session_id, account_id, merchant_id, mode, amount_cents, currency, source, processor,
                          instrument_id, brand, last_four, caller_phone, card_fingerprint, origin_hash, resolve_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
             now() + $16::integer * interval '1 millisecond')
     returning *`,
    [
      ...[charge.id, charge.sessionId, charge.accountId, charge.merchantId, charge.mode],
      ...[amount.amountCents, amount.currency, charge.source, charge.processor],
      ...[charge.instrumentId, charge.brand, charge.lastFour],
      ...[signals.callerPhone, signals.cardFingerprint, signals.originHash, charge.resolveAfterMs],
    ],
  );
  if (rows[0] === undefined) throw new Error('an insert returned no row');
  return chargeOf(rows[0]);
}

/** Also clears the velocity signals: a success does not count. @returns null when the charge is settled already */
export async function writeSuccess(
  sql: Sql,
  id: ChargeId,
  processorPaymentId: string,
  card: { brand: string; lastFour: string } | null,
): Promise<Charge | null> {
  return queryFirst(
    sql,
    chargeOf,
    `update charges
        set status = 'succeeded', settled_at = now(), processor_payment_id = $2,
            brand = coalesce(brand, $3), last_four = coalesce(last_four, $4), card_fingerprint = null, origin_hash = null
      where id = $1 and status = 'pending'
      returning *`,
    [id, processorPaymentId, card?.brand ?? null, card?.lastFour ?? null],
  );
}

/** @returns null when the charge is settled already */
export async function writeDecline(
  sql: Sql,
  id: ChargeId,
  {
    declineCode,
    processorCode,
    processorPaymentId,
  }: Pick<Charge, 'declineCode' | 'processorCode' | 'processorPaymentId'>,
): Promise<Charge | null> {
  return queryFirst(
    sql,
    chargeOf,
    `update charges
        set status = 'failed', settled_at = now(), decline_code = $2, processor_code = $3, processor_payment_id = $4
      where id = $1 and status = 'pending'
      returning *`,
    [id, declineCode, processorCode, processorPaymentId],
  );
}

/** Makes the charge due for the resolver in `resolveAfterMs` at the latest. @returns null when it is settled already */
export async function scheduleResolve(sql: Sql, id: ChargeId, resolveAfterMs: number): Promise<Charge | null> {
  return queryFirst(
    sql,
    chargeOf,
    `update charges set resolve_at = least(resolve_at, now() + $2::integer * interval '1 millisecond')
      where id = $1 and status = 'pending'
      returning *`,
    [id, resolveAfterMs],
  );
}

/** A pending charge to ask the processor about. */
export interface DueCharge extends DueClaim {
  charge: Charge;
}

/** Claims due charges for the resolver, see {@link claimDue}. */
export async function claimDueCharges(sql: Sql, limit: number, delaysMs: readonly number[]): Promise<DueCharge[]> {
  const rows = await claimDue<ChargeRow>(sql, 'charges', limit, delaysMs);
  return rows.map((row) => ({ charge: chargeOf(row), ageMs: row.ageMs, attempt: row.attempt, last: row.last }));
}
