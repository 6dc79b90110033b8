/** Causes of attention items about webhooks, texts, emails, alerts and keys. */
import { addAlertTarget } from '../../../src/alerts/manage.ts';
import { DEFAULT_ALERTS } from '../../../src/domain/alerts.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import { newId } from '../../../src/domain/ids.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../../src/local/standalone/demo-data.ts';
import type { TestApi } from '../../contract/test-api.ts';
import { paidCharge } from '../../dashboard/objects.ts';
import { type CauseOfKind, SCOPE } from './cause.ts';

/** A session of the demo's diner, whose texts and emails a test makes. */
async function sessionOf(api: TestApi): Promise<string> {
  const body = { merchant_id: DEMO_DINER, amount_cents: 4_000, caller_phone: '+15550101234', allow_repeat: true };
  return (await api.checkout(body)).checkout_session_id;
}

async function insertKey({ database }: TestApi, id: string): Promise<void> {
  await database.query(
    `insert into keys (id, account_id, mode, name, key_hash, prefix, created_at, expires_at, issued_until)
     values ($1, $2, 'test', $1, sha256($1::text::bytea), 'rk_test_', now() - interval '1 year',
             date_trunc('day', now()) + interval '7 days', date_trunc('day', now()) + interval '7 days')`,
    [id, DEMO_ACCOUNT],
  );
}
const revoke = ({ database }: TestApi, id: string) =>
  database.query('update keys set revoked_at = now() where id = $1', [id]);

export const DELIVERY_CAUSES: CauseOfKind[] = [
  {
    kind: 'endpoint_failing',
    async start(api) {
      const endpoint = { url: 'https://failing.example.com/hook', events: ['checkout.completed'] };
      const subject = String((await api.post('/v1/webhook_endpoints', endpoint)).body.webhook_endpoint_id);
      await api.database.query('update webhook_endpoints set failures = 5 where id = $1', [subject]);
      const end = () => api.send('DELETE', `/v1/webhook_endpoints/${subject}`);
      return { subject, merchant: null, shows: 'failing.example.com', end };
    },
  },
  {
    kind: 'event_unsent',
    async start(api) {
      await paidCharge(api);
      const subject = ((await api.get('/v1/events?limit=1')).body.events as { id: string }[])[0]?.id ?? '';
      const set = (after: string) =>
        api.database.query('update events set relay_after = $2, relayed_at = null where id = $1', [subject, after]);
      await set('infinity');
      return { subject, merchant: null, shows: subject, end: () => set('-infinity') };
    },
  },
  {
    kind: 'texts_undelivered',
    async start(api) {
      const session = await sessionOf(api);
      const text = (recipient: string) =>
        api.database.query(
          `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, status, error_code, settled_at)
           values ($1, $2, 'test', $3, 'receipt', $4, '', 1, 'failed', '30006', clock_timestamp())`,
          [newId('Text'), DEMO_ACCOUNT, session, recipient],
        );
      // The account has sent other texts.
      for (let made = 0; made < 9; made += 1) await text('+15550101234');
      const end = () => api.database.query('delete from texts where session_id = $1', [session]);
      return { subject: 'texts', merchant: null, shows: '30006', renew: () => text('+15550101235'), end };
    },
  },
  {
    kind: 'texts_near_limit',
    async start({ database }) {
      const action = 'account.texts_near_limit';
      const note = () =>
        database.query(
          `insert into audit_events (id, account_id, mode, action, object_id, changes, actor_kind)
           values ($1, $2, 'test', $3, $2, '{}', 'system')`,
          [newId('AuditEvent'), DEMO_ACCOUNT, action],
        );
      await note();
      // Entries of the audit trail cannot be changed.
      const end = () =>
        database.transaction(async (sql) => {
          await sql.query('set local session_replication_role = replica');
          const old = `update audit_events set created_at = now() - interval '61 minutes' where action = $1`;
          await sql.query(old, [action]);
        });
      return { subject: 'texts', merchant: null, shows: 'Texts', renew: note, end };
    },
  },
  {
    kind: 'emails_undelivered',
    async start(api) {
      const email = async () => {
        const { charge } = await paidCharge(api);
        await api.database.query(
          `insert into emails (id, account_id, mode, session_id, charge_id, kind, status, error_code, settled_at)
           select $1, account_id, mode, session_id, id, 'receipt', 'failed', 'no_such_mailbox', clock_timestamp() from charges where id = $2`,
          [newId('Email'), charge],
        );
      };
      await email();
      const end = () => api.database.query(`delete from emails where error_code = 'no_such_mailbox'`);
      return { subject: 'emails', merchant: null, shows: 'no_such_mailbox', renew: email, end };
    },
  },
  {
    kind: 'alerts_undelivered',
    async start(api) {
      const settings = { ...DEFAULT_ALERTS, topics: [], name: '' };
      const to = { email: 'nobody@example.com' };
      const { id } = await addAlertTarget({ database: api.database, vault: null }, SYSTEM, SCOPE, to, settings);
      const set = (failures: number) =>
        api.database.query('update alert_targets set failures = $2 where id = $1', [id, failures]);
      await set(3);
      return { subject: id, merchant: null, shows: to.email, end: () => set(0) };
    },
  },
];

export const KEY_CAUSES: CauseOfKind[] = [
  {
    kind: 'key_expiring',
    async start(api) {
      await insertKey(api, 'key_soon');
      return { subject: 'key_soon', merchant: null, shows: 'key_soon', end: () => revoke(api, 'key_soon') };
    },
  },
  {
    kind: 'key_near_limit',
    async start(api) {
      const id = 'key_busy';
      await insertKey(api, id);
      await api.database.query('update keys set issued_until = null, expires_at = null where id = $1', [id]);
      const note = () => api.database.query('update keys set near_limit_at = clock_timestamp() where id = $1', [id]);
      await note();
      return { subject: id, merchant: null, shows: id, renew: note, end: () => revoke(api, id) };
    },
  },
];
