/**
 * Charges in the record. Each step of a payment is one statement, hence one transaction and one round trip: begin
 * (begin-charge.ts), then settle (settle-charge.ts) or leave pending. Locks are always taken in the order session, charge.
 */
import type { Charge, ChargeSource, ChargeStatus, DeclineCode } from '../../domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, InstrumentId, MerchantId } from '../../domain/ids.ts';
import { newId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { Mode } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';
import { chargeFacts } from '../events/events.ts';

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

/** A charge, its age, and whether nobody asks about it by himself any more; null where there is none. */
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

/** The charge that is pending or succeeded. */
export async function findLiveCharge(sql: Sql, sessionId: CheckoutSessionId): Promise<Charge | null> {
  const { rows } = await sql.query<ChargeRow>(
    `select * from charges where session_id = $1 and status in ('pending', 'succeeded')`,
    [sessionId],
  );
  return rows[0] === undefined ? null : chargeOf(rows[0]);
}

const LEAVE_PENDING = `
  with pending as (
    update charges set resolve_at = least(resolve_at, now() + $2::integer * interval '1 millisecond')
     where id = $1 and status = 'pending'
    returning *
  ), told as (
    insert into events (id, account_id, mode, type, session_id, charge_id, facts)
    select $3, pending.account_id, pending.mode, 'checkout.pending', pending.session_id, pending.id,
           jsonb_build_object('session_status', s.status, 'outcome', 'pending', 'charge', ${chargeFacts('pending')})
      from pending join checkout_sessions s on s.id = pending.session_id
    on conflict do nothing
  )
  select * from pending`;

/** The processor's answer is not known: says so, once, and hands the charge to the resolver in `resolveAfterMs`. */
export async function leavePending(sql: Sql, id: ChargeId, resolveAfterMs: number): Promise<void> {
  await sql.query(LEAVE_PENDING, [id, resolveAfterMs, newId('Event')]);
}

/** A pending charge to ask the processor about. */
export interface DueCharge {
  charge: Charge;
  /** Since it was begun. */
  ageMs: number;
  /** Times asked, this one included. */
  attempt: number;
  /** Nobody will ask again by himself. */
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
