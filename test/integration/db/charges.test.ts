import { expect, test } from 'vitest';
import { pendingDue } from '../../../src/db/due.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { firstDueInMs } from '../../support/due.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import { createTestPayments, FAST_SANDBOX, keyedCard, readPaymentState } from '../payments/test-payments.ts';

const db = useTestDatabase();

test('has a charge due once one is pending', async () => {
  expect(await firstDueInMs(db.database, pendingDue('charges'))).toBeNull();
  const merchant = await createTestMerchant(db.database);
  const sessionId = await createTestSession(db.database, merchant);
  await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('hangs_taken'));
  expect((await readPaymentState(db.database, sessionId)).charges).toEqual(['pending']);
  const dueInMs = await firstDueInMs(db.database, pendingDue('charges'));
  expect(dueInMs).not.toBeNull();
  expect(dueInMs).toBeGreaterThanOrEqual(0);
});

test.each([
  ['visa', 'checkout.completed', { session: 'complete', charges: ['succeeded'] }],
  ['visa', 'checkout.succeeded', { session: 'complete', charges: ['succeeded'] }],
  ['do_not_honor', 'checkout.failed', { session: 'open', charges: ['failed'] }],
])(
  'records the outcome of %s if the event %s already exists by mistake, without a second event',
  async (card, type, state) => {
    const { database } = db;
    const merchant = await createTestMerchant(database);
    const sessionId = await createTestSession(database, merchant);
    const sandbox = createSandbox(database, FAST_SANDBOX);
    const charge: typeof sandbox.charge = async (request, signal) => {
      await database.query(
        `insert into events (id, account_id, mode, type, session_id, charge_id, facts) values ($1, $2, $3, $4, $5, $6, '{}')`,
        [newId('Event'), merchant.accountId, merchant.mode, type, sessionId, request.chargeId],
      );
      return sandbox.charge(request, signal);
    };
    await createTestPayments(database, { processors: [{ ...sandbox, charge }] }).pay(
      merchant,
      sessionId,
      keyedCard(card),
    );
    const found = await readPaymentState(database, sessionId);
    expect(found).toMatchObject(state);
    const events = card === 'visa' ? ['checkout.completed', 'checkout.succeeded'] : ['checkout.failed'];
    expect(found.events.toSorted()).toEqual(events);
  },
);
