/** `/v1/attention_items`: what needs a person, opened once for each cause, and closed when the cause is gone. */
import { beforeEach, describe, expect, test } from 'vitest';
import { issueKey } from '../../src/accounts/keys/manage.ts';
import { sweepAttention } from '../../src/attention/sweep.ts';
import { AttentionItemResource } from '../../src/contract/attention.ts';
import { takeAdvisoryLocks } from '../../src/db/advisory-locks.ts';
import { reportMissingSipServers } from '../../src/db/calls/sip-servers.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import type { Sql } from '../../src/db/pool.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { type AccountId, newId } from '../../src/domain/ids.ts';
import { useFixture } from '../support/fixtures.ts';
import { giveUp, seedPayment } from '../support/seed-payments.ts';
import { until } from '../support/until.ts';
import { bearer, expectError } from './fixtures.ts';
import { lateCharge, lateDuplicate } from './late-charges.ts';
import { createCharge } from './refunds-api.ts';
import { startTestApi } from './test-api.ts';

const api = useFixture(() => startTestApi());

/** Items of the service as a whole are in every list. */
beforeEach(async () => {
  for (const table of ['process_leases', 'attention_sweep']) await api.database.query(`delete from ${table}`);
});

type Item = AttentionItemResource;

async function items(query = '', headers?: Record<string, string>): Promise<Item[]> {
  const { status, text, body } = await api.get(`/v1/attention_items?limit=100&${query}`, headers);
  expect(status, text).toBe(200);
  return (body.attention_items as Item[]).map((item) => AttentionItemResource.strict().parse(item));
}
const itemAbout = async (object: string, query = '') =>
  (await items(query)).find(({ object_id }) => object_id === object);
const mark = (id: string, verb: string, body?: object, headers?: Record<string, string>) =>
  api.post(`/v1/attention_items/${id}/${verb}`, body, headers);

describe('payments', () => {
  test('a charge and a refund without an outcome need attention until they are settled', async () => {
    const { id: charge } = await createCharge(api, 'hangs_taken');
    await giveUp(api.database, charge);
    const { id: refunded } = await createCharge(api, 'refund_hangs');
    await api.post('/v1/refunds', { charge: refunded, amount_cents: 1_000 });
    const { body } = await api.get(`/v1/refunds?charge=${refunded}`);
    const refund = (body.refunds as { refund_id: string }[])[0]?.refund_id ?? '';
    await giveUp(api.database, refund);
    expect(await itemAbout(charge)).toMatchObject({
      kind: 'charge_to_settle',
      title: expect.stringMatching(/^Charge of \$[\d.]+ at Demo Diner has no outcome$/),
      dashboard_path: `/charges/${charge}`,
      merchant_id: 'mer_demo_diner',
      is_service: false,
      closed_at: null,
    });
    expect(await itemAbout(refund)).toMatchObject({ kind: 'refund_to_settle', dashboard_path: `/refunds/${refund}` });
    await api.post(`/v1/charges/${charge}/settle`, { outcome: 'not_received' });
    await api.post(`/v1/refunds/${refund}/settle`, { outcome: 'not_received' });
    expect([await itemAbout(charge), await itemAbout(refund)]).toEqual([undefined, undefined]);
    expect((await itemAbout(charge, 'status=closed'))?.closed_at).toMatch(/Z$/);
  });

  test('a capture without an outcome needs attention until it is looked up again', async () => {
    const { id: charge } = await createCharge(api, 'hold_hangs', 'manual');
    await api.post(`/v1/charges/${charge}/capture`, {});
    await api.database.query(`update hold_changes set resolve_at = 'infinity' where charge_id = $1`, [charge]);
    expect(await itemAbout(charge)).toMatchObject({
      kind: 'hold_change_to_settle',
      title: expect.stringMatching(/^Capture of \$40\.00 at Demo Diner has no outcome$/),
      advice: expect.stringMatching(/^Capture the charge again/),
      dashboard_path: `/charges/${charge}`,
    });
    await api.post(`/v1/charges/${charge}/capture`, {});
    expect(await itemAbout(charge)).toBeUndefined();
  });

  test('a late charge and a duplicate need attention until they are refunded', async () => {
    const [late, twice] = [(await lateCharge(api)).charge, (await lateDuplicate(api)).charge];
    expect((await itemAbout(late))?.title).toMatch(/ was paid late$/);
    expect((await itemAbout(twice))?.title).toMatch(/ may have been charged twice$/);
    for (const charge of [late, twice]) await api.post('/v1/refunds', { charge });
    expect([await itemAbout(late), await itemAbout(twice)]).toEqual([undefined, undefined]);
  });

  test('an item is opened once for each cause, and again for another one', async () => {
    const { charge } = await lateCharge(api);
    const first = await itemAbout(charge);
    expect(await itemAbout(charge)).toEqual(first);
    await sweepAttention(api.database, null);
    expect(await itemAbout(charge)).toEqual(first);
    const set = (at: string | null) =>
      api.database.query('update charges set attention_acknowledged_at = $2 where id = $1', [charge, at]);
    await set('2026-01-01');
    expect(await itemAbout(charge)).toBeUndefined();
    await set(null);
    const second = await itemAbout(charge);
    expect(second?.kind).toBe('late_charge');
    expect(second?.attention_item_id).not.toBe(first?.attention_item_id);
  });
});

/** An account of its own, with a merchant. */
async function newMerchant(): Promise<{ account: AccountId; merchant: string; headers: Record<string, string> }> {
  const account = newId('Account');
  await insertAccount(api.database, { id: account, name: 'Test account' });
  const { text } = await issueKey(api.database, SYSTEM, { accountId: account, mode: 'test' });
  const headers = bearer(text);
  const { body } = await api.post('/v1/merchants', { business_name: 'Bakery\u202e', slug: 'bakery' }, headers);
  return { account, merchant: String(body.merchant_id), headers };
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('the processor', () => {
  test('needs attention if it refuses charges for other reasons than the card', async () => {
    const { account, merchant, headers } = await newMerchant();
    const scope = { accountId: account, mode: 'test' } as const;
    const seed = (status: 'failed' | 'succeeded', code?: string) =>
      seedPayment(api.database, scope, { merchant, at: minutesAgo(5), status, ...(code !== undefined && { code }) });
    for (let made = 0; made < 5; made += 1) await seed('failed', 'insufficient_funds');
    expect(await items('', headers)).toEqual([]);
    for (let made = 0; made < 5; made += 1) await seed('failed');
    expect(await items('', headers)).toMatchObject([
      {
        kind: 'processor_refusing',
        title: 'Sandbox refuses charges at Bakery',
        detail: expect.stringContaining('5 of 10 charges'),
        object_id: merchant,
      },
    ]);
    for (let made = 0; made < 5; made += 1) await seed('succeeded');
    expect(await items('', headers)).toEqual([]);
  });

  test('needs attention if callers wait long for it', async () => {
    const { account, merchant, headers } = await newMerchant();
    const scope = { accountId: account, mode: 'test' } as const;
    const payment = { merchant, at: minutesAgo(5), status: 'succeeded' } as const;
    for (let made = 0; made < 5; made += 1) await seedPayment(api.database, scope, payment);
    expect(await items('', headers)).toEqual([]);
    const slow = `update charges set settled_at = created_at + interval '9 seconds' where account_id = $1`;
    await api.database.query(slow, [account]);
    expect(await items('', headers)).toMatchObject([
      { kind: 'processor_slow', title: 'Sandbox is slow at Bakery', detail: expect.stringContaining('9 seconds') },
    ]);
  });

  test('needs attention if the success rate of the hour is far below that of the week', async () => {
    const { account, merchant, headers } = await newMerchant();
    const scope = { accountId: account, mode: 'test' } as const;
    const week = (succeeded: number) =>
      api.database.query(
        `insert into charge_days (account_id, mode, day, merchant_id, currency, succeeded, failed, pending, amount_cents)
         values ($1, 'test', (now() at time zone 'UTC')::date - 2, $2, 'USD', $3, 100 - $3, 0, 0)`,
        [account, merchant, succeeded],
      );
    const failed = { merchant, at: minutesAgo(45), status: 'failed', code: 'do_not_honor' } as const;
    for (let made = 0; made < 8; made += 1) await seedPayment(api.database, scope, failed);
    for (let made = 0; made < 2; made += 1)
      await seedPayment(api.database, scope, { ...failed, status: 'succeeded', code: undefined as never });
    expect(await items('', headers)).toEqual([]);
    await week(30);
    expect(await items('', headers)).toEqual([]);
    await api.database.query('delete from charge_days where account_id = $1', [account]);
    await week(90);
    expect(await items('', headers)).toMatchObject([
      {
        kind: 'success_rate_low',
        title: 'Only 20% of charges at Bakery succeed',
        detail: 'That is the rate of 10 charges in the last hour. In the last week it was 90%.',
      },
    ]);
    // A hold is a success, too.
    for (let made = 0; made < 2; made += 1) await seedPayment(api.database, scope, failed);
    for (let made = 0; made < 40; made += 1)
      await seedPayment(api.database, scope, { ...failed, status: 'succeeded', code: undefined as never });
    const hold = `update charges set status = 'authorized', capture = 'manual'
      where account_id = $1 and status = 'succeeded'`;
    await api.database.query(hold, [account]);
    expect(await items('', headers)).toEqual([]);
  });
});

describe('deliveries', () => {
  test('an endpoint needs attention once it has failed five times in a row, named by its host alone', async () => {
    const { headers } = await newMerchant();
    const hook = { url: 'https://user:secret@hooks.example.com/path?token=secret', events: ['checkout.completed'] };
    const made = await api.post(
      '/v1/webhook_endpoints',
      { ...hook, url: hook.url.replace('user:secret@', '') },
      headers,
    );
    const id = String(made.body.webhook_endpoint_id);
    await api.database.query('update webhook_endpoints set url = $2 where id = $1', [id, hook.url]);
    const fail = (failures: number) =>
      api.database.query('update webhook_endpoints set failures = $2 where id = $1', [id, failures]);
    await fail(4);
    expect(await items('', headers)).toEqual([]);
    await fail(5);
    const [item] = await items('', headers);
    expect(item).toMatchObject({ kind: 'endpoint_failing', title: 'Webhook endpoint hooks.example.com is failing' });
    await fail(9);
    expect(await items('', headers)).toMatchObject([
      { attention_item_id: item?.attention_item_id, detail: expect.stringContaining('last 9 attempts') },
    ]);
    await fail(0);
    expect(await items('', headers)).toEqual([]);
  });

  test('an event that could not be rendered needs attention', async () => {
    const { body } = await api.get('/v1/events?limit=1');
    const event = (body.events as { id: string }[])[0]?.id ?? (await lateCharge(api)).charge;
    const id = event.startsWith('evt_')
      ? event
      : ((await api.get('/v1/events?limit=1')).body.events as { id: string }[])[0]?.id;
    const set = (after: string) =>
      api.database.query('update events set relay_after = $2, relayed_at = null where id = $1', [id, after]);
    await set('infinity');
    expect((await itemAbout(String(id)))?.kind).toBe('event_unsent');
    await set('-infinity');
    expect(await itemAbout(String(id))).toBeUndefined();
  });

  test('texts that were not delivered need attention, and again after newer ones', async () => {
    const { account, merchant, headers } = await newMerchant();
    const scope = { accountId: account, mode: 'test' } as const;
    await seedPayment(api.database, scope, { merchant, at: minutesAgo(5), status: null });
    const text = (status: string, delivery: string | null, settled: string) =>
      api.database.query(
        `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, status, delivery, settled_at)
         select $1, $2, 'test', id, 'receipt', '+15550101234', '', 1, $3, $4, $5 from checkout_sessions where account_id = $2`,
        [newId('Text'), account, status, delivery, settled],
      );
    await text('sent', 'delivered', minutesAgo(4));
    expect(await items('', headers)).toEqual([]);
    await text('failed', null, minutesAgo(4));
    await text('sent', 'undelivered', minutesAgo(4));
    const [item] = await items('', headers);
    expect(item).toMatchObject({ kind: 'texts_undelivered', title: '2 texts were not delivered', object_id: null });
    await mark(String(item?.attention_item_id), 'finish', undefined, headers);
    expect(await items('', headers)).toEqual([]);
    await text('failed', null, new Date(Date.now() + 60_000).toISOString());
    expect(await items('', headers)).toMatchObject([{ title: '3 texts were not delivered' }]);
  });

  test('receipts by email that were not delivered need attention, but not those that were not wanted any more', async () => {
    const { account, merchant, headers } = await newMerchant();
    const scope = { accountId: account, mode: 'test' } as const;
    const email = async (status: string, code: string | null) => {
      await seedPayment(api.database, scope, { merchant, at: minutesAgo(5), status: 'succeeded' });
      await api.database.query(
        `insert into emails (id, account_id, mode, session_id, charge_id, kind, status, error_code, settled_at)
         select $1, $2, 'test', session_id, id, 'receipt', $3, $4, now() from charges
          where account_id = $2 and not exists (select from emails e where e.charge_id = charges.id)`,
        [newId('Email'), account, status, code],
      );
    };
    await email('sent', null);
    await email('failed', 'caller_erased');
    expect(await items('', headers)).toEqual([]);
    await email('failed', '550');
    expect(await items('', headers)).toMatchObject([
      {
        kind: 'emails_undelivered',
        title: '1 receipt by email was not delivered',
        detail: expect.stringContaining('of 3'),
      },
    ]);
  });

  test('an expired key needs attention until it is revoked', async () => {
    const { account, headers } = await newMerchant();
    await api.database.query(
      `insert into keys (id, account_id, mode, name, key_hash, prefix, created_at, expires_at, issued_until)
       values ($1, $2, 'test', 'Agents', sha256($1::text::bytea), 'rk_test_', now() - interval '1 year',
               date_trunc('day', now()) - interval '1 day', date_trunc('day', now()) - interval '1 day')`,
      [`key_over_${account.slice(5, 15)}`, account],
    );
    expect(await items('', headers)).toMatchObject([{ kind: 'key_expiring', title: 'API key Agents has expired' }]);
    await api.database.query('update keys set revoked_at = now() where account_id = $1', [account]);
    expect(await items('', headers)).toEqual([]);
  });

  test('texts near the limit, and a key in its last days, need attention', async () => {
    const { account, headers } = await newMerchant();
    await api.database.query(
      `insert into audit_events (id, account_id, mode, action, object_id, changes, actor_kind)
       values ($1, $2, 'test', 'account.texts_near_limit', $2, '{}', 'system')`,
      [newId('AuditEvent'), account],
    );
    const key = (id: string, from: string, until: string, issued = until) =>
      api.database.query(
        `insert into keys (id, account_id, mode, name, key_hash, prefix, created_at, expires_at, issued_until)
         values ($1, $2, 'test', 'Agents', sha256($1::text::bytea), 'rk_test_', now() + $3::interval,
                 date_trunc('day', now()) + $4::interval, date_trunc('day', now()) + $5::interval)`,
        [`${id}_${account.slice(5, 15)}`, account, from, until, issued],
      );
    await key('key_soon', '-1 year', '7 days');
    await key('key_later', '-1 year', '30 days');
    await key('key_new', '-1 hour', '7 days');
    await key('key_rolled', '-1 year', '1 day', '90 days');
    const found = await items('', headers);
    expect(found.map(({ kind }) => kind).sort()).toEqual(['key_expiring', 'texts_near_limit']);
    expect(found.find(({ kind }) => kind === 'key_expiring')).toMatchObject({
      title: expect.stringMatching(/^API key Agents expires on \d+ \w+ 20\d\d$/),
      object_id: expect.stringMatching(/^key_soon/),
    });
  });
});

describe('the service', () => {
  const serviceItems = async (headers?: Record<string, string>) =>
    (await items('', headers)).filter(({ is_service }) => is_service);
  test('tells every account of a missing media server, phone or worker, without names of hosts', async () => {
    const { headers } = await newMerchant();
    expect(await serviceItems(headers)).toEqual([]);
    await api.database.query(
      `insert into process_leases (id, instance, seen_at) overriding system value values (7, 'phone-1', now() + interval '1 hour')`,
    );
    await api.database.query(
      `insert into media_reports (lease_id, host, is_connected, is_leaving, is_drained, calls)
       values (7, 'media-1:8021', true, false, false, 0), (7, 'media-2:8021', false, false, false, 0),
              (7, 'media-3:8021', false, true, false, 0), (7, 'media-4:8021', false, false, true, 0)`,
    );
    await sweepAttention(api.database, null);
    const [media] = await serviceItems(headers);
    expect(media).toMatchObject({ kind: 'media_server_missing', title: '1 media server is missing', object_id: null });
    expect(JSON.stringify(media)).not.toMatch(/media-\d|phone-1/);
    expect(await serviceItems()).toHaveLength(1);
    await api.database.query('delete from process_leases');
    await api.database.query(
      `update attention_sweep set swept_at = now() - interval '1 hour', phone_seen_at = now() - interval '1 hour'`,
    );
    expect((await serviceItems(headers)).map(({ kind }) => kind).sort()).toEqual(['phone_missing', 'worker_missing']);
    // The sweep of a worker.
    await sweepAttention(api.database, null);
    expect((await serviceItems(headers)).map(({ kind }) => kind)).toEqual(['phone_missing']);
  });

  test('tells every account of a SIP server that a phone process has missed for a minute', async () => {
    const { headers } = await newMerchant();
    await api.database.query(
      `insert into process_leases (id, instance, seen_at) overriding system value values (8, 'phone-2', now() + interval '1 hour')`,
    );
    await reportMissingSipServers(api.database, 8, 1);
    expect(await serviceItems(headers)).toEqual([]);
    await api.database.query(`update process_leases set sip_missing_since = now() - interval '2 minutes'`);
    await reportMissingSipServers(api.database, 8, 1);
    expect(await serviceItems(headers)).toMatchObject([
      { kind: 'sip_server_missing', title: '1 SIP server is missing' },
    ]);
    await reportMissingSipServers(api.database, 8, 0);
    expect(await serviceItems(headers)).toEqual([]);
  });

  test('is swept by the worker also if an account refreshes its list at that moment', async () => {
    let sweep = Promise.resolve();
    let hasEnded = false;
    await api.database.transaction(async (sql) => {
      await takeAdvisoryLocks(sql, ['attention items']);
      sweep = sweepAttention(api.database, null).finally(() => {
        hasEnded = true;
      });
      await until(120_000, async () => hasEnded || (await isLockAwaited(sql)));
    });
    await sweep;
    expect((await api.database.query('select from attention_sweep')).rowCount).toBe(1);
  });

  async function isLockAwaited(sql: Sql): Promise<boolean> {
    const { rowCount } = await sql.query(
      `select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`,
    );
    return rowCount !== 0;
  }

  test('lets an account set an item of the service aside for itself alone', async () => {
    const [one, other] = [await newMerchant(), await newMerchant()];
    await api.database.query(
      `insert into attention_sweep (swept_at, phone_seen_at) values (now(), now() - interval '1 hour')`,
    );
    const [item] = await serviceItems(one.headers);
    expect((await mark(String(item?.attention_item_id), 'finish', undefined, one.headers)).status).toBe(200);
    expect(await serviceItems(one.headers)).toEqual([]);
    expect(await serviceItems(other.headers)).toMatchObject([{ kind: 'phone_missing', done_at: null }]);
  });
});

describe('an item', () => {
  const lateItem = async () => {
    const { charge } = await lateCharge(api);
    return { charge, id: String((await itemAbout(charge))?.attention_item_id) };
  };

  test('is quiet until a time, and can be shown again', async () => {
    const { charge, id } = await lateItem();
    const before = Date.now();
    const { body } = await mark(id, 'quiet', { hours: 2 });
    expect(body.done_at).toBeNull();
    const until = String(body.quiet_until);
    expect(Date.parse(until)).toBeGreaterThanOrEqual(before + 2 * 3_600_000);
    expect(await itemAbout(charge)).toBeUndefined();
    expect(await itemAbout(charge, 'status=set_aside')).toMatchObject({ quiet_until: until });
    await api.database.query(`update attention_marks set quiet_until = now() where item_id = $1`, [id]);
    expect(await itemAbout(charge)).toBeDefined();
    await mark(id, 'quiet', { hours: 1 });
    expect((await mark(id, 'reopen')).body).toMatchObject({ quiet_until: null });
    expect(await itemAbout(charge)).toBeDefined();
  });

  test('that is done acknowledges its late charge, and the audit trail says who did it', async () => {
    const { charge, id } = await lateItem();
    expect((await mark(id, 'finish')).body.done_at).toMatch(/Z$/);
    expect((await api.get(`/v1/charges/${charge}`)).body.attention_acknowledged_at).toMatch(/Z$/);
    const { body } = await api.get(`/v1/audit_events?object=${id}`);
    expect(body.audit_events).toMatchObject([
      { action: 'attention_item.done', actor: 'key', changes: { kind: 'late_charge' } },
    ]);
  });

  test('cannot be quiet for less than an hour or more than 30 days', async () => {
    const { id } = await lateItem();
    for (const hours of [0, -1, 721, 1.5, '2']) {
      expectError(await mark(id, 'quiet', { hours }), 'invalid_value', 'hours');
    }
    expectError(await api.get('/v1/attention_items?status=gone'), 'invalid_value', 'status');
  });

  test('is not found by other accounts, and is kept while closed items are deleted after 90 days', async () => {
    const { charge, id } = await lateItem();
    const { headers } = await newMerchant();
    expect(await items('', headers)).toEqual([]);
    expectError(await mark(id, 'finish', undefined, headers), 'not_found');
    const old = newId('AttentionItem');
    await api.database.query(
      `insert into attention_items (id, kind, subject, closed_at) values ($1, 'phone_missing', 'old', now() - interval '91 days')`,
      [old],
    );
    await sweepAttention(api.database, null);
    const { rows } = await api.database.query('select id from attention_items where id = any($1)', [[old, id]]);
    expect(rows).toEqual([{ id }]);
    expect(await itemAbout(charge)).toBeDefined();
  });
});
