/** Bank debits: pending until the bank settles or returns them, and never in doubt meanwhile. */
import { beforeEach, describe, expect, it } from 'vitest';
import { findCharge } from '../../../src/db/charges/charges.ts';
import { hurryCharge } from '../../../src/db/processor-notifications/hurry.ts';
import { newId } from '../../../src/domain/ids.ts';
import { checkDueReturns } from '../../../src/payments/charges/debit-returns.ts';
import { recordLateSuccess } from '../../../src/payments/charges/late-success.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import { settleCharge } from '../../../src/payments/charges/settle-charge.ts';
import type { ProcessorAnswer } from '../../../src/payments/port/answers.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { createTestPayments, FAST_SANDBOX, keyedAccount, keyedCard, readPaymentState } from './test-payments.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const stop = new AbortController().signal;
const DAY_MS = 24 * 3_600_000;

// The resolver claims everything that is due, also what another test left.
beforeEach(async () => {
  await db.database.query(`update charges set resolve_at = 'infinity' where status = 'pending'`);
});

/** The sandbox, whose debits settle when the test says so. */
function sandboxAnswering(lookUp: () => ProcessorAnswer | { status: 'not_found' }): Processor {
  return { ...createSandbox(db.database, FAST_SANDBOX), lookUp: async () => lookUp() };
}

async function debit(account: string, processor?: Processor, options = {}) {
  const sessionId = await createTestSession(db.database, merchant, options);
  const payments = createTestPayments(db.database, processor === undefined ? {} : { processors: [processor] });
  const result = await payments.pay(merchant, sessionId, keyedAccount(account));
  if (!('charge' in result) || result.charge === null) throw new Error(`the debit: ${result.type}`);
  return { sessionId, payments, result, id: result.charge.id };
}

const stateOf = async (sessionId: Parameters<typeof readPaymentState>[1]) => {
  const { session, charges, events, rows } = await readPaymentState(db.database, sessionId);
  return { session, charges, events, ...rows.at(-1) };
};

/** Makes the charge due now, and as old as this. */
async function makeDue(id: string, ageMs = 0): Promise<void> {
  await db.database.query(
    `update charges set resolve_at = now(), created_at = created_at - $2::double precision * interval '1 millisecond'
      where id = $1 and status = 'pending'`,
    [id, ageMs],
  );
}

async function nextLookUpMs(id: string): Promise<number> {
  const { rows } = await db.database.query<{ ms: number }>(
    `select extract(epoch from resolve_at - now())::double precision * 1000 as ms from charges where id = $1`,
    [id],
  );
  return rows[0]?.ms ?? Number.NaN;
}

const DEBITED: ProcessorAnswer = { status: 'debited', processorPaymentId: 'debit_1' };

describe('a bank debit', () => {
  it('stays pending when the processor has accepted it, and keeps only the last four digits', async () => {
    const { sessionId, result } = await debit('bank_dawdles');
    expect(result).toMatchObject({ type: 'debited', charge: { status: 'pending', debitedAt: expect.any(Date) } });
    expect(await stateOf(sessionId)).toMatchObject({
      session: 'open',
      charges: ['pending'],
      events: ['checkout.pending'],
      paymentMethod: 'us_bank_account',
      brand: null,
      lastFour: '6661',
      settledAt: null,
    });
  });

  it('completes the session when the bank has settled it', async () => {
    const settled: ProcessorAnswer = { status: 'succeeded', processorPaymentId: 'debit_2' };
    const { sessionId, payments, id } = await debit(
      'bank_settles',
      sandboxAnswering(() => settled),
    );
    await makeDue(id, 3 * DAY_MS);
    await resolveDueCharges(payments, stop);
    expect(await stateOf(sessionId)).toMatchObject({
      session: 'complete',
      charges: ['succeeded'],
      events: ['checkout.pending', 'checkout.succeeded', 'checkout.completed'],
    });
  });

  it('fails with the return code when the bank returns it', async () => {
    const { sessionId, payments, id } = await debit('bank_insufficient_funds');
    // The sandbox returns it 150 ms after the debit.
    await db.database.query(`update sandbox_payments set settles_at = now() where reference = $1`, [id]);
    await makeDue(id);
    await resolveDueCharges(payments, stop);
    expect(await stateOf(sessionId)).toMatchObject({
      charges: ['failed'],
      events: ['checkout.pending', 'checkout.failed'],
      declineCode: 'insufficient_funds',
      processorCode: 'R01',
    });
  });

  it('is settled at once if the processor does so', async () => {
    const { sessionId, result } = await debit('bank_settles_at_once');
    expect(result).toMatchObject({ type: 'succeeded', charge: { paymentMethod: 'us_bank_account', lastFour: '7771' } });
    expect(await stateOf(sessionId)).toMatchObject({ session: 'complete', debitedAt: null });
  });

  it('is declined at once for an account that does not exist', async () => {
    const { result } = await debit('1234567890');
    expect(result).toMatchObject({ type: 'declined', declineCode: 'generic_decline' });
  });

  it('shows no digits of a short account number', async () => {
    const { sessionId } = await debit('12345');
    expect(await stateOf(sessionId)).toMatchObject({ lastFour: null });
  });

  it('blocks every other payment of its session and its order for days', async () => {
    const orderId = newId('Request');
    const { sessionId, payments } = await debit('bank_dawdles', undefined, { orderId, allowRepeat: false });
    expect(await payments.pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({ reason: 'in_progress' });
    const other = await createTestSession(db.database, merchant, { orderId, allowRepeat: false });
    expect(await payments.pay(merchant, other, keyedCard('visa'))).toMatchObject({ reason: 'order_in_progress' });
  });

  it('is looked up every six hours while the bank has not answered, as if for the first time', async () => {
    const { payments, id } = await debit(
      'bank_dawdles',
      sandboxAnswering(() => DEBITED),
    );
    for (const day of [1, 2, 3]) {
      await makeDue(id, day * DAY_MS);
      await resolveDueCharges(payments, stop);
      const ms = await nextLookUpMs(id);
      expect([ms > 5 * 3_600_000, ms <= 6 * 3_600_000]).toEqual([true, true]);
    }
  });

  it('is left to a person after three weeks without an outcome', async () => {
    const { payments, id } = await debit(
      'bank_dawdles',
      sandboxAnswering(() => DEBITED),
    );
    await makeDue(id, 22 * DAY_MS);
    await resolveDueCharges(payments, stop);
    expect(await nextLookUpMs(id)).toBe(Number.POSITIVE_INFINITY);
    expect(payments.log.lines).toContain('bank debit without an outcome: look it up at the processor and settle it');
  });

  it('never fails because a list of the processor leaves it out', async () => {
    const { sessionId, payments, id } = await debit(
      'bank_dawdles',
      sandboxAnswering(() => ({ status: 'not_found' })),
    );
    await makeDue(id, 5 * DAY_MS);
    await resolveDueCharges(payments, stop);
    expect(await stateOf(sessionId)).toMatchObject({ charges: ['pending'] });
  });

  it('is known as accepted after a lost answer', async () => {
    const sandbox = sandboxAnswering(() => DEBITED);
    const lost: Processor = { ...sandbox, debits: { debit: async () => ({ status: 'unknown', cause: 'timeout' }) } };
    const { sessionId, payments, id, result } = await debit('bank_dawdles', lost);
    expect(result.type).toBe('pending');
    await makeDue(id);
    await resolveDueCharges(payments, stop);
    expect(await stateOf(sessionId)).toMatchObject({
      charges: ['pending'],
      debitedAt: expect.any(Date),
      events: ['checkout.pending'],
    });
  });

  describe('that the bank returns after it was paid', () => {
    /** A debit that is paid, of an account whose bank returns it later. */
    async function paid(options = {}) {
      const made = await debit('bank_returns_later', undefined, options);
      await makeDue(made.id);
      await resolveDueCharges(
        asking(() => PAID),
        stop,
      );
      const { session, charges } = await stateOf(made.sessionId);
      expect([session, charges]).toEqual(['complete', ['succeeded']]);
      return made;
    }

    const PAID: ProcessorAnswer = { status: 'succeeded', processorPaymentId: 'debit_3' };
    const asking = (lookUp: Parameters<typeof sandboxAnswering>[0]) =>
      createTestPayments(db.database, { processors: [sandboxAnswering(lookUp)] });

    /** The sandbox returns it ten seconds after it was paid. */
    const returnInSandbox = (id: string) =>
      db.database.query(
        `update sandbox_payments set settles_at = clock_timestamp() - interval '11 seconds' where reference = $1`,
        [id],
      );

    async function checkNow({ id, payments }: Awaited<ReturnType<typeof paid>>, paidDaysAgo = 0) {
      await db.database.query(
        'update debit_returns set check_at = now() where charge_id = $1 and check_at is not null',
        [id],
      );
      await db.database.query(
        `update charges set settled_at = settled_at - $2::integer * interval '1 day' where id = $1`,
        [id, paidDaysAgo],
      );
      await checkDueReturns(payments, stop);
    }

    const checksOf = async (id: string) =>
      (await db.database.query('select check_at, returned_at from debit_returns where charge_id = $1', [id])).rows;

    it('fails with its own event, once, and frees its order', async () => {
      const orderId = newId('Request');
      const made = await paid({ orderId, allowRepeat: false });
      await returnInSandbox(made.id);
      await checkNow(made);
      await checkNow(made);
      expect(await stateOf(made.sessionId)).toMatchObject({
        session: 'complete',
        charges: ['failed'],
        events: ['checkout.pending', 'checkout.succeeded', 'checkout.completed', 'charge.returned'],
        declineCode: 'generic_decline',
        processorCode: 'R10',
        returnedAt: expect.any(Date),
        settledAt: expect.any(Date),
      });
      expect(await checksOf(made.id)).toEqual([{ check_at: null, returned_at: expect.any(Date) }]);
      const { rows } = await db.database.query(`select action, changes from audit_events where object_id = $1`, [
        made.id,
      ]);
      expect(rows).toEqual([
        { action: 'charge.returned', changes: { status: { from: 'succeeded', to: 'failed' }, processor_code: 'R10' } },
      ]);
      const other = await createTestSession(db.database, merchant, { orderId, allowRepeat: false });
      expect(await made.payments.pay(merchant, other, keyedCard('visa'))).toMatchObject({ type: 'succeeded' });
    });

    it('is recorded even if the debit was refunded', async () => {
      const made = await paid();
      await db.database.query('update charges set refunded_cents = 1000 where id = $1', [made.id]);
      await returnInSandbox(made.id);
      await checkNow(made);
      expect(await stateOf(made.sessionId)).toMatchObject({ charges: ['failed'], returnedAt: expect.any(Date) });
      const { rows } = await db.database.query('select refunded_cents from charges where id = $1', [made.id]);
      expect(rows).toEqual([{ refunded_cents: 1_000 }]);
    });

    it('is found by several processes at once without a second event', async () => {
      const made = await paid();
      await returnInSandbox(made.id);
      const charge = await findCharge(db.database, made.id);
      if (charge === null) throw new Error('no charge');
      const declined = { status: 'declined', declineCode: 'generic_decline', processorCode: 'R10' } as const;
      const settlement = { ...declined, processorPaymentId: charge.processorPaymentId };
      await Promise.all([
        settleCharge(made.payments, charge, settlement),
        settleCharge(made.payments, charge, settlement),
        checkNow(made),
      ]);
      const { events } = await stateOf(made.sessionId);
      expect(events.filter((type) => type === 'charge.returned')).toHaveLength(1);
    });

    it('stays paid while the processor cannot say, and is looked up the next day', async () => {
      const made = await paid();
      for (const answer of [{ status: 'unknown', cause: 'timeout' }, { status: 'not_found' }, DEBITED] as const) {
        await checkNow({ ...made, payments: asking(() => answer) });
        expect(await stateOf(made.sessionId)).toMatchObject({ charges: ['succeeded'], returnedAt: null });
      }
      const [check] = await checksOf(made.id);
      expect(check?.check_at.getTime() > Date.now() + DAY_MS / 2).toBe(true);
    });

    it('is no longer looked up after 70 days', async () => {
      const made = { ...(await paid()), payments: asking(() => PAID) };
      await checkNow(made, 69);
      expect(await checksOf(made.id)).toHaveLength(1);
      await checkNow(made, 2);
      expect(await checksOf(made.id)).toEqual([]);
      expect(await stateOf(made.sessionId)).toMatchObject({ charges: ['succeeded'] });
    });

    it('is looked up at once when the processor sends a notification about it', async () => {
      const made = await paid();
      await hurryCharge(db.database, made);
      const [check] = await checksOf(made.id);
      expect(check?.check_at.getTime()).toBeLessThanOrEqual(Date.now());
    });

    it('counts as paid late if the bank pays it after all, and is looked up again', async () => {
      const made = await paid();
      await returnInSandbox(made.id);
      await checkNow(made);
      const charge = await findCharge(db.database, made.id);
      if (charge === null) throw new Error('no charge');
      await recordLateSuccess(made.payments, charge, { status: 'succeeded', processorPaymentId: 'debit_4' });
      expect(await stateOf(made.sessionId)).toMatchObject({ charges: ['succeeded'], wasLate: true, returnedAt: null });
      expect(await checksOf(made.id)).toEqual([{ check_at: expect.any(Date), returned_at: null }]);
    });

    it('cannot be refunded any more', async () => {
      const made = await paid();
      await returnInSandbox(made.id);
      const { rows } = await db.database.query<{ paymentId: string }>(
        'select payment_id as "paymentId" from sandbox_payments where reference = $1',
        [made.id],
      );
      const refund = await createSandbox(db.database, FAST_SANDBOX).refunds?.refund(
        {
          refundId: newId('Refund'),
          chargeId: made.id,
          processorPaymentId: rows[0]?.paymentId ?? '',
          mode: 'test',
          amount: { amountCents: 100, currency: 'USD' },
          reason: null,
          credentials: {},
        },
        stop,
      );
      expect(refund).toEqual({ status: 'failed', reason: 'not_refundable', processorCode: 'returned' });
    });

    it('of a card is never looked up', async () => {
      const sessionId = await createTestSession(db.database, merchant);
      const payments = createTestPayments(db.database);
      const result = await payments.pay(merchant, sessionId, keyedCard('visa'));
      if (result.type !== 'succeeded') throw new Error(result.type);
      expect(await checksOf(result.charge.id)).toEqual([]);
    });
  });

  it('is not offered by a processor without bank debits', async () => {
    const { debits: _, ...cardsOnly } = createSandbox(db.database, FAST_SANDBOX);
    const sessionId = await createTestSession(db.database, merchant);
    const payments = createTestPayments(db.database, { processors: [cardsOnly] });
    const result = await payments.pay(merchant, sessionId, keyedAccount('bank_settles'));
    expect(result).toMatchObject({ type: 'refused', reason: 'merchant_not_connected' });
  });

  it('leaves the digits nowhere in the database or the log', async () => {
    const { payments } = await debit('bank_closed');
    const { rows } = await db.database.query<{ dump: string }>(
      `select string_agg(to_jsonb(c)::text, ' ') || (select string_agg(to_jsonb(p)::text, ' ') from sandbox_payments p)
              || (select string_agg(to_jsonb(e)::text, ' ') from events e) as dump from charges c`,
    );
    const log = JSON.stringify([payments.log.lines]);
    for (const text of [rows[0]?.dump, log]) expect(text).not.toContain('000111111113');
  });
});
