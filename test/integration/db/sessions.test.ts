/** Checkout sessions in PostgreSQL: inserting, finding for a call, and expiring. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readCheckouts } from '../../../src/db/sessions/checkouts.ts';
import {
  expireDueSessions,
  findSessionForTransfer,
  insertSession,
  type NewSession,
} from '../../../src/db/sessions/sessions.ts';
import { findSessionsForCaller } from '../../../src/db/sessions/sessions-for-caller.ts';
import { type CheckoutSessionId, newId, parseId } from '../../../src/domain/ids.ts';
import type { CheckoutSession } from '../../../src/domain/session.ts';
import type { NumberOwner } from '../../../src/domain/transfer-number.ts';
import { DEMO_ACCOUNT, seedDemo } from '../../../src/local/standalone/demo-data.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant } from '../../support/test-merchants.ts';

const test1 = useTestDatabase();
beforeAll(async () => {
  await seedDemo(test1.database);
});
beforeEach(async () => {
  await test1.database.query('truncate checkout_sessions cascade');
  await test1.database.query('delete from merchants where account_id <> $1', [DEMO_ACCOUNT]);
  await test1.database.query('delete from accounts where id <> $1', [DEMO_ACCOUNT]);
});

const CALLER = '+15550101234';

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
    ttlSeconds: 3_600,
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

async function read(id: CheckoutSessionId): Promise<CheckoutSession | undefined> {
  return (await readCheckouts(test1.database, [id]))[0]?.session;
}

const overdue = { ttlSeconds: -1 };

describe('a session', () => {
  test('is read as it was written', async () => {
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
});

describe('a transfer', () => {
  const find = (id: CheckoutSessionId, token: string) => findSessionForTransfer(test1.database, id, token);

  test('finds the session by its token, with merchant and account', async () => {
    const id = await open({ transferToken: 'mine' });
    expect(await find(id, 'mine')).toMatchObject({
      session: { id },
      merchant: { id: 'mer_demo_diner', policy: { kind: 'always' }, acceptedBrands: expect.arrayContaining(['visa']) },
      account: { id: DEMO_ACCOUNT, currency: 'USD' },
    });
  });

  test.each(['', 'mine ', 'MINE', 'other'])('finds no session by the wrong token %j', async (token) => {
    expect(await find(await open({ transferToken: 'mine' }), token)).toBeNull();
  });

  test('finds no session without a token, and no unknown session', async () => {
    expect(await find(await open({ transferToken: null }), '')).toBeNull();
    expect(await find(newId('CheckoutSession'), 'mine')).toBeNull();
  });

  test('finds complete and expired sessions, too', async () => {
    const paid = await open({ transferToken: 'mine' });
    await complete(paid);
    expect(await find(paid, 'mine')).toMatchObject({ session: { status: 'complete' } });
    const expired = await open({ transferToken: 'mine', ...overdue });
    expect(await find(expired, 'mine')).toMatchObject({ session: { id: expired } });
  });
});

describe('a call without a token', () => {
  const OWNER: NumberOwner = { accountId: DEMO_ACCOUNT, mode: 'test' };
  const findAll = (dialledNumbers: string[], callingNumber = CALLER, owner: NumberOwner = OWNER) =>
    findSessionsForCaller(test1.database, owner, { callingNumber, dialledNumbers }, 3);
  const find = async (calledNumber: string | null, callingNumber = CALLER, owner: NumberOwner = OWNER) =>
    (await findAll(calledNumber === null ? [] : [calledNumber], callingNumber, owner))[0] ?? null;
  const idsOf = async (dialledNumbers: string[] = [], owner: NumberOwner = OWNER) =>
    (await findAll(dialledNumbers, CALLER, owner)).map(({ session }) => session.id);

  test('finds the caller’s newest open session', async () => {
    await open();
    const newest = await open();
    expect((await find(null))?.session.id).toBe(newest);
  });

  test('finds the session of the dialed merchant, and ignores an unknown dialed number', async () => {
    const diner = await open();
    const books = await open({ merchantId: merchantId('mer_demo_books') });
    expect((await find('+15550100001'))?.session.id).toBe(diner);
    expect((await find('+15550100002'))?.session.id).toBe(books);
    expect((await find('+15550109999'))?.session.id).toBe(books);
  });

  test('finds the newest session of each merchant, newest first, up to the limit', async () => {
    await open();
    const books = await open({ merchantId: merchantId('mer_demo_books') });
    const diner = await open();
    expect(await idsOf()).toEqual([diner, books]);
    const market = await open({ merchantId: merchantId('mer_demo_market') });
    expect(await idsOf()).toEqual([market, diner, books]);
    const newest = await open({ merchantId: merchantId('mer_demo_free') });
    expect(await idsOf()).toEqual([newest, market, diner]);
  });

  test('finds the session of the first dialed merchant, however old it is', async () => {
    const diner = await open();
    const books = await open({ merchantId: merchantId('mer_demo_books') });
    await open({ merchantId: merchantId('mer_demo_market') });
    expect(await idsOf(['+15550199999', '+15550100001', '+15550100002'])).toEqual([diner]);
    expect(await idsOf(['+15550100002', '+15550100001'])).toEqual([books]);
    expect(await idsOf(['+15550199999'])).toHaveLength(3);
  });

  test('finds no session that is paid, expired, not required, or of another caller', async () => {
    await complete(await open());
    await open(overdue);
    await open({ verdict: 'optional', transferToken: null });
    await open({ verdict: 'none', transferToken: null });
    await open({ callerPhone: '+15550105555' });
    await open({ callerPhone: null });
    expect(await find('+15550100001')).toBeNull();
  });

  test('finds a session behind a later one with nothing to pay', async () => {
    const id = await open();
    await open({ verdict: 'none', transferToken: null });
    expect((await find(null))?.session.id).toBe(id);
  });

  test('finds no newer session of another account or mode', async () => {
    const [live, rival] = [
      await createTestMerchant(test1.database, { mode: 'live' }),
      await createTestMerchant(test1.database),
    ];
    const id = await open();
    const own = { accountId: live.accountId, merchantId: live.merchantId };
    const paysLive = await open({ ...own, mode: 'live' });
    await open({ ...rival });
    expect((await find(null))?.session.id).toBe(id);
    expect((await find(null, CALLER, { accountId: live.accountId, mode: 'live' }))?.session.id).toBe(paysLive);
    expect(await find(null, CALLER, { accountId: live.accountId, mode: 'test' })).toBeNull();
  });

  describe('to a number without an owner', () => {
    const findOnly = async () => (await find(null, CALLER, 'only_account'))?.session.id;

    test('finds sessions of the demo while there is no other account', async () => {
      expect(await findOnly()).toBeUndefined();
      const id = await open();
      expect(await findOnly()).toBe(id);
    });

    test('finds only sessions of the one account beside the demo, live ones before newer test ones', async () => {
      const { accountId, merchantId: merchant } = await createTestMerchant(test1.database);
      const live = await open({ accountId, merchantId: merchant, mode: 'live' });
      const trial = await open({ accountId, merchantId: merchant });
      await open();
      expect(await findOnly()).toBe(live);
      await complete(live);
      expect(await findOnly()).toBe(trial);
      await complete(trial);
      expect(await findOnly()).toBeUndefined();
    });

    test('finds no session if there are several accounts', async () => {
      const [one] = [await createTestMerchant(test1.database), await createTestMerchant(test1.database)];
      await open({ ...one });
      await open();
      expect(await findOnly()).toBeUndefined();
    });
  });
});

describe('expiry', () => {
  const expire = (limit = 100) => test1.database.transaction((sql) => expireDueSessions(sql, limit));
  const status = async (id: CheckoutSessionId) => (await read(id))?.status;

  test('expires overdue sessions once, and returns them', async () => {
    const due = await open(overdue);
    const later = await open();
    expect((await expire()).map((session) => session.id)).toEqual([due]);
    expect(await expire()).toEqual([]);
    expect([await status(due), await status(later)]).toEqual(['expired', 'open']);
  });

  test('expires at most `limit` sessions at a time, oldest first', async () => {
    const second = await open({ ttlSeconds: -1 });
    const first = await open({ ttlSeconds: -2 });
    expect((await expire(1)).map((session) => session.id)).toEqual([first]);
    expect((await expire(1)).map((session) => session.id)).toEqual([second]);
  });

  test('expires a session with a failed charge, but not one with a pending charge', async () => {
    const pending = await open(overdue);
    await charge(pending, 'pending');
    const failed = await open(overdue);
    await charge(failed, 'failed');
    expect((await expire()).map((session) => session.id)).toEqual([failed]);
    expect(await status(pending)).toBe('open');
  });

  test('skips a session that a payment has locked', async () => {
    const id = await open(overdue);
    await test1.database.transaction(async (sql) => {
      await sql.query('select 1 from checkout_sessions where id = $1 for no key update', [id]);
      expect(await expire()).toEqual([]);
    });
    expect((await expire()).map((session) => session.id)).toEqual([id]);
  });

  test('never expires a paid session', async () => {
    const id = await open(overdue);
    await complete(id);
    expect(await expire()).toEqual([]);
    expect(await status(id)).toBe('complete');
  });
});
