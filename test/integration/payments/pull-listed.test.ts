/** Disputes and payouts that no notification told: listed once a day, and read from there. */
import { afterEach, describe, expect, it } from 'vitest';
import { reconcileNext } from '../../../src/app/daily-reconciliation.ts';
import { type ChargeId, newId } from '../../../src/domain/ids.ts';
import { handleDueNotifications } from '../../../src/payments/notifications/handle-notifications.ts';
import { pullListed } from '../../../src/payments/notifications/pull-listed.ts';
import { unknown } from '../../../src/payments/port/answers.ts';
import type { DisputeAnswer } from '../../../src/payments/port/disputes.ts';
import type { ListedItem, ListItems } from '../../../src/payments/port/listed.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { RecordsUnreadable } from '../../../src/payments/port/records.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import { createRecordingLog, createTestPayments, FAST_SANDBOX, keyedCard } from './test-payments.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);
const NEVER = new AbortController().signal;

// What no answer ended is due again seconds later: in the next test, whose processor answers something else.
afterEach(() => db.database.query('update processor_notifications set due_at = null where due_at is not null'));

async function pay(): Promise<{ chargeId: ChargeId; paymentId: string }> {
  const sessionId = await createTestSession(db.database, merchant);
  await createTestPayments(db.database).pay(merchant, sessionId, keyedCard('visa'));
  const { rows } = await db.database.query<{ chargeId: ChargeId; paymentId: string }>(
    `select id as "chargeId", processor_payment_id as "paymentId" from charges where session_id = $1`,
    [sessionId],
  );
  if (rows[0] === undefined) throw new Error('nothing was charged');
  return rows[0];
}

const lists = (...items: ListedItem[]): ListItems =>
  async function* list() {
    yield* items;
  };

const dispute = (paymentId: string, status: 'needs_response' | 'won' = 'needs_response'): DisputeAnswer => ({
  status: 'found',
  dispute: {
    paymentId,
    kind: 'chargeback',
    status,
    reason: 'fraudulent',
    processorReason: null,
    amountCents: 500,
    currency: 'USD',
    evidenceDueAt: null,
    version: null,
  },
});

const withDisputes = (list: ListItems, answer: DisputeAnswer = unknown('timeout')): Processor => ({
  ...createSandbox(db.database, FAST_SANDBOX),
  disputes: { read: async () => answer, list },
});

/** What a worker does in a day. @returns the lines of the log */
async function pull(processor: Processor, of: TestMerchant = merchant): Promise<string> {
  const log = createRecordingLog();
  const deps = { database: db.database, processors: [processor], log };
  await pullListed(deps, { ...of, processor: 'sandbox' }, NEVER);
  while ((await handleDueNotifications(deps, NEVER)).more);
  return log.lines.join('\n');
}

const disputesOf = async (chargeId: ChargeId) =>
  (await db.database.query('select status from disputes where charge_id = $1', [chargeId])).rows;

const rowsOf = async (like: string) =>
  (
    await db.database.query('select from processor_notifications where merchant_id = $1 and event_id like $2', [
      merchant.merchantId,
      like,
    ])
  ).rowCount;

describe('the daily list of disputes', () => {
  it('finds a dispute that was not notified, once, and each change of it', async () => {
    const { chargeId, paymentId } = await pay();
    const open = withDisputes(lists({ id: 'd_missed', state: 'open' }), dispute(paymentId));
    await pull(open);
    await pull(open);
    expect(await disputesOf(chargeId)).toEqual([{ status: 'needs_response' }]);
    expect(await rowsOf('listed:dispute:d_missed:%')).toBe(1);
    await pull(withDisputes(lists({ id: 'd_missed', state: 'won' }), dispute(paymentId, 'won')));
    expect(await disputesOf(chargeId)).toEqual([{ status: 'won' }]);
  });

  it('finds it once at several workers at once', async () => {
    const { chargeId, paymentId } = await pay();
    const processor = withDisputes(lists({ id: 'd_race', state: 'open' }), dispute(paymentId));
    await Promise.all([pull(processor), pull(processor), pull(processor)]);
    expect(await disputesOf(chargeId)).toHaveLength(1);
    expect(await rowsOf('listed:dispute:d_race:%')).toBe(1);
  });

  it('writes no dispute of another merchant’s charge', async () => {
    const { chargeId, paymentId } = await pay();
    const other = await createTestMerchant(db.database);
    await pull(withDisputes(lists({ id: 'd_foreign', state: 'open' }), dispute(paymentId)), other);
    expect(await disputesOf(chargeId)).toEqual([]);
  });

  it('keeps what it has listed if the rest cannot be read, and says why', async () => {
    async function* broken(): AsyncIterable<ListedItem> {
      yield { id: 'd_first', state: 'open' };
      throw new RecordsUnreadable('http_500');
    }
    expect(await pull(withDisputes(broken))).toContain('could not be listed');
    expect(await rowsOf('listed:dispute:d_first:%')).toBe(1);
  });

  it('stores no ID that contains a card number', async () => {
    await pull(withDisputes(lists({ id: '4242424242424242', state: 'open' })));
    expect(await rowsOf('%4242424242424242%')).toBe(0);
  });

  it('ends after a thousand', async () => {
    async function* endless(): AsyncIterable<ListedItem> {
      for (let count = 0; ; count += 1) yield { id: `d_many_${count}`, state: 'open' };
    }
    const log = createRecordingLog();
    const deps = { database: db.database, processors: [withDisputes(endless)], log };
    const other = await createTestMerchant(db.database);
    await pullListed(deps, { ...other, processor: 'sandbox' }, NEVER);
    expect(log.lines).toContain('too many disputes or payouts to list them all');
    const text = 'select from processor_notifications where merchant_id = $1';
    expect((await db.database.query(text, [other.merchantId])).rowCount).toBe(1_000);
    await db.database.query('delete from processor_notifications where merchant_id = $1', [other.merchantId]);
  });
});

describe('the daily reconciliation', () => {
  it('lists disputes and payouts, also of a processor without lists of payments', async () => {
    const { chargeId, paymentId } = await pay();
    const payoutId = `payout_${newId('Request')}`;
    const payout = {
      status: 'paid',
      amountCents: 400,
      currency: 'USD',
      arrivalDate: '2026-11-26',
      entries: [],
    } as const;
    const processor: Processor = {
      ...withDisputes(lists({ id: 'd_daily', state: 'open' }), dispute(paymentId)),
      records: null,
      payouts: { read: async () => ({ status: 'found', payout }), list: lists({ id: payoutId, state: 'paid' }) },
    };
    await db.database.query(
      `insert into merchant_processors (merchant_id, processor, account_id, mode) values ($1, 'sandbox', $2, $3)
       on conflict do nothing`,
      [merchant.merchantId, merchant.accountId, merchant.mode],
    );
    await db.database.query(
      `update merchant_processors
          set reconcile_at = case when merchant_id = $1 then now() - interval '1 minute' else now() + interval '1 day' end`,
      [merchant.merchantId],
    );
    const deps = { database: db.database, processors: [processor], log: createRecordingLog() };
    expect(await reconcileNext(deps, 'report', NEVER)).toBe(true);
    while ((await handleDueNotifications(deps, NEVER)).more);
    expect(await disputesOf(chargeId)).toEqual([{ status: 'needs_response' }]);
    const text = 'select status from payouts where processor_payout_id = $1';
    expect((await db.database.query(text, [payoutId])).rows).toEqual([{ status: 'paid' }]);
  });
});
