/** Payments through the whole payment path: the result, and the rows in the database and the sandbox. */
import { describe, expect, it } from 'vitest';
import { insertCall } from '../../../src/db/calls/calls.ts';
import { newId } from '../../../src/domain/ids.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import { CallTakenOver } from '../../../src/payments/charges/start-charge.ts';
import { takePayment } from '../../../src/payments/charges/take-payment.ts';
import type { ProcessorAnswer } from '../../../src/payments/port/answers.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import {
  APPROVED,
  createTestPayments,
  keyedCard,
  listSessionEvents,
  paymentRequest,
  readPaymentState,
  scriptedProcessor,
} from './test-payments.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);

describe('a payment', () => {
  it('succeeds with matching charge, events and session', async () => {
    const sessionId = await createTestSession(db.database, merchant, { amountCents: 1_234 });
    const result = await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('mastercard'));
    expect(result).toMatchObject({
      type: 'succeeded',
      charge: {
        sessionId,
        ...merchant,
        status: 'succeeded',
        amount: { amountCents: 1_234, currency: 'USD' },
        source: 'phone',
        processor: 'sandbox',
        processorPaymentId: expect.stringMatching(/^sandbox_/),
        brand: 'MASTERCARD',
        lastFour: '4444',
        declineCode: null,
        instrumentId: null,
        settledAt: expect.any(Date),
      },
    });
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      session: 'complete',
      charges: ['succeeded'],
      events: ['checkout.succeeded', 'checkout.completed'],
      ledger: ['succeeded'],
    });
  });

  it.each(['automatic', 'manual'] as const)(
    'charges or holds the tip with the amount (%s capture)',
    async (capture) => {
      const sessionId = await createTestSession(db.database, merchant, { amountCents: 4_250, capture });
      const result = await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('visa'), 765);
      expect(result).toMatchObject({ charge: { amount: { amountCents: 5_015 }, tipCents: 765 } });
      const sandbox = await db.database.query(
        'select p.amount_cents from sandbox_payments p join charges c on c.id = p.reference where c.session_id = $1',
        [sessionId],
      );
      expect(sandbox.rows).toEqual([{ amount_cents: 5_015 }]);
      const events = await db.database.query<{ charge: unknown }>(
        `select facts->'charge' as charge from events where session_id = $1 and type = 'checkout.succeeded'`,
        [sessionId],
      );
      expect(events.rows[0]?.charge).toMatchObject({ amount_cents: 5_015, tip_cents: 765 });
    },
  );

  it('charges a part, completes the session, and reports what is left', async () => {
    const sessionId = await createTestSession(db.database, merchant, { amountCents: 4_250 });
    const request = paymentRequest(merchant, sessionId, keyedCard('visa'));
    const payments = createTestPayments(db.database);
    const result = await takePayment(payments, { ...request, partCents: 2_000, tipCents: 300 });
    const charge = { amount: { amountCents: 2_300 }, tipCents: 300, remainingCents: 2_250 };
    expect(result).toMatchObject({ type: 'succeeded', charge });
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ session: 'complete' });
    const { rows } = await db.database.query<{ charge: unknown }>(
      `select facts->'charge' as charge from events where session_id = $1 and type = 'checkout.succeeded'`,
      [sessionId],
    );
    expect(rows).toMatchObject([{ charge: { amount_cents: 2_300, remaining_cents: 2_250 } }]);
    expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({ reason: 'already_paid' });
  });

  it('returns the decline, leaves the session open, and another card can pay', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const payments = createTestPayments(db.database);
    const declined = await payments.pay(merchant, sessionId, keyedCard('insufficient_funds'));
    expect(declined).toMatchObject({
      type: 'declined',
      declineCode: 'insufficient_funds',
      charge: { status: 'failed', declineCode: 'insufficient_funds', processorCode: 'insufficient_funds' },
    });
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      session: 'open',
      events: ['checkout.failed'],
    });
    expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({ type: 'succeeded' });
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      session: 'complete',
      charges: ['failed', 'succeeded'],
      events: ['checkout.failed', 'checkout.succeeded', 'checkout.completed'],
    });
  });

  it('records in each event the facts of that time', async () => {
    const sessionId = await createTestSession(db.database, merchant, { amountCents: 700 });
    const payments = createTestPayments(db.database);
    await payments.pay(merchant, sessionId, keyedCard('lost_card'));
    await payments.pay(merchant, sessionId, keyedCard('visa'));
    const events = await listSessionEvents(db.database, sessionId);
    expect(events.map(({ type, facts }) => [type, facts.outcome, facts.session_status, facts.charge?.status])).toEqual([
      ['checkout.failed', 'failed', 'open', 'failed'],
      ['checkout.succeeded', 'succeeded', 'complete', 'succeeded'],
      ['checkout.completed', 'succeeded', 'complete', 'succeeded'],
    ]);
    expect(events[0]).toMatchObject({
      accountId: merchant.accountId,
      mode: 'test',
      sessionId,
      facts: { charge: { amount_cents: 700, decline_code: 'lost_card', processor_code: 'lost_card' } },
    });
    expect(events[1]?.facts.charge?.processor_payment_id).toMatch(/^sandbox_/);
    const sequences = events.map(({ sequence }) => BigInt(sequence));
    expect(sequences).toEqual([...sequences].sort((a, b) => Number(a - b)));
  });

  it('takes ownership of the card, wipes the security code when sent and the rest when answered', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const seen: number[][] = [];
    let held: { number: { length: number } } | undefined;
    const processor = scriptedProcessor(db.database, async ({ card }) => {
      if (card.kind !== 'keyed') throw new Error('not keyed');
      held = card.card;
      seen.push([card.card.number.length, card.card.expiry.length, card.card.securityCode.length]);
      return APPROVED;
    });
    const card = keyedCard('visa', { postalCode: '12345' });
    const paying = createTestPayments(db.database, { processors: [processor] }).pay(merchant, sessionId, card);
    for (const secret of Object.values(card.card)) expect(secret).toHaveLength(0);
    expect(await paying).toMatchObject({ type: 'succeeded' });
    expect(seen).toEqual([[16, 4, 3]]);
    expect(held?.number).toHaveLength(0);
  });

  it('stores and logs no digit of the card except the last four', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const payments = createTestPayments(db.database);
    const result = await payments.pay(merchant, sessionId, keyedCard('4012888888881881', { securityCode: '7316' }));
    const rows = await db.database.query(
      `select to_jsonb(c)::text as text from charges c where session_id = $1
       union all select to_jsonb(e)::text from events e where session_id = $1`,
      [sessionId],
    );
    const text = JSON.stringify([result, rows.rows, payments.log.lines]);
    expect(text).toContain('1881');
    expect(text).not.toMatch(/40128888|88881881|7316/);
  });
});

describe('an unknown outcome', () => {
  it.each(['breaks_then_succeeds', 'breaks_then_declines', 'hangs_taken', 'hangs_not_taken'])(
    'stays pending and says so once: %s',
    async (card) => {
      const sessionId = await createTestSession(db.database, merchant);
      let woken = 0;
      const onPending = () => {
        woken += 1;
      };
      const payments = createTestPayments(db.database, { onPending });
      expect(await payments.pay(merchant, sessionId, keyedCard(card))).toMatchObject({
        type: 'pending',
        charge: { status: 'pending', settledAt: null },
      });
      expect(woken).toBe(1);
      expect(await readPaymentState(db.database, sessionId)).toMatchObject({
        session: 'open',
        charges: ['pending'],
        events: ['checkout.pending'],
      });
      const { rows } = await db.database.query(
        `select extract(epoch from resolve_at - now())::float8 as s from charges where session_id = $1`,
        [sessionId],
      );
      expect(rows[0].s).toBeLessThanOrEqual(1);
    },
  );

  it('results from an adapter that throws or ignores its time limit', async () => {
    const broken = scriptedProcessor(db.database, () => Promise.reject(new Error('bug')));
    const deaf = scriptedProcessor(db.database, () => new Promise(() => undefined));
    for (const processor of [broken, deaf]) {
      const sessionId = await createTestSession(db.database, merchant);
      const payments = createTestPayments(db.database, { processors: [processor], timings: { processorLimitMs: 20 } });
      expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({ type: 'pending' });
      expect(processor.requests).toBe(1);
      expect(payments.log.lines).toContain('processor adapter broke its contract');
      expect(await readPaymentState(db.database, sessionId)).toMatchObject({ charges: ['pending'] });
    }
  });
});

describe('a payment whose caller hung up', () => {
  it('runs to its end and is written, and a shutdown waits for it', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const answer = deferred<ProcessorAnswer>();
    const processor = scriptedProcessor(db.database, () => answer.promise);
    const payments = createTestPayments(db.database, { processors: [processor] });
    void payments.pay(merchant, sessionId, keyedCard('visa'));
    await expect.poll(() => processor.requests).toBe(1);
    expect(payments.inFlight.size).toBe(1);
    expect(await payments.inFlight.idle(10)).toBe(false);
    const drained = payments.inFlight.idle(10_000);
    answer.resolve(APPROVED);
    expect(await drained).toBe(true);
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      session: 'complete',
      charges: ['succeeded'],
    });
  });
});

describe('a card keyed on a call', () => {
  it('is not charged after another process has taken over the call and reported its outcome to the agent', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const record = { id: newId('Call'), leaseId: 1 };
    const names = { instance: 'one', sipCallId: 'x', sipDialogs: [], sourceAddress: '127.0.0.1', allowsRefer: true };
    const { accountId, mode } = merchant;
    expect(await insertCall(db.database, { ...record, accountId, mode, sessionId, ...names }, 10)).toBe('inserted');
    const processor = scriptedProcessor(db.database, async () => APPROVED);
    const deps = createTestPayments(db.database, { processors: [processor] });
    const pay = () => {
      const call = { number: null, source: '127.0.0.1', record };
      return takePayment(deps, { ...paymentRequest(merchant, sessionId, keyedCard('visa')), call });
    };
    const holdBy = (lease: number) =>
      db.database.query('update calls set lease_id = $2 where id = $1', [record.id, lease]);
    await holdBy(2);
    await expect(pay()).rejects.toThrow(CallTakenOver);
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ session: 'open', charges: [] });
    expect(processor.requests).toBe(0);
    await holdBy(1);
    expect(await pay()).toMatchObject({ type: 'succeeded' });
  });
});

describe('a charge that the database lost in a failover', () => {
  const lose = async (id: string) => {
    await db.database.query('delete from events where charge_id = $1', [id]);
    await db.database.query('delete from charges where id = $1', [id]);
  };

  it('is restored with its outcome while the processor works', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    for (const [answer, expected] of [
      [{ status: 'declined', declineCode: 'lost_card', processorCode: null, processorPaymentId: null }, 'failed'],
      [APPROVED, 'succeeded'],
    ] as const satisfies [ProcessorAnswer, string][]) {
      const losing = scriptedProcessor(db.database, async ({ chargeId }) => {
        await lose(chargeId);
        return answer;
      });
      const payments = createTestPayments(db.database, { processors: [losing] });
      expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({
        charge: { status: expected },
      });
      expect(payments.log.lines).toContain('the database lost a charge, writing it again');
    }
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({
      session: 'complete',
      charges: ['failed', 'succeeded'],
      events: ['checkout.failed', 'checkout.succeeded', 'checkout.completed'],
    });
  });

  it.each<[string, ProcessorAnswer]>([
    ['taken', APPROVED],
    ['not known', { status: 'unknown', cause: 'timeout' }],
  ])('is found by its request’s key again: %s', async (_, answer) => {
    const sessionId = await createTestSession(db.database, merchant);
    const losing = scriptedProcessor(db.database, async ({ chargeId }) => {
      await lose(chargeId);
      return answer;
    });
    const payments = createTestPayments(db.database, { processors: [losing] });
    const request = {
      ...paymentRequest(merchant, sessionId, keyedCard('visa')),
      idempotencyKeyHash: Buffer.alloc(32, 7),
    };
    await takePayment(payments, request);
    const again = {
      ...paymentRequest(merchant, sessionId, keyedCard('visa')),
      idempotencyKeyHash: Buffer.alloc(32, 7),
    };
    expect(await takePayment(payments, again)).toMatchObject({ type: 'refused', reason: 'repeated' });
    expect(losing.requests).toBe(1);
  });

  /** The result of a charge that was lost while the processor worked, and created again with another card. */
  async function startedAgain(answer: ProcessorAnswer) {
    const sessionId = await createTestSession(db.database, merchant);
    const others = deferred<void>();
    const second = scriptedProcessor(db.database, async () => {
      await others.promise;
      return { status: 'unknown', cause: 'idempotency_error' };
    });
    const afterRestart = createTestPayments(db.database, { processors: [second] });
    let paidAgain: Promise<unknown> = Promise.resolve();
    const first = scriptedProcessor(db.database, async ({ chargeId }) => {
      await lose(chargeId);
      paidAgain = afterRestart.pay(merchant, sessionId, keyedCard('mastercard'));
      await expect.poll(() => second.requests).toBe(1);
      return answer;
    });
    const payments = createTestPayments(db.database, { processors: [first] });
    const result = await payments.pay(merchant, sessionId, keyedCard('visa'));
    others.resolve();
    await paidAgain;
    return { result, state: await readPaymentState(db.database, sessionId) };
  }

  it('is not failed by the first payment after another payment has created it again', async () => {
    const { result, state } = await startedAgain({
      status: 'declined',
      declineCode: 'lost_card',
      processorCode: null,
      processorPaymentId: null,
    });
    expect(result.type).toBe('pending');
    expect(state).toMatchObject({ charges: ['pending'], events: ['checkout.pending'] });
  });

  it.each([
    ['as the processor names it', { ...APPROVED, card: { brand: 'AMERICAN_EXPRESS', lastFour: '0005' } }, '0005'],
    ['as it was keyed', APPROVED, '4242'],
  ])('and that was begun anew with another card names the one that was charged, %s', async (_, answer, lastFour) => {
    const { result, state } = await startedAgain(answer);
    expect(result).toMatchObject({ type: 'succeeded', charge: { lastFour } });
    expect(state.rows).toMatchObject([{ status: 'succeeded', lastFour }]);
  });

  it('has the same ID again after its outcome, so the processor takes no second payment', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const payments = createTestPayments(db.database);
    const first = await payments.pay(merchant, sessionId, keyedCard('visa'));
    if (first.type !== 'succeeded') throw new Error(first.type);
    await lose(first.charge.id);
    await db.database.query(`update checkout_sessions set status = 'open' where id = $1`, [sessionId]);
    const again = await payments.pay(merchant, sessionId, keyedCard('visa'));
    expect(again).toMatchObject({ type: 'succeeded', charge: { id: first.charge.id } });
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ ledger: ['succeeded'] });
  });
});
