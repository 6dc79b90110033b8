/** The kinds of rows that are pruned: their table, age, condition and action. */
import { SCREENING_RETENTION } from './screening/screen-facts.ts';

export interface PrunedKind {
  table: string;
  /** The column that gives a row's age. An index leads from one row to the next older one. */
  time: string;
  /** SQL: how long rows are kept. `$4`, if used, is a number of days. */
  retention: string;
  /** SQL: the rows `r` to look at. Part of the index's predicate, if it has one. */
  among?: string;
  /** SQL: which of these rows `r` can be pruned. The others are checked again in the next pass. */
  mayGo?: string;
  /** SQL: the columns of `r` that {@link act} needs. */
  columns?: string;
  /**
   * SQL: what to do with the rows of `old`, as common table expressions; the last one is named `gone`. By default, the
   * rows are deleted.
   */
  act?: string;
  /** SQL: the rows' lock. */
  lock?: 'for update' | 'for no key update';
}

/** Shown in the log of an endpoint's deliveries. */
const DELIVERY_RETENTION = "interval '30 days'";
/** REST lists events and can resend them. */
const EVENT_RETENTION = "interval '90 days'";
const NOTIFICATION_RETENTION = "interval '30 days'";
/** A payment is refunded within months. */
const OUTCOME_RETENTION = "interval '1 year'";
/** Texts contain callers' numbers. A receipt's row prevents a second receipt for a day (sms/text-queue.ts). */
const TEXT_RETENTION = "interval '90 days'";
/** Signals of settled charges, as an earlier version stored them. Velocity rules look back a day at most. */
const SIGNAL_RETENTION = "interval '2 days'";
/**
 * A year, as PCI DSS 10.5.1 requires. The table's trigger refuses to delete younger rows, and any row without the
 * setting.
 */
const AUDIT_EVENT_RETENTION = "interval '1 year'";
const CONFIGURED_RETENTION = "$4 * interval '1 day'";
const IMMEDIATELY = "interval '0'";

const HAS_SIGNALS = `(r.card_fingerprint is not null or r.origin_hash is not null or r.calling_number_hash is not null
  or r.call_source_hash is not null)`;
const IS_UNCLEARED = `r.cleared_at is null and r.status <> 'open'`;
const HAS_CHARGE = 'exists (select from charges c where c.session_id = r.id)';
const place = 'ctid = any (array(select place from old))';

/** Always pruned, in this order: events go after their deliveries. */
export const ALWAYS_PRUNED = {
  deliveries: {
    table: 'webhook_deliveries',
    time: 'created_at',
    retention: DELIVERY_RETENTION,
    mayGo: `r.status <> 'waiting'`,
  },
  events: {
    table: 'events',
    time: 'created_at',
    retention: EVENT_RETENTION,
    mayGo: `r.relayed_at is not null and not exists (select from webhook_deliveries d where d.event_id = r.id)`,
  },
  texts: {
    table: 'texts',
    time: 'created_at',
    retention: TEXT_RETENTION,
    mayGo: `r.status not in ('waiting', 'sending')`,
  },
  emails: {
    table: 'emails',
    time: 'created_at',
    retention: TEXT_RETENTION,
    mayGo: `r.status <> 'waiting'`,
  },
  velocitySignals: {
    table: 'charges',
    time: 'created_at',
    retention: SIGNAL_RETENTION,
    among: HAS_SIGNALS,
    mayGo: `r.status <> 'pending'`,
    lock: 'for no key update',
    act: `gone as (
      update charges set card_fingerprint = null, origin_hash = null, calling_number_hash = null, call_source_hash = null
       where ${place} returning 1)`,
  },
  numberLookups: { table: 'number_lookups', time: 'checked_at', retention: SCREENING_RETENTION },
  attestations: { table: 'session_attestations', time: 'attested_at', retention: SCREENING_RETENTION },
  /** Processors repeat a notification for days, so a repeat still finds its row. */
  processorNotifications: {
    table: 'processor_notifications',
    time: 'received_at',
    retention: NOTIFICATION_RETENTION,
    mayGo: 'r.due_at is null',
  },
  processorOutcomes: { table: 'processor_outcomes', time: 'received_at', retention: OUTCOME_RETENTION },
  payerAnswers: { table: 'payer_answers', time: 'answered_at', retention: OUTCOME_RETENTION },
  userSessions: { table: 'user_sessions', time: 'expires_at', retention: IMMEDIATELY },
  invitations: { table: 'user_invitations', time: 'expires_at', retention: IMMEDIATELY },
  signInAttempts: { table: 'sign_in_attempts', time: 'expires_at', retention: IMMEDIATELY },
  auditEvents: {
    table: 'audit_events',
    time: 'created_at',
    retention: AUDIT_EVENT_RETENTION,
    // The setting lasts as long as the statement, which is a transaction of its own.
    mayGo: `(select set_config('ringkey.pruning', 'on', true)) = 'on'`,
    lock: 'for no key update',
  },
} as const satisfies Record<string, PrunedKind>;

/**
 * The request log: older than this many days. The table is the first partition of `request_log`; the others are dropped
 * (partitions.ts).
 */
export const REQUESTS = {
  requests: { table: 'requests', time: 'created_at', retention: CONFIGURED_RETENTION },
} as const;

/** The same for sessions and calls, after events and texts, which have their own periods. */
export const SESSIONS = {
  sessions: {
    table: 'checkout_sessions',
    time: 'created_at',
    retention: CONFIGURED_RETENTION,
    among: IS_UNCLEARED,
    mayGo: `not ${HAS_CHARGE}
      and not exists (select from events e where e.session_id = r.id)
      and not exists (select from texts t where t.session_id = r.id)
      and not exists (select from calls l where l.session_id = r.id and l.ended_at is null)`,
    columns: 'r.id',
    act: `calls_gone as (delete from calls where session_id in (select id from old)),
      gone as (delete from checkout_sessions where ${place} returning 1)`,
  },
  /** Calls whose callers had to choose a payment and chose none. */
  callsWithoutSession: {
    table: 'calls',
    time: 'ended_at',
    retention: CONFIGURED_RETENTION,
    among: 'r.session_id is null and r.ended_at is not null',
  },
  /** Sessions with charges keep only the payment data. */
  clearedSessions: {
    table: 'checkout_sessions',
    time: 'created_at',
    retention: CONFIGURED_RETENTION,
    among: IS_UNCLEARED,
    mayGo: `${HAS_CHARGE} and not exists (select from charges c where c.session_id = r.id and c.status = 'pending')`,
    lock: 'for no key update',
    columns: 'r.id',
    act: `numbers as (
        update charges set caller_phone = null where session_id in (select id from old) and caller_phone is not null),
      links as (delete from pay_links where session_id in (select id from old)),
      gone as (
        update checkout_sessions
           set caller_phone = null, lent_phone = null, caller_email = null, return_to = null, success_message = null, failure_message = null,
               line_items = '[]', metadata = '{}', payer_name = null, cleared_at = now()
         where ${place} returning 1)`,
  },
} as const satisfies Record<string, PrunedKind>;

/**
 * SQL: looks at `$1` rows after the position `$2`, `$3` that are old enough, oldest first, and acts on those that can
 * be pruned and that no other statement has locked. A row is identified by its place in the table, whatever its key.
 * Rows that move meanwhile are left for the next pass. Returns a {@link PageRow}.
 */
export function pruningStatement(kind: PrunedKind): string {
  const { table, time, retention, among = 'true', mayGo = 'true', columns, lock = 'for update' } = kind;
  const act = kind.act ?? `gone as (delete from ${table} where ${place} returning 1)`;
  const isOld = `r.${time} < now() - ${retention} and ${among}`;
  return `
    with page as materialized (
      select r.ctid as place, r.${time} as at from ${table} r
       where ${isOld} and r.${time} >= $2::timestamptz and (r.${time}, r.ctid) > ($2::timestamptz, $3::tid)
       order by r.${time}, r.ctid limit $1),
    old as materialized (
      select r.ctid as place${columns === undefined ? '' : `, ${columns}`} from ${table} r
       where r.ctid = any (array(select place from page)) and ${isOld} and ${mayGo}
         ${lock} of r skip locked),
    ${act}
    select (select count(*) from page)::integer as seen, (select count(*) from gone)::integer as gone,
           (select at from page order by at desc limit 1)::text as at,
           (select place from page order by at desc, place desc limit 1)::text as place`;
}

export interface PageRow {
  /** Number of rows looked at: fewer than requested at the end of a pass. */
  seen: number;
  gone: number;
  /** Where the next page begins: after the last row of this one. Null if there was no row. */
  at: string | null;
  place: string | null;
}
