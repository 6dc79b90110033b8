/** Claiming the session that a caller has chosen: one live call per session, ten calls in total. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { claimSession, insertCall } from '../../../src/db/calls/calls.ts';
import { type CallId, type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';

const db = useTestDatabase();
const LEASE = 7;
let merchant: TestMerchant;
let session: CheckoutSessionId;

beforeAll(async () => {
  merchant = await createTestMerchant(db.database);
});
beforeEach(async () => {
  await db.database.query('truncate calls cascade');
  session = await createTestSession(db.database, merchant);
});

async function call(sessionId: CheckoutSessionId | null = null): Promise<CallId> {
  const id = newId('Call');
  const { accountId, mode } = merchant;
  const facts = {
    instance: 'a',
    leaseId: LEASE,
    sipCallId: 'c',
    sipDialogs: [],
    sourceAddress: '::1',
    allowsRefer: true,
  };
  expect(await insertCall(db.database, { id, accountId, mode, sessionId, ...facts }, 100)).toBe('inserted');
  return id;
}

const claim = (id: CallId, leaseId = LEASE) => claimSession(db.database, { id, leaseId }, session);

test('lets one of several calls claim a session at once', async () => {
  const calls = await Promise.all(Array.from({ length: 8 }, () => call()));
  const claims = await Promise.all(calls.map((id) => claim(id)));
  expect(claims.toSorted()).toEqual([...Array<string>(7).fill('busy'), 'claimed']);
  const { rows } = await db.database.query('select id, merchant_id from calls where session_id = $1', [session]);
  expect(rows).toEqual([{ id: calls[claims.indexOf('claimed')], merchant_id: merchant.merchantId }]);
});

test('refuses a session with a live call until that call has ended', async () => {
  const other = await call(session);
  const id = await call();
  expect(await claim(id)).toBe('busy');
  await db.database.query('update calls set ended_at = now() where id = $1', [other]);
  expect(await claim(id)).toBe('claimed');
});

test('refuses a call that has ended, already has a session, or belongs to another process', async () => {
  const ended = await call();
  await db.database.query('update calls set ended_at = now() where id = $1', [ended]);
  expect(await claim(ended)).toBe('gone');
  expect(await claim(await call(), LEASE + 1)).toBe('gone');
  const id = await call();
  expect([await claim(id), await claim(id)]).toEqual(['claimed', 'gone']);
});

test('refuses a session that already had ten calls', async () => {
  for (let time = 0; time < 10; time += 1) await call(session).then(endAnswered);
  expect(await claim(await call())).toBe('too_many');
});

const endAnswered = (id: CallId) =>
  db.database.query('update calls set answered_at = now(), ended_at = now() where id = $1', [id]);

test('counts calls without a session among the live calls of their account', async () => {
  await call();
  await call();
  const { accountId, mode } = merchant;
  const facts = {
    instance: 'a',
    leaseId: LEASE,
    sipCallId: 'c',
    sipDialogs: [],
    sourceAddress: '::1',
    allowsRefer: true,
  };
  const row = { id: newId('Call'), accountId, mode, sessionId: session, ...facts };
  expect(await insertCall(db.database, row, 2)).toBe('full');
});
