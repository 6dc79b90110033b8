/** Users limited to merchants: what REST and the database give them. */
import { beforeEach, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/db/events/events.ts';
import { limitToMerchants } from '../../src/db/merchant-limit/limit.ts';
import { ATTENTION_EVENT_TYPES } from '../../src/domain/attention.ts';
import { newId } from '../../src/domain/ids.ts';
import { type ApiQuestion, askApi, type Principal } from '../../src/http/api/in-process.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { useFixture } from '../support/fixtures.ts';
import { until } from '../support/until.ts';
import { BOOKS, MARK, merchantId, OWN_MARK, startLimitedDashboard } from './limited.ts';

const dashboard = useFixture(startLimitedDashboard);
beforeEach(() => dashboard.asLimited('support'));

const principal = (): Principal => {
  const actor = { kind: 'user', id: dashboard.user.user.id, source: '127.0.0.1' } as const;
  const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;
  // The role would refuse more.
  return { ...scope, role: 'developer', actor, isLocal: true, merchants: [BOOKS] };
};

/** Objects of the diner, by the path before the ID. */
const PLACES: Readonly<Record<string, string>> = {
  '/v1/checkout_sessions': '/checkouts',
  '/v1/keys': '/setup/keys',
  '/v1/merchants': '/setup/merchants',
  '/v1/webhook_endpoints': '/setup/webhooks',
  '/v1/alert_targets': '/setup/alerts',
  '/v1/attention_items': '/attention',
};

async function operations(): Promise<{ id: string; question: ApiQuestion }[]> {
  const { paths } = (await (await fetch(`${dashboard.api.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId: id }]) => ({
        id,
        question: { method: method.toUpperCase() as 'GET', path: withIds(path) },
      })),
    );
}

function withIds(path: string): string {
  const [above = ''] = path.split('/{');
  const id = dashboard.ids[PLACES[above] ?? above.slice('/v1'.length)] ?? 'nothing';
  return path.replace(/\{\w+\}/, id);
}

const OPEN = [
  'acknowledge_charge',
  'capture_charge',
  'create_refund',
  'end_call',
  'find_callers',
  'finish_attention_item',
  'list_attention_items',
  'list_calls',
  'list_charges',
  'list_checkout_sessions',
  'list_disputes',
  'list_emails',
  'list_events',
  'list_merchants',
  'list_payout_entries',
  'list_payouts',
  'list_refunds',
  'list_texts',
  'quiet_attention_item',
  'reopen_attention_item',
  'retrieve_call',
  'retrieve_call_totals',
  'retrieve_charge',
  'retrieve_charge_totals',
  'retrieve_checkout_session',
  'retrieve_checkout_session_totals',
  'retrieve_dispute',
  'retrieve_dispute_totals',
  'retrieve_event',
  'retrieve_event_totals',
  'retrieve_merchant',
  'retrieve_merchant_logo',
  'retrieve_month_report',
  'retrieve_payout',
  'retrieve_payout_entry_totals',
  'retrieve_payout_totals',
  'retrieve_refund',
  'retrieve_refund_totals',
  'retrieve_statistics',
  'retrieve_text_totals',
  'send_link',
  'void_charge',
];

describe('REST', () => {
  test('refuses operations of the account as a whole, and finds no object of another merchant in the others', async () => {
    const { ids } = dashboard;
    const answered: string[] = [];
    for (const { id, question } of await operations()) {
      const isPost = question.method !== 'GET' && question.method !== 'DELETE';
      const body = { charge: ids['/charges'], checkout_session_id: ids['/checkouts'], hours: 1, amount_cents: 100 };
      const query = id === 'find_callers' ? { caller_phone: '+15550101234' } : {};
      const answer = await askApi(dashboard.api.app, principal(), { ...question, query, ...(isPost && { body }) });
      if (answer.status === 403) continue;
      answered.push(id);
      const text = JSON.stringify(answer.body);
      const leaks = [MARK, ...Object.values(ids)].filter(
        (each) => text.includes(each) && !question.path.includes(each),
      );
      const isList = question.method === 'GET' && answer.status === 200 && !/\{/.test(question.path);
      expect([id, isList || [400, 404].includes(answer.status), leaks]).toEqual([id, true, []]);
      if (isPost) expect([id, answer.status]).toEqual([id, 404]);
    }
    expect(answered.sort()).toEqual(OPEN);
  });

  test('counts only payments of the merchants', async () => {
    const ask = async (path: string, merchants: Principal['merchants']) =>
      (await askApi(dashboard.api.app, { ...principal(), merchants }, { path })).body as Record<string, never>;
    for (const path of ['/v1/charges/totals', '/v1/statistics', '/v1/refunds/totals']) {
      const [own, all, none] = [await ask(path, [BOOKS]), await ask(path, null), await ask(path, [])].map((each) =>
        JSON.stringify(each),
      );
      expect(own, path).toMatch(/7100|300/);
      expect(own, path).not.toMatch(/4000|11100|400/);
      expect(all, path).toMatch(/11100|4000|400/);
      expect(none, path).not.toMatch(/7100|4000|300/);
    }
  });

  test('counts only calls and checkouts of the merchants', async () => {
    const count = async (path: string, merchants: Principal['merchants']) =>
      JSON.stringify((await askApi(dashboard.api.app, { ...principal(), merchants }, { path })).body);
    for (const [path, isNone] of [
      ['/v1/calls/totals', /"calls":0,/],
      ['/v1/checkout_sessions/totals', /"totals":\[\]/],
    ] as const) {
      const [own, all, none] = [await count(path, [BOOKS]), await count(path, null), await count(path, [])];
      expect(none, path).toMatch(isNone);
      expect([own === all, own === none], path).toEqual([false, false]);
    }
  });

  test.each(['texts', 'events'])('counts only %s of the merchants', async (list) => {
    const count = async (merchants: Principal['merchants']) => {
      let counted: Record<string, number> | null = null;
      // On a busy machine, the database can take too long at first.
      await until(120_000, async () => {
        const { body } = await askApi(dashboard.api.app, { ...principal(), merchants }, { path: `/v1/${list}/totals` });
        counted = (body as { totals: Record<string, number> | null }).totals;
        return counted !== null;
      });
      return counted?.[list];
    };
    const own = await askApi(dashboard.api.app, principal(), { path: `/v1/${list}`, query: { limit: '100' } });
    expect(await count([BOOKS])).toBe((own.body as Record<string, unknown[]>)[list]?.length);
    expect(await count([])).toBe(0);
    expect(await count(null)).toBeGreaterThan((await count([BOOKS])) ?? 0);
  });

  test('does not tell that a caller has a note, or a card at another merchant', async () => {
    const { api } = dashboard;
    const phone = '+15550107777';
    await api.checkout({ merchant_id: BOOKS, amount_cents: 1_500, caller_phone: phone, allow_repeat: true });
    const question = { path: '/v1/callers', query: { caller_phone: phone } };
    const ask = async (merchants: Principal['merchants']) =>
      (await askApi(api.app, { ...principal(), merchants }, question)).body;
    const before = await ask([BOOKS]);
    const noted = await askApi(
      api.app,
      { ...principal(), merchants: null },
      { method: 'POST', path: '/v1/callers/note', body: { caller_phone: phone, note: MARK } },
    );
    expect(noted.status).toBe(200);
    expect(await ask([BOOKS])).toEqual(before);
    expect(await ask(null)).not.toEqual(before);
  });

  test('leaves out what the line said before the caller chose the merchant', async () => {
    const path = `/v1/calls/${dashboard.own['/calls']}`;
    const text = async (merchants: Principal['merchants']) =>
      JSON.stringify((await askApi(dashboard.api.app, { ...principal(), merchants }, { path })).body);
    expect(await text(null)).toContain(MARK);
    expect(await text([BOOKS])).not.toContain(MARK);
    expect(await text([BOOKS])).toContain(`Welcome, ${OWN_MARK}`);
  });

  test('reads sessions for users with different limits at the same time', async () => {
    const path = `/v1/checkout_sessions/${dashboard.ids['/checkouts']}`;
    const limits = [[BOOKS], [merchantId(DEMO_DINER)], null, [], [BOOKS]];
    const answers = await Promise.all(
      limits.map(
        async (merchants) => (await askApi(dashboard.api.app, { ...principal(), merchants }, { path })).status,
      ),
    );
    expect(answers).toEqual([404, 200, 200, 404, 404]);
  });
});

describe('the database', () => {
  test('has a view for each table, with rows of the merchants only', async () => {
    const { database } = dashboard.api;
    const { rows: tables } = await database.query<{ name: string; isLimited: boolean }>(
      `select c.relname as name, exists (select from pg_views where schemaname = 'limited' and viewname = c.relname) as "isLimited"
         from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    );
    expect(tables.length).toBeGreaterThan(60);
    expect(tables.filter(({ isLimited }) => !isLimited)).toEqual([]);
    const textOf = async (merchants: Principal['merchants'], name: string) => {
      const sql = `select coalesce(string_agg(t::text, ','), '') as text from ${name} t`;
      return (await limitToMerchants(database, merchants).query<{ text: string }>(sql)).rows[0]?.text ?? '';
    };
    const others = [MARK, DEMO_DINER, dashboard.ids['/charges'] ?? '', dashboard.ids['/checkouts'] ?? ''];
    for (const { name } of tables) {
      const own = await textOf([BOOKS], name);
      expect([name, others.filter((each) => own.includes(each))]).toEqual([name, []]);
      if (!['accounts', 'statistics_days'].includes(name)) expect([name, await textOf([], name)]).toEqual([name, '']);
    }
    expect(await textOf([BOOKS], 'charges')).toContain(dashboard.own['/charges']);
    expect(await textOf([BOOKS], 'accounts')).not.toContain((await signingSecret()) || 'none');
  });

  test('has the texts, emails and events of the merchants’ sessions, of all kinds, and no others', async () => {
    const { database } = dashboard.api;
    await insertMessages();
    const byName = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
    for (const limit of [
      [],
      [BOOKS],
      [merchantId(DEMO_DINER)],
      [BOOKS, merchantId(DEMO_DINER)],
      [merchantId('mer_none')],
    ])
      for (const table of ['texts', 'emails', 'events']) {
        const own = await limitToMerchants(database, limit).query<{ id: string }>(`select id from ${table}`);
        const expected = await database.query<{ id: string }>(
          `select t.id from ${table} t join checkout_sessions s on s.id = t.session_id where s.merchant_id = any($1)`,
          [limit],
        );
        expect([table, limit, byName(own.rows)]).toEqual([table, limit, byName(expected.rows)]);
        const isNone = limit.length === 0 || limit[0] === 'mer_none';
        expect([table, limit, own.rows.length > 0]).toEqual([table, limit, !isNone]);
      }
  });

  /** A text, an email and an event of each kind, for a session of each merchant and for one without; events without one. */
  async function insertMessages(): Promise<void> {
    const { database } = dashboard.api;
    const { rows: sessions } = await database.query<{ id: string }>(
      `select distinct on (s.merchant_id) s.id from checkout_sessions s join charges c on c.session_id = s.id
        where s.account_id = $1 order by s.merchant_id, s.id`,
      [DEMO_ACCOUNT],
    );
    const bare = newId('CheckoutSession');
    await database.query(
      `insert into checkout_sessions (id, account_id, mode, status, verdict, amount_cents, currency, amount_source, expires_at)
       values ($1, $2, 'test', 'complete', 'required', 100, 'USD', 'request', now())`,
      [bare, DEMO_ACCOUNT],
    );
    for (const id of [...sessions.map((session) => session.id), bare]) {
      await database.query(
        `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, status)
         select 'txt_' || kind || $1::text, account_id, mode, id, kind, '+15550101234', '', 1, 'sent'
           from checkout_sessions, unnest($2::text[]) kind where id = $1`,
        [id, ['receipt', 'not_charged', 'pay_link', 'page_code', 'late_receipt', 'debit_returned', 'card_saved']],
      );
      await database.query(
        `insert into emails (id, account_id, mode, session_id, charge_id, kind, status)
         select 'em_' || kind || c.id, account_id, mode, session_id, c.id, kind, 'sent'
           from charges c, unnest('{receipt,not_charged,late_receipt}'::text[]) kind where session_id = $1
         on conflict do nothing`,
        [id],
      );
      await database.query(
        `insert into events (id, account_id, mode, type, session_id, facts, relayed_at)
         select 'evt_' || type || s.id, account_id, mode, type, s.id, '{}', now()
           from checkout_sessions s, unnest($2::text[]) type where s.id = $1
         on conflict do nothing`,
        [id, EVENT_TYPES],
      );
    }
    await database.query(
      `insert into events (id, account_id, mode, type, facts, relayed_at)
       select 'evt_' || type, $1, 'test', type, jsonb_build_object('merchantId', $3::text), now() from unnest($2::text[]) type`,
      [DEMO_ACCOUNT, ATTENTION_EVENT_TYPES, BOOKS],
    );
  }

  const signingSecret = async () => {
    const { rows } = await dashboard.api.database.query<{ secret: string }>(
      'select header_signing_secret as secret from accounts where id = $1',
      [DEMO_ACCOUNT],
    );
    return rows[0]?.secret ?? '';
  };

  test('has no payout of a processor account that another merchant shares or may share', async () => {
    const { database } = dashboard.api;
    const limited = limitToMerchants(database, [BOOKS]);
    const count = async (sql: Pick<typeof database, 'query'>) =>
      (await sql.query('select from payouts p join payout_entries e on e.payout_id = p.id')).rowCount;
    const move = async (from: string, to: string) => {
      for (const table of ['payouts', 'payout_entries'])
        await database.query(`update ${table} set merchant_id = $2 where merchant_id = $1`, [from, to]);
    };
    const connect = (merchant: string, account: string | null, credentials: string | null = 'sealed') =>
      database.query(
        `insert into merchant_processors (merchant_id, processor, account_id, mode, processor_account, credentials)
         select id, 'sandbox', account_id, mode, $2, $3 from merchants where id = $1
         on conflict (merchant_id, processor) do update
           set processor_account = excluded.processor_account, credentials = excluded.credentials`,
        [merchant, account, credentials],
      );
    const share = async (account: string | null, credentials?: null) => {
      for (const merchant of [BOOKS, DEMO_DINER]) await connect(merchant, account, credentials);
    };
    expect(await count(limited)).toBe(0);
    await move(DEMO_DINER, BOOKS);
    expect(await count(limited)).toBeGreaterThan(0);
    await share('acct_shared');
    expect(await count(limited)).toBe(0);
    expect(await count(limitToMerchants(database, [BOOKS, merchantId(DEMO_DINER)]))).toBeGreaterThan(0);
    await connect(BOOKS, 'acct_of_books');
    expect(await count(limited)).toBeGreaterThan(0);
    // Not every processor names the account of the credentials.
    await connect(DEMO_DINER, null);
    expect(await count(limited)).toBe(0);
    await share(null);
    expect(await count(limited)).toBe(0);
    await share(null, null);
    expect(await count(limited)).toBeGreaterThan(0);
    await move(BOOKS, DEMO_DINER);
  });

  test('cannot be written with a limit, and is not read without the views', async () => {
    const { database } = dashboard.api;
    const limited = limitToMerchants(database, [BOOKS]);
    await expect(limited.query('update charges set brand = null')).rejects.toThrow('read-only');
    await expect(limited.query(`insert into keys (id) values ('key_1')`)).rejects.toThrow('cannot insert');
    await database.query('alter schema limited rename to hidden');
    await expect(limited.query('select from charges')).rejects.toThrow('limited.gate');
    await database.query('alter schema hidden rename to limited');
    await expect(limited.query('select from charges')).resolves.toBeDefined();
  });

  test('reads the same statement by name with and without a limit', async () => {
    const { database } = dashboard.api;
    const count = { name: 'count_in_test', text: 'select count(*)::integer as count from merchants' };
    const read = async (limit: Principal['merchants']) =>
      (await limitToMerchants(database, limit).query<{ count: number }>(count)).rows[0]?.count;
    expect([await read([BOOKS]), await read([])]).toEqual([1, 0]);
    expect(await read(null)).toBeGreaterThan(1);
    expect(await read([BOOKS])).toBe(1);
  });
});
