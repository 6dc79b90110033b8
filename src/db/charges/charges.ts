/** Charges in the database: begun as pending, then settled or left pending for the resolver. */
import type { Charge, ChargeSource, ChargeStatus, DeclineCode } from '../../domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';
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
  const { rows } = await sql.query<ChargeRow>('select * from charges where id = $1', [id]);
  return rows[0] === undefined ? null : chargeOf(rows[0]);
}

/** A charge, its age, and whether the resolver has given it up; null where there is none. */
export async function findToSettle(
  sql: Sql,
  id: ChargeId,
): Promise<{ charge: Charge; givenUp: boolean; ageMs: number } | null> {
  const { rows } = await sql.query<ChargeRow & { given_up: boolean; age_ms: number }>(
    `select *, resolve_at = 'infinity' as given_up,
            extract(epoch from now() - created_at)::double precision * 1000 as age_ms
       from charges where id = $1`,
    [id],
  );
  const [row] = rows;
  return row === undefined ? null : { charge: chargeOf(row), givenUp: row.given_up, ageMs: row.age_ms };
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

/** Forgets what attempts are counted by: this one succeeded. @returns null when the charge is settled already */
export async function writeSuccess(
  sql: Sql,
  id: ChargeId,
  processorPaymentId: string,
  card: { brand: string; lastFour: string } | null,
): Promise<Charge | null> {
  const { rows } = await sql.query<ChargeRow>(
    `update charges
        set status = 'succeeded', settled_at = now(), processor_payment_id = $2,
            brand = coalesce(brand, $3), last_four = coalesce(last_four, $4), card_fingerprint = null, origin_hash = null
      where id = $1 and status = 'pending'
      returning *`,
    [id, processorPaymentId, card?.brand ?? null, card?.lastFour ?? null],
  );
  return rows[0] === undefined ? null : chargeOf(rows[0]);
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
  const { rows } = await sql.query<ChargeRow>(
    `update charges
        set status = 'failed', settled_at = now(), decline_code = $2, processor_code = $3, processor_payment_id = $4
      where id = $1 and status = 'pending'
      returning *`,
    [id, declineCode, processorCode, processorPaymentId],
  );
  return rows[0] === undefined ? null : chargeOf(rows[0]);
}

/** Has the resolver ask about the charge in `resolveAfterMs` at the latest. @returns null when it is settled already */
export async function scheduleResolve(sql: Sql, id: ChargeId, resolveAfterMs: number): Promise<Charge | null> {
  const { rows } = await sql.query<ChargeRow>(
    `update charges set resolve_at = least(resolve_at, now() + $2::integer * interval '1 millisecond')
      where id = $1 and status = 'pending'
      returning *`,
    [id, resolveAfterMs],
  );
  return rows[0] === undefined ? null : chargeOf(rows[0]);
}

/** A pending charge to ask the processor about. */
export interface DueCharge {
  charge: Charge;
  /** Since it was begun. */
  ageMs: number;
  /** Times asked, this one included. */
  attempt: number;
  /** The resolver will not ask again. */
  last: boolean;
}

/**
 * Claims up to `limit` due charges for one attempt each and sets the time of their next. A claimer that dies has only
 * skipped an attempt. @param delaysMs `delaysMs[n]`: pause after attempt n + 1; after the last there is none
 */
export async function claimDueCharges(sql: Sql, limit: number, delaysMs: readonly number[]): Promise<DueCharge[]> {
  const { rows } = await sql.query<ChargeRow & { age_ms: number; resolve_attempts: number; last: boolean }>(
    `update charges c
        set resolve_attempts = c.resolve_attempts + 1,
            resolve_at = coalesce(now() + ($2::integer[])[c.resolve_attempts + 1] * interval '1 millisecond', 'infinity')
      where c.id in (select id from charges where status = 'pending' and resolve_at <= now()
                      order by resolve_at limit $1 for update skip locked)
     returning c.*, c.resolve_at = 'infinity' as last,
               extract(epoch from now() - c.created_at)::double precision * 1000 as age_ms`,
    [limit, delaysMs],
  );
  return rows.map((row) => ({
    charge: chargeOf(row),
    ageMs: row.age_ms,
    attempt: row.resolve_attempts,
    last: row.last,
  }));
}

/** Milliseconds until the next pending charge is due, 0 when one is; null when none is pending. */
export async function nextDueInMs(sql: Sql): Promise<number | null> {
  const { rows } = await sql.query<{ due_in_ms: number | null }>(
    `select (extract(epoch from min(resolve_at) - now()) * 1000)::double precision as due_in_ms
       from charges where status = 'pending' and resolve_at < 'infinity'`,
  );
  const dueInMs = rows[0]?.due_in_ms ?? null;
  return dueInMs === null ? null : Math.max(0, dueInMs);
}
