/**
 * Charges in the record. Each step of a payment is one statement, hence one transaction and one round trip: begin
 * (begin-charge.ts), then settle or leave pending. Locks are always taken in the order session, charge.
 */
import type { Charge, ChargeSource, ChargeStatus, DeclineCode } from '../domain/charge.ts';
import type { AccountId, ChargeId, CheckoutSessionId, InstrumentId, MerchantId } from '../domain/ids.ts';
import { newId } from '../domain/ids.ts';
import type { Currency } from '../domain/money.ts';
import type { Mode } from '../domain/session.ts';
import type { ProcessorAnswer } from '../payments/ports.ts';
import type { Sql } from './database.ts';
import { chargeFacts, type EventFacts } from './events.ts';
import { keepCard, keepValues, type SealedCard } from './kept-cards.ts';

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

async function findCharge(sql: Sql, id: ChargeId): Promise<Charge | null> {
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

/** A clear yes or no. */
export type Settlement = Exclude<ProcessorAnswer, { status: 'unknown' }>;

/**
 * The session is locked first, then its charge. `not in`, and not `= 'pending'`: that is what an index of pending charges
 * says of itself, and a planner without statistics may read that one from end to end instead of the primary key.
 * @param charge SQL: what the charge becomes; $4 and $5 are its card's brand and last four where it had none
 * @param returned more columns of the charge that `told` and `more` want
 */
const settled = (charge: string, returned: string) => `
  with held as (
    select id, status from checkout_sessions where id = $2 for no key update
  ), settled as (
    update charges c
       set ${charge}, processor_payment_id = $3, settled_at = now(),
           brand = coalesce(c.brand, $4), last_four = coalesce(c.last_four, $5)
      from held
     where c.id = $1 and c.session_id = held.id and c.status not in ('succeeded', 'failed')
    returning ${returned}
  )`;

/** @param more CTEs that go with `settled`. @param kept SQL: id of the card that was kept */
const succeed = (more: string, kept: string) => `
  ${settled(`status = 'succeeded'`, more === '' ? 'c.account_id, c.mode, c.settled_at, c.brand, c.last_four' : 'c.*')}, told as (
    insert into events (id, account_id, mode, type, session_id, charge_id, facts)
    select kind.id, settled.account_id, settled.mode, kind.type, $2, $1, $6::jsonb
      from settled, (values ($7, 'checkout.succeeded'), ($8, 'checkout.completed')) kind (id, type)
    on conflict do nothing
  )${more}
  update checkout_sessions s set status = 'complete'
    from settled where s.id = $2
  returning settled.settled_at, settled.brand, settled.last_four, ${kept} as kept_id`;
const SUCCEED = succeed('', 'null::text');
const SUCCEED_AND_KEEP = succeed(`, ${keepCard(9)}`, '(select kept.id from kept)');

const FAIL = `
  ${settled(
    `status = 'failed', decline_code = $8, processor_code = $9`,
    'c.account_id, c.mode, c.settled_at, c.brand, c.last_four, held.status as session_status',
  )}, told as (
    insert into events (id, account_id, mode, type, session_id, charge_id, facts)
    select $7, account_id, mode, 'checkout.failed', $2, $1, jsonb_build_object('session_status', session_status) || $6::jsonb
      from settled
    on conflict do nothing
  )
  update checkout_sessions s set declines = s.declines + 1
    from settled where s.id = $2
  returning settled.settled_at, settled.brand, settled.last_four, null::text as kept_id`;

/**
 * Writes the outcome, its events and the session's completion, all or nothing. Settled before: nothing changes.
 * @param card kept in the same statement, if the caller agreed
 * @returns the charge as the record has it, which may be another outcome than `settlement` if somebody was earlier.
 */
export async function settleCharge(
  sql: Sql,
  charge: Charge,
  settlement: Settlement,
  card: SealedCard | null = null,
): Promise<{ charge: Charge; now: boolean; cardKept: boolean }> {
  const { rows } = await sql.query<SettledRow>(
    settlement.status === 'succeeded' ? success(charge, settlement, card) : failure(charge, settlement),
  );
  const [row] = rows;
  if (row !== undefined) {
    return { charge: settledCharge(charge, settlement, row), now: true, cardKept: row.kept_id !== null };
  }
  const earlier = await findCharge(sql, charge.id);
  if (earlier === null) throw new Error('a charge to settle is not in the record');
  return { charge: earlier, now: false, cardKept: false };
}

function success(charge: Charge, settlement: Settlement & { status: 'succeeded' }, card: SealedCard | null) {
  const { processorPaymentId, card: facts } = settlement;
  const told = { session_status: 'complete', ...factsOf(charge, 'succeeded', processorPaymentId) } satisfies EventFacts;
  return {
    ...(card === null
      ? { name: 'charge_succeeded', text: SUCCEED }
      : { name: 'charge_succeeded_card_kept', text: SUCCEED_AND_KEEP }),
    values: [
      ...[charge.id, charge.sessionId, processorPaymentId, facts?.brand ?? null, facts?.lastFour ?? null],
      ...[JSON.stringify(told), newId('Event'), newId('Event')],
      ...(card === null ? [] : keepValues(card)),
    ],
  };
}

function failure(
  charge: Charge,
  { processorPaymentId, declineCode, processorCode }: Settlement & { status: 'declined' },
) {
  const told = factsOf(charge, 'failed', processorPaymentId, declineCode, processorCode);
  return {
    name: 'charge_failed',
    text: FAIL,
    values: [
      ...[charge.id, charge.sessionId, processorPaymentId, null, null],
      ...[JSON.stringify(told), newId('Event'), declineCode, processorCode],
    ],
  };
}

/** What an event tells of a charge that has just been settled so; the session's state is the record's to say. */
function factsOf(
  { id, amount }: Charge,
  status: 'succeeded' | 'failed',
  paymentId: string | null,
  declineCode: DeclineCode | null = null,
  processorCode: string | null = null,
): Omit<EventFacts, 'session_status'> {
  return {
    outcome: status,
    charge: {
      ...{ charge_id: id, status, amount_cents: amount.amountCents, processor_payment_id: wellFormed(paymentId) },
      ...{ decline_code: declineCode, processor_code: wellFormed(processorCode) },
    },
  };
}

/** A processor's words as a column of text gets them: JSON would not take half of a surrogate pair. */
const wellFormed = (words: string | null) => (words === null ? null : Buffer.from(words).toString());

interface SettledRow extends Pick<ChargeRow, 'brand' | 'last_four'> {
  settled_at: Date;
  kept_id: InstrumentId | null;
}

function settledCharge(charge: Charge, settlement: Settlement, row: SettledRow): Charge {
  const paid = settlement.status === 'succeeded';
  return {
    ...charge,
    status: paid ? 'succeeded' : 'failed',
    processorPaymentId: settlement.processorPaymentId,
    declineCode: paid ? null : settlement.declineCode,
    processorCode: paid ? null : settlement.processorCode,
    ...{ brand: row.brand, lastFour: row.last_four, settledAt: row.settled_at },
  };
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
