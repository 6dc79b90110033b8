/** Webhooks, texts and keys that need attention. */
import { FAILURES_TO_PAUSE as FAILURES_TO_ALERT } from '../alerts/alert-messages.ts';
import { IS_UNDELIVERED as IS_UNDELIVERED_EMAIL } from '../emails/email-lists.ts';
import { IS_UNDELIVERED as IS_UNDELIVERED_TEXT } from '../texts/text-lists.ts';
import { FAILURES_TO_PAUSE } from '../webhooks/deliveries.ts';
import { finder, inPeriod, isInScope, periodFacts } from './finder.ts';

/** SQL: paths and queries of an endpoint can be secret. */
const hostOf = (endpoint: string) => `substring(${endpoint}.url from '^[a-z]+://(?:[^/@]*@)?([^/?#]+)')`;

/** SQL: the host alone, or with the end of the ID if another endpoint has the same host. */
const ENDPOINT_NAME = `${hostOf('webhook_endpoints')} || case when exists (
  select from webhook_endpoints other
   where other.account_id = webhook_endpoints.account_id and other.mode = webhook_endpoints.mode
     and other.id <> webhook_endpoints.id and other.deleted_at is null
     and ${hostOf('other')} = ${hostOf('webhook_endpoints')}) then ' (…' || right(id, 4) || ')' else '' end`;

/** While an endpoint is paused, attempts to it that fail are not counted: at least `failures` failed in a row. */
const ENDPOINTS = `
  select account_id as "accountId", mode, id as subject, null::text as "merchantId",
         json_build_object('name', ${ENDPOINT_NAME}, 'count', failures, 'statusCode', last.status_code, 'failure', last.cause)
           as facts,
         null::timestamptz as "newestAt"
    from webhook_endpoints
    left join lateral (
      select status_code, coalesce(failure_detail, failure) as cause from webhook_attempts
       where endpoint_id = webhook_endpoints.id and failure is not null order by created_at desc limit 1) last on true
   where deleted_at is null and disabled_at is null and failures >= ${FAILURES_TO_PAUSE}
     and ${isInScope('webhook_endpoints')}`;

/** In quarantine: their body could not be rendered, so no endpoint has them. */
const EVENTS = `
  select account_id as "accountId", mode, id as subject, null::text as "merchantId",
         json_build_object('name', type) as facts, created_at as "newestAt"
    from events where relayed_at is null and relay_after = 'infinity' and ${isInScope('events')}`;

/** One in twenty is not delivered. Of many texts, some numbers are landlines, and of many emails, some addresses are wrong. */
const UNDELIVERED_SHARE = 0.05;

/** Messages of this period are looked at. */
const DAY = "interval '1 day'";

const TEXTS = `
  select undelivered.account_id as "accountId", undelivered.mode, 'texts' as subject, null::text as "merchantId",
         json_build_object('count', undelivered.count, 'of', sent.count, ${periodFacts(DAY)}) as facts, undelivered.newest as "newestAt"
    from (select account_id, mode, count(*) as count, max(coalesce(delivery_at, settled_at, created_at)) as newest
            from texts
           where ${IS_UNDELIVERED_TEXT} and ${inPeriod('created_at', DAY)}
             and ${isInScope('texts')}
           group by account_id, mode) undelivered
    cross join lateral (
      select count(*) as count from texts
       where account_id = undelivered.account_id and mode = undelivered.mode
         and ${inPeriod('created_at', DAY)}) sent
   where undelivered.count >= sent.count * ${UNDELIVERED_SHARE}`;

const EMAILS = `
  select undelivered.account_id as "accountId", undelivered.mode, 'emails' as subject, null::text as "merchantId",
         json_build_object('count', undelivered.count, 'of', sent.count, ${periodFacts(DAY)}) as facts, undelivered.newest as "newestAt"
    from (select account_id, mode, count(*) as count, max(coalesce(settled_at, created_at)) as newest
            from emails
           where ${IS_UNDELIVERED_EMAIL}
             and ${inPeriod('created_at', DAY)} and ${isInScope('emails')}
           group by account_id, mode) undelivered
    cross join lateral (
      select count(*) as count from emails
       where account_id = undelivered.account_id and mode = undelivered.mode
         and ${inPeriod('created_at', DAY)}) sent
   where undelivered.count >= sent.count * ${UNDELIVERED_SHARE}`;

/** SQL. A user's own address is no concern of the account's other targets: `j…@example.com`. */
const MASKED = `left(u.email, 1) || '…' || substring(u.email from '@[^@]*$')`;

/** The address alone: the URL of a Slack channel is a secret. */
const ALERTS = `
  select t.account_id as "accountId", t.mode, t.id as subject, null::text as "merchantId",
         json_build_object('count', t.failures, 'name',
           case when t.user_id is null then coalesce(t.email, nullif(t.name, ''), 'Slack') else ${MASKED} end) as facts,
         null::timestamptz as "newestAt"
    from alert_targets t left join users u on u.id = t.user_id
   where t.failures >= ${FAILURES_TO_ALERT} and ${isInScope('t')}`;

/** The audit trail warns of it at most once an hour (sms/text-limits.ts). */
const NEAR_LIMIT = `
  select account_id as "accountId", mode, 'texts' as subject, null::text as "merchantId", json_build_object() as facts,
         max(created_at) as "newestAt"
    from audit_events
   where action = 'account.texts_near_limit' and created_at > now() - interval '1 hour' and ${isInScope('audit_events')}
   group by account_id, mode`;

/**
 * A key that was issued with an end, in the last fifth of its time and at most two weeks before it, and for three days
 * after it. A rolled key ends as intended.
 */
const KEYS = `
  select account_id as "accountId", mode, id as subject, null::text as "merchantId",
         json_build_object('name', coalesce(name, prefix), 'endsAt', to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                           'isOver', expires_at <= now())
           as facts, null::timestamptz as "newestAt"
    from keys
   where revoked_at is null and expires_at = issued_until
     and expires_at between now() - interval '3 days' and now() + interval '14 days'
     and now() > expires_at - (expires_at - created_at) / 5 and ${isInScope('keys')}`;

export const DELIVERY_FINDERS = [
  finder('endpoint_failing', ENDPOINTS),
  finder('event_unsent', EVENTS),
  finder('texts_undelivered', TEXTS),
  finder('texts_near_limit', NEAR_LIMIT),
  finder('emails_undelivered', EMAILS),
  finder('alerts_undelivered', ALERTS),
  finder('key_expiring', KEYS),
];
