/** `/v1/attention_items`: what needs a person, opened once for each cause, and closed when the cause is gone. */
import { beforeEach, describe, expect, test } from 'vitest';
import { sweepAttention } from '../../src/attention/sweep.ts';
import { takeAdvisoryLocks } from '../../src/db/advisory-locks.ts';
import { reportMissingSipServers } from '../../src/db/calls/sip-servers.ts';
import type { Sql } from '../../src/db/pool.ts';
import { newId } from '../../src/domain/ids.ts';
import { useFixture } from '../support/fixtures.ts';
import { giveUp } from '../support/seed-payments.ts';
import { until } from '../support/until.ts';
import { expectError } from './fixtures.ts';
import { lateCharge, lateDuplicate } from './late-charges.ts';
import { createCharge } from './refunds-api.ts';
import { startTestApi } from './test-api.ts';
import { createTestAttention } from './test-attention.ts';

const api = useFixture(() => startTestApi());
const { items, itemAbout, mark, newMerchant } = createTestAttention(api);

/** Items of the service as a whole are in every list. */
beforeEach(async () => {
  for (const table of ['process_leases', 'attention_sweep']) await api.database.query(`delete from ${table}`);
});

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
