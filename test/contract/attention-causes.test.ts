/** Attention items about processors, deliveries and keys. */
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { useFixture } from '../support/fixtures.ts';
import { seedPayment } from '../support/seed-payments.ts';
import { lateCharge } from './late-charges.ts';
import { startTestApi } from './test-api.ts';
import { createTestAttention, minutesAgo } from './test-attention.ts';

const api = useFixture(() => startTestApi());
const { items, itemAbout, mark, newMerchant } = createTestAttention(api);

/** Items of the service as a whole are in every list. */
beforeEach(async () => {
  for (const table of ['process_leases', 'attention_sweep']) await api.database.query(`delete from ${table}`);
});

describe('the processor', () => {
  test('needs attention if it refuses charges for other reasons than the card', async () => {
    const { account, merchant, headers } = await newMerchant();
    const scope = { accountId: account, mode: 'test' } as const;
    const seed = (status: 'failed' | 'succeeded', code?: string) =>
      seedPayment(api.database, scope, { merchant, at: minutesAgo(5), status, ...(code !== undefined && { code }) });
    for (let made = 0; made < 5; made += 1) await seed('failed', 'insufficient_funds');
    expect(await items('', headers)).toEqual([]);
    for (let made = 0; made < 5; made += 1) await seed('failed');
    const [refusing] = await items('', headers);
    expect([refusing]).toMatchObject([
      {
        kind: 'processor_refusing',
        title: 'Sandbox refuses charges at Bakery',
        detail: expect.stringContaining('5 of 10 charges'),
        object_id: merchant,
      },
    ]);
    // One that is done is not shown again with each refused charge.
    await mark(String(refusing?.attention_item_id), 'finish', undefined, headers);
    await seed('failed');
    expect(await items('', headers)).toEqual([]);
    expect(await items('status=set_aside', headers)).toMatchObject([{ detail: expect.stringContaining('6 of 11') }]);
    for (let made = 0; made < 6; made += 1) await seed('succeeded');
    expect(await items('status=set_aside', headers)).toEqual([]);
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
        title: '80% of charges at Bakery fail, usually 10%',
        detail: expect.stringMatching(
          /: 8 of 10 charges failed\. Most frequent reasons: Do not honor \(8\)\. In the seven days before today, 10% failed\.$/,
        ),
        dashboard_path: expect.stringMatching(/^\/charges\?since=[^&]+&counted_as=failed&merchant_id=mer_\w+$/),
      },
    ]);
    // A hold is a success, too.
    for (let made = 0; made < 2; made += 1) await seedPayment(api.database, scope, failed);
    for (let made = 0; made < 60; made += 1)
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
    await api.database.query(
      `insert into webhook_attempts (event_id, endpoint_id, attempt, sent_at, signature, latency_ms, status_code, failure)
       values ('evt_any', $1, 1, now(), 'v1,SGVsbG8=', 5, 503, 'status')`,
      [id],
    );
    await fail(9);
    const detail = expect.stringContaining('At least the last 9 attempts failed, the last one with status 503.');
    expect(await items('', headers)).toMatchObject([{ attention_item_id: item?.attention_item_id, detail }]);
    await api.database.query(
      `update webhook_attempts set status_code = null, failure = 'connection', failure_detail = 'host_not_found'
        where endpoint_id = $1`,
      [id],
    );
    await fail(10);
    expect(String((await items('', headers))[0]?.detail)).toMatch(
      /^At least the last 10 attempts failed: host name not found\. /,
    );
    const other = await api.post('/v1/webhook_endpoints', { ...hook, url: 'https://hooks.example.com/other' }, headers);
    expect(await items('', headers)).toMatchObject([
      { title: `Webhook endpoint hooks.example.com (…${id.slice(-4)}) is failing` },
    ]);
    await api.send('DELETE', `/v1/webhook_endpoints/${other.body.webhook_endpoint_id}`, undefined, headers);
    expect(await items('', headers)).toMatchObject([{ title: item?.title }]);
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
    expect(item?.dashboard_path).toMatch(/^\/texts\?since=\S+Z\/\S+Z&undelivered=true$/);
    const { body: list } = await api.get('/v1/texts?undelivered=true', headers);
    expect((list.texts as { status: string }[]).map(({ status }) => status).sort()).toEqual(['failed', 'sent']);
    await mark(String(item?.attention_item_id), 'finish', undefined, headers);
    expect(await items('', headers)).toEqual([]);
    await text('failed', null, new Date(Date.now() + 60_000).toISOString());
    expect(await items('', headers)).toMatchObject([{ title: '3 texts were not delivered' }]);
  });

  test('an item keeps its period for as long as its counts stay the same', async () => {
    const { account, merchant, headers } = await newMerchant();
    const scope = { accountId: account, mode: 'test' } as const;
    const payment = { merchant, at: minutesAgo(5), status: 'succeeded' } as const;
    for (let made = 0; made < 5; made += 1) await seedPayment(api.database, scope, payment);
    const slow = `update charges set settled_at = created_at + interval '9 seconds' where account_id = $1`;
    await api.database.query(slow, [account]);
    await items('', headers);
    const earlier = `update attention_items set facts = facts || '{"from": "2026-01-01T00:00:00Z"}' where account_id = $1`;
    await api.database.query(earlier, [account]);
    const pathOf = async () => (await items('', headers))[0]?.dashboard_path;
    expect(await pathOf()).toContain('2026-01-01T00');
    await seedPayment(api.database, scope, payment);
    await api.database.query(slow.replace('9', '8'), [account]);
    expect(await pathOf()).not.toContain('2026-01-01T00');
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
    const listed = async (filter: string) => {
      const { body } = await api.get(`/v1/emails?${filter}`, headers);
      return (body.emails as { error_code: string | null }[]).map(({ error_code }) => error_code).sort();
    };
    expect(await listed('undelivered=true')).toEqual(['550']);
    expect(await listed('status=failed')).toEqual(['550', 'caller_erased']);
    expect(await listed('status=sent')).toEqual([null]);
    expect(await listed('status=waiting')).toEqual([]);
    expect(await items('', headers)).toMatchObject([
      {
        kind: 'emails_undelivered',
        title: '1 receipt by email was not delivered',
        detail: expect.stringContaining('of 3'),
        dashboard_path: expect.stringMatching(/^\/emails\?since=\S+Z\/\S+Z&undelivered=true$/),
      },
    ]);
  });

  test('an expired key needs attention until it is revoked', async () => {
    const { account, headers } = await newMerchant();
    const id = `key_over_${account.slice(5, 15)}`;
    await api.database.query(
      `insert into keys (id, account_id, mode, name, key_hash, prefix, created_at, expires_at, issued_until)
       values ($1, $2, 'test', 'Agents', sha256($1::text::bytea), 'rk_test_', now() - interval '1 year',
               date_trunc('day', now()) - interval '1 day', date_trunc('day', now()) - interval '1 day')`,
      [id, account],
    );
    expect(await items('', headers)).toMatchObject([{ kind: 'key_expiring', title: 'API key Agents has expired' }]);
    await api.database.query('update keys set revoked_at = now() where id = $1', [id]);
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
