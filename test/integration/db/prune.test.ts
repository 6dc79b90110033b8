import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../src/db/events/events.ts';
import { openDatabase, type Sql } from '../../../src/db/pool.ts';
import { createPruner } from '../../../src/db/prune.ts';
import { ALWAYS_PRUNED, pruningStatement, REQUESTS, SESSIONS } from '../../../src/db/prune-kinds.ts';
import { insertWebhookEndpoint } from '../../../src/db/webhooks/webhook-endpoints.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createFingerprint } from '../../../src/lib/vault/fingerprint.ts';
import { relayBatch } from '../../../src/notifications/outbox/relay.ts';
import { takePayment } from '../../../src/payments/charges/take-payment.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import { createTestPayments, keyedCard, paymentRequest } from '../payments/test-payments.ts';

const NEVER = new AbortController().signal;
const NOTHING = {
  deliveries: 0,
  emails: 0,
  events: 0,
  texts: 0,
  velocitySignals: 0,
  numberLookups: 0,
  attestations: 0,
  auditEvents: 0,
  requests: 0,
  sessions: 0,
  callsWithoutSession: 0,
  clearedSessions: 0,
  processorNotifications: 0,
  processorOutcomes: 0,
  payerAnswers: 0,
  userSessions: 0,
  invitations: 0,
  signInAttempts: 0,
};
const log = { info: () => undefined, warn: () => undefined };

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.close());

/** Runs a new pruner once. */
async function prune(sessionDays = 0, stop = NEVER) {
  const { pruned, failed } = await createPruner(db.database, log, { sessionDays }).run(stop);
  expect(failed).toBe(false);
  return pruned;
}

/**
 * Creates this many payments and as many declines, with delivered webhooks and texts.
 * @returns the counts of their rows
 */
async function paidAndDelivered(payments: number) {
  const { database } = db;
  const merchant = await createTestMerchant(database);
  const hook = {
    id: newId('WebhookEndpoint'),
    url: 'https://example.com',
    events: [...EVENT_TYPES],
    signingSecret: 'x',
  };
  await insertWebhookEndpoint(database, merchant, hook, 1);
  const deps = { ...createTestPayments(database), fingerprint: createFingerprint(randomBytes(32)) };
  for (let paid = 0; paid < payments; paid += 1) {
    for (const card of ['visa', 'do_not_honor']) {
      const request = paymentRequest(merchant, await createTestSession(database, merchant), keyedCard(card));
      await takePayment(deps, { ...request, origin: '192.0.2.1' });
    }
  }
  while ((await relayBatch({ database, docsUrl: 'https://docs.example.com' })).more);
  await database.query(`update webhook_deliveries set status = 'delivered'`);
  await database.query(`update texts set status = 'sent'`);
  // As an earlier version stored them.
  await database.query(`update charges set card_fingerprint = '\\x01', origin_hash = '\\x02'`);
  return { deliveries: 3 * payments, events: 3 * payments, texts: payments, velocitySignals: 2 * payments };
}

/** Makes every row older. */
async function age(interval: string): Promise<void> {
  for (const table of ['charges', 'events', 'webhook_deliveries', 'texts', 'checkout_sessions']) {
    await db.database.query(`update ${table} set created_at = created_at - $1::interval`, [interval]);
  }
}

test('deletes each kind of row after its time, and not before', async () => {
  const all = await paidAndDelivered(2);
  expect(await prune()).toEqual(NOTHING);
  await age('25 hours');
  expect(await prune()).toEqual(NOTHING);
  await age('25 hours');
  expect(await prune()).toEqual({ ...NOTHING, velocitySignals: all.velocitySignals });
  await age('26 days');
  expect(await prune()).toEqual(NOTHING);
  await age('3 days');
  expect(await prune()).toEqual({ ...NOTHING, deliveries: all.deliveries });
  await age('60 days');
  expect(await prune()).toEqual({ ...NOTHING, events: all.events, texts: all.texts });
  const { rowCount } = await db.database.query(`select from charges where status = 'succeeded'`);
  expect(rowCount).toBe(2);
});

test('keeps the velocity signals of charges with any outcome for their time', async () => {
  await paidAndDelivered(1);
  const { rows } = await db.database.query(
    `select c.status, s.card_fingerprint is not null as card, s.origin_hash is not null as origin
       from charges c join charge_signals s on s.charge_id = c.id order by c.status`,
  );
  expect(rows).toEqual([
    { status: 'succeeded', card: true, origin: true },
    { status: 'failed', card: true, origin: true },
  ]);
});

test('keeps rows that are not settled or delivered, however old', async () => {
  await paidAndDelivered(1);
  await db.database.query(`update webhook_deliveries set status = 'waiting'`);
  await db.database.query(`update texts set status = 'sending'`);
  await db.database.query(`update charges set status = 'pending'`);
  await age('80 days');
  expect(await prune()).toEqual(NOTHING);
  await age('80 days');
  expect(await prune()).toEqual(NOTHING);
  await db.database.query(`update webhook_deliveries set status = 'failed'`);
  await db.database.query('update events set relayed_at = null');
  expect(await prune()).toEqual({ ...NOTHING, deliveries: 3 });
});

test('deletes old rows in batches, with several concurrent runs, until it is stopped', async () => {
  const { database } = db;
  await paidAndDelivered(1);
  await database.query(
    `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, status, created_at)
     select 'txt_' || n, account_id, mode, session_id, 'link', recipient, body, segments, 'sent', now() - interval '1 year'
       from texts, generate_series(1, 1300) n`,
  );
  expect(await prune(0, AbortSignal.abort())).toEqual(NOTHING);
  const two = await Promise.all([prune(), prune()]);
  const rest = await prune();
  expect([...two, rest].reduce((sum, { texts }) => sum + texts, 0)).toBe(1_300);
});

/** Creates an expired session without a charge, with an ended call. @returns its ID */
async function endedSession(merchant: Awaited<ReturnType<typeof createTestMerchant>>) {
  const id = await createTestSession(db.database, merchant);
  await db.database.query(`update checkout_sessions set status = 'expired' where id = $1`, [id]);
  await db.database.query(
    `insert into calls (id, account_id, mode, session_id, instance, lease_id, sip_call_id, sip_dialogs, source_address, ended_at)
     values ('call_' || $1, $2, 'test', $1, 'a', 1, 'c', '{}', '192.0.2.1', now())`,
    [id, merchant.accountId],
  );
  return id;
}

const countOf = async (table: string) => (await db.database.query(`select from ${table}`)).rowCount;

test('deletes old sessions without a charge and their calls, unless they are open, live or have an event', async () => {
  const merchant = await createTestMerchant(db.database);
  await endedSession(merchant);
  const called = await endedSession(merchant);
  const withEvent = await endedSession(merchant);
  await createTestSession(db.database, merchant);
  await db.database.query('update calls set ended_at = null where session_id = $1', [called]);
  await db.database.query(
    `insert into events (id, account_id, mode, type, session_id, facts) values ('evt_1', $1, 'test', 'checkout.expired', $2, '{}')`,
    [merchant.accountId, withEvent],
  );
  await age('400 days');
  await endedSession(merchant);
  expect(await prune(0)).toEqual(NOTHING);
  expect(await prune(401)).toEqual(NOTHING);
  expect(await prune(400)).toEqual({ ...NOTHING, sessions: 1 });
  expect(await prune(400)).toEqual(NOTHING);
  expect([await countOf('checkout_sessions'), await countOf('calls')]).toEqual([4, 3]);
});

test('clears personal data of old sessions with a charge once, and keeps pending ones unchanged', async () => {
  await paidAndDelivered(2);
  const pending = await db.database.query<{ session: string }>(
    `update charges set status = 'pending' where id = (select id from charges where status = 'succeeded' limit 1)
     returning session_id as session`,
  );
  await db.database.query(
    `update checkout_sessions set status = 'expired', metadata = '{"a": "b"}', line_items = '[{"name": "x"}]', return_to = 'sip:a@b',
            success_message = 'Thanks', failure_message = 'No', caller_phone = '+15550101234', lent_phone = '+15550101235'`,
  );
  await db.database.query(`update charges set caller_phone = '+15550101234'`);
  await db.database.query(
    `insert into pay_links (session_id, account_id, mode, short_hash, long_hash, codes_sealed)
     select id, account_id, mode, sha256(id::bytea), sha256(('long' || id)::bytea), 'sealed' from checkout_sessions`,
  );
  await age('500 days');
  expect(await prune(400)).toMatchObject({ sessions: 0, clearedSessions: 3 });
  expect(await prune(400)).toMatchObject({ sessions: 0, clearedSessions: 0 });
  const { rows } = await db.database.query<{ id: string }>(
    `select s.id, s.amount_cents, s.caller_phone, s.lent_phone, s.return_to, s.success_message, s.failure_message, s.line_items,
            s.metadata, c.caller_phone as charged, c.amount_cents as charge
       from checkout_sessions s join charges c on c.session_id = s.id`,
  );
  const links = await db.database.query('select session_id as session from pay_links');
  expect(links.rows).toEqual(pending.rows);
  const cleared = {
    id: expect.anything(),
    caller_phone: null,
    lent_phone: null,
    return_to: null,
    success_message: null,
    failure_message: null,
    line_items: [],
    metadata: {},
    charged: null,
    amount_cents: 4_250,
    charge: 4_250,
  };
  const isPending = ({ id }: { id: string }) => id === pending.rows[0]?.session;
  const unchanged = { caller_phone: '+15550101234', metadata: { a: 'b' }, charged: '+15550101234' };
  expect(rows.filter(isPending)).toMatchObject([unchanged]);
  expect(rows.filter((row) => !isPending(row))).toEqual([cleared, cleared, cleared]);
});

test('deletes old calls without a session, unless they are live', async () => {
  const merchant = await createTestMerchant(db.database);
  for (const call of ['old', 'live', 'young']) {
    await db.database.query(
      `insert into calls (id, account_id, mode, instance, lease_id, sip_call_id, sip_dialogs, source_address, ended_at)
       values ($1, $2, 'test', 'a', 1, 'c', '{}', '192.0.2.1', case $1 when 'old' then now() - interval '401 days'
               when 'young' then now() - interval '399 days' end)`,
      [call, merchant.accountId],
    );
  }
  expect(await prune(0)).toEqual(NOTHING);
  expect(await prune(400)).toEqual({ ...NOTHING, callsWithoutSession: 1 });
  expect((await db.database.query('select id from calls order by id')).rows).toEqual([{ id: 'live' }, { id: 'young' }]);
});

/** Creates ended sessions without a charge, a minute apart, each with an ended call. The youngest is 401 days old. */
async function manyOldSessions(count: number): Promise<void> {
  const merchant = await createTestMerchant(db.database);
  const values = [merchant.accountId, merchant.merchantId, count];
  await db.database.query(
    `insert into checkout_sessions (id, account_id, mode, merchant_id, status, verdict, amount_cents, currency, amount_source,
       created_at, expires_at)
     select 'cs_old_' || n, $1, 'test', $2, 'expired', 'required', 100, 'USD', 'request',
            now() - interval '401 days' - n * interval '1 minute', now() from generate_series(1, $3::integer) n`,
    values,
  );
  await db.database.query(
    `insert into calls (id, account_id, mode, session_id, instance, lease_id, sip_call_id, sip_dialogs, source_address, ended_at)
     select 'call_' || id, account_id, mode, id, 'a', 1, 'c', '{}', '192.0.2.1', created_at from checkout_sessions`,
  );
}

test('logs a kind that exceeds the time limit, and continues with the others, and later with that kind', async () => {
  await manyOldSessions(600);
  await db.database.query(
    `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments, status, created_at)
     select 'txt_' || id, account_id, mode, id, 'link', '+15550101234', '', 1, 'sent', created_at from checkout_sessions`,
  );
  await db.database.query(
    `insert into webhook_endpoints (id, account_id, mode, url, events, signing_secret)
     select 'we_1', id, 'test', 'https://example.com', '{}', 'x' from accounts where id = (select max(account_id) from texts)`,
  );
  await db.database.query(
    `insert into events (id, account_id, mode, type, session_id, facts, created_at, relayed_at)
     select 'evt_' || id, account_id, mode, 'checkout.expired', id, '{}', created_at, now() from checkout_sessions`,
  );
  const [impatient, warnings] = [impatientDatabase(), [] as unknown[]];
  const noted = { info: () => undefined, warn: (fields: { kind: string }) => void warnings.push(fields.kind) };
  const pruner = createPruner(impatient, noted as typeof log, { sessionDays: 400 });
  // Pruning sessions also reads the table of events.
  const first = await db.database.transaction(async (sql) => {
    await sql.query('lock table events in access exclusive mode');
    return pruner.run(NEVER);
  });
  expect(first).toEqual({ failed: true, pruned: { ...NOTHING, texts: 600 } });
  expect(warnings).toEqual(['events', 'sessions']);
  const second = await pruner.run(NEVER);
  expect(second).toEqual({ failed: false, pruned: { ...NOTHING, events: 600, sessions: 600 } });
  expect([await countOf('checkout_sessions'), await countOf('calls')]).toEqual([0, 0]);
  await impatient.close();
});

/** A database whose statements soon give up waiting for a lock. */
function impatientDatabase() {
  return openDatabase({ url: db.url, maxConnections: 2, onIdleError: () => undefined, limits: { statementMs: 3_000 } });
}

test('continues where the last run was stopped, past rows that have to stay', async () => {
  await manyOldSessions(800);
  // The oldest 600 have an event of today.
  await db.database.query(
    `insert into events (id, account_id, mode, type, session_id, facts, relayed_at)
     select 'evt_' || id, account_id, mode, 'checkout.expired', id, '{}', now() from checkout_sessions
      order by created_at limit 600`,
  );
  const pages: unknown[][] = [];
  let stop = new AbortController();
  const sql = {
    query: async (statement: string, values: unknown[]) => {
      const result = await db.database.query(statement, values);
      if (!statement.includes('delete from checkout_sessions')) return result;
      pages.push(values);
      // Stops each run after its first page of sessions.
      stop.abort();
      return result;
    },
  } as unknown as Sql;
  const pruner = createPruner(sql, log, { sessionDays: 400 });
  const sessionsOfRun = async () => {
    stop = new AbortController();
    return (await pruner.run(stop.signal)).pruned.sessions;
  };
  expect(await sessionsOfRun()).toBe(0);
  expect(await sessionsOfRun()).toBe(200);
  expect(pages.map(([, after]) => after === '-infinity')).toEqual([true, false]);
  expect(await countOf('checkout_sessions')).toBe(600);
});

test('reads a page by an index, however many old rows there are', async () => {
  await manyOldSessions(3_000);
  await db.database.query('analyze');
  const kinds = { ...ALWAYS_PRUNED, ...SESSIONS, ...REQUESTS };
  for (const kind of [kinds.sessions, kinds.clearedSessions, kinds.callsWithoutSession]) {
    const statement = pruningStatement(kind);
    const { rows } = await db.database.query(`explain ${statement}`, [500, '-infinity', '(0,0)', 400]);
    const plan = rows.map((row) => Object.values(row)[0]).join('\n');
    expect(plan).not.toMatch(/Seq Scan on (checkout_sessions|calls)/);
  }
});
