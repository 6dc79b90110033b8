/**
 * How many rows the lists read: with 50,000 rows in each, a page of any filter reads a few hundred by an index, never a
 * whole table. Counted by EXPLAIN ANALYZE of the real statements, not measured in time.
 */
import { beforeAll, expect, test } from 'vitest';
import { listCalls } from '../../../src/db/calls/call-lists.ts';
import { readCallerProfiles } from '../../../src/db/cards/callers.ts';
import { listCharges } from '../../../src/db/charges/charge-lists.ts';
import { listEmails } from '../../../src/db/emails/email-lists.ts';
import { limitToMerchants } from '../../../src/db/merchant-limit/limit.ts';
import type { Sql } from '../../../src/db/pool.ts';
import { findWithProcessorId } from '../../../src/db/processor-ids.ts';
import { listRefunds } from '../../../src/db/refunds/refund-lists.ts';
import { findNumbersEndingIn } from '../../../src/db/sessions/caller-numbers.ts';
import { listSessions } from '../../../src/db/sessions/session-lists.ts';
import { MOST_SESSIONS } from '../../../src/db/sessions/sessions-of-callers.ts';
import { listTexts } from '../../../src/db/texts/text-lists.ts';
import { readTextTotals } from '../../../src/db/texts/text-totals.ts';
import { type MerchantId, parseId } from '../../../src/domain/ids.ts';
import { FUNNEL_STEPS, type FunnelStep } from '../../../src/domain/statistics.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { MOST_ROWS_READ, readBy } from '../../support/list-reads.ts';
import { SEEDED, seedMany } from '../../support/seed-many.ts';

const ROWS = 50_000;

const db = useTestDatabase();
beforeAll(async () => {
  await seedMany(db.database, ROWS);
  await db.database.query(`update charges set resolve_at = 'infinity'
                            where id in (select id from charges where status = 'pending' order by created_at limit 30)`);
  await db.database.query(`update texts set delivery = 'undelivered'
                            where id in (select id from texts order by created_at limit 3)`);
  await db.database.query(`update emails set status = 'failed', error_code = '550'
                            where id in (select id from emails order by created_at limit 3)`);
});

const accountId = parseId('Account', SEEDED.account);
const scope = { accountId, mode: 'test' } as const;
const PAGE = { limit: 20, startingAfter: null };
const ANY = {
  after: null,
  before: null,
  merchantId: null,
  status: null,
  outcome: null,
  orderId: null,
  callers: null,
  recipients: null,

  platformCallId: null,
  lastFour: null,
  sessionId: null,
  reached: null,
  chargeId: null,
  needsSettling: false,
  needsAttention: false,
  countedAs: null,
  state: null,
  declineCode: null,
};
/** Among the oldest tenth of the seeded rows. */
const longAgo = () => new Date(Date.now() - SEEDED.spreadMs * 0.9);
const lastMonth = () => new Date(Date.now() - SEEDED.spreadMs / 3);

const FILTERS: Record<string, object> = {
  none: {},
  'the big merchant': { merchantId: SEEDED.bigMerchant },
  'a merchant with old rows only': { merchantId: SEEDED.oldMerchant },
  'a tiny merchant': { merchantId: SEEDED.tinyMerchant },
  'an order': { orderId: 'order_77' },
  'an order of no row': { orderId: 'order_none' },
  'a caller': { callers: ['+15551000077'] },
  'two callers': { callers: ['+15551000077', '+15551000079', '+491000077'] },
  'half of all callers': { callers: [SEEDED.busyCaller] },
  'no matching number, of no row': { callers: [] },
  'a platform call': { platformCallId: 'platform_77' },
  'a rare card': { lastFour: SEEDED.rareCard },
  'a common card': { lastFour: '4242' },
  'a card of no row': { lastFour: '0000' },
  'an old time': { before: longAgo() },
  'an old time, of the big merchant': { before: longAgo(), merchantId: SEEDED.bigMerchant },
};

/** Steps of nearly every call have no index of their own. */
const COMMON_STEPS: readonly FunnelStep[] = [
  'answered',
  'card_number',
  'expiry',
  'security_code',
  'charge',
  'returned',
];
const OPTIONAL_STEPS = FUNNEL_STEPS.filter((step) => !COMMON_STEPS.includes(step));
const RARE_STEPS: readonly string[] = [SEEDED.rareStep, SEEDED.stepOfLostCalls];

const RARE: Record<string, [string, object][]> = {
  calls: [
    ['live calls', { status: 'live' }],
    ['ended calls', { status: 'ended' }],
    ['a rare outcome', { outcome: 'expired' }],
    ['a common outcome', { outcome: 'succeeded' }],
    ['counted calls', { reached: 'answered' }],
    ['a common step', { reached: 'charge' }],
    ['a common step, of the big merchant', { reached: 'returned', merchantId: SEEDED.bigMerchant }],
    ['a common step, of a merchant with old rows only', { reached: 'returned', merchantId: SEEDED.oldMerchant }],
    ['a common step, at an old time', { reached: 'charge', before: longAgo() }],
    ['a rare step, at an old time', { reached: SEEDED.rareStep, before: longAgo() }],
    ['a rare step of the big merchant, of no row', { reached: SEEDED.rareStep, merchantId: SEEDED.bigMerchant }],
    ['a rare step of the last month, of no row', { reached: SEEDED.rareStep, after: lastMonth() }],
    ...OPTIONAL_STEPS.map((step): [string, object] => [
      `the step ${step}, of ${RARE_STEPS.includes(step) ? 'few rows' : 'no row'}`,
      { reached: step },
    ]),
  ],
  charges: [
    ['pending charges', { status: 'pending' }],
    ['charges that need settlement', { needsSettling: true }],
    ['failed charges', { status: 'failed' }],
    ['a common decline', { declineCode: 'insufficient_funds' }],
    ['a decline of no row', { declineCode: 'lost_card' }],
    ['a decline of the big merchant, of no row', { declineCode: 'lost_card', merchantId: SEEDED.bigMerchant }],
    ['failures without a decline, of no row', { declineCode: 'none' }],
  ],
  sessions: [
    ['open sessions', { status: 'open' }],
    ['expired sessions', { status: 'expired' }],
  ],
};

const LISTS = { calls: listCalls, charges: listCharges, sessions: listSessions } as unknown as Record<
  string,
  (sql: Sql, of: typeof scope, filter: object, page: object) => Promise<unknown>
>;

const CASES = Object.keys(LISTS).flatMap((list) =>
  [...Object.entries(FILTERS), ...(RARE[list] ?? [])].map(([name, filter]) => [list, name, filter] as const),
);

test.each(CASES)('reads few rows for the list of %s with the filter: %s', async (list, name, filter) => {
  const read = await readBy(
    db.database,
    (sql) => LISTS[list]?.(sql, scope, { ...ANY, ...filter }, PAGE) ?? Promise.reject(),
  );
  expect(read.scans).toEqual([]);
  // To know that the sessions are many, they are counted in their index.
  const counted = name === 'half of all callers' && list !== 'sessions' ? MOST_SESSIONS + 1 : 0;
  expect(read.rows).toBeLessThan(MOST_ROWS_READ + counted);
  expect(read.found > 0).toBe(!name.endsWith('of no row'));
});

test.each([
  ['few sessions', ['+15551000077', '+15551020077']],
  ['many sessions', [SEEDED.busyCaller, '+15551000077']],
])('lists all calls and charges of callers with %s', async (_, callers) => {
  const rowsOf = async (table: string, time: string) => {
    const { rows } = await db.database.query<{ id: string }>(
      `select r.id from ${table} r join checkout_sessions s on s.id = r.session_id where s.caller_phone = any($1)
        order by r.${time} desc limit 20`,
      [callers],
    );
    return rows;
  };
  for (const [list, table, time] of [
    ['calls', 'calls', 'started_at'],
    ['charges', 'charges', 'created_at'],
  ] as const) {
    const page = (await LISTS[list]?.(db.database, scope, { ...ANY, callers }, PAGE)) as { items: { id: string }[] };
    expect(page.items.map(({ id }) => ({ id }))).toEqual(await rowsOf(table, time));
  }
});

test.each([
  ['1000077', ['+15551000077']],
  ['0077', ['+15551000077', '+15551010077', '+15551020077', '+15551030077', '+15551040077']],
  ['0000', ['+15550000000']],
  ['99999', []],
])('finds the numbers that end in %s without reading all their rows', async (ending, numbers) => {
  const read = await readBy(db.database, async (sql) => {
    expect([...(await findNumbersEndingIn(sql, scope as never, ending))].sort()).toEqual(numbers);
  });
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(20);
});

test('reads few rows for the list of refunds of a user whose merchants have only old ones', async () => {
  await db.database.query(
    `insert into refunds (id, charge_id, session_id, account_id, mode, merchant_id, amount_cents, currency, status, created_at,
                          settled_at, processor, processor_payment_id, resolve_at)
     select 're_' || substr(id, 4), id, session_id, account_id, mode, merchant_id, 1, currency, 'succeeded', created_at,
            created_at, processor, processor_payment_id, created_at
       from charges where status = 'succeeded' and (merchant_id = $1 or id like '%1')`,
    [SEEDED.oldMerchant],
  );
  await db.database.query('analyze refunds');
  const limited = limitToMerchants(db.database, [SEEDED.oldMerchant] as unknown as MerchantId[]);
  const read = await readBy(limited, (sql) =>
    listRefunds(sql, scope as never, { ...ANY, needsSettling: false } as never, PAGE as never),
  );
  expect(read).toMatchObject({ scans: [], found: 21 });
  expect(read.rows).toBeLessThan(MOST_ROWS_READ);
});

test('reads few rows for live calls if there are none, because their page polls every two seconds', async () => {
  const none = { accountId, mode: 'live' } as const;
  const read = await readBy(db.database, (sql) =>
    listCalls(sql, none as never, { ...ANY, status: 'live' } as never, PAGE),
  );
  expect(read).toMatchObject({ scans: [], found: 0 });
  // At most the live calls of other accounts and modes, and no ended calls.
  expect(read.rows).toBeLessThanOrEqual(SEEDED.liveCalls);
});

test.each(Object.keys(LISTS))('reads few rows for the list of %s after an old entry', async (list) => {
  const prefix = { calls: 'call', charges: 'ch', sessions: 'cs' }[list];
  const page = { limit: 20, startingAfter: `${prefix}_${ROWS - 1_000}` };
  const read = await readBy(db.database, (sql) => LISTS[list]?.(sql, scope, ANY, page) ?? Promise.reject());
  expect(read).toMatchObject({ scans: [], found: 21 });
  expect(read.rows).toBeLessThan(MOST_ROWS_READ);
});

const LIMITS = {
  'a merchant with old rows only': [SEEDED.oldMerchant],
  'a tiny merchant': [SEEDED.tinyMerchant],
  'the big merchant': [SEEDED.bigMerchant],
  'two merchants with old rows only': [SEEDED.oldMerchant, SEEDED.tinyMerchant],
  'two merchants, one of them with old rows only': [SEEDED.oldMerchant, SEEDED.bigMerchant],
};
const LIMITED_CASES = Object.keys(LISTS).flatMap((list) =>
  Object.entries(LIMITS).flatMap(([whose, ids]) => [
    [list, whose, '', ids, ANY] as const,
    [list, whose, ' before a time', ids, { ...ANY, before: new Date(Date.now() - SEEDED.spreadMs / 2) }] as const,
    [list, whose, ' since a time', ids, { ...ANY, after: new Date(Date.now() - SEEDED.spreadMs) }] as const,
  ]),
);

test.each(LIMITED_CASES)(
  'reads few rows for the list of %s of a user who is limited to %s%s',
  async (list, _whose, _when, ids, filter) => {
    const limited = limitToMerchants(db.database, ids as unknown as MerchantId[]);
    const read = await readBy(limited, (sql) => LISTS[list]?.(sql, scope, filter, PAGE) ?? Promise.reject());
    expect(read.scans).toEqual([]);
    expect(read.found).toBeGreaterThanOrEqual(20);
    // At most those of the merchants, never the newer rows of the others.
    expect(read.rows).toBeLessThan(ROWS / 10);
  },
);

test.each([
  ['a rare step', SEEDED.tinyMerchant, SEEDED.rareStep, 2],
  ['a common step', SEEDED.oldMerchant, 'returned', 21],
  ['a rare step that their merchant has not', SEEDED.bigMerchant, SEEDED.rareStep, 0],
  ['a step of no row', SEEDED.bigMerchant, 'postal_code', 0],
  ['a common step of many rows', SEEDED.bigMerchant, 'charge', 21],
  ['a step of lost calls', SEEDED.bigMerchant, SEEDED.stepOfLostCalls, 21],
])('reads few rows for the calls of a limited user that reached %s', async (_, merchant, reached, found) => {
  const limited = limitToMerchants(db.database, [merchant] as unknown as MerchantId[]);
  const read = await readBy(limited, (sql) =>
    listCalls(sql, scope as never, { ...ANY, reached: reached as FunnelStep } as never, PAGE),
  );
  expect(read).toMatchObject({ scans: [], found });
  expect(read.rows).toBeLessThan(ROWS / 10);
});

test.each(Object.keys(LISTS))('pages through all rows of the list of %s of a limited user', async (list) => {
  const limited = limitToMerchants(db.database, [SEEDED.oldMerchant, SEEDED.tinyMerchant] as unknown as MerchantId[]);
  const prefix = { calls: 'call', charges: 'ch', sessions: 'cs' }[list];
  const found: string[] = [];
  for (let startingAfter: string | null = null; ; ) {
    const page = { limit: 100, startingAfter };
    const read = (await LISTS[list]?.(limited, scope, ANY, page)) as { items: object[]; hasMore: boolean } | undefined;
    for (const item of read?.items ?? [])
      found.push(new RegExp(`"(${prefix}_\\d+)"`).exec(JSON.stringify(item))?.[1] ?? '');
    if (read?.hasMore !== true) break;
    startingAfter = found.at(-1) ?? null;
  }
  const expected = Array.from({ length: ROWS }, (_, n) => n + 1)
    .filter((n) => n > ROWS - 20 || (n > ROWS * 0.9 && n % 5 === 0))
    .map((n) => `${prefix}_${n}`);
  expect(found).toEqual(expected);
});

const NO_ROWS = 'a merchant without rows';
const MESSAGE_LISTS = { texts: listTexts, emails: listEmails } as unknown as typeof LISTS;
const MESSAGE_CASES = Object.keys(MESSAGE_LISTS).flatMap((list) =>
  Object.entries({ ...LIMITS, [NO_ROWS]: ['mer_none'] }).flatMap(([whose, ids]) => [
    [list, whose, '', ids, ANY] as const,
    [list, whose, ' before a time', ids, { ...ANY, before: new Date(Date.now() - SEEDED.spreadMs / 2) }] as const,
    [list, whose, ' since a time', ids, { ...ANY, after: new Date(Date.now() - SEEDED.spreadMs) }] as const,
  ]),
);

test.each(MESSAGE_CASES)(
  'reads only rows of the page for the list of %s of a user who is limited to %s%s',
  async (list, whose, _when, ids, filter) => {
    const limited = limitToMerchants(db.database, ids as unknown as MerchantId[]);
    const read = await readBy(limited, (sql) => MESSAGE_LISTS[list]?.(sql, scope, filter, PAGE) ?? Promise.reject());
    expect(read.scans).toEqual([]);
    expect(read.found).toBe(whose === NO_ROWS ? 0 : whose === 'a tiny merchant' ? 20 : 21);
    // In each of three steps, a page of each merchant at most.
    expect(read.rows).toBeLessThan(200);
  },
);

test.each([
  ['a tiny merchant', [SEEDED.tinyMerchant], 20],
  ['a merchant with old rows only', [SEEDED.oldMerchant], 996],
  [NO_ROWS, ['mer_none'], 0],
])('counts texts of a user who is limited to %s without reading others', async (_, ids, texts) => {
  const limited = limitToMerchants(db.database, ids as unknown as MerchantId[]);
  const read = await readBy(limited, async (sql) => {
    const database = { ...sql, transaction: (work: (sql: Sql) => Promise<unknown>) => work(sql) };
    const totals = await readTextTotals(database as never, scope as never, ANY as never);
    expect(totals).toMatchObject({ texts });
  });
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(3 * texts + 20);
});

test.each(Object.keys(MESSAGE_LISTS))('pages through all rows of the list of %s of a limited user', async (list) => {
  const limited = limitToMerchants(db.database, [SEEDED.oldMerchant, SEEDED.tinyMerchant] as unknown as MerchantId[]);
  const found: string[] = [];
  for (let startingAfter: string | null = null; ; ) {
    const read = (await MESSAGE_LISTS[list]?.(limited, scope, ANY, { limit: 100, startingAfter })) as {
      items: { id: string }[];
      hasMore: boolean;
    };
    found.push(...read.items.map(({ id }) => id));
    if (!read.hasMore) break;
    startingAfter = found.at(-1) ?? null;
  }
  const { rows } = await db.database.query<{ id: string }>(
    `select m.id from ${list} m join checkout_sessions s on s.id = m.session_id
      where s.merchant_id in ($1, $2) order by m.created_at desc, m.id desc`,
    [SEEDED.oldMerchant, SEEDED.tinyMerchant],
  );
  expect(found).toEqual(rows.map(({ id }) => id));
});

test.each(['calls', 'charges', 'sessions'])(
  'reads few rows for the %s of a caller who rarely calls the merchants of a limited user',
  async (list) => {
    const limited = limitToMerchants(db.database, [SEEDED.tinyMerchant] as unknown as MerchantId[]);
    const filter = { ...ANY, callers: [SEEDED.busyCaller] };
    const read = await readBy(limited, (sql) => LISTS[list]?.(sql, scope, filter, PAGE) ?? Promise.reject());
    expect(read).toMatchObject({ scans: [], found: 10 });
    expect(read.rows).toBeLessThan(200);
  },
);

test.each([
  ['a tiny merchant', SEEDED.tinyMerchant, '0000', ['+15550000000']],
  ['a merchant with old rows only', SEEDED.oldMerchant, '0000', ['+15550000000']],
  ['a merchant that the caller has not called', SEEDED.oldMerchant, '0077', []],
])('finds the numbers of a user who is limited to %s without reading others', async (_, id, ending, numbers) => {
  const limited = limitToMerchants(db.database, [id] as unknown as MerchantId[]);
  const read = await readBy(limited, async (sql) => {
    expect([...(await findNumbersEndingIn(sql, scope as never, ending))]).toEqual(numbers);
  });
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(20);
});

test.each([
  ['half of all sessions', null, SEEDED.busyCaller],
  ['half of all sessions, for a user whose merchant the caller rarely calls', [SEEDED.tinyMerchant], SEEDED.busyCaller],
  ['half of all sessions, for a user whose merchant the caller has not called', ['mer_none'], SEEDED.busyCaller],
  ['one session', null, '+15551000077'],
  ['half of all sessions, for a user who is limited to their merchant', [SEEDED.bigMerchant], SEEDED.busyCaller],
])('reads few rows for the profile of a caller with %s', async (_whose, ids, phone) => {
  const limited = limitToMerchants(db.database, ids as unknown as MerchantId[] | null);
  const read = await readBy(limited, (sql) => readCallerProfiles(sql, scope as never, [phone]));
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(MOST_ROWS_READ);
});

test('finds a charge by the processor’s ID among two weeks of charges, by an index', async () => {
  const middle = ROWS / 2;
  for (const [of, id] of [
    [`pay_${middle + 9}`, `ch_${middle + 9}`],
    ['pay_none', undefined],
  ] as const) {
    const read = await readBy(db.database, async (sql) => {
      expect(await findWithProcessorId(sql, 'charges', `ch_${middle}` as never, of)).toBe(id ?? null);
    });
    expect(read.scans).toEqual([]);
    expect(read.rows).toBeLessThan((ROWS * 14 * 86_400_000 * 1.1) / SEEDED.spreadMs);
  }
});

test.each([
  ['none', {}],
  ['a session', { sessionId: 'cs_77' }],
  ['a charge', { chargeId: 'ch_77' }],
  ['a common state', { state: 'sent' }],
  ['a rare state', { state: 'undelivered' }],
  ['a state of no row', { state: 'opted_out' }],
])('reads few rows for the list of texts with the filter: %s', async (name, filter) => {
  const read = await readBy(db.database, (sql) => listTexts(sql, scope as never, { ...ANY, ...filter } as never, PAGE));
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(MOST_ROWS_READ);
  expect(read.found > 0).toBe(!name.endsWith('of no row'));
});

test.each([
  ['none', {}],
  ['a session', { sessionId: 'cs_77' }],
  ['a common status', { status: 'sent' }],
  ['a rare status', { status: 'failed' }],
  ['those that were not delivered', { undelivered: true }],
  ['a status of no row', { status: 'waiting' }],
])('reads few rows for the list of emails with the filter: %s', async (name, filter) => {
  const read = await readBy(db.database, (sql) =>
    listEmails(sql, scope as never, { ...ANY, ...filter } as never, PAGE),
  );
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(MOST_ROWS_READ);
  expect(read.found > 0).toBe(!name.endsWith('of no row'));
});
