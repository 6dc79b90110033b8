/** Payouts: read at Stripe and Square after a notification, and written with what they contain. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type NotedPayout, writePayout } from '../../../src/db/payouts/payouts.ts';
import { insertNotification } from '../../../src/db/processor-notifications/inbox.ts';
import { newId } from '../../../src/domain/ids.ts';
import { handleDueNotifications } from '../../../src/payments/notifications/handle-notifications.ts';
import { unknown } from '../../../src/payments/port/answers.ts';
import { type PlainCredentials, secretCredentials } from '../../../src/payments/port/credentials.ts';
import type { PayoutAnswer } from '../../../src/payments/port/payouts.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { RecordsUnreadable } from '../../../src/payments/port/records.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { type FakeSquare, startFakeSquare } from '../../support/fake-square.ts';
import { LOCATION } from '../../support/fake-square-requests.ts';
import { type FakeStripe, startFakeStripe } from '../../support/fake-stripe.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import {
  SQUARE_CREDENTIALS,
  STRIPE_CREDENTIALS,
  squareProcessorAt,
  stripeProcessorAt,
} from '../../support/vendor-processors.ts';
import { createRecordingLog, createTestPayments, FAST_SANDBOX, keyedCard } from './test-payments.ts';

const NEVER = new AbortController().signal;

let stripe: FakeStripe;
let square: FakeSquare;
beforeAll(async () => {
  [stripe, square] = await Promise.all([startFakeStripe(), startFakeSquare()]);
});
afterAll(() => Promise.all([stripe.close(), square.close()]));

function readAt(processor: Processor, credentials: PlainCredentials, payoutId: string) {
  return processor.payouts?.read({ mode: 'test', credentials: secretCredentials(credentials), payoutId }, NEVER);
}
const readStripe = (id: string) => readAt(stripeProcessorAt(stripe), STRIPE_CREDENTIALS, id);
const readSquare = (id: string) => readAt(squareProcessorAt(square), SQUARE_CREDENTIALS, id);

describe('the list of payouts', () => {
  const list = async (processor: Processor, credentials: PlainCredentials) => {
    const since = new Date('2026-11-16T10:00:00Z');
    const request = { mode: 'test' as const, credentials: secretCredentials(credentials), since };
    const items = [];
    for await (const item of processor.payouts?.list?.(request, NEVER) ?? []) items.push(item);
    return items;
  };
  const recent = Array.from({ length: 105 }, (_, number) => `po_${number}`);

  test('at Stripe has all pages since a time, with the status of each', async () => {
    stripe.payouts.set('po_old', {
      payout: { id: 'po_old', created: 1_680_648_691, status: 'paid' },
      transactions: [],
    });
    for (const id of recent) {
      stripe.payouts.set(id, {
        payout: { id, object: 'payout', created: 1_795_000_000, status: 'paid' },
        transactions: [],
      });
    }
    const listed = await list(stripeProcessorAt(stripe), STRIPE_CREDENTIALS);
    expect(listed).toEqual(recent.map((id) => ({ id, state: 'paid' })));
    stripe.payouts.clear();
    stripe.failNext('html_500');
    await expect(list(stripeProcessorAt(stripe), STRIPE_CREDENTIALS)).rejects.toThrow(RecordsUnreadable);
  });

  test('at Square has all pages since a time, with the status of each', async () => {
    const payout = (id: string, created_at: string) => ({
      payout: { id, location_id: LOCATION, created_at, status: 'SENT', amount_money: { amount: 1, currency: 'USD' } },
      entries: [],
    });
    square.payouts.set('po_old', payout('po_old', '2026-11-01T10:00:00Z'));
    for (const id of recent) square.payouts.set(id, payout(id, '2026-11-20T10:00:00Z'));
    const listed = await list(squareProcessorAt(square), SQUARE_CREDENTIALS);
    expect(listed).toEqual(recent.map((id) => ({ id, state: 'SENT' })));
    square.payouts.clear();
    square.failNext('html_500');
    await expect(list(squareProcessorAt(square), SQUARE_CREDENTIALS)).rejects.toThrow(RecordsUnreadable);
  });
});

describe('a payout at Stripe', () => {
  const payout = (changes: object = {}) => ({
    id: 'po_1OaFDbEcg9tTZuTgNYmX0PKB',
    object: 'payout',
    amount: 1_100,
    arrival_date: 1_680_652_800,
    automatic: true,
    created: 1_680_648_691,
    currency: 'eur',
    livemode: false,
    status: 'in_transit',
    ...changes,
  });
  /** docs.stripe.com/api/balance_transactions/object, with `source` expanded. */
  const transaction = (id: string, type: string, amount: number, fee: number, source: object | null) => ({
    id,
    object: 'balance_transaction',
    amount,
    currency: 'eur',
    fee,
    fee_details: [],
    net: amount - fee,
    reporting_category: type,
    source,
    status: 'available',
    type,
  });

  it('is read with all pages of its charges, refunds, disputes and fees, and without itself', async () => {
    const charges = Array.from({ length: 101 }, (_, index) =>
      transaction(`txn_${index}`, 'charge', 1_000, 59, { object: 'charge', payment_intent: `pi_${index}` }),
    );
    const transactions = [
      transaction('txn_payout', 'payout', -1_100, 0, { object: 'payout' }),
      ...charges,
      transaction('txn_refund', 'refund', -500, 0, { object: 'refund', payment_intent: 'pi_1' }),
      transaction('txn_dispute', 'adjustment', -700, 1_500, { object: 'dispute', payment_intent: 'pi_2' }),
      transaction('txn_fee', 'stripe_fee', -20, 0, null),
      transaction('txn_other', 'reserve_hold', -10, 0, null),
    ];
    stripe.payouts.set('po_full', { payout: payout(), transactions });
    const answer = await readStripe('po_full');
    if (answer?.status !== 'found') throw new Error(JSON.stringify(answer));
    const { entries, ...facts } = answer.payout;
    expect(facts).toEqual({ status: 'pending', amountCents: 1_100, currency: 'EUR', arrivalDate: '2023-04-05' });
    expect(entries).toHaveLength(105);
    expect(entries[0]).toEqual({
      processorEntryId: 'txn_0',
      kind: 'charge',
      paymentId: 'pi_0',
      grossCents: 1_000,
      feeCents: 59,
      netCents: 941,
    });
    expect(entries.slice(101).map(({ kind, paymentId, netCents }) => [kind, paymentId, netCents])).toEqual([
      ['refund', 'pi_1', -500],
      ['dispute', 'pi_2', -2_200],
      ['fee', null, -20],
      ['other', null, -10],
    ]);
  });

  it('that the merchant started has no entries', async () => {
    stripe.payouts.set('po_manual', { payout: payout({ automatic: false, status: 'paid' }), transactions: [] });
    expect(await readStripe('po_manual')).toMatchObject({ status: 'found', payout: { status: 'paid', entries: [] } });
  });

  it('that does not exist is not found, and is unknown after a fault', async () => {
    expect(await readStripe('po_none')).toEqual({ status: 'not_found' });
    stripe.failNext('reset');
    expect(await readStripe('po_full')).toMatchObject({ status: 'unknown' });
  });
});

describe('a payout at Square', () => {
  /** github.com/square/connect-api-specification, Payout and PayoutEntry. */
  const payout = (location: string) => ({
    id: 'po_f3c0fb38-a5ce-427d-b858-52b925b72e45',
    status: 'PAID',
    location_id: location,
    created_at: '2022-03-24T03:07:09Z',
    updated_at: '2022-03-24T03:07:09Z',
    amount_money: { amount: 891, currency: 'USD' },
    type: 'BATCH',
    version: 1,
    arrival_date: '2022-03-29',
  });
  const money = (amount: number) => ({ amount, currency: 'USD' });
  const entry = (id: string, type: string, [gross, fee, net]: readonly [number, number, number], more: object) => ({
    id,
    payout_id: 'po_1',
    effective_at: '2022-03-24T03:07:09Z',
    type,
    gross_amount_money: money(gross),
    fee_amount_money: money(fee),
    net_amount_money: money(net),
    ...more,
  });

  it('is read with all pages of its entries', async () => {
    const charges = Array.from({ length: 100 }, (_, index) =>
      entry(`poe_${index}`, 'CHARGE', [10, 1, 9], { type_charge_details: { payment_id: `pay_${index}` } }),
    );
    const refund = entry('poe_r', 'REFUND', [-10, -2, -8], { type_refund_details: { payment_id: 'pay_1' } });
    const other = entry('poe_o', 'RESERVE_HOLD', [-1, 0, -1], {});
    square.payouts.set('po_full', { payout: payout(LOCATION), entries: [...charges, refund, other] });
    const answer = await readSquare('po_full');
    if (answer?.status !== 'found') throw new Error(JSON.stringify(answer));
    const { entries, ...facts } = answer.payout;
    expect(facts).toEqual({ status: 'paid', amountCents: 891, currency: 'USD', arrivalDate: '2022-03-29' });
    expect(entries).toHaveLength(102);
    const shown = entries
      .slice(99)
      .map(({ kind, paymentId, feeCents, netCents }) => [kind, paymentId, feeCents, netCents]);
    expect(shown).toEqual([
      ['charge', 'pay_99', 1, 9],
      ['refund', 'pay_1', -2, -8],
      ['other', null, 0, -1],
    ]);
    expect(entries.reduce((sum, { netCents }) => sum + netCents, 0)).toBe(100 * 9 - 8 - 1);
  });

  it('of another location is not the merchant’s, and one that does not exist is not found', async () => {
    square.payouts.set('po_elsewhere', { payout: payout('LELSEWHERE'), entries: [] });
    expect(await readSquare('po_elsewhere')).toEqual({ status: 'not_found' });
    expect(await readSquare('po_none')).toEqual({ status: 'not_found' });
  });
});

test('reads from a notification which payout it is about, and no payment', () => {
  const [byStripe, bySquare] = [stripeProcessorAt(stripe).notifications, squareProcessorAt(square).notifications];
  const object = { object: 'payout', id: 'po_1' };
  const told = { id: 'evt_1', type: 'payout.paid', livemode: false, data: { object } };
  const subject = { paymentId: null, chargeId: null, disputeId: null, payoutId: 'po_1' };
  expect(byStripe?.read(told, 'test')).toMatchObject({ subject });
  expect(byStripe?.read(told, 'live')).toMatchObject({ subject: null });
  const toldBySquare = { event_id: 'e1', type: 'payout.paid', data: { object: { payout: { id: 'po_1' } } } };
  expect(bySquare?.read(toldBySquare, 'test')).toMatchObject({ subject });
});

describe('a notification of a payout', () => {
  const db = useTestDatabase();
  const merchant = useTestMerchant(db);

  async function pay(card = 'visa') {
    const sessionId = await createTestSession(db.database, merchant);
    await createTestPayments(db.database).pay(merchant, sessionId, keyedCard(card));
    const text = `select id as "chargeId", processor_payment_id as "paymentId" from charges where session_id = $1`;
    const { rows } = await db.database.query<{ chargeId: string; paymentId: string }>(text, [sessionId]);
    if (rows[0] === undefined) throw new Error('nothing was charged');
    return rows[0];
  }

  const entriesOf = async (payout: string, of = merchant) => {
    const { rows } = await db.database.query(
      `select e.processor_entry_id as entry, e.charge_id as "chargeId", e.net_cents::integer as net
         from payout_entries e join payouts p on p.id = e.payout_id
        where p.processor_payout_id = $1 and p.merchant_id = $2 order by 1`,
      [payout, of.merchantId],
    );
    return rows;
  };

  const entry = (processorEntryId: string, paymentId: string | null, netCents = 941) => ({
    processorEntryId,
    paymentId,
    kind: 'charge' as const,
    grossCents: netCents + 59,
    feeCents: 59,
    netCents,
  });
  const facts = { status: 'paid' as const, amountCents: 941, currency: 'USD', arrivalDate: '2026-11-27' };

  async function notify(payoutId: string, answer: PayoutAnswer, of = merchant): Promise<boolean> {
    const id = newId('Event');
    const subject = { paymentId: null, chargeId: null, disputeId: null, payoutId };
    const connection = { ...of, processor: 'sandbox', secrets: [] };
    await insertNotification(db.database, connection, { id, type: 'payout.paid', subject });
    const processor = { ...createSandbox(db.database, FAST_SANDBOX), payouts: { read: async () => answer } };
    const deps = { database: db.database, processors: [processor], log: createRecordingLog() };
    while ((await handleDueNotifications(deps, NEVER)).more);
    const text = 'select from processor_notifications where event_id = $1 and due_at is null';
    return (await db.database.query(text, [id])).rowCount === 1;
  }

  it('writes the payout with the charges of the merchant, once', async () => {
    const { chargeId, paymentId } = await pay();
    const answer = {
      status: 'found' as const,
      payout: { ...facts, entries: [entry('e1', paymentId), entry('e2', null)] },
    };
    for (let count = 0; count < 2; count += 1) expect(await notify('po_once', answer)).toBe(true);
    expect(await entriesOf('po_once')).toEqual([
      { entry: 'e1', chargeId, net: 941 },
      { entry: 'e2', chargeId: null, net: 941 },
    ]);
  });

  it('replaces the entries that the processor told before', async () => {
    const { chargeId, paymentId } = await pay();
    await notify('po_changed', {
      status: 'found',
      payout: { ...facts, entries: [entry('e1', null), entry('e2', null)] },
    });
    await notify('po_changed', { status: 'found', payout: { ...facts, entries: [entry('e2', paymentId, 800)] } });
    expect(await entriesOf('po_changed')).toEqual([{ entry: 'e2', chargeId, net: 800 }]);
  });

  it('does not name the charge of another merchant, whose payment is in the same account', async () => {
    const { paymentId } = await pay();
    const other = await createTestMerchant(db.database);
    await notify('po_shared', { status: 'found', payout: { ...facts, entries: [entry('e1', paymentId)] } }, other);
    expect(await entriesOf('po_shared')).toEqual([]);
    expect(await entriesOf('po_shared', other)).toEqual([{ entry: 'e1', chargeId: null, net: 941 }]);
  });

  it('is retried while the processor does not answer, and dropped if it has no such payout', async () => {
    expect(await notify('po_silent', unknown('timeout'))).toBe(false);
    expect(await notify('po_none', { status: 'not_found' })).toBe(true);
  });

  it('never replaces a newer answer with an older one', async () => {
    const noted = (version: number, status: 'paid' | 'pending'): NotedPayout => ({
      ...facts,
      status,
      processorPayoutId: 'po_order',
      version,
      entries: [],
    });
    const of = { ...merchant, processor: 'sandbox' };
    const write = (payout: NotedPayout) => db.database.transaction((sql) => writePayout(sql, of, payout));
    expect(await write(noted(2, 'paid'))).toBe(true);
    expect(await write(noted(1, 'pending'))).toBe(false);
    const text = 'select status from payouts where processor_payout_id = $1 and merchant_id = $2';
    const { rows } = await db.database.query(text, ['po_order', merchant.merchantId]);
    expect(rows).toEqual([{ status: 'paid' }]);
  });

  it('of the sandbox follows a payment with its test card', async () => {
    const { chargeId, paymentId } = await pay('paid_out');
    await db.database.query('update processor_notifications set due_at = now() where due_at is not null');
    const deps = { database: db.database, processors: [createSandbox(db.database)], log: createRecordingLog() };
    while ((await handleDueNotifications(deps, NEVER)).more);
    expect(await entriesOf(`sandbox_payout_${paymentId}`)).toMatchObject([{ chargeId }]);
  });
});
