/**
 * Charges in the record. Each step of a payment is one statement, hence one transaction and one round trip: begin,
 * then settle or leave pending. Locks are always taken in the order session, charge.
 */
import type { Scope } from '../domain/account.ts';
import type { Charge, ChargeSource, ChargeStatus, DeclineCode } from '../domain/charge.ts';
import type { CardConsent } from '../domain/consent.ts';
import type { AccountId, ChargeId, CheckoutSessionId, InstrumentId, MerchantId } from '../domain/ids.ts';
import { newId } from '../domain/ids.ts';
import type { Currency } from '../domain/money.ts';
import type { Mode, SessionStatus } from '../domain/session.ts';
import type { ProcessorAnswer } from '../payments/ports.ts';
import type { VelocityRules } from '../payments/velocity.ts';
import { attemptValues, type Traces, tooManyAttempts } from './attempts.ts';
import { consented, consentValues } from './consents.ts';
import type { Sql } from './database.ts';
import { chargeFacts, type EventType } from './events.ts';
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

const NAMES = [
  ...['id', 'session_id', 'account_id', 'merchant_id', 'mode', 'status', 'amount_cents', 'currency', 'source'],
  ...['processor', 'processor_payment_id', 'instrument_id', 'brand', 'last_four', 'decline_code', 'processor_code'],
  ...['created_at', 'settled_at'],
];

/** SQL: a {@link ChargeRow} from a table alias. Named, not `*`: a prepared statement must survive a new column. */
function columns(alias: string): string {
  return NAMES.map((name) => `${alias}.${name}`).join(', ');
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

/** The charge that a reader of the session is shown: the newest attempt, which is the live one where there is one. */
export async function findNewestCharge(sql: Sql, sessionId: CheckoutSessionId): Promise<Charge | null> {
  const { rows } = await sql.query<ChargeRow>(
    'select * from charges where session_id = $1 order by created_at desc limit 1',
    [sessionId],
  );
  return rows[0] === undefined ? null : chargeOf(rows[0]);
}

/** A charge to begin. What it takes is the session's business, not the asker's. */
export interface NewCharge {
  id: ChargeId;
  sessionId: CheckoutSessionId;
  scope: Scope;
  source: ChargeSource;
  /** Names of the processors that can take this card in this mode. */
  processors: readonly string[];
  instrumentId: InstrumentId | null;
  brand: string | null;
  lastFour: string | null;
  /** What attempts are counted by, and how many are too many. */
  traces: Traces;
  rules: VelocityRules;
  /** To keep the card; null: none. */
  consent: CardConsent | null;
  /** When the resolver takes over from a process that never came back. */
  resolveAfterMs: number;
}

export type BeginRefusal = 'expired' | 'already_paid' | 'in_progress' | 'merchant_not_connected' | 'too_many_attempts';

export type Begun =
  | { type: 'begun'; charge: Charge; orderId: string | null }
  /** `charge`: the live one that stands in the way. */
  | { type: 'refused'; reason: BeginRefusal; charge: Charge | null }
  | { type: 'no_session' };

interface BeginRow extends ChargeRow {
  session_status: SessionStatus;
  past: boolean;
  connected: boolean;
  too_many: boolean;
  order_id: string | null;
}

/** @param more CTEs that go with `begun` */
const begin = (more: string) => `
  with session as (
    select s.id, s.account_id, s.mode, s.merchant_id, s.amount_cents, s.currency, s.order_id, s.status, s.caller_phone,
           s.expires_at <= now() as past, m.processor, coalesce(m.processor = any($5), false) as connected
      from checkout_sessions s left join merchants m on m.id = s.merchant_id
     where s.id = $2 and s.account_id = $3 and s.mode = $4
       for no key update of s
  ), counted as (
    select session.*, ${tooManyAttempts(11)} as too_many from session
  ), begun as (
    insert into charges (id, session_id, account_id, mode, merchant_id, amount_cents, currency, processor,
                         source, instrument_id, brand, last_four, resolve_at, caller_phone, card_fingerprint, origin_hash)
    select $1, id, account_id, mode, merchant_id, amount_cents, currency, processor,
           $6, $7, $8, $9, now() + $10::integer * interval '1 millisecond', caller_phone, $11, $12
      from counted where status = 'open' and not past and connected and not too_many
    on conflict do nothing
    returning *
  )${more}
  select ${columns('begun')}, counted.status as session_status, counted.past, counted.connected, counted.too_many,
         counted.order_id
    from counted left join begun on true`;
const BEGIN = begin('');
const BEGIN_WITH_CONSENT = begin(`, ${consented(19)}`);

/**
 * Writes the pending charge of an open, unexpired session. The unique index picks the winner of a race. The same charge
 * id again (an answer of the record was lost on the way) finds the charge begun, as long as it is pending.
 */
export async function beginCharge(sql: Sql, charge: NewCharge): Promise<Begun> {
  const { consent } = charge;
  const { rows } = await sql.query<BeginRow>({
    ...(consent === null
      ? { name: 'begin_charge', text: BEGIN }
      : { name: 'begin_charge_with_consent', text: BEGIN_WITH_CONSENT }),
    values: [
      charge.id,
      charge.sessionId,
      charge.scope.accountId,
      charge.scope.mode,
      charge.processors,
      charge.source,
      charge.instrumentId,
      charge.brand,
      charge.lastFour,
      charge.resolveAfterMs,
      ...attemptValues(charge.traces, charge.rules),
      ...(consent === null ? [] : consentValues(consent)),
    ],
  });
  const row = rows[0];
  if (row === undefined) return { type: 'no_session' };
  if (row.id !== null) return { type: 'begun', charge: chargeOf(row), orderId: row.order_id };
  const live = await findLiveCharge(sql, charge.sessionId);
  if (live?.id === charge.id && live.status === 'pending') {
    return { type: 'begun', charge: live, orderId: row.order_id };
  }
  return { type: 'refused', reason: refusalOf(row, live), charge: live };
}

function refusalOf(session: BeginRow, live: Charge | null): BeginRefusal {
  if (session.session_status === 'complete' || live?.status === 'succeeded') return 'already_paid';
  if (live !== null) return 'in_progress';
  if (session.session_status === 'expired' || session.past) return 'expired';
  if (session.too_many) return 'too_many_attempts';
  // Connected and free: the charge that stood in the way has failed in the meantime. Asking again will do.
  return session.connected ? 'in_progress' : 'merchant_not_connected';
}

async function findLiveCharge(sql: Sql, sessionId: CheckoutSessionId): Promise<Charge | null> {
  const { rows } = await sql.query<ChargeRow>(
    `select * from charges where session_id = $1 and status in ('pending', 'succeeded')`,
    [sessionId],
  );
  return rows[0] === undefined ? null : chargeOf(rows[0]);
}

/** A clear yes or no. */
export type Settlement = Exclude<ProcessorAnswer, { status: 'unknown' }>;

/** @param more CTEs that go with `settled`. @param kept SQL: id of the card that was kept */
const settle = (more: string, kept: string) => `
  with held as (
    select id, status from checkout_sessions where id = $2 for no key update
  ), settled as (
    update charges c
       set status = $3, processor_payment_id = $4, decline_code = $5, processor_code = $6, settled_at = now(),
           brand = coalesce(c.brand, $9), last_four = coalesce(c.last_four, $10)
      from held
     where c.id = $1 and c.session_id = held.id and c.status = 'pending'
    returning c.*, case when c.status = 'succeeded' then 'complete' else held.status end as session_status
  ), completed as (
    update checkout_sessions s set status = 'complete' from settled
     where s.id = settled.session_id and settled.status = 'succeeded'
  ), told as (
    insert into events (id, account_id, mode, type, session_id, charge_id, facts)
    select kind.id, settled.account_id, settled.mode, kind.type, settled.session_id, settled.id,
           jsonb_build_object('session_status', settled.session_status, 'outcome', settled.status,
                              'charge', ${chargeFacts('settled')})
      from settled, unnest($7::text[], $8::text[]) with ordinality as kind (id, type, place)
     order by kind.place
    on conflict do nothing
  )${more}
  select ${columns('settled')}, ${kept} as kept_id from settled`;
const SETTLE = settle('', 'null::text');
const SETTLE_AND_KEEP = settle(`, ${keepCard(11)}`, '(select kept.id from kept)');

/**
 * Writes the outcome, its events and the session's completion, all or nothing. Settled before: nothing changes.
 * @param card kept in the same statement, if the caller agreed
 * @returns the charge as the record has it, which may be another outcome than `settlement` if somebody was earlier.
 */
export async function settleCharge(
  sql: Sql,
  charge: Pick<Charge, 'id' | 'sessionId'>,
  settlement: Settlement,
  card: SealedCard | null = null,
): Promise<{ charge: Charge; now: boolean; cardKept: boolean }> {
  const paid = settlement.status === 'succeeded';
  const types: EventType[] = paid ? ['checkout.succeeded', 'checkout.completed'] : ['checkout.failed'];
  const facts = paid ? settlement.card : undefined;
  const { rows } = await sql.query<ChargeRow & { kept_id: InstrumentId | null }>({
    ...(card === null
      ? { name: 'settle_charge', text: SETTLE }
      : { name: 'settle_charge_and_keep', text: SETTLE_AND_KEEP }),
    values: [
      charge.id,
      charge.sessionId,
      paid ? 'succeeded' : 'failed',
      settlement.processorPaymentId,
      paid ? null : settlement.declineCode,
      paid ? null : settlement.processorCode,
      types.map(() => newId('Event')),
      types,
      facts?.brand ?? null,
      facts?.lastFour ?? null,
      ...(card === null ? [] : keepValues(card)),
    ],
  });
  if (rows[0] !== undefined) return { charge: chargeOf(rows[0]), now: true, cardKept: rows[0].kept_id !== null };
  const earlier = await findCharge(sql, charge.id);
  if (earlier === null) throw new Error('a charge to settle is not in the record');
  return { charge: earlier, now: false, cardKept: false };
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
