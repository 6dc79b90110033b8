/** Which calls are closed as lost: real connections, real locks. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallSnapshot, insertCall, updateCall } from '../../../src/db/calls/calls.ts';
import { closeLostCalls, judgeLostCall } from '../../../src/db/calls/lost-calls.ts';
import { acquireProcessLease, type ProcessLease } from '../../../src/db/calls/process-leases.ts';
import type { Sql } from '../../../src/db/pool.ts';
import { insertSession } from '../../../src/db/sessions/sessions.ts';
import { type CallId, type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { DEMO_ACCOUNT, seedDemo } from '../../../src/local/standalone/demo-data.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { sessionToPay } from './phone-records.ts';

const db = useTestDatabase();
const quiet = { info: () => undefined, warn: () => undefined };
const leases: ProcessLease[] = [];

beforeAll(async () => {
  await seedDemo(db.database);
});
beforeEach(() => db.database.query('truncate calls, process_leases cascade'));
afterAll(async () => {
  await Promise.all(leases.map((lease) => lease.close()));
});

async function live(instance: string, beatMs = 50): Promise<ProcessLease> {
  const lease = await acquireProcessLease({ url: db.url, instance, log: quiet, beatMs });
  leases.push(lease);
  return lease;
}

/** The lease of a process that has run for long, and so may judge others. */
async function judge(instance: string): Promise<ProcessLease> {
  const lease = await live(instance);
  await db.database.query(`update process_leases set acquired_at = now() - interval '1 minute' where id = $1`, [
    lease.id,
  ]);
  return lease;
}

async function callOf(lease: { id: number; instance: string }, sql: Sql = db.database): Promise<CheckoutSessionId> {
  const sessionId = newId('CheckoutSession');
  await insertSession(sql, {
    ...sessionToPay(sessionId, null),
    callerPhone: null,
    orderId: null,
    platformCallId: null,
  });
  const call = { id: newId('Call'), accountId: DEMO_ACCOUNT, mode: 'test', sessionId } as const;
  const names = {
    instance: lease.instance,
    leaseId: lease.id,
    sipCallId: 'x',
    sipDialogs: ['x;from-tag=1'],
    allowsRefer: true,
  };
  expect(await insertCall(sql, { ...call, ...names, sourceAddress: '127.0.0.1' }, 1_000)).toBe('inserted');
  return sessionId;
}

/**
 * The lease of a dead process: its heartbeat is `secondsAgo` old and does not move. In a transaction, whose now() is
 * fixed, it keeps that age for everything that happens there.
 */
async function deadLease(
  instance: string,
  secondsAgo: number,
  sql: Sql = db.database,
): Promise<{ id: number; instance: string }> {
  const { rows } = await sql.query<{ id: number }>(
    `insert into process_leases (instance, seen_at) values ($1, now() - make_interval(secs => $2)) returning id`,
    [instance, secondsAgo],
  );
  return { id: rows[0]?.id ?? 0, instance };
}

const closedBy = (lease: ProcessLease, sql: Sql = db.database) =>
  closeLostCalls(sql, lease).then((calls) => calls.length);

/** A live call. */
const LIVE: CallSnapshot = {
  sipDialogs: ['x;from-tag=1'],
  localContact: '<sip:b>',
  dialogFacts: [],
  mediaLegId: null,
  returnSipCallId: null,
  timeline: [],
  outcome: null,
  reason: null,
  chargeId: null,
  stage: 'greeting',
  keyKind: null,
  returnMode: null,
  answeredAt: new Date(),
  endedAt: null,
  textsLink: false,
  codec: null,
  packetsReceived: null,
  packetsLost: null,
  jitterMs: null,
};

describe('a process lease', () => {
  it('knows whether its process is the only one', async () => {
    await Promise.all(leases.splice(0).map((lease) => lease.close()));
    const one = await live('one');
    expect(one.alone).toBe(true);
    const two = await live('two');
    expect(two.alone).toBe(false);
    await expect.poll(() => one.alone).toBe(false);
    await two.close();
    await expect.poll(() => one.alone).toBe(true);
  });
});

describe('calls of another process', () => {
  it('are not closed while it is alive, whatever its name', async () => {
    const one = await live('one');
    const twin = await live('twin');
    await callOf(one);
    await callOf(twin);
    expect(await closedBy(await judge('two'))).toBe(0);
    expect(await closedBy(await judge('twin'))).toBe(0);
  });

  it('are not closed by a process with a new lease, because the others may be reconnecting', async () => {
    await callOf(await deadLease('one', 30));
    const newcomer = await live('two');
    expect(await closedBy(newcomer)).toBe(0);
    expect(await closedBy(await judge('three'))).toBe(1);
  });

  it('are closed when its lease is gone, with the dialogs to hang up', async () => {
    const one = await live('one');
    await callOf(one);
    await one.close();
    const closed = await closeLostCalls(db.database, await live('two'));
    expect(closed.map(({ sipDialogs }) => sipDialogs)).toEqual([['x;from-tag=1']]);
    const { rows } = await db.database.query('select outcome, ended_at is not null as ended from calls');
    expect(rows).toEqual([{ outcome: 'failed', ended: true }]);
  });

  it('provide the facts for requests in their dialogs, without the transfer token, and then drop them', async () => {
    const one = await live('one');
    await callOf(one);
    const { rows } = await db.database.query<{ id: CallId }>('select id from calls');
    const id = rows[0]?.id as CallId;
    const facts = {
      callId: 'x',
      to: '<sip:+15550101234@a.example>;tag=1',
      target: 'sip:a',
      routes: [],
      contact: '<sip:b>',
    };
    const stored = { ...facts, from: '<sip:b.example>;tag=2' };
    const dialogFacts = [{ ...facts, from: '"Pay" <sip:cs_1-token@b.example>;tag=2' }];
    const snapshot = { ...LIVE, dialogFacts };
    await updateCall(db.database, { id, leaseId: one.id }, snapshot);
    await one.close();
    expect((await closeLostCalls(db.database, await live('two'))).map((lost) => lost.dialogFacts)).toEqual([[stored]]);
    expect((await db.database.query('select dialog_facts from calls')).rows).toEqual([{ dialog_facts: null }]);
  });

  it('that ends normally leave no facts of their dialogs', async () => {
    const one = await live('one');
    await callOf(one);
    const { rows } = await db.database.query<{ id: CallId }>('select id from calls');
    const held = { id: rows[0]?.id as CallId, leaseId: one.id };
    const facts = {
      callId: 'x',
      from: '<sip:b>;tag=2',
      to: '<sip:a>;tag=1',
      target: 'sip:a',
      routes: [],
      contact: '<sip:b>',
    };
    await updateCall(db.database, held, { ...LIVE, dialogFacts: [facts] });
    await updateCall(db.database, held, { ...LIVE, dialogFacts: [facts], endedAt: new Date() });
    expect((await db.database.query('select dialog_facts from calls')).rows).toEqual([{ dialog_facts: null }]);
  });

  it('are closed after two missed heartbeats, by a new process of its name at once, by others only if they have run for long', async () => {
    const [other, successor] = [await judge('two'), await live('one')];
    await db.database.transaction(async (sql) => {
      await callOf(await deadLease('one', 2, sql), sql);
      // It may be alive under the same name: two containers with one host name.
      expect([await closedBy(other, sql), await closedBy(successor, sql)]).toEqual([0, 0]);
    });
    await db.database.query('delete from calls');
    const silent = await deadLease('one', 3);
    await callOf(silent);
    expect(await closedBy(await live('three'))).toBe(0);
    expect(await closedBy(successor)).toBe(1);
    await callOf(silent);
    expect(await closedBy(other)).toBe(1);
  });

  it('that waited for a texted link end with the agent, unless the link was paid', async () => {
    const judging = await judge('judge');
    const dead = await deadLease('dead', 60);
    const [unpaid, paid] = [await callOf(dead), await callOf(dead)];
    await db.database.query(`update calls set stage = 'by_link'`);
    const charge = newId('Charge');
    await db.database.query(
      `insert into charges (id, account_id, mode, session_id, merchant_id, source, status, settled_at, amount_cents, currency, processor)
       select $1, account_id, mode, id, merchant_id, 'page', 'succeeded', now(), amount_cents, currency, 'sandbox'
         from checkout_sessions where id = $2`,
      [charge, paid],
    );
    const lost = await closeLostCalls(db.database, judging);
    const outcomes = new Map(lost.map(({ sessionId, outcome, reason }) => [sessionId, [outcome, reason]]));
    expect(outcomes.get(unpaid)).toEqual(['agent', 'link_sent']);
    expect(outcomes.get(paid)).toEqual(['succeeded', null]);
    const unpaidCall = lost.find(({ sessionId }) => sessionId === unpaid);
    expect(unpaidCall && (await judgeLostCall(db.database, unpaidCall.id))).toMatchObject({
      outcome: 'agent',
      reason: 'link_sent',
    });
  });

  it('are judged again before the return, because the charge may have got its outcome', async () => {
    await callOf(await deadLease('one', 30));
    const sessionId = (await db.database.query('select session_id from calls')).rows[0]?.session_id;
    const charge = newId('Charge');
    await db.database.query(
      `insert into charges (id, session_id, account_id, mode, merchant_id, amount_cents, currency, source, processor)
       values ($1, $2, $3, 'test', 'mer_demo_diner', 100, 'USD', 'phone', 'sandbox')`,
      [charge, sessionId, DEMO_ACCOUNT],
    );
    const [lost] = await closeLostCalls(db.database, await judge('two'));
    if (lost === undefined) throw new Error('no call was lost');
    expect(lost).toMatchObject({ outcome: 'pending', chargeId: charge });
    const settled = async (status: string, change = 'decline_code = null') => {
      await db.database.query(`update charges set status = $2, settled_at = now(), ${change} where id = $1`, [
        charge,
        status,
      ]);
      return judgeLostCall(db.database, lost.id);
    };
    expect(await settled('succeeded', `processor_payment_id = 'p_1'`)).toEqual({
      outcome: 'succeeded',
      reason: null,
      chargeId: charge,
    });
    // A hold counts as paid.
    expect(await settled('authorized', `capture = 'manual'`)).toMatchObject({ outcome: 'succeeded', reason: null });
    await db.database.query(`update calls set outcome = 'pending'`);
    expect(await settled('failed', `decline_code = 'lost_card'`)).toMatchObject({ outcome: 'failed', reason: 'error' });
  });

  it('are closed after nine seconds without a heartbeat, also with an open connection', async () => {
    const [hanging, judging] = [new pg.Client(db.url), await judge('two')];
    await hanging.connect();
    await db.database.transaction(async (sql) => {
      const [slow, frozen] = [await deadLease('one', 8, sql), await deadLease('one', 10, sql)];
      await callOf(slow, sql);
      await callOf(frozen, sql);
      await hanging.query('select pg_advisory_lock(72140, $1), pg_advisory_lock(72140, $2)', [slow.id, frozen.id]);
      expect(await closedBy(judging, sql)).toBe(1);
    });
    await hanging.end();
  });

  it('can be closed for one session only', async () => {
    const dead = await deadLease('one', 30);
    const session = await callOf(dead);
    await callOf(dead);
    const mine = await judge('two');
    expect(await closeLostCalls(db.database, mine, newId('CheckoutSession'))).toEqual([]);
    expect((await closeLostCalls(db.database, mine, session)).length).toBe(2);
  });
});

it.each(['is reset', 'falls silent'])(
  'calls of a living process are never closed while the connection of its heartbeat %s',
  async (how) => {
    const proxy = await startTcpProxy();
    const one = await acquireProcessLease({ url: proxy.forwardTo(db.url), instance: 'one', log: quiet });
    await callOf(one);
    const other = await judge('two');
    const held: boolean[] = [];
    one.onChange(() => held.push(one.held));
    if (how === 'is reset') proxy.cut();
    else proxy.stall();
    // New connections work again first.
    await expect.poll(() => held).toEqual([false]);
    proxy.failOver();
    const closed: number[] = [];
    await expect
      .poll(async () => closed.push(await closedBy(other)) && held.slice(0, 2), { interval: 100 })
      .toEqual([false, true]);
    closed.push(await closedBy(other));
    expect(new Set(closed)).toEqual(new Set([0]));
    await one.close();
    await proxy.close();
  },
);

it('a lease whose connection breaks is renewed with lock and heartbeat, and logs it', async () => {
  const one = await live('one');
  const held: boolean[] = [];
  one.onChange(() => held.push(one.held));
  await callOf(one);
  // The view shows the locks of all databases of the server, including those of other tests.
  const lock = `select pid from pg_locks join pg_database on pg_database.oid = pg_locks.database
                 where datname = current_database() and locktype = 'advisory' and classid = 72140 and objid = $1`;
  const first = (await db.database.query(lock, [one.id])).rows[0].pid;
  await db.database.query('select pg_terminate_backend($1)', [first]);
  await expect.poll(async () => (await db.database.query(lock, [one.id])).rows[0]?.pid ?? first).not.toBe(first);
  // On a machine that stands still for seconds, a later heartbeat may also be late.
  await expect.poll(() => held.slice(0, 2)).toEqual([false, true]);
  expect(await closedBy(await judge('two'))).toBe(0);
});
