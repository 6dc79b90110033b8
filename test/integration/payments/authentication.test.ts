/** Charges on the page whose bank asks the payer to authenticate: they wait, and then continue once or never. */
import { describe, expect, it } from 'vitest';
import { expireDueSessions } from '../../../src/db/sessions/sessions.ts';
import { newId } from '../../../src/domain/ids.ts';
import { abandonPayment, actionOf, confirmPayment } from '../../../src/payments/charges/confirm.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import { agePendingCharges, FAST_SANDBOX, keyedCard } from './test-payments.ts';
import { LIMIT_SECONDS, waitingCharges } from './waiting-charges.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const { scope, payments, state, payOnPage, waiting, sandboxWith, resolve } = waitingCharges(db, merchant);

describe('a charge whose bank asks the payer to confirm', () => {
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
    const { sessionId, request } = await waiting(card);
    expect(await confirmPayment(payments(), request)).toMatchObject({ type });
    const after = await state(sessionId);
    expect(after).toMatchObject({ session, events });
    expect(after.rows[0]).toMatchObject({ declineCode, actionDeadline: null });
  });

  it('is paid once, however often the payer reports to be done', async () => {
    const { sessionId, request } = await waiting('asks_approved');
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirmPayment(payments(), request)));
    const again = await confirmPayment(payments(), request);
    for (const answer of [...answers, again]) {
      expect(answer).toMatchObject({ type: 'succeeded', charge: { id: request.chargeId } });
    }
    expect(await state(sessionId)).toMatchObject({
      charges: ['succeeded'],
      ledger: ['succeeded'],
      events: ['checkout.succeeded', 'checkout.completed'],
    });
  });

  it('keeps waiting while the bank has no answer, then is canceled at the processor and fails', async () => {
    const { sessionId, request, action } = await waiting('asks_abandoned');
    expect(await confirmPayment(payments(), request)).toMatchObject({ type: 'action_required', action });
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
    const { sessionId, request } = await waiting('asks_approved');
    expect(await abandonPayment(payments(), request)).toMatchObject({
      type: 'declined',
      declineCode: 'authentication_required',
    });
    expect(await confirmPayment(payments(), request)).toMatchObject({ type: 'declined' });
    expect(await payOnPage(payments(), sessionId, 'visa')).toMatchObject({ type: 'succeeded' });
    expect(await state(sessionId)).toMatchObject({
      charges: ['failed', 'succeeded'],
      ledger: ['declined', 'succeeded'],
    });
  });

  it('is paid if the money was taken before it was canceled', async () => {
    const { sessionId, request } = await waiting('asks_approved');
    const answers = await Promise.all([confirmPayment(payments(), request), abandonPayment(payments(), request)]);
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
    const { sessionId, request } = await waiting('asks_approved');
    const away = sandboxWith(() => ({
      confirm: async () => ({ status: 'not_ordered', cause: 'away' }),
      cancel: async () => ({ status: 'unknown', cause: 'away' }),
    }));
    const nothingDone = { type: 'refused', reason: 'unavailable' };
    expect(await order(payments([away]), request)).toMatchObject(nothingDone);
    expect(await order(payments([]), request)).toMatchObject(nothingDone);
    expect(await state(sessionId)).toMatchObject({ charges: ['pending'], events: [] });
    expect(await order(payments(), request)).not.toMatchObject(nothingDone);
  });

  it('shows the challenge again to a payer who comes back, until there is an answer', async () => {
    const { charge, action, request } = await waiting('asks_approved');
    expect(await actionOf(payments(), charge)).toEqual(action);
    expect(await actionOf(payments([]), charge)).toBeNull();
    const paid = await confirmPayment(payments(), request);
    if (paid?.type !== 'succeeded') throw new Error(paid?.type);
    expect(await actionOf(payments(), paid.charge)).toBeNull();
  });

  it('can be confirmed by its own session only', async () => {
    const { sessionId, request } = await waiting('asks_approved');
    const stranger = await createTestMerchant(db.database);
    const other = await createTestSession(db.database, merchant);
    const foreign = [
      { ...request, sessionId: other },
      { ...request, scope: { accountId: stranger.accountId, mode: stranger.mode } },
      { ...request, scope: { ...request.scope, mode: 'live' as const } },
      { ...request, chargeId: newId('Charge') },
    ];
    for (const request of foreign) {
      expect(await confirmPayment(payments(), request)).toBeNull();
      expect(await abandonPayment(payments(), request)).toBeNull();
    }
    expect(await state(sessionId)).toMatchObject({ charges: ['pending'] });
  });

  it('keeps its session open past its expiry, and can be confirmed then', async () => {
    const { sessionId, request } = await waiting('asks_approved');
    await db.database.query(`update checkout_sessions set expires_at = now() - interval '1 second' where id = $1`, [
      sessionId,
    ]);
    await db.database.transaction((sql) => expireDueSessions(sql, 100));
    expect(await state(sessionId)).toMatchObject({ session: 'open', charges: ['pending'] });
    expect(await confirmPayment(payments(), request)).toMatchObject({ type: 'succeeded' });
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
    const { sessionId, request } = await waiting('asks_approved');
    expect(await payments().pay(merchant, sessionId, keyedCard('visa'))).toMatchObject({
      type: 'refused',
      reason: 'in_progress',
      charge: { id: request.chargeId },
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
        const request = { sessionId, scope: scope(), chargeId: waits.charge.id };
        const [confirmed, again] = await Promise.all([confirmPayment(payments(), request), onPhone()]);
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
