/** Charges on the page whose bank asks the payer to authenticate: they wait, and then continue once or never. */
import { describe, expect, it } from 'vitest';
import { expireDueSessions } from '../../../src/db/sessions/sessions.ts';
import { type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import type { ProcessorAnswer } from '../../../src/payments/answers.ts';
import { abandonPayment, actionOf, confirmPayment } from '../../../src/payments/confirm.ts';
import type { CardActions, Processor } from '../../../src/payments/ports.ts';
import { resolveDueCharges } from '../../../src/payments/resolve.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { takePayment } from '../../../src/payments/take-payment.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import {
  agePendingCharges,
  createTestPayments,
  FAST_SANDBOX,
  interceptQueries,
  keyedCard,
  paymentRequest,
  readPaymentState,
  type TestPayments,
} from './test-payments.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);

const NEVER = new AbortController().signal;
const LIMIT_SECONDS = 600;

describe('a charge whose bank asks the payer to confirm', () => {
  const scope = () => ({ accountId: merchant.accountId, mode: merchant.mode });
  const payments = (processors?: Processor[]) => createTestPayments(db.database, { ...(processors && { processors }) });
  const state = (sessionId: CheckoutSessionId) => readPaymentState(db.database, sessionId);

  function payOnPage(deps: TestPayments, sessionId: CheckoutSessionId, card: string) {
    return takePayment(deps, { ...paymentRequest(merchant, sessionId, keyedCard(card)), source: 'page' });
  }

  /** A session with a charge that waits for its payer. */
  async function waiting(card: string, deps = payments()) {
    const sessionId = await createTestSession(db.database, merchant);
    const result = await payOnPage(deps, sessionId, card);
    if (result.type !== 'action_required') throw new Error(result.type);
    return { sessionId, ...result, asked: { sessionId, scope: scope(), chargeId: result.charge.id } };
  }

  /** The sandbox with other actions. */
  function sandboxWith(actions: (real: CardActions) => Partial<CardActions>): Processor {
    const sandbox = createSandbox(db.database, FAST_SANDBOX);
    if (sandbox.actions === null) throw new Error('the sandbox has test cards that ask');
    return { ...sandbox, actions: { ...sandbox.actions, ...actions(sandbox.actions) } };
  }

  async function resolve(processors?: Processor[]) {
    const { log, ...deps } = payments(processors);
    await resolveDueCharges({ ...deps, log }, NEVER);
    return log;
  }

  it('waits ten minutes: no money is taken, and no event is sent', async () => {
    const { sessionId, charge, action } = await waiting('asks_approved');
    expect(action).toEqual({ kind: 'sandbox', paymentId: charge.processorPaymentId, ends: 'approved' });
    expect(Number(charge.actionDeadline) - Number(charge.createdAt)).toBe(LIMIT_SECONDS * 1_000);
    expect(await state(sessionId)).toMatchObject({ session: 'open', charges: ['pending'], events: [] });
    await agePendingCharges(db.database, sessionId, LIMIT_SECONDS - 20);
    await resolve();
    expect(await state(sessionId)).toMatchObject({ session: 'open', charges: ['pending'], events: [] });
  });

  it.each([
    ['asks_approved', 'succeeded', 'complete', ['checkout.succeeded', 'checkout.completed'], null],
    ['asks_declined', 'declined', 'open', ['checkout.failed'], 'generic_decline'],
    ['asks_refused', 'declined', 'open', ['checkout.failed'], 'authentication_required'],
  ])('continues when the payer is done: %s', async (card, type, session, events, declineCode) => {
    const { sessionId, asked } = await waiting(card);
    expect(await confirmPayment(payments(), asked)).toMatchObject({ type });
    const after = await state(sessionId);
    expect(after).toMatchObject({ session, events });
    expect(after.rows[0]).toMatchObject({ declineCode, actionDeadline: null });
  });

  it('is paid once, however often the payer reports to be done', async () => {
    const { sessionId, asked } = await waiting('asks_approved');
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirmPayment(payments(), asked)));
    const again = await confirmPayment(payments(), asked);
    for (const answer of [...answers, again]) {
      expect(answer).toMatchObject({ type: 'succeeded', charge: { id: asked.chargeId } });
    }
    expect(await state(sessionId)).toMatchObject({
      charges: ['succeeded'],
      ledger: ['succeeded'],
      events: ['checkout.succeeded', 'checkout.completed'],
    });
  });

  it('keeps waiting while the bank has no answer, then is canceled at the processor and fails', async () => {
    const { sessionId, asked, action } = await waiting('asks_abandoned');
    expect(await confirmPayment(payments(), asked)).toMatchObject({ type: 'action_required', action });
    await agePendingCharges(db.database, sessionId, LIMIT_SECONDS);
    const order: string[] = [];
    await resolve([
      sandboxWith(({ cancel }) => ({
        cancel: async (...request) => {
          const { charges } = await state(sessionId);
          order.push(`${charges} at the processor`);
          return cancel(...request);
        },
      })),
    ]);
    expect(order).toEqual(['pending at the processor']);
    const after = await state(sessionId);
    expect(after).toMatchObject({
      session: 'open',
      charges: ['failed'],
      ledger: ['declined'],
      events: ['checkout.failed'],
    });
    expect(after.rows[0]).toMatchObject({ declineCode: 'authentication_required', actionDeadline: null });
    expect(await payOnPage(payments(), sessionId, 'visa')).toMatchObject({ type: 'succeeded' });
  });

  it('is canceled if the payer will not confirm, and another card can be tried at once', async () => {
    const { sessionId, asked } = await waiting('asks_approved');
    expect(await abandonPayment(payments(), asked)).toMatchObject({
      type: 'declined',
      declineCode: 'authentication_required',
    });
    expect(await confirmPayment(payments(), asked)).toMatchObject({ type: 'declined' });
    expect(await payOnPage(payments(), sessionId, 'visa')).toMatchObject({ type: 'succeeded' });
    expect(await state(sessionId)).toMatchObject({
      charges: ['failed', 'succeeded'],
      ledger: ['declined', 'succeeded'],
    });
  });

  it('is paid if the money was taken before it was canceled', async () => {
    const { sessionId, asked } = await waiting('asks_approved');
    const answers = await Promise.all([confirmPayment(payments(), asked), abandonPayment(payments(), asked)]);
    const [first] = answers;
    for (const answer of answers) expect(answer?.type).toBe(first?.type);
    const { charges, ledger } = await state(sessionId);
    expect([charges, ledger]).toEqual(
      first?.type === 'succeeded' ? [['succeeded'], ['succeeded']] : [['failed'], ['declined']],
    );
  });

  it.each([
    ['confirm', confirmPayment],
    ['abandon', abandonPayment],
  ])('keeps waiting if the processor cannot be asked to %s', async (_, order) => {
    const { sessionId, asked } = await waiting('asks_approved');
    const away = sandboxWith(() => ({
      confirm: async () => ({ status: 'not_ordered', cause: 'away' }),
      cancel: async () => ({ status: 'unknown', cause: 'away' }),
    }));
    const nothingDone = { type: 'refused', reason: 'unavailable' };
    expect(await order(payments([away]), asked)).toMatchObject(nothingDone);
    expect(await order(payments([]), asked)).toMatchObject(nothingDone);
    expect(await state(sessionId)).toMatchObject({ charges: ['pending'], events: [] });
    expect(await order(payments(), asked)).not.toMatchObject(nothingDone);
  });

  it('shows the challenge again to a payer who comes back, until there is an answer', async () => {
    const { charge, action, asked } = await waiting('asks_approved');
    expect(await actionOf(payments(), charge)).toEqual(action);
    expect(await actionOf(payments([]), charge)).toBeNull();
    const paid = await confirmPayment(payments(), asked);
    if (paid?.type !== 'succeeded') throw new Error(paid?.type);
    expect(await actionOf(payments(), paid.charge)).toBeNull();
  });

  it('can be confirmed by its own session only', async () => {
    const { sessionId, asked } = await waiting('asks_approved');
    const stranger = await createTestMerchant(db.database);
    const other = await createTestSession(db.database, merchant);
    const foreign = [
      { ...asked, sessionId: other },
      { ...asked, scope: { accountId: stranger.accountId, mode: stranger.mode } },
      { ...asked, scope: { ...asked.scope, mode: 'live' as const } },
      { ...asked, chargeId: newId('Charge') },
    ];
    for (const request of foreign) {
      expect(await confirmPayment(payments(), request)).toBeNull();
      expect(await abandonPayment(payments(), request)).toBeNull();
    }
    expect(await state(sessionId)).toMatchObject({ charges: ['pending'] });
  });

  it('keeps its session open past its expiry, and can be confirmed then', async () => {
    const { sessionId, asked } = await waiting('asks_approved');
    await db.database.query(`update checkout_sessions set expires_at = now() - interval '1 second' where id = $1`, [
      sessionId,
    ]);
    await db.database.transaction((sql) => expireDueSessions(sql, 100));
    expect(await state(sessionId)).toMatchObject({ session: 'open', charges: ['pending'] });
    expect(await confirmPayment(payments(), asked)).toMatchObject({ type: 'succeeded' });
    expect(await state(sessionId)).toMatchObject({ session: 'complete' });
  });

  it('lets its session expire after the payer’s time is over', async () => {
    const { sessionId } = await waiting('asks_abandoned');
    await db.database.query(`update checkout_sessions set expires_at = now() - interval '1 second' where id = $1`, [
      sessionId,
    ]);
    await agePendingCharges(db.database, sessionId, LIMIT_SECONDS);
    await resolve();
    await db.database.transaction((sql) => expireDueSessions(sql, 100));
    expect(await state(sessionId)).toMatchObject({
      session: 'expired',
      charges: ['failed'],
      events: ['checkout.failed'],
    });
  });

  it('blocks a keyed card on a call, which says that a payment is in progress', async () => {
    const { sessionId, asked } = await waiting('asks_approved');
    expect(await payments().pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({
      type: 'refused',
      reason: 'in_progress',
      charge: { id: asked.chargeId },
    });
  });

  it('is one charge, whether page or phone was first', async () => {
    const ROUNDS = 25;
    for (let round = 0; round < ROUNDS; round += 1) {
      const sessionId = await createTestSession(db.database, merchant);
      const onPhone = () => payments().pay(merchant, sessionId, keyedCard('visa'));
      const onPage = () => payOnPage(payments(), sessionId, 'asks_approved');
      const [page, phone] = await Promise.all(
        round % 2 === 0 ? [onPage(), onPhone()] : [onPhone(), onPage()].reverse(),
      );
      expect([page?.type, phone?.type].filter((type) => type === 'refused')).toHaveLength(1);
      const waits = [page, phone].find((result) => result?.type === 'action_required');
      if (waits?.type === 'action_required') {
        const asked = { sessionId, scope: scope(), chargeId: waits.charge.id };
        const [confirmed, again] = await Promise.all([confirmPayment(payments(), asked), onPhone()]);
        expect(confirmed).toMatchObject({ type: 'succeeded' });
        expect(again).toMatchObject({ type: 'refused' });
      }
      expect(await state(sessionId)).toMatchObject({
        session: 'complete',
        charges: ['succeeded'],
        ledger: ['succeeded'],
      });
    }
  });

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
      const asked = { sessionId, scope: scope(), chargeId: lost.charge.id };
      expect(await confirmPayment(payments(), asked)).toMatchObject({ type: 'succeeded' });
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
      const { sessionId, asked } = await waiting('asks_approved');
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
          asked,
        ),
      ).toMatchObject({ type: 'pending' });
      expect(await state(sessionId)).toMatchObject({ charges: ['pending'], ledger: ['succeeded'], events: [] });
      const { rows } = await db.database.query<{ seconds: number }>(
        'select extract(epoch from resolve_at - now())::float8 as seconds from charges where id = $1',
        [asked.chargeId],
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
      const { sessionId, asked } = await waiting('asks_approved');
      const never = sandboxWith(() => ({ confirm: () => new Promise(() => undefined) }));
      void confirmPayment(createTestPayments(db.database, { processors: [never] }), asked);
      await expect
        .poll(async () => {
          const { rows } = await db.database.query<{ soon: boolean }>(
            `select resolve_at < now() + interval '1 minute' as soon from charges where id = $1`,
            [asked.chargeId],
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
    const { sessionId, asked } = await waiting('asks_approved');
    const lost = sandboxWith(({ confirm }) => ({
      confirm: async (...request) => {
        await confirm(...request);
        return { status: 'unknown', cause: 'timeout' };
      },
    }));
    expect(await confirmPayment(payments([lost]), asked)).toMatchObject({ type: 'pending' });
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
    const { sessionId, charge, asked } = await waiting('asks_approved');
    const answer = deferred<ProcessorAnswer>();
    const begun = deferred<void>();
    const late = sandboxWith(() => ({
      confirm: () => {
        begun.resolve();
        return answer.promise;
      },
    }));
    const second = confirmPayment(payments([late]), asked);
    await begun.promise;
    const lost = sandboxWith(() => ({ confirm: async () => ({ status: 'unknown', cause: 'timeout' }) }));
    await confirmPayment(payments([lost]), asked);
    answer.resolve({ status: 'action_required', processorPaymentId: charge.id, action: null });
    expect(await second).toMatchObject({ type: 'pending' });
    expect((await state(sessionId)).rows[0]).toMatchObject({ actionDeadline: null });
  });

  it('waits again if the confirmation never arrived', async () => {
    const { sessionId, asked } = await waiting('asks_approved');
    const lost = sandboxWith(() => ({ confirm: async () => ({ status: 'unknown', cause: 'timeout' }) }));
    expect(await confirmPayment(payments([lost]), asked)).toMatchObject({ type: 'pending' });
    await agePendingCharges(db.database, sessionId, 2);
    await resolve();
    expect(await confirmPayment(payments(), asked)).toMatchObject({ type: 'succeeded' });
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
    const told = await state(sessionId);
    expect(told).toMatchObject({ charges: ['pending'], events: ['checkout.pending'] });
    expect(told.rows[0]).toMatchObject({ actionDeadline: null });
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
      const { sessionId, asked } = await waiting('asks_approved');
      await agePendingCharges(db.database, sessionId, LIMIT_SECONDS);
      const confirmed = confirmPayment(payments(), asked);
      await Promise.all([confirmed, ...Array.from({ length: 10 }, () => resolve())]);
      const { charges, ledger, events } = await state(sessionId);
      expect([charges, ledger, events]).toEqual(
        (await confirmed)?.type === 'succeeded'
          ? [['succeeded'], ['succeeded'], ['checkout.succeeded', 'checkout.completed']]
          : [['failed'], ['declined'], ['checkout.failed']],
      );
    }
  });

  it('never waits on a call: if the processor asks nevertheless, the payment is canceled', async () => {
    const sessionId = await createTestSession(db.database, merchant);
    const sandbox = createSandbox(db.database, FAST_SANDBOX);
    const asks: Processor = {
      ...sandbox,
      charge: (request, signal) => sandbox.charge({ ...request, channel: 'page' }, signal),
    };
    expect(await payments([asks]).pay(merchant, sessionId, keyedCard('asks_approved'))).toMatchObject({
      type: 'pending',
    });
    await agePendingCharges(db.database, sessionId, 2);
    await resolve();
    expect(await state(sessionId)).toMatchObject({ charges: ['failed'], ledger: ['declined'] });
  });

  it.each(['asks_approved', 'asks_declined', 'asks_refused', 'asks_abandoned'])(
    'declines on a call: %s',
    async (card) => {
      const sessionId = await createTestSession(db.database, merchant);
      expect(await payments().pay(merchant, sessionId, keyedCard(card))).toMatchObject({
        type: 'declined',
        declineCode: 'authentication_required',
      });
    },
  );
});
