/** Charges whose bank asks the payer to authenticate, if a process dies or the processor does not answer: one outcome. */
import { describe, expect, it } from 'vitest';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import { confirmPayment } from '../../../src/payments/charges/confirm.ts';
import type { ProcessorAnswer } from '../../../src/payments/port/answers.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { agePendingCharges, createTestPayments, FAST_SANDBOX, interceptQueries } from './test-payments.ts';
import { LIMIT_SECONDS, waitingCharges } from './waiting-charges.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const { scope, payments, state, payOnPage, waiting, sandboxWith, resolve } = waitingCharges(db, merchant);

describe('a charge whose bank asks the payer to confirm', () => {
  describe('when a process dies', () => {
    /** Every write to `charges` fails as soon as `dies` returns true. */
    function dyingPayments(isDead: () => boolean, processors?: Processor[]) {
      const database = interceptQueries(db.database, (query, args) =>
        isDead() ? Promise.reject(Object.assign(new Error('gone'), { code: '57P01' })) : query(...args),
      );
      return createTestPayments(database, { timings: { recordLimitMs: 50 }, ...(processors && { processors }) });
    }

    it('before the wait is recorded, the resolver finds it, and the payer continues', async () => {
      const sessionId = await createTestSession(db.database, merchant);
      let isDead = false;
      const sandbox = createSandbox(db.database, FAST_SANDBOX);
      const charge: Processor['charge'] = async (...request) => {
        const answer = await sandbox.charge(...request);
        isDead = true;
        return answer;
      };
      const dying = dyingPayments(() => isDead, [{ ...sandbox, charge }]);
      const lost = await payOnPage(dying, sessionId, 'asks_approved');
      if (lost.type !== 'pending') throw new Error(lost.type);
      expect((await state(sessionId)).rows[0]).toMatchObject({ actionDeadline: null });
      await agePendingCharges(db.database, sessionId, 60);
      await resolve();
      const found = await state(sessionId);
      expect(found).toMatchObject({ charges: ['pending'], events: [] });
      expect(found.rows[0]?.actionDeadline).toBeInstanceOf(Date);
      const request = { sessionId, scope: scope(), chargeId: lost.charge.id };
      expect(await confirmPayment(payments(), request)).toMatchObject({ type: 'succeeded' });
      expect(await state(sessionId)).toMatchObject({ charges: ['succeeded'], ledger: ['succeeded'] });
    });

    it('before the wait is recorded, and the payer does not come back, it is canceled without promising a text', async () => {
      const sessionId = await createTestSession(db.database, merchant);
      let isDead = false;
      const sandbox = createSandbox(db.database, FAST_SANDBOX);
      const charge: Processor['charge'] = async (...request) => {
        const answer = await sandbox.charge(...request);
        isDead = true;
        return answer;
      };
      await payOnPage(
        dyingPayments(() => isDead, [{ ...sandbox, charge }]),
        sessionId,
        'asks_approved',
      );
      await agePendingCharges(db.database, sessionId, LIMIT_SECONDS + 1);
      await resolve();
      expect(await state(sessionId)).toMatchObject({
        charges: ['failed'],
        ledger: ['declined'],
        events: ['checkout.failed'],
      });
    });

    it('after the confirmation, the resolver settles the taken charge within a minute', async () => {
      const { sessionId, request } = await waiting('asks_approved');
      let isDead = false;
      const processor = sandboxWith(({ confirm }) => ({
        confirm: async (...request) => {
          const answer = await confirm(...request);
          isDead = true;
          return answer;
        },
      }));
      expect(
        await confirmPayment(
          dyingPayments(() => isDead, [processor]),
          request,
        ),
      ).toMatchObject({ type: 'pending' });
      expect(await state(sessionId)).toMatchObject({ charges: ['pending'], ledger: ['succeeded'], events: [] });
      const { rows } = await db.database.query<{ seconds: number }>(
        'select extract(epoch from resolve_at - now())::float8 as seconds from charges where id = $1',
        [request.chargeId],
      );
      expect(rows[0]?.seconds).toBeLessThan(60);
      await agePendingCharges(db.database, sessionId, 60);
      await resolve();
      expect(await state(sessionId)).toMatchObject({
        session: 'complete',
        charges: ['succeeded'],
        events: ['checkout.succeeded', 'checkout.completed'],
      });
    });

    it('before the confirmation, the charge keeps waiting, and is canceled when the time is over', async () => {
      const { sessionId, request } = await waiting('asks_approved');
      const never = sandboxWith(() => ({ confirm: () => new Promise(() => undefined) }));
      void confirmPayment(createTestPayments(db.database, { processors: [never] }), request);
      await expect
        .poll(async () => {
          const { rows } = await db.database.query<{ soon: boolean }>(
            `select resolve_at < now() + interval '1 minute' as soon from charges where id = $1`,
            [request.chargeId],
          );
          return rows[0]?.soon;
        })
        .toBe(true);
      await agePendingCharges(db.database, sessionId, 60);
      await resolve();
      expect(await state(sessionId)).toMatchObject({ charges: ['pending'], events: [] });
      await agePendingCharges(db.database, sessionId, LIMIT_SECONDS);
      await resolve();
      expect(await state(sessionId)).toMatchObject({ charges: ['failed'], ledger: ['declined'] });
    });
  });

  it('is pending and reported as such if the confirmation’s outcome is unknown, then settled correctly', async () => {
    const { sessionId, request } = await waiting('asks_approved');
    const lost = sandboxWith(({ confirm }) => ({
      confirm: async (...request) => {
        await confirm(...request);
        return { status: 'unknown', cause: 'timeout' };
      },
    }));
    expect(await confirmPayment(payments([lost]), request)).toMatchObject({ type: 'pending' });
    const pending = await state(sessionId);
    expect(pending).toMatchObject({ charges: ['pending'], events: ['checkout.pending'] });
    expect(pending.rows[0]).toMatchObject({ actionDeadline: null });
    await agePendingCharges(db.database, sessionId, 2);
    await resolve();
    expect(await state(sessionId)).toMatchObject({
      charges: ['succeeded'],
      events: ['checkout.pending', 'checkout.succeeded', 'checkout.completed'],
    });
  });

  it('stays pending if a concurrent second confirmation hears that the bank still waits', async () => {
    const { sessionId, charge, request } = await waiting('asks_approved');
    const answer = deferred<ProcessorAnswer>();
    const started = deferred<void>();
    const late = sandboxWith(() => ({
      confirm: () => {
        started.resolve();
        return answer.promise;
      },
    }));
    const second = confirmPayment(payments([late]), request);
    await started.promise;
    const lost = sandboxWith(() => ({ confirm: async () => ({ status: 'unknown', cause: 'timeout' }) }));
    await confirmPayment(payments([lost]), request);
    answer.resolve({ status: 'action_required', processorPaymentId: charge.id, action: null });
    expect(await second).toMatchObject({ type: 'pending' });
    expect((await state(sessionId)).rows[0]).toMatchObject({ actionDeadline: null });
  });

  it('waits again if the confirmation never arrived', async () => {
    const { sessionId, request } = await waiting('asks_approved');
    const lost = sandboxWith(() => ({ confirm: async () => ({ status: 'unknown', cause: 'timeout' }) }));
    expect(await confirmPayment(payments([lost]), request)).toMatchObject({ type: 'pending' });
    await agePendingCharges(db.database, sessionId, 2);
    await resolve();
    expect(await confirmPayment(payments(), request)).toMatchObject({ type: 'succeeded' });
  });

  it('is not settled while the processor cannot be asked to cancel it', async () => {
    const { sessionId } = await waiting('asks_approved');
    await agePendingCharges(db.database, sessionId, LIMIT_SECONDS);
    const away = sandboxWith(() => ({ cancel: async () => ({ status: 'unknown', cause: 'away' }) }));
    expect((await resolve([away])).lines).toContain('unconfirmed charge not canceled yet');
    expect(await state(sessionId)).toMatchObject({ charges: ['pending'], ledger: ['action_required'], events: [] });
    await agePendingCharges(db.database, sessionId, 0);
    await resolve();
    expect(await state(sessionId)).toMatchObject({ charges: ['failed'], ledger: ['declined'] });
  });

  it('becomes pending if its processor does not know it past its time, because the merchant may have another account', async () => {
    const { sessionId } = await waiting('asks_approved');
    await agePendingCharges(db.database, sessionId, LIMIT_SECONDS);
    // As for a payment of another account.
    const elsewhere = sandboxWith(() => ({ read: async () => ({ status: 'unknown', cause: 'resource_missing' }) }));
    const foreign: Processor = { ...elsewhere, lookUp: async () => ({ status: 'unknown', cause: 'connected anew' }) };
    await resolve([foreign]);
    expect(await state(sessionId)).toMatchObject({ charges: ['pending'], events: [] });
    await agePendingCharges(db.database, sessionId, 5);
    await resolve([foreign]);
    const settled = await state(sessionId);
    expect(settled).toMatchObject({ charges: ['pending'], events: ['checkout.pending'] });
    expect(settled.rows[0]).toMatchObject({ actionDeadline: null });
    await agePendingCharges(db.database, sessionId, 30);
    await resolve([foreign]);
    const { rows } = await db.database.query<{ attempts: number; waits: boolean }>(
      `select resolve_attempts as attempts, resolve_at > now() + interval '1 minute' as waits from charges
        where session_id = $1`,
      [sessionId],
    );
    expect(rows).toEqual([{ attempts: 3, waits: true }]);
    expect(await state(sessionId)).toMatchObject({ events: ['checkout.pending'] });
    // At the earlier account it is found and canceled.
    await agePendingCharges(db.database, sessionId, 120);
    await resolve();
    expect(await state(sessionId)).toMatchObject({
      charges: ['failed'],
      ledger: ['declined'],
      events: ['checkout.pending', 'checkout.failed'],
    });
  });

  it('becomes pending if it cannot be canceled past its time', async () => {
    const { sessionId } = await waiting('asks_approved');
    await agePendingCharges(db.database, sessionId, LIMIT_SECONDS);
    const away = sandboxWith(() => ({ cancel: async () => ({ status: 'unknown', cause: 'away' }) }));
    await resolve([away]);
    await agePendingCharges(db.database, sessionId, 5);
    await resolve([away]);
    expect(await state(sessionId)).toMatchObject({ charges: ['pending'], events: ['checkout.pending'] });
    await agePendingCharges(db.database, sessionId, 30);
    await resolve();
    expect(await state(sessionId)).toMatchObject({ charges: ['failed'], ledger: ['declined'] });
  });

  it('has one outcome if ten resolvers cancel it while its payer confirms it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { sessionId, request } = await waiting('asks_approved');
      await agePendingCharges(db.database, sessionId, LIMIT_SECONDS);
      const confirmed = confirmPayment(payments(), request);
      await Promise.all([confirmed, ...Array.from({ length: 10 }, () => resolve())]);
      const { charges, ledger, events } = await state(sessionId);
      expect([charges, ledger, events]).toEqual(
        (await confirmed)?.type === 'succeeded'
          ? [['succeeded'], ['succeeded'], ['checkout.succeeded', 'checkout.completed']]
          : [['failed'], ['declined'], ['checkout.failed']],
      );
    }
  });
});
