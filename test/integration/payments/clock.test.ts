/**
 * Clock jumps: this machine's clock is an hour ahead or behind, or changes during a payment. The database's clock
 * decides what is due, expired or too often. Ours can only make us more careful.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expireSessions } from '../../../src/checkout/expire.ts';
import { claimKey, storeAnswer } from '../../../src/db/keys/idempotency.ts';
import { newId } from '../../../src/domain/ids.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import { takePayment } from '../../../src/payments/charges/take-payment.ts';
import type { LookupRequest } from '../../../src/payments/port/charges.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { VELOCITY } from '../../../src/payments/rules/velocity.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import {
  APPROVED,
  agePendingCharges,
  createTestPayments,
  keyedCard,
  paymentRequest,
  readPaymentState,
  scriptedProcessor,
} from './test-payments.ts';

const HOUR_MS = 3_600_000;
const NEVER = new AbortController().signal;

const db = useTestDatabase();
const merchant = useTestMerchant(db);
afterEach(() => vi.useRealTimers());

/** Changes only what the clock returns. Timers run as usual. */
function jump(ms: number): void {
  const now = Date.now() + ms;
  vi.useFakeTimers({ toFake: ['Date'], now });
}

/** Milliseconds from now until a time in a column of the session's charge, by the database's clock. */
async function fromNow(sessionId: string, column: 'created_at' | 'settled_at' | 'resolve_at'): Promise<number> {
  const { rows } = await db.database.query<{ ms: number }>(
    `select extract(epoch from ${column} - now())::double precision * 1000 as ms from charges where session_id = $1`,
    [sessionId],
  );
  return rows[0]?.ms ?? Number.NaN;
}

describe.each([
  ['ahead', HOUR_MS],
  ['behind', -HOUR_MS],
])('an hour %s', (_name, ms) => {
  it('sessions are paid or expired by the database’s clock, and its times are written', async () => {
    const [open, over] = [
      await createTestSession(db.database, merchant),
      await createTestSession(db.database, merchant, { secondsLeft: -1 }),
    ];
    const payments = createTestPayments(db.database);
    jump(ms);
    expect(await payments.pay(merchant, open, keyedCard('visa'))).toMatchObject({ type: 'succeeded' });
    expect(await payments.pay(merchant, over, keyedCard('visa'))).toMatchObject({ type: 'refused', reason: 'expired' });
    for (const column of ['created_at', 'settled_at'] as const) {
      expect(Math.abs(await fromNow(open, column))).toBeLessThan(60_000);
    }
  });

  it('sessions expire after their time, and none before', async () => {
    const [open, over] = [
      await createTestSession(db.database, merchant),
      await createTestSession(db.database, merchant, { secondsLeft: -1 }),
    ];
    jump(ms);
    while ((await expireSessions(db.database)).more);
    expect(await readPaymentState(db.database, open)).toMatchObject({ session: 'open' });
    expect(await readPaymentState(db.database, over)).toMatchObject({ session: 'expired' });
  });

  it('a pending charge is due by the database’s clock', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const payments = createTestPayments(db.database);
    jump(ms);
    await payments.pay(merchant, sessionId, keyedCard('breaks_then_succeeds'));
    const dueInMs = await fromNow(sessionId, 'resolve_at');
    expect(dueInMs).toBeGreaterThan(-30_000);
    expect(dueInMs).toBeLessThanOrEqual(1_000);
    await db.database.query(`update charges set resolve_at = now() + interval '1 hour' where session_id = $1`, [
      sessionId,
    ]);
    expect(await resolveDueCharges(payments, NEVER)).toMatchObject({ claimed: 0 });
  });

  it('a lookup sends the processor the time of the clock that wrote the charge’s start', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const lookups = new Map<string, LookupRequest>();
    const lookUp: Processor['lookUp'] = async (request) => {
      lookups.set(request.chargeId, request);
      return { status: 'not_found' };
    };
    const silent = scriptedProcessor(db.database, async () => ({ status: 'unknown', cause: 'test' }));
    const payments = createTestPayments(db.database, { processors: [{ ...silent, lookUp }] });
    await payments.pay(merchant, sessionId, keyedCard('visa'));
    await agePendingCharges(db.database, sessionId, 60);
    jump(ms);
    await resolveDueCharges(payments, NEVER);
    const request = lookups.get((await readPaymentState(db.database, sessionId)).rows[0]?.id ?? '');
    const ageMs = Number(request?.askedAt) - Number(request?.createdAt);
    expect(ageMs).toBeGreaterThanOrEqual(60_000);
    expect(ageMs).toBeLessThan(HOUR_MS / 2);
  });

  it('attempts count for the right time', async () => {
    const fresh = await createTestMerchant(db.database);
    const rule = { attempts: 1, seconds: 1_800 };
    const rules = { ...VELOCITY.test, caller: rule, card: rule, origin: rule };
    const deps = { ...createTestPayments(db.database), velocity: { test: rules, live: rules } };
    const attempt = async (card: string) =>
      takePayment(
        deps,
        paymentRequest(fresh, await createTestSession(db.database, fresh, { secondsLeft: 86_400 }), keyedCard(card)),
      );
    expect(await attempt('do_not_honor')).toMatchObject({ type: 'declined' });
    jump(ms);
    expect(await attempt('visa')).toMatchObject({ type: 'refused', reason: 'too_many_attempts' });
  });

  it('a jump while the processor works changes nothing', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const processor = scriptedProcessor(db.database, async () => {
      jump(ms);
      return APPROVED;
    });
    const payments = createTestPayments(db.database, { processors: [processor] });
    expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({ type: 'succeeded' });
    expect(await fromNow(sessionId, 'settled_at')).toBeLessThanOrEqual(0);
  });
});

it('a day ahead, an idempotency key is still known', async () => {
  const claim = {
    accountId: merchant.accountId,
    mode: merchant.mode,
    route: 'POST /v1/charge',
    keyHash: Buffer.alloc(32, 1),
    requestHash: Buffer.alloc(32, 2),
    requestId: newId('Request'),
  };
  expect(await claimKey(db.database, claim)).toEqual({ kind: 'claimed' });
  await storeAnswer(db.database, claim, { status: 200, encrypted: 'sealed' });
  jump(25 * HOUR_MS);
  const again = { ...claim, requestId: newId('Request') };
  expect(await claimKey(db.database, again)).toMatchObject({ kind: 'answered', requestId: claim.requestId });
});

it('if the clock jumps ahead between the row and the request, it is too late to send safely, so nothing is sent', async () => {
  const merchantOf = await createTestMerchant(db.database);
  const sessionId = await createTestSession(db.database, merchantOf);
  const processor = { ...scriptedProcessor(db.database, async () => APPROVED), needsCredentials: true };
  const credentialsFor = async () => {
    jump(HOUR_MS);
    return {};
  };
  const payments = createTestPayments(db.database, { processors: [processor], credentialsFor });
  expect(await payments.pay(merchantOf, sessionId, keyedCard('visa'))).toMatchObject({
    type: 'declined',
    declineCode: 'processing_error',
  });
  expect(processor.requests).toBe(0);
  expect(await readPaymentState(db.database, sessionId)).toMatchObject({ session: 'open', charges: ['failed'] });
});

it('if the clock jumps back between the row and the request, nothing changes', async () => {
  const merchantOf = await createTestMerchant(db.database);
  const sessionId = await createTestSession(db.database, merchantOf);
  const payments = createTestPayments(db.database, {
    processors: [{ ...scriptedProcessor(db.database, async () => APPROVED), needsCredentials: true }],
    credentialsFor: async () => {
      jump(-HOUR_MS);
      return {};
    },
  });
  expect(await payments.pay(merchantOf, sessionId, keyedCard('visa'))).toMatchObject({ type: 'succeeded' });
});
