/**
 * How much the lists of requests, events and audit events read: with 50,000 rows in each, a page of any filter reads a
 * few hundred. Counted in rows and not in time.
 */
import { beforeAll, expect, test } from 'vitest';
import { listAuditEvents } from '../../../src/db/audit/audit-events.ts';
import { listEvents } from '../../../src/db/events/event-log.ts';
import type { Sql } from '../../../src/db/pool.ts';
import { listRequests } from '../../../src/db/requests/requests.ts';
import { parseId } from '../../../src/domain/ids.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { MOST_ROWS_READ, readBy } from '../../support/list-reads.ts';
import { SEEDED, seedLogs } from '../../support/seed-many.ts';

const ROWS = 50_000;

const db = useTestDatabase();
beforeAll(() => seedLogs(db.database, ROWS));

const LISTS = { requests: listRequests, events: listEvents, audit: listAuditEvents } as unknown as Record<
  string,
  (sql: Sql, scope: object, filter: object, page: object) => Promise<unknown>
>;

/** Null: whatever it is. */
const ANY: Record<string, object> = {
  requests: { after: null, before: null, status: null, code: null, route: null, keyId: null },
  events: { type: null, sessionId: null },
  audit: { objectId: null, action: null },
};

const longAgo = () => new Date(Date.now() - 27 * 86_400_000);

const CASES: [list: string, name: string, filter: object, after?: string][] = [
  ['requests', 'all', {}],
  ['requests', 'all, behind one of long ago', {}, `req_${ROWS - 1_000}`],
  ['requests', 'a time long ago', { before: longAgo() }],
  ['requests', 'a common status', { status: 402 }],
  ['requests', 'a rare status', { status: 422 }],
  ['requests', 'a status of none', { status: 500 }],
  ['requests', 'those that succeeded', { status: 200 }],
  ['requests', 'a common error', { code: 'card_declined' }],
  ['requests', 'a rare error', { code: 'session_missing_consumer' }],
  ['requests', 'a common operation', { route: '/v1/charge' }],
  ['requests', 'a rare operation', { route: '/v1/send_link' }],
  ['requests', 'an operation of none', { route: '/v1/cards' }],
  ['requests', 'a busy key', { keyId: 'key_busy' }],
  ['requests', 'a rare key', { keyId: 'key_rare' }],
  ['events', 'all', {}],
  ['events', 'all, behind one of long ago', {}, 'evt_1000'],
  ['events', 'a common kind', { type: 'checkout.succeeded' }],
  ['events', 'a rare kind', { type: 'checkout.expired' }],
  ['events', 'a kind of none', { type: 'test' }],
  ['events', 'a session', { sessionId: 'cs_77' }],
  ['audit', 'all', {}],
  ['audit', 'all, behind one of long ago', {}, 'aud_1000'],
  ['audit', 'a common action', { action: 'refund.created' }],
  ['audit', 'a rare action', { action: 'account.secret_rolled' }],
  ['audit', 'an action of none', { action: 'consumer.erased' }],
  ['audit', 'an object', { objectId: 're_77' }],
];

test.each(CASES)('%s: %s', async (list, name, filter, startingAfter) => {
  const scope = { accountId: parseId('Account', SEEDED.account), mode: 'test' };
  const page = { limit: 20, startingAfter: startingAfter ?? null };
  const read = await readBy(
    db.database,
    (sql) => LISTS[list]?.(sql, scope, { ...ANY[list], ...filter }, page) ?? Promise.reject(),
  );
  expect(read.scans).toEqual([]);
  expect(read.rows).toBeLessThan(MOST_ROWS_READ);
  expect(read.found > 0).toBe(!name.endsWith('of none'));
});
