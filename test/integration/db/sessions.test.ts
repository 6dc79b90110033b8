/** Checkout sessions in Postgres: insert, find for a call, expire. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEMO_ACCOUNT, seedDemo } from '../../../src/standalone/demo-data.ts';
import { type CheckoutSessionId, newId, parseId } from '../../../src/domain/ids.ts';
import type { CheckoutSession } from '../../../src/domain/session.ts';
import { readCheckout } from '../../../src/db/sessions/checkouts.ts';
import {
  expireDueSessions,
  findSessionForCaller,
  findSessionForTransfer,
  insertSession,
  type NewSession,
} from '../../../src/db/sessions/sessions.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let test1: TestDatabase;
beforeAll(async () => {
  test1 = await createTestDatabase();
  await seedDemo(test1.database);
});
afterAll(() => test1.close());
beforeEach(() => test1.database.query('truncate checkout_sessions cascade'));

const CALLER = '+15550101234';
const HOUR_MS = 3_600_000;

function merchantId(text: string) {
  const id = parseId('Merchant', text);
  if (id === null) throw new Error('no merchant id');
  return id;
}

async function open(overrides: Partial<NewSession> = {}): Promise<CheckoutSessionId> {
  const id = newId('CheckoutSession');
  await insertSession(test1.database, {
    id,
    accountId: DEMO_ACCOUNT,
    mode: 'test',
    merchantId: merchantId('mer_demo_diner'),
    consumerId: null,
    verdict: 'required',
    amount: { amountCents: 4250, currency: 'USD' },
    amountSource: 'request',
    callerPhone: CALLER,
    orderId: null,
    platformCallId: null,
    returnTo: null,
    successMessage: null,
    failureMessage: null,
    lineItems: [],
    metadata: {},
    transferToken: 'token',
    expiresAt: new Date(Date.now() + HOUR_MS),
    ...overrides,
  });
  return id;
}

async function charge(sessionId: CheckoutSessionId, status: 'pending' | 'succeeded' | 'failed'): Promise<void> {
  await test1.database.query(
    `insert into charges (id, session_id, account_id, mode, merchant_id, status, amount_cents, currency, source, processor)
     values ($1, $2, $3, 'test', 'mer_demo_diner', $4, 4250, 'USD', 'phone', 'sandbox')`,
    [newId('Charge'), sessionId, DEMO_ACCOUNT, status],
  );
}

async function complete(id: CheckoutSessionId): Promise<void> {
  await test1.database.query(`update checkout_sessions set status = 'complete' where id = $1`, [id]);
}

async function read(id: CheckoutSessionId, accountId = DEMO_ACCOUNT): Promise<CheckoutSession | undefined> {
  return (await readCheckout(test1.database, accountId, id, new Date()))?.session;
}

const overdue = { expiresAt: new Date(Date.now() - 1_000) };

describe('a session', () => {
  test('reads as it was written', async () => {
    const id = await open({
      orderId: 'order_1',
      returnTo: 'sip:a@b',
      lineItems: [{ name: 'Soup', quantity: 2, amountCents: 2125 }],
      metadata: { table: '7' },
    });
    expect(await read(id)).toMatchObject({
      id,
      status: 'open',
      amount: { amountCents: 4250, currency: 'USD' },
      orderId: 'order_1',
      returnTo: 'sip:a@b',
      lineItems: [{ name: 'Soup', quantity: 2, amountCents: 2125 }],
      metadata: { table: '7' },
    });
  });

  test('is found by its own account only, in either mode', async () => {
    const id = await open();
    expect(await read(id, newId('Account'))).toBeUndefined();
    expect((await read(id))?.mode).toBe('test');
  });
});

describe('for a transfer', () => {
  const find = (id: CheckoutSessionId, token: string) => findSessionForTransfer(test1.database, id, token);

  test('the token opens its own session, with merchant and account', async () => {
    const id = await open({ transferToken: 'mine' });
    expect(await find(id, 'mine')).toMatchObject({
      session: { id },
      merchant: { id: 'mer_demo_diner', policy: { kind: 'always' }, acceptedBrands: expect.arrayContaining(['visa']) },
      account: { id: DEMO_ACCOUNT, currency: 'USD' },
    });
  });

  test.each(['', 'mine ', 'MINE', 'other'])('the token %j does not', async (token) => {
    expect(await find(await open({ transferToken: 'mine' }), token)).toBeNull();
  });

  test('nothing opens a session that wants no transfer, or none at all', async () => {
    expect(await find(await open({ transferToken: null }), '')).toBeNull();
    expect(await find(newId('CheckoutSession'), 'mine')).toBeNull();
  });

  test('complete and expired ones are found, too', async () => {
    const paid = await open({ transferToken: 'mine' });
    await complete(paid);
    expect(await find(paid, 'mine')).toMatchObject({ session: { status: 'complete' } });
    const expired = await open({ transferToken: 'mine', ...overdue });
    expect(await find(expired, 'mine')).toMatchObject({ session: { id: expired } });
  });
});

describe('for a caller', () => {
  const find = (calledNumber: string | null, callingNumber = CALLER) =>
    findSessionForCaller(test1.database, { callingNumber, calledNumber });

  test('the newest open one is found', async () => {
    await open();
    const newest = await open();
    expect((await find(null))?.session.id).toBe(newest);
  });

  test('the dialled number decides between merchants; an unknown number does not', async () => {
    const diner = await open();
    const books = await open({ merchantId: merchantId('mer_demo_books') });
    expect((await find('+15550100001'))?.session.id).toBe(diner);
    expect((await find('+15550100002'))?.session.id).toBe(books);
    expect((await find('+15550109999'))?.session.id).toBe(books);
  });

  test('paid, expired, overdue and unrequired ones are not found, nor another caller’s', async () => {
    await complete(await open());
    await open(overdue);
    await open({ verdict: 'optional', transferToken: null });
    await open({ verdict: 'none', transferToken: null });
    await open({ callerPhone: '+15550105555' });
    await open({ callerPhone: null });
    expect(await find('+15550100001')).toBeNull();
  });

  test('a later session with nothing to pay does not hide it', async () => {
    const id = await open();
    await open({ verdict: 'none', transferToken: null });
    expect((await find(null))?.session.id).toBe(id);
  });
});

describe('expiry', () => {
  const expire = (limit = 100) => test1.database.transaction((sql) => expireDueSessions(sql, limit));
  const status = async (id: CheckoutSessionId) => (await read(id))?.status;

  test('overdue sessions expire once and are returned', async () => {
    const due = await open(overdue);
    const later = await open();
    expect((await expire()).map((session) => session.id)).toEqual([due]);
    expect(await expire()).toEqual([]);
    expect([await status(due), await status(later)]).toEqual(['expired', 'open']);
  });

  test('at most `limit` at a time, oldest first', async () => {
    const second = await open({ expiresAt: new Date(Date.now() - 1_000) });
    const first = await open({ expiresAt: new Date(Date.now() - 2_000) });
    expect((await expire(1)).map((session) => session.id)).toEqual([first]);
    expect((await expire(1)).map((session) => session.id)).toEqual([second]);
  });

  test('a session with a pending charge does not expire; with a failed one it does', async () => {
    const pending = await open(overdue);
    await charge(pending, 'pending');
    const failed = await open(overdue);
    await charge(failed, 'failed');
    expect((await expire()).map((session) => session.id)).toEqual([failed]);
    expect(await status(pending)).toBe('open');
  });

  test('a session that a payment has locked is skipped', async () => {
    const id = await open(overdue);
    await test1.database.transaction(async (sql) => {
      await sql.query('select 1 from checkout_sessions where id = $1 for no key update', [id]);
      expect(await expire()).toEqual([]);
    });
    expect((await expire()).map((session) => session.id)).toEqual([id]);
  });

  test('a paid session never expires', async () => {
    const id = await open(overdue);
    await complete(id);
    expect(await expire()).toEqual([]);
    expect(await status(id)).toBe('complete');
  });
});
