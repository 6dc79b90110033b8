/** A merchant's charges on the page that wait for their payer, for tests. */
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import { takePayment } from '../../../src/payments/charges/take-payment.ts';
import type { CardActions } from '../../../src/payments/port/charges.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import {
  createTestPayments,
  FAST_SANDBOX,
  keyedCard,
  paymentRequest,
  readPaymentState,
  type TestPayments,
} from './test-payments.ts';

const NEVER = new AbortController().signal;
/** How long a charge waits for its payer. */
export const LIMIT_SECONDS = 600;

/** Helpers of a merchant's charges on the page whose bank asks the payer to authenticate. */
export function waitingCharges(db: TestDatabase, merchant: TestMerchant) {
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
    return { sessionId, ...result, request: { sessionId, scope: scope(), chargeId: result.charge.id } };
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

  return { scope, payments, state, payOnPage, waiting, sandboxWith, resolve };
}
