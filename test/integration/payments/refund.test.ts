/** The one path that gives money back: its rules are the record's, and it leaves nothing half done. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { Processor, RefundAnswer } from '../../../src/payments/ports.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import type { Sql } from '../../../src/db/pool.ts';
import { findSandboxRefund } from '../../../src/payments/sandbox/refund-books.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { deferred } from '../../support/deferred.ts';
import { ageRefunds, backOf, openDesk, PAID, paidCharge } from './test-refunds.ts';
import { counting, keyed, openSession, openShop, openTill, QUICK, type Shop } from './test-payments.ts';

let db: TestDatabase;
let shop: Shop;
beforeAll(async () => {
  db = await createTestDatabase();
  shop = await openShop(db.database);
});
afterAll(() => db.close());

/** The sandbox, with refunds of its own mind. */
function refunding(refund: () => Promise<RefundAnswer>): Processor {
  const sandbox = createSandbox(db.database, QUICK);
  if (sandbox.refunds === null) throw new Error('the sandbox gives money back');
  return { ...sandbox, refunds: { ...sandbox.refunds, refund } };
}

const FAILED = insert(`'failed'`, '4250', ', settled_at, failure', `, now(), 'refused'`);
const REVIVED = `update refunds set status = 'succeeded', failure = null`;

describe('a refund', () => {
  it('is in the record, in the books of the processor, and told of, once', async () => {
    const chargeId = await paidCharge(db.database, shop);
    const desk = openDesk(db.database, shop);
    expect(await desk.refund(chargeId, 250)).toMatchObject({ type: 'refund', refund: { status: 'succeeded' } });
    expect(await backOf(db.database, chargeId)).toEqual({
      ...{ refundedCents: 250, refunds: ['succeeded 250'], failures: [] },
      ...{ events: ['refund.succeeded'], ledger: [250] },
    });
    expect(desk.outcomes).toEqual(['succeeded']);
  });

  it('that the sandbox made while a reader of its books was on his way is made for him, too', async () => {
    const chargeId = await paidCharge(db.database, shop);
    await db.database.transaction(async (sql) => {
      await sql.query('select now()');
      const made = await openDesk(db.database, shop).refund(chargeId, 250);
      if (made.type !== 'refund') throw new Error('nothing was given back');
      expect(await findSandboxRefund(sql, made.refund.id)).toMatchObject({ status: 'succeeded', settlesInMs: 0 });
    });
  });

  it('gives all that is left where no amount is named', async () => {
    const chargeId = await paidCharge(db.database, shop);
    const desk = openDesk(db.database, shop);
    await desk.refund(chargeId, 250);
    expect(await desk.refund(chargeId)).toMatchObject({ refund: { amount: { amountCents: 4_000, currency: 'USD' } } });
    expect(await desk.refund(chargeId)).toEqual({ type: 'refused', reason: 'nothing_left' });
    expect(await backOf(db.database, chargeId)).toMatchObject({ refundedCents: PAID, ledger: [250, 4_000] });
  });

  it('that was refused is no more than a failed row: the money can be given back again', async () => {
    const chargeId = await paidCharge(db.database, shop);
    const refused = async (): Promise<RefundAnswer> => ({ status: 'failed', reason: 'refused', processorCode: 'no' });
    const result = await openDesk(db.database, shop, { processor: refunding(refused) }).refund(chargeId);
    expect(result).toMatchObject({ refund: { status: 'failed', failure: 'refused', processorCode: 'no' } });
    expect(await backOf(db.database, chargeId)).toMatchObject({ refundedCents: 0, events: ['refund.failed'] });
    expect(await openDesk(db.database, shop).refund(chargeId)).toMatchObject({ refund: { status: 'succeeded' } });
  });

  it('on credentials that nobody has is refused, and nothing is sent', async () => {
    const chargeId = await paidCharge(db.database, shop);
    const sent = vi.fn<() => Promise<RefundAnswer>>();
    const processor = { ...refunding(sent), needsCredentials: true };
    const desk = openDesk(db.database, shop, { processor, credentialsFor: async () => null });
    expect(await desk.refund(chargeId)).toMatchObject({
      refund: { status: 'failed', failure: 'credentials_rejected' },
    });
    expect(sent).not.toHaveBeenCalled();
  });

  it.each<[string, () => Promise<RefundAnswer>]>([
    ['answers nothing clear', async () => ({ status: 'unknown', cause: 'http_500' })],
    ['breaks its contract', () => Promise.reject(new Error('bug'))],
    ['never comes back', () => new Promise(() => undefined)],
  ])('of a processor that %s is pending, and counts', async (_, refund) => {
    const chargeId = await paidCharge(db.database, shop);
    const desk = openDesk(db.database, shop, { processor: refunding(refund), timings: { processorLimitMs: 20 } });
    expect(await desk.refund(chargeId, 4_000)).toMatchObject({
      refund: { status: 'pending', processorRefundId: null },
    });
    expect(await desk.refund(chargeId, 251)).toEqual({ type: 'refused', reason: 'too_much' });
    expect(await backOf(db.database, chargeId)).toMatchObject({ refundedCents: 4_000, events: [], ledger: [] });
    expect(desk.outcomes).toEqual(['pending']);
  });

  it('that the processor has taken on is pending, and its name known', async () => {
    const chargeId = await paidCharge(db.database, shop);
    const taken = async (): Promise<RefundAnswer> => ({ status: 'pending', processorRefundId: 'theirs' });
    const desk = openDesk(db.database, shop, { processor: refunding(taken) });
    expect(await desk.refund(chargeId)).toMatchObject({ refund: { status: 'pending', processorRefundId: 'theirs' } });
  });

  it('that would be sent long after it was begun is left to the resolver', async () => {
    const chargeId = await paidCharge(db.database, shop);
    const desk = openDesk(db.database, shop, { timings: { sendWindowMs: -1 } });
    expect(await desk.refund(chargeId)).toMatchObject({ refund: { status: 'pending', processorRefundId: null } });
    await ageRefunds(db.database, chargeId, 2);
    await desk.resolve();
    expect(await backOf(db.database, chargeId)).toMatchObject({ refunds: [`pending ${PAID}`], ledger: [] });
    await ageRefunds(db.database, chargeId, 2);
    await openDesk(db.database, shop).resolve();
    expect(await backOf(db.database, chargeId)).toMatchObject({ refunds: [`succeeded ${PAID}`], ledger: [PAID] });
  });

  it('is under way until its end: a shutdown waits for it', async () => {
    const chargeId = await paidCharge(db.database, shop);
    const [asked, answer] = [deferred<void>(), deferred<RefundAnswer>()];
    const refund = () => {
      asked.resolve();
      return answer.promise;
    };
    const desk = openDesk(db.database, shop, { processor: refunding(refund) });
    const result = desk.refund(chargeId);
    await asked.promise;
    expect(desk.inFlight.size).toBe(1);
    answer.resolve({ status: 'succeeded', processorRefundId: 'theirs' });
    expect(await desk.inFlight.idle(10_000)).toBe(true);
    expect(await result).toMatchObject({ refund: { status: 'succeeded', processorRefundId: 'theirs' } });
  });
});

describe('the record', () => {
  it('refuses what is not paid, not there, or another account’s', async () => {
    const desk = openDesk(db.database, shop);
    const declined = await openTill(db.database).pay(shop, await openSession(db.database, shop), keyed('do_not_honor'));
    if (declined.charge === null) throw new Error('no charge');
    expect(await desk.refund(declined.charge.id)).toEqual({ type: 'refused', reason: 'not_paid' });
    expect(await desk.refund(newId('Charge'))).toEqual({ type: 'refused', reason: 'no_charge' });
    const theirs = await openShop(db.database);
    const chargeId = await paidCharge(db.database, theirs);
    expect(await desk.refund(chargeId)).toEqual({ type: 'refused', reason: 'no_charge' });
    const live = { accountId: theirs.accountId, mode: 'live' as const };
    expect(await desk.refund(chargeId, 1, { scope: live })).toEqual({ type: 'refused', reason: 'other_mode' });
  });

  it('never gives back more than was paid, whoever writes: 50 at once', async () => {
    const chargeId = await paidCharge(db.database, shop);
    const desks = [openDesk(db.database, shop), openDesk(db.database, shop)] as const;
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, at) => desks[at % 2 === 0 ? 0 : 1].refund(chargeId, 100)),
    );
    const made = results.filter(({ type }) => type === 'refund');
    expect(made).toHaveLength(42);
    const refusals = results.flatMap((result) => (result.type === 'refused' ? [result.reason] : []));
    expect(new Set(refusals)).toEqual(new Set(['too_much']));
    const book = await backOf(db.database, chargeId);
    expect(book).toMatchObject({ refundedCents: 4_200, refunds: Array(42).fill('succeeded 100') });
    expect(book.ledger).toHaveLength(42);
  });

  it.each([
    ['a second refund of the whole', [insert(`'pending'`, '4250')]],
    ['a cent too much', [insert(`'pending'`, '251')]],
    ['one that is made at once', [insert(`'succeeded'`, '251', ', settled_at', ', now()')]],
    ['a bigger one', ['update refunds set amount_cents = 4251 where charge_id = $1']],
    ['a failed one that is made after all', [FAILED, `${REVIVED} where charge_id = $1 and status = 'failed'`]],
    ['a charge that shrinks', ['update charges set amount_cents = 3999 where id = $1']],
    ['a charge that fails after all', [`update charges set status = 'failed' where id = $1`]],
  ])('has no room for %s', async (_, statements) => {
    const chargeId = await paidCharge(db.database, shop);
    await openDesk(db.database, shop).refund(chargeId, 4_000);
    const [last = '', ...before] = [...statements].reverse();
    await db.database.transaction(async (sql) => {
      for (const statement of before) await sql.query(statement, [chargeId]);
      await sql.query('savepoint before_it');
      await expect(sql.query(last, [chargeId])).rejects.toThrow('never_more_back_than_was_paid');
      await sql.query('rollback to before_it');
    });
    expect(await backOf(db.database, chargeId)).toMatchObject({ refundedCents: 4_000, ledger: [4_000] });
  });

  it('has none for a refund of a charge that is not paid', async () => {
    const declined = await openTill(db.database).pay(shop, await openSession(db.database, shop), keyed('do_not_honor'));
    await expect(db.database.query(insert(`'pending'`, '1'), [declined.charge?.id])).rejects.toThrow(
      'never_more_back_than_was_paid',
    );
  });

  it('counts again when a refund fails, shrinks, or is gone', async () => {
    const chargeId = await paidCharge(db.database, shop);
    const refunded = async () => (await backOf(db.database, chargeId)).refundedCents;
    await db.database.query(insert(`'pending'`, '3000'), [chargeId]);
    expect(await refunded()).toBe(3_000);
    await db.database.query('update refunds set amount_cents = 1000 where charge_id = $1', [chargeId]);
    expect(await refunded()).toBe(1_000);
    await db.database.query(
      `update refunds set status = 'failed', failure = 'refused', settled_at = now() where charge_id = $1`,
      [chargeId],
    );
    expect(await refunded()).toBe(0);
    await db.database.query(insert(`'pending'`, '500'), [chargeId]);
    expect(await refunded()).toBe(500);
    await db.database.query('delete from refunds where charge_id = $1', [chargeId]);
    expect(await refunded()).toBe(0);
  });

  it('is asked twice for a refund: to begin it, and to write what became of it', async () => {
    const chargeId = await paidCharge(db.database, shop);
    const made = async (): Promise<RefundAnswer> => ({ status: 'succeeded', processorRefundId: 'theirs' });
    const counted = counting(db.database);
    expect(await openDesk(counted, shop, { processor: refunding(made) }).refund(chargeId)).toMatchObject({
      refund: { status: 'succeeded' },
    });
    expect(counted.count).toBe(2);
  });

  it('is tried again where it is away for a moment, and the refund keeps its id', async () => {
    const chargeId = await paidCharge(db.database, shop);
    const [sql, lost] = losing(db.database, ['begin_refund', 'settle_refund']);
    expect(await openDesk(sql, shop).refund(chargeId)).toMatchObject({ refund: { status: 'succeeded' } });
    expect(lost).toEqual(['begin_refund', 'settle_refund']);
    expect(await backOf(db.database, chargeId)).toMatchObject({
      ...{ refunds: [`succeeded ${PAID}`], events: ['refund.succeeded'], ledger: [PAID] },
    });
  });

  it('that stays away: nothing is begun; or the outcome is left to the resolver', async () => {
    const chargeId = await paidCharge(db.database, shop);
    const away = (name: string): Sql => ({
      query: ((...args: [{ name?: string }, unknown[]]) =>
        args[0].name === name
          ? Promise.reject(new Error('Connection terminated'))
          : db.database.query(...(args as [never, never]))) as Sql['query'],
    });
    const timings = { beginLimitMs: 60, recordLimitMs: 60 };
    const refused = await openDesk(away('begin_refund'), shop, { timings }).refund(chargeId);
    expect(refused).toEqual({ type: 'refused', reason: 'unavailable' });
    expect(await backOf(db.database, chargeId)).toMatchObject({ refunds: [], ledger: [] });
    const processor = createSandbox(db.database, QUICK);
    const desk = openDesk(away('settle_refund'), shop, { timings, processor });
    expect(await desk.refund(chargeId)).toMatchObject({ refund: { status: 'pending' } });
    expect(await backOf(db.database, chargeId)).toMatchObject({ refunds: [`pending ${PAID}`], ledger: [PAID] });
  });
});

/** Loses the answer of the first of each of these statements, after it was done. */
function losing(sql: Sql, names: readonly string[]): [Sql, string[]] {
  const lost: string[] = [];
  const query = async (...args: unknown[]) => {
    const result = await (sql.query as (...args: unknown[]) => Promise<unknown>)(...args);
    const { name } = args[0] as { name?: string };
    if (name === undefined || !names.includes(name) || lost.includes(name)) return result;
    lost.push(name);
    throw new Error('Connection terminated unexpectedly');
  };
  return [{ query: query as Sql['query'] }, lost];
}

/** SQL: another refund of charge $1, past all our code. */
function insert(status: string, amountCents: string, columns = '', values = ''): string {
  return `insert into refunds (id, charge_id, session_id, account_id, mode, merchant_id, status, amount_cents, currency,
                               processor, processor_payment_id, resolve_at${columns})
          select 're_' || md5(random()::text), id, session_id, account_id, mode, merchant_id, ${status}, ${amountCents},
                 currency, processor, coalesce(processor_payment_id, 'none'), now()${values}
            from charges where id = $1`;
}
