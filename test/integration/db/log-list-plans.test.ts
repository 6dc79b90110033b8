/**
 * How many rows the lists of requests, events and audit events read: with 50,000 rows in each, a page of any filter reads
 * a few hundred. Counted, not measured in time.
 */
import { beforeAll, expect, test } from 'vitest';
import { listAuditEvents } from '../../../src/db/audit/audit-events.ts';
import { listEvents } from '../../../src/db/events/event-log.ts';
import { readEventTotals } from '../../../src/db/events/event-totals.ts';
import { MOST_SUMMED } from '../../../src/db/list-totals.ts';
import { limitToMerchants } from '../../../src/db/merchant-limit/limit.ts';
import type { Sql } from '../../../src/db/pool.ts';
import { listRequests } from '../../../src/db/requests/requests.ts';
import { type MerchantId, parseId } from '../../../src/domain/ids.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { MOST_ROWS_READ, readBy } from '../../support/list-reads.ts';
import { SEEDED, seedLogs } from '../../support/seed-many.ts';

const ROWS = 50_000;
const [BIG, RARE, EMPTY] = ['mer_big', 'mer_rare', 'mer_empty'];

const db = useTestDatabase();
beforeAll(async () => {
  await seedLogs(db.database, ROWS);
  await insertSessions();
  await insertDeliveries();
});

/** The sessions of the events: a hundred belong to one merchant, and another has none. */
async function insertSessions(): Promise<void> {
  await db.database.query(
    `insert into merchants (id, account_id, mode, slug, business_name, currency, policy)
     select id, $1, 'test', id, id, 'USD', 'always' from unnest($2::text[]) id`,
    [SEEDED.account, [BIG, RARE, EMPTY]],
  );
  await db.database.query(
    `insert into checkout_sessions (id, account_id, mode, merchant_id, status, verdict, amount_cents, currency, amount_source,
                                    created_at, expires_at)
     select 'cs_' || n, $1, 'test', case when n % 500 = 7 then $2 else $3 end, 'complete', 'required', 4250, 'USD', 'request',
            now() - ($4 - n) * interval '30 days' / $4, now()
       from generate_series(1, $4::integer) n`,
    [SEEDED.account, RARE, BIG, ROWS],
  );
  await db.database.query(
    'update events set merchant_id = s.merchant_id from checkout_sessions s where s.id = events.session_id',
  );
  await db.database.query('analyze checkout_sessions, events');
}

/** All events were delivered. */
async function insertDeliveries(): Promise<void> {
  await db.database.query(
    `insert into webhook_endpoints (id, account_id, mode, url, events, signing_secret)
     values ('we_many', $1, 'test', 'https://example.com/', '{}', 'x')`,
    [SEEDED.account],
  );
  await db.database.query(
    `insert into webhook_deliveries (endpoint_id, event_id, sequence, status, attempts, enqueue_at)
     select 'we_many', id, sequence, 'delivered', 1, now() from events`,
  );
  await db.database.query('analyze webhook_deliveries');
}

const LISTS = { requests: listRequests, events: listEvents, audit: listAuditEvents } as unknown as Record<
  string,
  (sql: Sql, scope: object, filter: object, page: object) => Promise<unknown>
>;

/** Filters that match everything. */
const ANY: Record<string, object> = {
  requests: { after: null, before: null, status: null, code: null, route: null, keyId: null },
  events: { after: null, before: null, type: null, sessionId: null, delivery: null, endpointId: null },
  audit: { after: null, before: null, objectId: null, action: null },
};

const longAgo = () => new Date(Date.now() - 27 * 86_400_000);

const CASES: [list: string, name: string, filter: object, after?: string][] = [
  ['requests', 'none', {}],
  ['requests', 'none, after an old entry', {}, `req_${ROWS - 1_000}`],
  ['requests', 'an old time', { before: longAgo() }],
  ['requests', 'a common status', { status: 402 }],
  ['requests', 'a rare status', { status: 422 }],
  ['requests', 'a status of no row', { status: 500 }],
  ['requests', 'success', { status: 200 }],
  ['requests', 'a common error', { code: 'card_declined' }],
  ['requests', 'a rare error', { code: 'session_missing_consumer' }],
  ['requests', 'a common operation', { route: '/v1/charge' }],
  ['requests', 'a rare operation', { route: '/v1/send_link' }],
  ['requests', 'an operation of no row', { route: '/v1/cards' }],
  ['requests', 'a busy key', { keyId: 'key_busy' }],
  ['requests', 'a rare key', { keyId: 'key_rare' }],
  ['events', 'none', {}],
  ['events', 'none, after an old entry', {}, 'evt_1000'],
  ['events', 'a common type', { type: 'checkout.succeeded' }],
  ['events', 'a rare type', { type: 'checkout.expired' }],
  ['events', 'a type of no row', { type: 'test' }],
  ['events', 'a session', { sessionId: 'cs_77' }],
  ['events', 'delivered', { delivery: 'delivered' }],
  ['events', 'canceled deliveries, of no row', { delivery: 'canceled' }],
  ['events', 'failed deliveries, of no row', { delivery: 'failed' }],
  ['events', 'waiting deliveries, of no row', { delivery: 'waiting' }],
  ['events', 'an old time', { before: longAgo() }],
  ['events', 'an old time and a rare type', { before: longAgo(), type: 'checkout.expired' }],
  ['events', 'a day long ago', { after: new Date(longAgo().getTime() - 86_400_000), before: longAgo() }],
  ['audit', 'none', {}],
  ['audit', 'an old time', { before: longAgo() }],
  ['audit', 'a day long ago', { after: new Date(longAgo().getTime() - 86_400_000), before: longAgo() }],
  ['audit', 'none, after an old entry', {}, 'aud_1000'],
  ['audit', 'a common action', { action: 'refund.created' }],
  ['audit', 'a rare action', { action: 'account.secret_rolled' }],
  ['audit', 'an action of no row', { action: 'consumer.erased' }],
  ['audit', 'an object', { objectId: 're_77' }],
];

test.each(CASES)('reads few rows for the list of %s with the filter: %s', async (list, name, filter, startingAfter) => {
  const scope = { accountId: parseId('Account', SEEDED.account), mode: 'test' };
  const page = { limit: 20, startingAfter: startingAfter ?? null };
  const read = await readBy(
    db.database,
    (sql) => LISTS[list]?.(sql, scope, { ...ANY[list], ...filter }, page) ?? Promise.reject(),
  );
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(MOST_ROWS_READ);
  expect(read.found > 0).toBe(!name.endsWith('of no row'));
});

test.each([
  // The deliveries of too many events are not read.
  ['too many events', {}, 0],
  ['the events of a day', { after: new Date(longAgo().getTime() - 86_400_000), before: longAgo() }, 3],
])('reads few rows for the totals of %s', async (name, filter, readWithEach) => {
  const scope = { accountId: parseId('Account', SEEDED.account), mode: 'test' } as const;
  const read = await readBy(db.database, async (sql) => {
    const database = sql as unknown as Parameters<typeof readEventTotals>[0];
    await readEventTotals(database, scope as never, { ...ANY.events, ...filter } as never);
  });
  expect(read.scans, name).toEqual([]);
  const events = readWithEach === 0 ? MOST_SUMMED + 1 : ROWS / 30;
  expect(read.rows).toBeLessThan(events * (1 + readWithEach) + MOST_ROWS_READ);
  expect(read.rows).toBeGreaterThanOrEqual(events);
});

const LIMITS = {
  'most events': [BIG],
  'few events': [RARE],
  'no event': [EMPTY],
  'most and few events': [RARE, BIG],
};
const LIMITED_CASES = Object.entries(LIMITS).flatMap(([whose, ids]) =>
  CASES.filter(([list, , filter, startingAfter]) => list === 'events' && !('delivery' in filter) && !startingAfter).map(
    ([, name, filter]) => [name, whose, ids, filter] as const,
  ),
);

test.each(LIMITED_CASES)(
  'reads only rows of the page for the list of events with the filter: %s, of a user whose merchants have %s',
  async (_name, _whose, ids, filter) => {
    const scope = { accountId: parseId('Account', SEEDED.account), mode: 'test' };
    const limited = limitToMerchants(db.database, ids as unknown as MerchantId[]);
    let listed: unknown;
    const read = await readBy(limited, async (sql) => {
      listed = await LISTS.events?.(sql, scope, { ...ANY.events, ...filter }, { limit: 20, startingAfter: null });
    });
    expect((listed as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual(await eventsOf(ids, filter));
    expect(read.scans).toEqual([]);
    // In each of three steps, a page of each merchant at most; and a row for each step of the search for a time.
    expect(read.rows).toBeLessThan(500);
  },
);

/** The IDs of the first page, by the sessions. */
async function eventsOf(merchants: readonly string[], filter: object): Promise<string[]> {
  const { type, sessionId, after, before } = { ...ANY.events, ...filter } as Record<string, unknown>;
  const { rows } = await db.database.query<{ id: string }>(
    `select e.id from events e join checkout_sessions s on s.id = e.session_id
      where s.merchant_id = any($1) and ($2::text is null or e.type = $2) and ($3::text is null or s.id = $3)
        and ($4::timestamptz is null or e.created_at >= $4) and ($5::timestamptz is null or e.created_at < $5)
      order by e.sequence desc limit 20`,
    [merchants, type, sessionId, after, before],
  );
  return rows.map(({ id }) => id);
}
