/** Bank debits: pending until the bank settles or returns them, and never in doubt meanwhile. */
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { ProcessorAnswer } from '../../../src/payments/answers.ts';
import type { Processor } from '../../../src/payments/ports.ts';
import { resolveDueCharges } from '../../../src/payments/resolve.ts';
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
