/** Charges that stay pending, and the resolver that looks them up. */
import { expect } from 'vitest';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import { type ResolveDeps, resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import type { TestDatabase } from '../../support/database.ts';
import { createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { createRecordingLog, createTestPayments, FAST_SANDBOX, keyedCard } from './test-payments.ts';

const NEVER = new AbortController().signal;

export function createTestResolver(db: TestDatabase, merchant: TestMerchant) {
  /** The resolver on these processors, with its log. */
  function resolver(processors: Processor[] = [createSandbox(db.database, FAST_SANDBOX)]) {
    const deps: ResolveDeps & { log: ReturnType<typeof createRecordingLog> } = {
      database: db.database,
      processors,
      log: createRecordingLog(),
    };
    return { log: deps.log, run: () => resolveDueCharges(deps, NEVER) };
  }

  /** A session whose charge with this card stays pending. */
  async function leftPending(card: string): Promise<CheckoutSessionId> {
    const sessionId = await createTestSession(db.database, merchant);
    const payments = createTestPayments(db.database);
    expect(await payments.pay(merchant, sessionId, keyedCard(card))).toMatchObject({ type: 'pending' });
    return sessionId;
  }

  return { resolver, leftPending };
}
