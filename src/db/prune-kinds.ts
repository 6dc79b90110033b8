/** The kinds of rows that are pruned: where they are, by what they age, which of them may go, and how. */
import { SCREENING_KEPT } from './screening/screen-facts.ts';

export interface PrunedKind {
  table: string;
  /** The column that its rows age by. An index leads from one row to the next older one. */
  time: string;
  /** SQL: the interval that rows are kept for. `$4`, where it is used, is a number of days. */
  kept: string;
  /** SQL: which rows `r` are looked at. Part of the index's predicate, where it has one. */
  among?: string;
  /** SQL: which of these rows `r` may go. The others are looked at again in the next pass. */
  mayGo?: string;
  /** SQL: columns of `r` that {@link act} needs. */
  columns?: string;
  /**
   * SQL: what happens to the rows of `old`, as common table expressions; the last one is named `gone`. They are deleted
   * where not given.
   */
  act?: string;
  /** SQL: their lock. */
  lock?: 'for update' | 'for no key update';
}

/** Shown in the log of an endpoint's deliveries. */
const DELIVERIES_KEPT = "interval '30 days'";
/** REST lists them, and can send one once more. */
const EVENTS_KEPT = "interval '90 days'";
/** They hold callers' numbers. A receipt's row is what keeps it from being sent twice: for a day (sms/queue.ts). */
const TEXTS_KEPT = "interval '90 days'";
/** Of charges that have their outcome. Velocity rules look back for a day at most. */
const SIGNALS_KEPT = "interval '2 days'";
/** A year, as PCI DSS 10.5.1 wants it. The table's trigger lets nothing younger go, and nothing without the setting. */
const AUDIT_EVENTS_KEPT = "interval '1 year'";
const DAYS_KEPT = "$4 * interval '1 day'";
const AT_ONCE = "interval '0'";

const HAS_SIGNALS = `(r.card_fingerprint is not null or r.origin_hash is not null or r.calling_number_hash is not null
  or r.call_source_hash is not null)`;
const IS_UNCLEARED = `r.cleared_at is null and r.status <> 'open'`;
const HAS_CHARGE = 'exists (select from charges c where c.session_id = r.id)';
const place = 'ctid = any (array(select place from old))';

/** Pruned whatever the settings are. In this order: an event goes after its deliveries. */
export const ALWAYS_PRUNED = {
  deliveries: {
    table: 'webhook_deliveries',
    time: 'created_at',
    kept: DELIVERIES_KEPT,
    mayGo: `r.status <> 'waiting'`,
  },
  events: {
    table: 'events',
    time: 'created_at',
    kept: EVENTS_KEPT,
    mayGo: `r.relayed_at is not null and not exists (select from webhook_deliveries d where d.event_id = r.id)`,
  },
  texts: {
    table: 'texts',
    time: 'created_at',
    kept: TEXTS_KEPT,
    mayGo: `r.status not in ('waiting', 'sending')`,
  },
  velocitySignals: {
    table: 'charges',
    time: 'created_at',
    kept: SIGNALS_KEPT,
    among: HAS_SIGNALS,
    mayGo: `r.status <> 'pending'`,
    lock: 'for no key update',
    act: `gone as (
      update charges set card_fingerprint = null, origin_hash = null, calling_number_hash = null, call_source_hash = null
       where ${place} returning 1)`,
  },
  numberLookups: { table: 'number_lookups', time: 'checked_at', kept: SCREENING_KEPT },
  attestations: { table: 'session_attestations', time: 'attested_at', kept: SCREENING_KEPT },
  userSessions: { table: 'user_sessions', time: 'expires_at', kept: AT_ONCE },
  invitations: { table: 'user_invitations', time: 'expires_at', kept: AT_ONCE },
  signInAttempts: { table: 'sign_in_attempts', time: 'expires_at', kept: AT_ONCE },
  auditEvents: {
    table: 'audit_events',
    time: 'created_at',
    kept: AUDIT_EVENTS_KEPT,
    // The setting lasts as long as the statement, which is a transaction of its own.
    mayGo: `(select set_config('ringkey.pruning', 'on', true)) = 'on'`,
    lock: 'for no key update',
  },
} as const satisfies Record<string, PrunedKind>;

/** The request log: older than so many days. */
export const REQUESTS = { requests: { table: 'requests', time: 'created_at', kept: DAYS_KEPT } } as const;

/** The same for sessions, and calls. After events and texts, which have a time of their own. */
export const SESSIONS = {
  sessions: {
    table: 'checkout_sessions',
    time: 'created_at',
    kept: DAYS_KEPT,
    among: IS_UNCLEARED,
    mayGo: `not ${HAS_CHARGE}
      and not exists (select from events e where e.session_id = r.id)
      and not exists (select from texts t where t.session_id = r.id)
      and not exists (select from calls l where l.session_id = r.id and l.ended_at is null)`,
    columns: 'r.id',
    act: `calls_gone as (delete from calls where session_id in (select id from old)),
      gone as (delete from checkout_sessions where ${place} returning 1)`,
  },
  /** Whose callers were asked which payment they were for, and chose none. */
  callsWithoutSession: {
    table: 'calls',
    time: 'ended_at',
    kept: DAYS_KEPT,
    among: 'r.session_id is null and r.ended_at is not null',
  },
  /** They have charges, and keep no more than the money. */
  clearedSessions: {
    table: 'checkout_sessions',
    time: 'created_at',
    kept: DAYS_KEPT,
    among: IS_UNCLEARED,
    mayGo: `${HAS_CHARGE} and not exists (select from charges c where c.session_id = r.id and c.status = 'pending')`,
    lock: 'for no key update',
    columns: 'r.id',
    act: `numbers as (
        update charges set caller_phone = null where session_id in (select id from old) and caller_phone is not null),
      links as (delete from pay_links where session_id in (select id from old)),
      gone as (
        update checkout_sessions
           set caller_phone = null, lent_phone = null, return_to = null, success_message = null, failure_message = null,
               line_items = '[]', metadata = '{}', cleared_at = now()
         where ${place} returning 1)`,
  },
} as const satisfies Record<string, PrunedKind>;

/**
 * SQL: looks at the `$1` rows after the place `$2`, `$3` that are old enough, in the order of their age, and acts on
 * those that may go and that no other statement has locked. A row is found by its place in the table, whatever its key
 * is; one that moves meanwhile is left for the next pass. The result is {@link PageRow}.
 */
export function pruningStatement(kind: PrunedKind): string {
  const { table, time, kept, among = 'true', mayGo = 'true', columns, lock = 'for update' } = kind;
  const act = kind.act ?? `gone as (delete from ${table} where ${place} returning 1)`;
  const isOld = `r.${time} < now() - ${kept} and ${among}`;
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
  /** Rows that were looked at: fewer than asked for at the end of a pass. */
  seen: number;
  gone: number;
  /** Where the next page begins: after the last row of this one. Null when there was none. */
  at: string | null;
  place: string | null;
}
