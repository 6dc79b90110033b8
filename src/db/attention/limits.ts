/** Accounts near one of their limits. */
import {
  type AccountLimits,
  type LimitName,
  MAX_ALERT_TARGETS,
  MAX_ENDPOINTS,
  MAX_KEYS,
  MAX_USERS,
} from '../../domain/account-limits.ts';
import { FROZEN_SECONDS } from '../calls/process-leases.ts';
import { type AttentionFinder, finder, isInScope } from './finder.ts';

const NEAR = 0.8;
/** An open item stays until this share, so that it does not open and close repeatedly. */
const STILL_NEAR = 0.7;

/** @param max a number, or SQL */
const used = (name: LimitName, max: number | string, of: string) =>
  `select account_id, mode, '${name}' as name, count::bigint as count, ${max} as max from (${of}) used_of`;

const OF_ACCOUNT = '($1::text is null or account_id = $1)';

/** Both modes share the limit. The item is in the mode with the most of the calls. */
const CALLS = `
  select account_id, pg_catalog.mode() within group (order by mode) as mode, count(*) as count
    from calls where ended_at is null and ${OF_ACCOUNT} group by account_id`;

/** Rows of five minutes, like those that the budget counts. */
const lookups = (span: string) => `
  select account_id, mode, sum(lookups) as count from number_lookup_turns
   where slot > now() - interval '5 minutes' - interval '${span}' and ${OF_ACCOUNT} group by account_id, mode`;

const KEYS = `
  select account_id, mode, count(*) as count from keys
   where revoked_at is null and (expires_at is null or expires_at > now()) and ${OF_ACCOUNT} group by account_id, mode`;

const ENDPOINTS = `
  select account_id, mode, count(*) as count from webhook_endpoints
   where deleted_at is null and ${OF_ACCOUNT} group by account_id, mode`;

const TARGETS = `
  select account_id, mode, count(*) as count from alert_targets
   where user_id is null and ${OF_ACCOUNT} group by account_id, mode`;

/** Users have no mode. */
const USERS = `
  select account_id, 'live'::mode as mode, count(*) as count from users
   where removed_at is null and ${OF_ACCOUNT} group by account_id`;

/** Of the service as a whole, so of no account. */
const OF_SERVICE = 'null::text as account_id, null::mode as mode';

/** The busiest phone process. */
const PROCESS_CALLS = `
  select ${OF_SERVICE}, count(*) as count
    from calls where ended_at is null group by lease_id order by count(*) desc limit 1`;

/** The busiest phone process, in percent of RINGKEY_MAX_LOAD and the limits beside it. */
const PROCESS_LOAD = `
  select ${OF_SERVICE}, max(load_percent) as count from process_leases
   where seen_at > now() - interval '${FROZEN_SECONDS} seconds'`;

/** Each process has a budget of its own, and notes only that 80% are used. Accounts have no mode. */
const SPEECH = `
  select id as account_id, 'live'::mode as mode, 80 as count from accounts
   where speech_near_limit_at > now() - interval '1 hour' and ($1::text is null or id = $1)`;

/** Those to this database, of those that the server, the database or the role allows. Some are reserved for administrators. */
const CONNECTIONS = `
  select ${OF_SERVICE}, count(*) as count from pg_stat_activity where datname = current_database()`;
const MAX_CONNECTIONS = `least(
  current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer,
  (select case when datconnlimit > 0 then datconnlimit end from pg_database where datname = current_database()),
  (select case when rolconnlimit > 0 then rolconnlimit end from pg_roles where rolname = session_user))`;

export function limitFinder(limits: AccountLimits): AttentionFinder {
  const { calls, lookupsHour, lookupsDay, processCalls } = limits;
  const all = [
    used('calls', calls, CALLS),
    used('lookups_hour', lookupsHour, lookups('1 hour')),
    used('lookups_day', lookupsDay, lookups('1 day')),
    used('keys', MAX_KEYS, KEYS),
    used('webhook_endpoints', MAX_ENDPOINTS, ENDPOINTS),
    used('alert_targets', MAX_ALERT_TARGETS, TARGETS),
    used('users', MAX_USERS, USERS),
    used('process_calls', processCalls, PROCESS_CALLS),
    used('database_connections', MAX_CONNECTIONS, CONNECTIONS),
    used('process_load', 100, PROCESS_LOAD),
    used('speech', 100, SPEECH),
  ];
  return finder(
    'limit_near',
    `select account_id as "accountId", mode, name as subject, null::text as "merchantId",
            json_build_object('name', name, 'count', count, 'of', max) as facts, null::timestamptz as "newestAt"
       from (${all.join(' union all ')}) near
      where ($2::mode is null or mode is null or mode = $2) and count >= ${STILL_NEAR} * max
        and (count >= ${NEAR} * max or exists (
          select from attention_items i
           where i.kind = 'limit_near' and i.account_id is not distinct from near.account_id
             and i.mode is not distinct from near.mode and i.subject = near.name and i.closed_at is null))`,
  );
}

/** The note stays for a while, so that the item does not open and close with each burst. */
const KEYS_IN_BURSTS = `
  select account_id as "accountId", mode, id as subject, null::text as "merchantId",
         json_build_object('name', coalesce(name, prefix)) as facts, near_limit_at as "newestAt"
    from keys
   where revoked_at is null and near_limit_at > now() - interval '15 minutes' and ${isInScope('keys')}`;

export const KEY_LIMIT_FINDER = finder('key_near_limit', KEYS_IN_BURSTS);
