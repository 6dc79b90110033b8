/**
 * The outbox: an event is a row, written in the transaction of the change that it tells of. Its facts are what may have
 * changed again by the time of delivery; the rest of its body (the session as retrieved) is added by the relay.
 */
import type { ChargeSource, ChargeStatus, DeclineCode, Wallet } from '../../domain/charge.ts';
import type { ChargeId, CheckoutSessionId, MerchantId, RefundId } from '../../domain/ids.ts';
import { newId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { Refund, RefundFailure, RefundReason, RefundStatus } from '../../domain/refund.ts';
import type { SessionStatus } from '../../domain/session.ts';
import type { Sql } from '../pool.ts';

export const EVENT_TYPES = [
  'checkout.succeeded',
  'checkout.failed',
  /** The last word on a session, exactly once: paid, or its time is over. */
  'checkout.completed',
  'checkout.pending',
  'checkout.expired',
  /** One of the two for each refund, when its outcome is known. */
  'refund.succeeded',
  'refund.failed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** As it was when the event happened; written by SQL, hence the names. */
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
    /** Not in events of earlier versions. */
    source?: ChargeSource;
    wallet?: Wallet | null;
    was_late?: boolean;
    duplicate_of?: ChargeId | null;
  } | null;
  /** Of a `refund.` event; its `outcome` is the refund's. */
  refund?: {
    refund_id: RefundId;
    merchant_id: MerchantId;
    status: RefundStatus;
    amount_cents: number;
    currency: Currency;
    reason: RefundReason | null;
    metadata: Refund['metadata'];
    processor_refund_id: string | null;
    failure: RefundFailure | null;
    processor_code: string | null;
    created_at: string;
  };
}

/** PostgreSQL's channel of the outbox. */
export const EVENTS_CHANNEL = 'ringkey_events';

/**
 * SQL: outbox notify. Wakes the relays of all processes when the transaction commits; several in one transaction are
 * one. Only for what is rare: a NOTIFY in a transaction makes the commits of the whole server take turns. A charge's
 * events are notified of after their commit (outbox/notify.ts). Without any, a relay finds them within a second.
 */
export const NOTIFY_OUTBOX = `pg_notify('${EVENTS_CHANNEL}', '')`;

/** Payload of a notification that texts are queued, not events: a relay need not look. */
export const TEXTS_QUEUED = 'texts';

/** SQL: as {@link NOTIFY_OUTBOX}, for texts that are no event's. After the commit, too. */
export const NOTIFY_TEXTS = `pg_notify('${EVENTS_CHANNEL}', '${TEXTS_QUEUED}')`;

/** SQL: the `charge` of {@link EventFacts} from a row of `charges`. */
export function chargeFacts(row: string): string {
  return `jsonb_build_object('charge_id', ${row}.id, 'status', ${row}.status, 'amount_cents', ${row}.amount_cents,
    'processor_payment_id', ${row}.processor_payment_id, 'decline_code', ${row}.decline_code,
    'processor_code', ${row}.processor_code, 'source', ${row}.source, 'wallet', ${row}.wallet,
    'was_late', ${row}.was_late, 'duplicate_of', ${row}.duplicate_of)`;
}

/** SQL: the `refund` of {@link EventFacts} from a row of `refunds`. */
export function refundFacts(row: string): string {
  return `jsonb_build_object('refund_id', ${row}.id, 'merchant_id', ${row}.merchant_id, 'status', ${row}.status,
    'amount_cents', ${row}.amount_cents, 'currency', ${row}.currency, 'reason', ${row}.reason,
    'metadata', ${row}.metadata, 'processor_refund_id', ${row}.processor_refund_id, 'failure', ${row}.failure,
    'processor_code', ${row}.processor_code, 'created_at', ${row}.created_at)`;
}

/**
 * Writes events of a charge, with it and its session's status as they are now, in the transaction of the change. One
 * that is there already stays as it is: it must not keep an outcome from being written.
 */
export async function insertChargeEvents(sql: Sql, id: ChargeId, types: readonly EventType[]): Promise<void> {
  await sql.query({
    name: 'insert_charge_events',
    text: `insert into events (id, account_id, mode, type, session_id, charge_id, facts)
     select kind.id, c.account_id, c.mode, kind.type, s.id, c.id,
            jsonb_build_object('session_status', s.status, 'outcome', c.status, 'charge', ${chargeFacts('c')})
       from charges c join checkout_sessions s on s.id = c.session_id,
            unnest($1::text[], $2::text[]) with ordinality as kind (id, type, place)
      where c.id = $3
      order by kind.place
     on conflict do nothing`,
    values: [types.map(() => newId('Event')), types, id],
  });
}

/**
 * Writes the last two events of sessions that have just expired, in the transaction that expired them. Of one with the
 * verdict `none` there is nothing to tell: nothing was to be paid, and its order may be paid by another session.
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
