/** Causes of attention items about missing parts of the service, certificates and limits. */
import { writeCertificateEnd } from '../../../src/db/attention/certificates.ts';
import { reportMissingSipServers } from '../../../src/db/calls/sip-servers.ts';
import { noteSpeechNearLimit } from '../../../src/db/keys/accounts.ts';
import { ACCOUNT_LIMITS, type AccountLimits, type LimitName } from '../../../src/domain/account-limits.ts';
import type { AttentionKind } from '../../../src/domain/attention.ts';
import { newId } from '../../../src/domain/ids.ts';
import { DEMO_ACCOUNT } from '../../../src/local/standalone/demo-data.ts';
import { ROWS_OF_LIMITS } from '../../contract/rows-of-limits.ts';
import type { TestApi } from '../../contract/test-api.ts';
import type { CauseOfKind } from './cause.ts';

/** Limits that a few rows reach. */
export const LOW_LIMITS: AccountLimits = {
  ...ACCOUNT_LIMITS,
  calls: 10,
  lookupsHour: 50,
  lookupsDay: 60,
  processCalls: 4,
};

const certificate = (kind: AttentionKind, days: number, host: string): CauseOfKind => ({
  kind,
  async start({ database }) {
    const until = (left: number) =>
      writeCertificateEnd(database, { host, port: 443 }, new Date(Date.now() + left * 86_400_000));
    await until(days);
    return { subject: `${host}:443`, merchant: null, shows: host, end: () => until(90) };
  },
});

/** A phone process that lives longer than the test. */
const insertPhone = ({ database }: TestApi, id: number, loadPercent = 0) =>
  database.query(
    `insert into process_leases (id, instance, seen_at, load_percent) overriding system value
     values ($1, 'phone', now() + interval '1 hour', $2)`,
    [id, loadPercent],
  );

export const SERVICE_CAUSES: CauseOfKind[] = [
  certificate('certificate_expiring', 10, 'pay.example.com'),
  certificate('certificate_ending', 2, 'sip.example.com'),
  {
    kind: 'media_server_missing',
    async start(api) {
      await insertPhone(api, 101);
      await api.database.query(
        `insert into media_reports (lease_id, host, is_connected, is_leaving, is_drained, calls)
         values (101, 'media-1:8021', false, false, false, 0)`,
      );
      const end = () => api.database.query('update media_reports set is_connected = true');
      return { subject: 'media', merchant: null, shows: 'Now', end };
    },
  },
  {
    kind: 'sip_server_missing',
    async start(api) {
      await insertPhone(api, 102);
      await reportMissingSipServers(api.database, 102, 1);
      await api.database.query(
        `update process_leases set sip_missing_since = now() - interval '2 minutes' where id = 102`,
      );
      const end = () => reportMissingSipServers(api.database, 102, 0);
      return { subject: 'sip', merchant: null, shows: 'Now', end };
    },
  },
  {
    kind: 'phone_missing',
    async start(api) {
      await api.database.query('delete from process_leases');
      await api.database.query(
        `insert into attention_sweep (swept_at, phone_seen_at) values (now(), now() - interval '2 minutes')
         on conflict (is_only) do update set phone_seen_at = excluded.phone_seen_at`,
      );
      return { subject: 'phone', merchant: null, shows: 'Now', end: () => insertPhone(api, 103) };
    },
  },
];

/** So many rows that each count for one. */
const rows = (limit: keyof typeof ROWS_OF_LIMITS, count: number, shows: string): CauseOfKind => ({
  kind: 'limit_near',
  limit,
  async start({ database }) {
    const { table, insert } = ROWS_OF_LIMITS[limit];
    for (let made = 0; made < count; made += 1) await database.query(insert, [DEMO_ACCOUNT, newId('Event')]);
    const end = () => database.query(`delete from ${table} where account_id = $1 and id like 'evt_%'`, [DEMO_ACCOUNT]);
    return { subject: limit, merchant: null, shows, end };
  },
});

const lookups = (limit: LimitName, hoursAgo: number, count: number): CauseOfKind => ({
  kind: 'limit_near',
  limit,
  async start({ database }) {
    await database.query(
      `insert into number_lookup_turns (account_id, mode, slot, lookups)
       values ($1, 'test', date_bin('5 minutes', now(), 'epoch') - $2 * interval '1 hour', $3)`,
      [DEMO_ACCOUNT, hoursAgo, count],
    );
    const end = () => database.query('delete from number_lookup_turns where account_id = $1', [DEMO_ACCOUNT]);
    return { subject: limit, merchant: null, shows: 'Checkouts', end };
  },
});

export const LIMIT_CAUSES: CauseOfKind[] = [
  rows('calls', 8, 'Now'),
  rows('process_calls', 4, 'Now'),
  rows('keys', 80, 'rk_test_'),
  rows('webhook_endpoints', 13, 'hooks.example.com'),
  rows('alert_targets', 16, 'ops@example.com'),
  { ...rows('users', 400, 'User'), mode: 'live' },
  lookups('lookups_hour', 0, 40),
  lookups('lookups_day', 5, 50),
  {
    kind: 'limit_near',
    limit: 'database_connections',
    async start({ database }) {
      const { rows } = await database.query<{ name: string }>('select current_database() as name');
      // Tests connect as a superuser, whose connections count, but are not refused.
      const allow = (limit: number) => database.query(`alter database ${rows[0]?.name} connection limit ${limit}`);
      await allow(1);
      return { subject: 'database_connections', merchant: null, shows: 'Now', end: () => allow(-1) };
    },
  },
  {
    kind: 'limit_near',
    limit: 'process_load',
    async start(api) {
      await insertPhone(api, 104, 95);
      const end = () => api.database.query('update process_leases set load_percent = 5 where id = 104');
      return { subject: 'process_load', merchant: null, shows: 'Now', end };
    },
  },
  {
    kind: 'limit_near',
    limit: 'speech',
    mode: 'live',
    async start({ database }) {
      await noteSpeechNearLimit(database, DEMO_ACCOUNT);
      const end = () => database.query('update accounts set speech_near_limit_at = null');
      return { subject: 'speech', merchant: null, shows: 'Merchants', end };
    },
  },
];
