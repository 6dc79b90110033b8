/** Charges on the page whose bank asks the payer for something: they wait, and go on once, or never. */
import { describe, expect, it } from 'vitest';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { confirmPayment } from '../../../src/payments/confirm.ts';
import type { CardActions, Processor } from '../../../src/payments/ports.ts';
import { resolveDueCharges } from '../../../src/payments/resolve.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { takePayment } from '../../../src/payments/take-payment.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import {
  agePendingCharges,
  createTestPayments,
  FAST_SANDBOX,
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

  it('waits ten minutes: nothing is taken, and nobody is told', async () => {
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
  ])('goes on when the payer is done: %s', async (card, type, session, events, declineCode) => {
    const { sessionId, asked } = await waiting(card);
    expect(await confirmPayment(payments(), asked)).toMatchObject({ type });
    const after = await state(sessionId);
    expect(after).toMatchObject({ session, events });
    expect(after.rows[0]).toMatchObject({ declineCode, actionDeadline: null });
  });

  it('is paid once, however often the payer says to be done', async () => {
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

  it('waits on while the bank has no answer, then fails, canceled at the processor first', async () => {
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
});
