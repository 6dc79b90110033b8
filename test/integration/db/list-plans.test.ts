/**
 * How much the lists read: with 50,000 rows in each, a page of any filter reads a few hundred, by an index, never a
 * whole table. Counted in rows and not in time, by EXPLAIN ANALYZE of the very statements.
 */
import { beforeAll, expect, test } from 'vitest';
import { listCalls } from '../../../src/db/calls/call-lists.ts';
import { listCharges } from '../../../src/db/charges/charge-lists.ts';
import type { Sql } from '../../../src/db/pool.ts';
import { findWithProcessorId } from '../../../src/db/processor-ids.ts';
import { findNumbersEndingIn } from '../../../src/db/sessions/caller-numbers.ts';
import { listSessions } from '../../../src/db/sessions/session-lists.ts';
import { listTexts } from '../../../src/db/texts/text-lists.ts';
import { parseId } from '../../../src/domain/ids.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { MOST_ROWS_READ, readBy } from '../../support/list-reads.ts';
import { SEEDED, seedMany } from '../../support/seed-many.ts';

const ROWS = 50_000;

const db = useTestDatabase();
beforeAll(async () => {
  await seedMany(db.database, ROWS);
  await db.database.query(`update charges set resolve_at = 'infinity'
                            where id in (select id from charges where status = 'pending' order by created_at limit 30)`);
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

  platformCallId: null,
  lastFour: null,
  sessionId: null,
  chargeId: null,
  needsSettling: false,
  needsAttention: false,
};
/** The seed spreads its rows over this much time before now. */
const longAgo = () => new Date(Date.now() - SEEDED.spreadMs * 0.9);

const FILTERS: Record<string, object> = {
  none: {},
  'the big merchant': { merchantId: SEEDED.bigMerchant },
  'a merchant of long ago': { merchantId: SEEDED.oldMerchant },
  'a tiny merchant': { merchantId: SEEDED.tinyMerchant },
  'an order': { orderId: 'order_77' },
  'an order of none': { orderId: 'order_none' },
  'a caller': { callers: ['+15551000077'] },
  'two callers': { callers: ['+15551000077', '+15551000079', '+491000077'] },
  'half of all callers': { callers: [SEEDED.busyCaller] },
  'no number that ends so, of none': { callers: [] },
  'a platform call': { platformCallId: 'platform_77' },
  'a rare card': { lastFour: SEEDED.rareCard },
  'a common card': { lastFour: '4242' },
  'a card of none': { lastFour: '0000' },
  'a time long ago': { before: longAgo() },
  'a time long ago, of the big merchant': { before: longAgo(), merchantId: SEEDED.bigMerchant },
};

const RARE: Record<string, [string, object][]> = {
  calls: [
    ['live ones', { status: 'live' }],
    ['ended ones', { status: 'ended' }],
    ['a rare outcome', { outcome: 'expired' }],
    ['a common outcome', { outcome: 'succeeded' }],
  ],
  charges: [
    ['pending ones', { status: 'pending' }],
    ['those to be settled by hand', { needsSettling: true }],
    ['failed ones', { status: 'failed' }],
  ],
  sessions: [
    ['open ones', { status: 'open' }],
    ['expired ones', { status: 'expired' }],
  ],
};

const LISTS = { calls: listCalls, charges: listCharges, sessions: listSessions } as unknown as Record<
  string,
  (sql: Sql, of: typeof scope, filter: object, page: object) => Promise<unknown>
>;

const CASES = Object.keys(LISTS).flatMap((list) =>
  [...Object.entries(FILTERS), ...(RARE[list] ?? [])].map(([name, filter]) => [list, name, filter] as const),
);

test.each(CASES)('%s of %s', async (list, name, filter) => {
  const read = await readBy(
    db.database,
    (sql) => LISTS[list]?.(sql, scope, { ...ANY, ...filter }, PAGE) ?? Promise.reject(),
  );
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(MOST_ROWS_READ);
  expect(read.found > 0).toBe(!name.endsWith('of none'));
});

test.each([
  ['1000077', ['+15551000077']],
  ['0077', ['+15551000077', '+15551010077', '+15551020077', '+15551030077', '+15551040077']],
  ['0000', ['+15550000000']],
  ['99999', []],
])('the numbers that end in %s are read one by one, not with all their rows', async (ending, numbers) => {
  const read = await readBy(db.database, async (sql) => {
    expect([...(await findNumbersEndingIn(sql, scope as never, ending))].sort()).toEqual(numbers);
  });
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(20);
});

test('live calls where there are none: their page looks every two seconds', async () => {
  const none = { accountId, mode: 'live' } as const;
  const read = await readBy(db.database, (sql) =>
    listCalls(sql, none as never, { ...ANY, status: 'live' } as never, PAGE),
  );
  expect(read).toMatchObject({ scans: [], found: 0 });
  // Those of other scopes at most, and none of those that have ended.
  expect(read.rows).toBeLessThanOrEqual(SEEDED.liveCalls);
});

test.each(Object.keys(LISTS))('%s behind one of long ago', async (list) => {
  const prefix = { calls: 'call', charges: 'ch', sessions: 'cs' }[list];
  const page = { limit: 20, startingAfter: `${prefix}_${ROWS - 1_000}` };
  const read = await readBy(db.database, (sql) => LISTS[list]?.(sql, scope, ANY, page) ?? Promise.reject());
  expect(read).toMatchObject({ scans: [], found: 21 });
  expect(read.rows).toBeLessThan(MOST_ROWS_READ);
});

test('whose an id of the processor’s is: the charges of two weeks at most are read, by an index', async () => {
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
  ['all', {}],
  ['of a session', { sessionId: 'cs_77' }],
  ['of a charge', { chargeId: 'ch_77' }],
])('texts: %s', async (_, filter) => {
  const read = await readBy(db.database, (sql) => listTexts(sql, scope as never, { ...ANY, ...filter } as never, PAGE));
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(MOST_ROWS_READ);
  expect(read.found).toBeGreaterThan(0);
});
