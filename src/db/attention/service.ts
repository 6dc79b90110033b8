/** Missing parts of the service. Their items belong to no account, and name no host. */
import { FROZEN_SECONDS } from '../calls/process-leases.ts';
import { finder, IN_ANY_SCOPE, ofService } from './finder.ts';

const LIVE_PHONE = `seen_at > now() - interval '${FROZEN_SECONDS} seconds'`;

const MISSING_HOSTS = 'count(distinct host) filter (where not is_connected)';
/** Drained servers and those that DNS no longer names are not expected. */
const MEDIA_SERVERS = `
  select ${ofService('media', `json_build_object('count', ${MISSING_HOSTS}, 'of', count(distinct host))`)}
    from media_reports m join process_leases l on l.id = m.lease_id
   where l.${LIVE_PHONE} and ${IN_ANY_SCOPE} and not is_leaving and not is_drained
  having ${MISSING_HOSTS} > 0`;

/** A phone process has missed a server for a minute: one that restarts is back sooner. */
const SIP_SERVERS = `
  select ${ofService('sip', `json_build_object('count', max(sip_missing))`)} from process_leases
   where ${LIVE_PHONE} and ${IN_ANY_SCOPE} and sip_missing > 0 and sip_missing_since < now() - interval '1 minute'
  having count(*) > 0`;

/** A phone process was seen in the last month, and there is none. One that restarts is back within a minute. */
const PHONES = `
  select ${ofService('phone', 'json_build_object()')} from attention_sweep
   where ${IN_ANY_SCOPE} and phone_seen_at < now() - interval '1 minute' and phone_seen_at > now() - interval '30 days'
     and not exists (select from process_leases where ${LIVE_PHONE})`;

/** Only another role can find it. */
const WORKERS = `
  select ${ofService('worker', 'json_build_object()')} from attention_sweep
   where ${IN_ANY_SCOPE} and swept_at < now() - interval '5 minutes'`;

export const SERVICE_FINDERS = [
  finder('media_server_missing', MEDIA_SERVERS),
  finder('sip_server_missing', SIP_SERVERS),
  finder('phone_missing', PHONES),
  finder('worker_missing', WORKERS),
];

/** SQL: a worker sweeps now. */
export const NOTE_SWEEP = `
  insert into attention_sweep (swept_at, phone_seen_at)
  select now(), (select max(seen_at) from process_leases where ${LIVE_PHONE})
  on conflict (is_only) do update
    set swept_at = excluded.swept_at, phone_seen_at = coalesce(excluded.phone_seen_at, attention_sweep.phone_seen_at)`;
