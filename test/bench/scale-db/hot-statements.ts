/** The statements that callers wait for or that run every second, each with the most buffers that it may read. */
import { listCalls } from '../../../src/db/calls/call-lists.ts';
import { closeLostCalls } from '../../../src/db/calls/lost-calls.ts';
import { type Counted, countAttempts } from '../../../src/db/charges/attempts.ts';
import { findOrderCharge } from '../../../src/db/charges/charge-facts.ts';
import { listCharges } from '../../../src/db/charges/charge-lists.ts';
import { listSessionCharges } from '../../../src/db/charges/charges.ts';
import { dueInMs, pendingDue } from '../../../src/db/due.ts';
import { claimUnrelayed, findNotificationWork } from '../../../src/db/events/outbox.ts';
import type { Database, Sql } from '../../../src/db/pool.ts';
import { readCheckouts } from '../../../src/db/sessions/checkouts.ts';
import { listSessions } from '../../../src/db/sessions/session-lists.ts';
import { createSessionStateReader } from '../../../src/db/sessions/session-state.ts';
import { expireDueSessions, findSessionOfCall } from '../../../src/db/sessions/sessions.ts';
import { readStatistics } from '../../../src/db/statistics/statistics.ts';
import { dueTexts } from '../../../src/db/texts/texts.ts';
import { takeDueDeliveries } from '../../../src/db/webhooks/deliveries.ts';
import type { Scope } from '../../../src/domain/account.ts';
import type { AccountId, CheckoutSessionId, MerchantId } from '../../../src/domain/ids.ts';
import { VELOCITY } from '../../../src/payments/rules/velocity.ts';
import { ACCOUNT, MERCHANT, PHONES, seededCaller, seededId, TRUNK_HASH } from './seed.ts';

interface HotStatement {
  name: string;
  mostBuffers: number;
  run(sql: Sql): Promise<unknown>;
}

const scope: Scope = { accountId: ACCOUNT as AccountId, mode: 'test' };
const merchantId = MERCHANT as MerchantId;
/** Of some days ago. */
const N = 100_000;
const sessionId = seededId('cs', N) as CheckoutSessionId;
const [orderId, platformCallId, callers] = [`order_${N}`, `platform_${N}`, [seededCaller(N)]];
const ANY = { after: null, before: null, merchantId: null, status: null, lastFour: null };
const NO_ORDER = { orderId: null, callers: null, platformCallId: null, sessionId: null };
const PAGE = { limit: 20, startingAfter: null };
const DAY_MS = 86_400_000;

function countOnBusyTrunk(sql: Sql) {
  const seconds = Object.fromEntries(Object.entries(VELOCITY.live).map(([name, rule]) => [name, rule.seconds]));
  const signals = {
    callerPhone: callers[0] ?? null,
    cardFingerprint: Buffer.alloc(32, 9),
    originHash: null,
    callingNumberHash: null,
    callSourceHash: TRUNK_HASH,
  };
  return countAttempts(sql, { scope, merchantId, signals, seconds: seconds as Counted['seconds'] });
}

const BY_ORDER = {
  order: { orderId },
  'platform call': { platformCallId },
  caller: { callers },
  card: { lastFour: '7421' },
} as const;

/** A card has 500 charges among 5 million. Calls and sessions with a charge are sorted by their own time, so all are read. */
const BY_CARD = { calls: 10_000, sessions: 5_000 };

/** Each list by each filter that finds few rows among millions. */
const LISTS: HotStatement[] = Object.entries(BY_ORDER).flatMap(([name, filter]) => {
  const wanted = { ...ANY, ...NO_ORDER, ...filter };
  const charges = { ...wanted, needsSettling: false, needsAttention: false, countedAs: null, declineCode: null };
  const calls = { ...wanted, outcome: null, reached: null };
  const most = name === 'card' ? BY_CARD : { calls: 1_000, sessions: 1_000 };
  return [
    { name: `charges by ${name}`, mostBuffers: 1_000, run: (sql) => listCharges(sql, scope, charges, PAGE) },
    { name: `calls by ${name}`, mostBuffers: most.calls, run: (sql) => listCalls(sql, scope, calls, PAGE) },
    { name: `sessions by ${name}`, mostBuffers: most.sessions, run: (sql) => listSessions(sql, scope, wanted, PAGE) },
  ];
});

export const HOT_STATEMENTS: readonly HotStatement[] = [
  { name: 'count attempts, 72,000 charges an hour', mostBuffers: 1_000, run: countOnBusyTrunk },
  { name: 'session of a call', mostBuffers: 100, run: (sql) => findSessionOfCall(sql, sessionId) },
  { name: 'state of a session', mostBuffers: 50, run: (sql) => createSessionStateReader(sql)(sessionId) },
  { name: 'checkout as retrieved', mostBuffers: 100, run: (sql) => readCheckouts(sql, [sessionId]) },
  { name: 'charge of an order', mostBuffers: 50, run: (sql) => findOrderCharge(sql, { merchantId, orderId }) },
  { name: 'charges of a session', mostBuffers: 50, run: (sql) => listSessionCharges(sql, sessionId, '', null) },
  {
    name: 'lost calls, 10,000 live',
    mostBuffers: 100,
    run: (sql) => closeLostCalls(sql, { id: PHONES, instance: 'bench' }),
  },
  { name: 'due deliveries, 20,000 endpoints', mostBuffers: 15_000, run: (sql) => takeDueDeliveries(sql, 1_000) },
  { name: 'due notifications, 20,000 endpoints', mostBuffers: 15_000, run: findNotificationWork },
  { name: 'due texts', mostBuffers: 20, run: (sql) => dueTexts(sql, 100) },
  { name: 'events to relay', mostBuffers: 20, run: (sql) => claimUnrelayed(sql, 100) },
  { name: 'next pending charge', mostBuffers: 20, run: (sql) => dueInMs(sql, { charges: pendingDue('charges') }) },
  { name: 'expired sessions', mostBuffers: 20, run: (sql) => expireDueSessions(sql, 100) },
  ...LISTS,
  // Two days from charges and calls: the partial ones at both ends, and the one with parts in both periods.
  { name: 'statistics of 30 days', mostBuffers: 60_000, run: (sql) => statisticsOf(sql, 30, 'UTC') },
  {
    name: 'the same with days of New York',
    mostBuffers: 60_000,
    run: (sql) => statisticsOf(sql, 30, 'America/New_York'),
  },
];

function statisticsOf(sql: Sql, days: number, timeZone: string) {
  const to = new Date();
  const from = new Date(to.getTime() - days * DAY_MS);
  const database: Pick<Database, 'transaction'> = { transaction: (work) => work(sql) };
  const compareFrom = new Date(from.getTime() - days * DAY_MS);
  return readStatistics(database, { scope, from, to, compareFrom, timeZone, merchantId: null });
}
