/**
 * The outbox: an event is a row, written in the transaction of the change. It stores facts that can change before
 * delivery; the relay adds the rest of its body (the session as retrieved).
 */
import type { PaymentMethod } from '../../domain/bank-account.ts';
import type { ChargeSource, ChargeStatus, DeclineCode, Wallet } from '../../domain/charge.ts';
import type { DisputeKind, DisputeReason, DisputeStatus } from '../../domain/dispute.ts';
import type { CaptureMode } from '../../domain/hold.ts';
import type { ChargeId, CheckoutSessionId, DisputeId, MerchantId, RefundId } from '../../domain/ids.ts';
import { newId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { Refund, RefundFailure, RefundOrigin, RefundReason, RefundStatus } from '../../domain/refund.ts';
import type { SessionStatus } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';

export const EVENT_TYPES = [
  'checkout.succeeded',
  'checkout.failed',
  /** Final events of a session, each exactly once: paid or expired. */
  'checkout.completed',
  'checkout.pending',
  'checkout.expired',
  /** What became of a hold, once for each. */
  'charge.captured',
  'charge.voided',
  'charge.authorization_expired',
  /** The processor could not take the amount of a charge that had succeeded. */
  'charge.capture_failed',
  /** A paid bank debit was returned. */
  'charge.returned',
  /** One of these for each refund, when its outcome is known. A refund can still fail after it succeeded. */
  'refund.succeeded',
  'refund.failed',
  /** When a processor first tells of a dispute, and at each change. */
  'dispute.created',
  'dispute.updated',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Facts at the time of the event, written by SQL (hence the names). */
export interface EventFacts {
  session_status: SessionStatus;
  outcome: 'succeeded' | 'failed' | 'pending' | 'expired';
  charge: {
    charge_id: ChargeId;
    status: ChargeStatus;
    amount_cents: number;
    processor_payment_id: string | null;
    decline_code: DeclineCode | null;
    processor_code: string | null;
    /** Missing in events of earlier versions. */
    source?: ChargeSource;
    wallet?: Wallet | null;
    was_late?: boolean;
    duplicate_of?: ChargeId | null;
    capture?: CaptureMode;
    /** Milliseconds since 1970. */
    capture_before_ms?: number | null;
    captured_cents?: number | null;
    /** Absent in events before tips. */
    tip_cents?: number;
    /** Absent in events before partial payments. */
    remaining_cents?: number;
    payment_method?: PaymentMethod;
    /** Milliseconds since 1970. */
    debited_at_ms?: number | null;
    returned_at_ms?: number | null;
    capture_failed_at_ms?: number | null;
  } | null;
  /** For `refund.` events; `outcome` is the refund's. */
  refund?: {
    refund_id: RefundId;
    merchant_id: MerchantId;
    status: RefundStatus;
    amount_cents: number;
    currency: Currency;
    reason: RefundReason | null;
    /** Missing in events of earlier versions. */
    origin?: RefundOrigin;
    metadata: Refund['metadata'];
    processor_refund_id: string | null;
    failure: RefundFailure | null;
    processor_code: string | null;
    created_at: string;
  };
  /** For `dispute.` events. */
  dispute?: {
    dispute_id: DisputeId;
    merchant_id: MerchantId;
    processor: string;
    processor_dispute_id: string;
    kind: DisputeKind;
    status: DisputeStatus;
    reason: DisputeReason;
    processor_reason: string | null;
    amount_cents: number;
    currency: string;
    evidence_due_at: string | null;
    created_at: string;
    updated_at: string;
  };
}

/** PostgreSQL's channel for outbox notifications. */
export const EVENTS_CHANNEL = 'ringkey_events';

/**
 * SQL: outbox notify. Wakes the relays of all processes when the transaction commits; several in one transaction count
 * as one. Use it only for rare changes: NOTIFY in a transaction serializes all commits of the server. For a charge's
 * events, notify follows the commit (outbox/notify.ts). Without notify, a relay finds events within a second.
 */
export const NOTIFY_OUTBOX = `pg_notify('${EVENTS_CHANNEL}', '')`;

/** Payload for queued texts: event relays can ignore it. */
export const TEXTS_QUEUED = 'texts';

/** SQL: like {@link NOTIFY_OUTBOX}, for texts without an event. Send it after the commit, too. */
export const NOTIFY_TEXTS = `pg_notify('${EVENTS_CHANNEL}', '${TEXTS_QUEUED}')`;

/** SQL: the `charge` of {@link EventFacts} from a row of `charges`. */
export function chargeFacts(row: string): string {
  return `jsonb_build_object('charge_id', ${row}.id, 'status', ${row}.status, 'amount_cents', ${row}.amount_cents,
    'processor_payment_id', ${row}.processor_payment_id, 'decline_code', ${row}.decline_code,
    'processor_code', ${row}.processor_code, 'source', ${row}.source, 'wallet', ${row}.wallet,
    'was_late', ${row}.was_late, 'duplicate_of', ${row}.duplicate_of, 'capture', ${row}.capture,
    'capture_before_ms', extract(epoch from ${row}.capture_before) * 1000, 'captured_cents', ${row}.captured_cents,
    'tip_cents', ${row}.tip_cents, 'remaining_cents', ${row}.remaining_cents, 'payment_method', ${row}.payment_method,
    'debited_at_ms', extract(epoch from ${row}.debited_at) * 1000,
    'returned_at_ms', extract(epoch from ${row}.returned_at) * 1000,
    'capture_failed_at_ms', extract(epoch from ${row}.capture_failed_at) * 1000)`;
}

/** SQL: the `refund` of {@link EventFacts} from a row of `refunds`. */
export function refundFacts(row: string): string {
  return `jsonb_build_object('refund_id', ${row}.id, 'merchant_id', ${row}.merchant_id, 'status', ${row}.status,
    'amount_cents', ${row}.amount_cents, 'currency', ${row}.currency, 'reason', ${row}.reason,
    'origin', ${row}.origin, 'metadata', ${row}.metadata, 'processor_refund_id', ${row}.processor_refund_id, 'failure', ${row}.failure,
    'processor_code', ${row}.processor_code, 'created_at', ${row}.created_at)`;
}

/** SQL: the `dispute` of {@link EventFacts} from a row of `disputes`. */
export function disputeFacts(row: string): string {
  return `jsonb_build_object('dispute_id', ${row}.id, 'merchant_id', ${row}.merchant_id, 'processor', ${row}.processor,
    'processor_dispute_id', ${row}.processor_dispute_id, 'kind', ${row}.kind, 'status', ${row}.status,
    'reason', ${row}.reason, 'processor_reason', ${row}.processor_reason, 'amount_cents', ${row}.amount_cents,
    'currency', ${row}.currency, 'evidence_due_at', ${row}.evidence_due_at, 'created_at', ${row}.created_at,
    'updated_at', ${row}.updated_at)`;
}

/** SQL: a held amount counts as paid. Only events of the payment have an outcome. */
const OUTCOME = `case when c.status = 'authorized' then 'succeeded' else c.status::text end`;

/**
 * Writes events of a charge with the current state of the charge and its session, in the transaction of the change. An
 * existing event stays unchanged, so that it cannot prevent an outcome from being written.
 */
export async function insertChargeEvents(sql: Sql, id: ChargeId, types: readonly EventType[]): Promise<void> {
  await sql.query({
    name: 'insert_charge_events',
    text: `insert into events (id, account_id, mode, type, session_id, charge_id, facts)
     select kind.id, c.account_id, c.mode, kind.type, s.id, c.id,
            jsonb_build_object('session_status', s.status, 'outcome', ${OUTCOME}, 'charge', ${chargeFacts('c')})
       from charges c join checkout_sessions s on s.id = c.session_id,
            unnest($1::text[], $2::text[]) with ordinality as kind (id, type, place)
      where c.id = $3
      order by kind.place
     on conflict do nothing`,
    values: [types.map(() => newId('Event')), types, id],
  });
}

/**
 * Writes the final two events of sessions that have just expired, in the same transaction. A session with the verdict
 * `none` gets none: nothing had to be paid, and another session can pay for its order.
 */
export async function insertExpiryEvents(sql: Sql, sessionIds: readonly CheckoutSessionId[]): Promise<void> {
  await sql.query(
    `insert into events (id, account_id, mode, type, session_id, charge_id, facts)
     select kind.id, s.account_id, s.mode, kind.type, s.id, last.id,
            jsonb_build_object('session_status', s.status, 'charge', last.facts,
              'outcome', case when kind.type = 'checkout.completed' and last.id is not null then 'failed' else 'expired' end)
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as kind (id, session_id, type, place)
       join checkout_sessions s on s.id = kind.session_id and s.verdict <> 'none'
       left join lateral (select c.id, ${chargeFacts('c')} as facts from charges c
                           where c.session_id = s.id and c.status = 'failed'
                           order by c.created_at desc limit 1) last on true
      order by kind.place
     on conflict do nothing returning ${NOTIFY_OUTBOX}`,
    [
      sessionIds.flatMap(() => [newId('Event'), newId('Event')]),
      sessionIds.flatMap((id) => [id, id]),
      sessionIds.flatMap((): EventType[] => ['checkout.expired', 'checkout.completed']),
    ],
  );
}
