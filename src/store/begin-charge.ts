/** The first step of a payment: its pending charge, in one statement, hence one transaction and one round trip. */
import type { Scope } from '../domain/account.ts';
import type { Charge, ChargeSource } from '../domain/charge.ts';
import type { CardConsent } from '../domain/consent.ts';
import type { ChargeId, CheckoutSessionId, InstrumentId, MerchantId } from '../domain/ids.ts';
import type { Currency } from '../domain/money.ts';
import type { SessionStatus } from '../domain/session.ts';
import type { VelocityRules } from '../payments/velocity.ts';
import { attemptValues, type Traces, tooManyAttempts } from './attempts.ts';
import { findLiveCharge } from './charges.ts';
import { consented, consentValues } from './consents.ts';
import type { Sql } from './database.ts';

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

interface BeginRow {
  /** Null when none was begun. */
  begun_at: Date | null;
  merchant_id: MerchantId;
  amount_cents: number;
  currency: Currency;
  processor: string;
  order_id: string | null;
  session_status: SessionStatus;
  past: boolean;
  connected: boolean;
  too_many: boolean;
}

/** Columns cost more than one would think: no more of them than somebody reads. @param more CTEs that go with `begun` */
const begin = (more: string) => `
  with session as (
    select s.id, s.account_id, s.mode, s.merchant_id, s.amount_cents, s.currency, s.order_id, s.status, s.caller_phone,
           s.expires_at <= now() as past, m.processor, coalesce(m.processor = any($5), false) as connected,
           ${tooManyAttempts('s', 11)} as too_many
      from checkout_sessions s left join merchants m on m.id = s.merchant_id
     where s.id = $2 and s.account_id = $3 and s.mode = $4
       for no key update of s
  ), begun as (
    insert into charges (id, session_id, account_id, mode, merchant_id, amount_cents, currency, processor,
                         source, instrument_id, brand, last_four, resolve_at, caller_phone, card_fingerprint, origin_hash)
    select $1, id, account_id, mode, merchant_id, amount_cents, currency, processor,
           $6, $7, $8, $9, now() + $10::integer * interval '1 millisecond', caller_phone, $11, $12
      from session where status = 'open' and not past and connected and not too_many
    on conflict do nothing
    returning ${more === '' ? 'created_at' : '*'}
  )${more}
  select begun.created_at as begun_at, session.merchant_id, session.amount_cents, session.currency, session.processor,
         session.order_id, session.status as session_status, session.past, session.connected, session.too_many
    from session left join begun on true`;
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
  if (row.begun_at !== null)
    return { type: 'begun', charge: begunCharge(charge, row, row.begun_at), orderId: row.order_id };
  const live = await findLiveCharge(sql, charge.sessionId);
  if (live?.id === charge.id && live.status === 'pending') {
    return { type: 'begun', charge: live, orderId: row.order_id };
  }
  return { type: 'refused', reason: refusalOf(row, live), charge: live };
}

function begunCharge(charge: NewCharge, row: BeginRow, createdAt: Date): Charge {
  const { id, sessionId, scope, source, instrumentId, brand, lastFour } = charge;
  return {
    ...{ id, sessionId, accountId: scope.accountId, mode: scope.mode, merchantId: row.merchant_id, status: 'pending' },
    amount: { amountCents: row.amount_cents, currency: row.currency },
    ...{ source, processor: row.processor, processorPaymentId: null, instrumentId, brand, lastFour },
    ...{ declineCode: null, processorCode: null, createdAt, settledAt: null },
  };
}

function refusalOf(session: BeginRow, live: Charge | null): BeginRefusal {
  if (session.session_status === 'complete' || live?.status === 'succeeded') return 'already_paid';
  if (live !== null) return 'in_progress';
  if (session.session_status === 'expired' || session.past) return 'expired';
  if (session.too_many) return 'too_many_attempts';
  // Connected and free: the charge that stood in the way has failed in the meantime. Asking again will do.
  return session.connected ? 'in_progress' : 'merchant_not_connected';
}
