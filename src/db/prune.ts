/**
 * Deletes old rows, and the velocity signals of old charges, in small batches, so that no other statement waits long for a
 * lock.
 */
import type { BaseLogger } from 'pino';
import type { Sql } from './pool.ts';
import { SCREENING_KEPT } from './screening/screen-facts.ts';

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

/** Each statement takes at most `$1` rows. In this order: an event goes after its deliveries. */
const PRUNING = {
  deliveries: `
    delete from webhook_deliveries d where (d.endpoint_id, d.event_id) in (
      select endpoint_id, event_id from webhook_deliveries
       where created_at < now() - ${DELIVERIES_KEPT} and status <> 'waiting' limit $1 for update skip locked)`,
  events: `
    delete from events where id in (
      select e.id from events e
       where e.created_at < now() - ${EVENTS_KEPT} and e.relayed_at is not null
         and not exists (select from webhook_deliveries d where d.event_id = e.id)
       limit $1 for update skip locked)`,
  texts: `
    delete from texts where id in (
      select id from texts where created_at < now() - ${TEXTS_KEPT} and status not in ('waiting', 'sending')
       limit $1 for update skip locked)`,
  velocitySignals: `
    update charges set card_fingerprint = null, origin_hash = null, calling_number_hash = null, call_source_hash = null
     where id in (
      select id from charges
       where created_at < now() - ${SIGNALS_KEPT} and status <> 'pending'
         and (card_fingerprint is not null or origin_hash is not null or calling_number_hash is not null
              or call_source_hash is not null)
       limit $1 for no key update skip locked)`,
  numberLookups: `
    delete from number_lookups where (account_id, mode, phone) in (
      select account_id, mode, phone from number_lookups
       where checked_at < now() - ${SCREENING_KEPT} limit $1 for update skip locked)`,
  attestations: `
    delete from session_attestations where (session_id, source) in (
      select session_id, source from session_attestations
       where attested_at < now() - ${SCREENING_KEPT} limit $1 for update skip locked)`,
  userSessions: `
    delete from user_sessions where token_hash in (
      select token_hash from user_sessions where expires_at < now() limit $1 for update skip locked)`,
  invitations: `
    delete from user_invitations where token_hash in (
      select token_hash from user_invitations where expires_at < now() limit $1 for update skip locked)`,
  signInAttempts: `
    delete from sign_in_attempts where token_hash in (
      select token_hash from sign_in_attempts where expires_at < now() limit $1 for update skip locked)`,
  // The setting lasts as long as the statement, which is a transaction of its own.
  auditEvents: `
    with allowed as (select set_config('ringkey.pruning', 'on', true) as pruning)
    delete from audit_events where id in (
      select a.id from allowed, audit_events a
       where allowed.pruning = 'on' and a.created_at < now() - ${AUDIT_EVENTS_KEPT}
       limit $1 for no key update of a skip locked)`,
} as const;

/** Older than `$2` days. */
const REQUEST_PRUNING = `
  delete from requests where id in (
    select id from requests where created_at < now() - $2 * interval '1 day' limit $1 for update skip locked)`;

/** SQL: a session that has ended, older than `$2` days. */
const OLD_SESSION = `s.cleared_at is null and s.created_at < now() - $2 * interval '1 day' and s.status <> 'open'`;

/** The same for sessions, and calls. After events and texts, which have a time of their own. */
const SESSION_PRUNING = {
  sessions: `
    with old as (
      select s.id from checkout_sessions s
       where ${OLD_SESSION}
         and not exists (select from charges c where c.session_id = s.id)
         and not exists (select from events e where e.session_id = s.id)
         and not exists (select from texts t where t.session_id = s.id)
         and not exists (select from calls l where l.session_id = s.id and l.ended_at is null)
       limit $1 for update of s skip locked),
    gone as (delete from calls where session_id in (select id from old))
    delete from checkout_sessions where id in (select id from old)`,
  /** Whose callers were asked which payment they were for, and chose none. */
  callsWithoutSession: `
    delete from calls where id in (
      select id from calls where session_id is null and ended_at < now() - $2 * interval '1 day'
       limit $1 for update skip locked)`,
  clearedSessions: `
    with old as (
      select s.id from checkout_sessions s
       where ${OLD_SESSION}
         and exists (select from charges c where c.session_id = s.id)
         and not exists (select from charges c where c.session_id = s.id and c.status = 'pending')
       limit $1 for no key update of s skip locked),
    numbers as (
      update charges set caller_phone = null where session_id in (select id from old) and caller_phone is not null),
    links as (delete from pay_links where session_id in (select id from old))
    update checkout_sessions
       set caller_phone = null, lent_phone = null, return_to = null, success_message = null, failure_message = null,
           line_items = '[]', metadata = '{}', cleared_at = now()
     where id in (select id from old)`,
} as const;

type Pruned = Record<keyof typeof PRUNING | keyof typeof SESSION_PRUNING | 'requests', number>;

const BATCH = 500;
/** Of each kind in one run; the rest goes in the next. */
const MAX_BATCHES = 100;

/**
 * @param sessionDays how long sessions are kept; 0: forever
 * @param requestDays how long the request log is kept; 0: it is off, and what is there goes
 * @returns how many rows of each kind were deleted or cleared
 */
export async function pruneOldRows(
  sql: Sql,
  log: Pick<BaseLogger, 'info'>,
  stop: AbortSignal,
  sessionDays = 0,
  requestDays = 30,
): Promise<Pruned> {
  const run = (statement: string, ...days: number[]) => inBatches(sql, stop, statement, [BATCH, ...days]);
  const pruned = {
    deliveries: await run(PRUNING.deliveries),
    events: await run(PRUNING.events),
    texts: await run(PRUNING.texts),
    velocitySignals: await run(PRUNING.velocitySignals),
    numberLookups: await run(PRUNING.numberLookups),
    attestations: await run(PRUNING.attestations),
    userSessions: await run(PRUNING.userSessions),
    invitations: await run(PRUNING.invitations),
    signInAttempts: await run(PRUNING.signInAttempts),
    auditEvents: await run(PRUNING.auditEvents),
    requests: await run(REQUEST_PRUNING, requestDays),
    sessions: sessionDays === 0 ? 0 : await run(SESSION_PRUNING.sessions, sessionDays),
    callsWithoutSession: sessionDays === 0 ? 0 : await run(SESSION_PRUNING.callsWithoutSession, sessionDays),
    clearedSessions: sessionDays === 0 ? 0 : await run(SESSION_PRUNING.clearedSessions, sessionDays),
  };
  if (Object.values(pruned).some((count) => count > 0)) log.info(pruned, 'old rows pruned');
  return pruned;
}

async function inBatches(sql: Sql, stop: AbortSignal, statement: string, values: number[]): Promise<number> {
  let sum = 0;
  for (let batch = 0; batch < MAX_BATCHES && !stop.aborted; batch += 1) {
    const count = (await sql.query(statement, values)).rowCount ?? 0;
    sum += count;
    if (count < BATCH) break;
  }
  return sum;
}
