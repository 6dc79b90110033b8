/** A charge at Adyen whose answer was lost, and its notification: the whole way, in the real database. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectMerchant, credentialsSource } from '../../../src/accounts/merchants/processor.ts';
import { takeNotification } from '../../../src/accounts/merchants/take-notification.ts';
import { findCharge } from '../../../src/db/charges/charges.ts';
import { findMerchantRecord } from '../../../src/db/merchants/merchant-records.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import { createAdyen } from '../../../src/payments/adyen/index.ts';
import { storedOutcomes } from '../../../src/payments/adyen/outcomes.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import { checkDueHolds } from '../../../src/payments/holds/resolve-holds.ts';
import { handleDueNotifications } from '../../../src/payments/notifications/handle-notifications.ts';
import { type PlainCredentials, secretCredentials } from '../../../src/payments/port/credentials.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { adyenReport, adyenRow } from '../../support/adyen-report.ts';
import { CARDS, type FakeAdyen, signedNotification, startFakeAdyen } from '../../support/fake-adyen.ts';
import { HMAC_KEY, MERCHANT_ACCOUNT, REPORT_API_KEY } from '../../support/fake-adyen-requests.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import {
  createTestMerchant,
  createTestSession,
  type SessionOptions,
  type TestMerchant,
} from '../../support/test-merchants.ts';
import { ADYEN_CREDENTIALS } from '../../support/vendor-processors.ts';
import { createRecordingLog, createTestPayments, keyedCard, readPaymentState } from './test-payments.ts';
import { readRefundState } from './test-refunds.ts';

const db = useTestDatabase();
const vault = createVault([randomBytes(32)]);
const NEVER = new AbortController().signal;
/** Of another merchant, who knows it and can sign whatever it likes for its own address. */
const OTHER_KEY = 'AB'.repeat(32);

let fake: FakeAdyen;
let processors: Processor[];
/** What Adyen sent, not delivered yet. */
let sent: string[] = [];
beforeAll(async () => {
  fake = await startFakeAdyen((body) => sent.push(body));
  processors = [createAdyen({ outcomes: storedOutcomes(db.database, 'adyen'), testServer: fake.url })];
});
afterAll(() => fake.close());

async function connected(key = HMAC_KEY, credentials: PlainCredentials = ADYEN_CREDENTIALS): Promise<TestMerchant> {
  const merchant = await createTestMerchant(db.database, { processor: null });
  const record = await findMerchantRecord(db.database, merchant.accountId, merchant.merchantId);
  if (record === null) throw new Error('no merchant');
  const deps = { database: db.database, processors, vault, privateTargets: false };
  const connection = { processor: 'adyen', credentials, notification_secret: key };
  await connectMerchant(deps, SYSTEM, merchant, record.merchant, connection);
  return merchant;
}

const deliver = (body: string, { merchantId }: TestMerchant) =>
  takeNotification(
    { database: db.database, vault, processors, now: () => new Date() },
    { processor: 'adyen', merchant: merchantId },
    { body: Buffer.from(body), header: () => undefined },
  );

/** A worker's pass: the notifications, and what they made due. */
async function settle(): Promise<void> {
  const deps = {
    database: db.database,
    processors,
    log: createRecordingLog(),
    credentialsFor: credentialsSource(db.database, vault),
  };
  await handleDueNotifications(deps, NEVER);
  await resolveDueCharges(deps, NEVER);
  await checkDueHolds(deps, NEVER);
}

/** A charge whose answer is lost. @returns its session and its notification */
async function lostCharge(merchant: TestMerchant) {
  const sessionId = await createTestSession(db.database, merchant);
  const credentialsFor = credentialsSource(db.database, vault);
  sent = [];
  fake.failNext('reset');
  const { pay } = createTestPayments(db.database, { processors, credentialsFor });
  await pay(merchant, sessionId, keyedCard(CARDS.good));
  // Otherwise it is looked up in its own time.
  await db.database.query(`update charges set resolve_at = now() + interval '1 hour' where session_id = $1`, [
    sessionId,
  ]);
  const statuses = async () => (await readPaymentState(db.database, sessionId)).charges;
  expect(await statuses()).toEqual(['pending']);
  const chargeId = (await readPaymentState(db.database, sessionId)).rows[0]?.id ?? '';
  return { statuses, chargeId, notification: sent.at(-1) ?? '' };
}

describe('a notification of Adyen', () => {
  it('settles a charge whose answer was lost, once', async () => {
    const merchant = await connected();
    const { statuses, notification } = await lostCharge(merchant);
    await settle();
    expect(await statuses()).toEqual(['pending']);
    expect(await deliver(notification, merchant)).toMatchObject({ status: 'stored', type: 'AUTHORISATION' });
    expect(await deliver(notification, merchant)).toMatchObject({ status: 'repeated' });
    await settle();
    expect(await statuses()).toEqual(['succeeded']);
  });

  it('settles nothing if it is not signed with the secret of the merchant', async () => {
    const merchant = await connected();
    const { statuses, notification } = await lostCharge(merchant);
    const forged = notification.replace('"success":"true"', '"success":"false"');
    expect(await deliver(forged, merchant)).toEqual({ status: 'unsigned' });
    expect(await deliver(notification, await connected(OTHER_KEY))).toEqual({ status: 'unsigned' });
    await settle();
    expect(await statuses()).toEqual(['pending']);
  });

  it('settles no charge of another merchant, whose ID and account it names', async () => {
    const [victim, attacker] = [await connected(), await connected(OTHER_KEY)];
    const { statuses, chargeId } = await lostCharge(victim);
    const item = {
      eventCode: 'AUTHORISATION',
      success: 'true',
      merchantAccountCode: MERCHANT_ACCOUNT,
      merchantReference: chargeId,
      pspReference: 'ATTACKERSPAYMENT',
      amount: { currency: 'USD', value: 4_250 },
    };
    expect(await deliver(signedNotification(item, OTHER_KEY), attacker)).toMatchObject({ status: 'stored' });
    await db.database.query(`update charges set resolve_at = now() where id = $1`, [chargeId]);
    await settle();
    expect(await statuses()).toEqual(['pending']);
  });

  it('names the charge of the merchant whose payment it is, also if another merchant was told of it', async () => {
    const [merchant, other] = [await connected(), await connected(OTHER_KEY)];
    const { chargeId } = await lostCharge(merchant);
    const item = (reference: string) => ({
      eventCode: 'AUTHORISATION',
      success: 'true',
      merchantAccountCode: MERCHANT_ACCOUNT,
      merchantReference: reference,
      pspReference: 'SHAREDPAYMENT',
      amount: { currency: 'USD', value: 4_250 },
    });
    const otherCharge = (await lostCharge(other)).chargeId;
    await deliver(signedNotification(item(otherCharge), OTHER_KEY), other);
    await deliver(signedNotification(item(chargeId), HMAC_KEY), merchant);
    const store = storedOutcomes(db.database, 'adyen');
    expect(await store.chargeOf(merchant.merchantId, 'SHAREDPAYMENT')).toBe(chargeId);
    expect(await store.chargeOf(other.merchantId, 'SHAREDPAYMENT')).toBe(otherCharge);
  });

  it('tells the capture and the refund of a hold, which are accepted first', async () => {
    const merchant = await connected();
    const sessionId = await createTestSession(db.database, merchant, { capture: 'manual' });
    const credentialsFor = credentialsSource(db.database, vault);
    sent = [];
    await createTestPayments(db.database, { processors, credentialsFor }).pay(
      merchant,
      sessionId,
      keyedCard(CARDS.good),
    );
    const [charge] = (await readPaymentState(db.database, sessionId)).rows;
    if (charge?.status !== 'authorized' || charge.processorPaymentId === null) throw new Error('not authorized');
    const { id: chargeId, amount, processorPaymentId } = charge;
    const credentials = secretCredentials(ADYEN_CREDENTIALS);
    const hold = { chargeId, mode: 'test', processorPaymentId, credentials } as const;
    const [{ holds, refunds }] = processors as [Processor];
    const next = async () => deliver(sent.at(-1) ?? '', merchant);

    expect(await holds?.read(hold, NEVER)).toEqual({ status: 'unknown', cause: 'not_notified' });
    await next();
    expect(await holds?.read(hold, NEVER)).toEqual({ status: 'held', captureBefore: null });
    const capture = { ...hold, changeId: newId('HoldChange'), amount, held: amount };
    expect(await holds?.capture(capture, NEVER)).toEqual({ status: 'unknown', cause: 'received' });
    await next();
    expect(await holds?.read(hold, NEVER)).toEqual({ status: 'captured', captured: amount });

    const refund = { ...hold, refundId: newId('Refund'), amount, reason: null };
    const pending = await refunds?.refund(refund, NEVER);
    expect(pending).toMatchObject({ status: 'pending' });
    await next();
    expect(await refunds?.refund(refund, NEVER)).toEqual({ ...pending, status: 'succeeded' });
  });

  /** A paid charge, or a hold, whose authorisation was notified. */
  async function paidCharge(options: SessionOptions = {}) {
    const merchant = await connected();
    const sessionId = await createTestSession(db.database, merchant, options);
    const credentialsFor = credentialsSource(db.database, vault);
    sent = [];
    await createTestPayments(db.database, { processors, credentialsFor }).pay(
      merchant,
      sessionId,
      keyedCard(CARDS.good),
    );
    await deliver(sent.at(-1) ?? '', merchant);
    const [charge] = (await readPaymentState(db.database, sessionId)).rows;
    if (charge === undefined || charge.processorPaymentId === null) throw new Error('not paid');
    const about = {
      merchantAccountCode: MERCHANT_ACCOUNT,
      originalReference: charge.processorPaymentId,
      amount: { currency: 'USD', value: 250 },
      success: 'true',
    };
    const tell = async (item: object) => {
      expect(await deliver(signedNotification({ ...about, ...item }), merchant)).toMatchObject({ status: 'stored' });
      await settle();
    };
    const events = async () => (await readPaymentState(db.database, sessionId)).events;
    return { tell, events, chargeId: charge.id };
  }

  it('tells a refund of the Customer Area, and that it failed later', async () => {
    const { tell, events, chargeId } = await paidCharge();
    const refund = { pspReference: 'REFUNDINCUSTAREA', merchantReference: 'ticket 4711' };
    await tell({ ...refund, eventCode: 'REFUND' });
    const states = async () => (await readRefundState(db.database, chargeId)).refunds;
    expect(await states()).toEqual(['succeeded 250']);
    await tell({ ...refund, eventCode: 'REFUND_FAILED' });
    expect(await states()).toEqual(['failed 250']);
    expect((await events()).slice(2)).toEqual(['refund.succeeded', 'refund.failed']);
  });

  it('tells a capture that failed after the charge had succeeded', async () => {
    const { tell, events, chargeId } = await paidCharge();
    await tell({ eventCode: 'CAPTURE_FAILED', pspReference: 'FAILEDCAPTUREREF', merchantReference: chargeId });
    expect(await findCharge(db.database, chargeId)).toMatchObject({ status: 'failed' });
    expect((await events()).slice(2)).toEqual(['charge.capture_failed']);
  });

  it('tells that a payment was reversed as a whole in the Customer Area', async () => {
    const { tell, events, chargeId } = await paidCharge();
    await tell({ eventCode: 'CANCEL_OR_REFUND', pspReference: 'REVERSEDPAYMENTA', merchantReference: 'ticket 4712' });
    expect(await readRefundState(db.database, chargeId)).toMatchObject({
      refundedCents: 4_250,
      refunds: ['succeeded 4250'],
    });
    expect((await events()).slice(2)).toEqual(['refund.succeeded']);
  });

  it('tells a capture that was refused after the charge had succeeded', async () => {
    const { tell, chargeId } = await paidCharge();
    await tell({
      eventCode: 'CAPTURE',
      success: 'false',
      pspReference: 'REFUSEDCAPTUREAA',
      merchantReference: chargeId,
    });
    expect(await findCharge(db.database, chargeId)).toMatchObject({ status: 'failed' });
  });

  it('tells that a hold was captured in part in the Customer Area', async () => {
    const { tell, events, chargeId } = await paidCharge({ capture: 'manual' });
    await tell({ eventCode: 'CAPTURE', pspReference: 'CAPTUREINCUSTARE', merchantReference: 'ticket 4713' });
    expect(await findCharge(db.database, chargeId)).toMatchObject({ status: 'succeeded', capturedCents: 250 });
    expect((await events()).slice(2)).toEqual(['charge.captured']);
  });

  it('tells that the rest of a captured hold was canceled, which refunds nothing', async () => {
    const { tell, events, chargeId } = await paidCharge({ capture: 'manual' });
    await tell({ eventCode: 'CAPTURE', pspReference: 'CAPTUREOFAPARTAA', merchantReference: 'ticket 4714' });
    await tell({
      eventCode: 'CANCELLATION',
      pspReference: 'RESTOFTHEHOLDAAA',
      merchantReference: 'ticket 4715',
      amount: { currency: 'USD', value: 4_000 },
    });
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refundedCents: 0, refunds: [] });
    expect((await events()).slice(2)).toEqual(['charge.captured']);
    await tell({ eventCode: 'CANCEL_OR_REFUND', pspReference: 'REVERSEDCAPTUREA', merchantReference: 'ticket 4716' });
    expect(await readRefundState(db.database, chargeId)).toMatchObject({ refunds: ['succeeded 250'] });
  });
});

describe('a dispute at Adyen', () => {
  it('is written from its signed notifications, for the merchant that they are signed for', async () => {
    const merchant = await connected();
    const { chargeId, notification } = await lostCharge(merchant);
    await deliver(notification, merchant);
    await settle();
    const payment = JSON.parse(notification) as {
      notificationItems: [{ NotificationRequestItem: Record<string, unknown> }];
    };
    const [{ NotificationRequestItem: item }] = payment.notificationItems;
    const about = (eventCode: string) =>
      signedNotification({
        ...item,
        eventCode,
        eventDate: '2026-11-26T10:00:00+01:00',
        pspReference: 'DISPUTEDISPUTEAA',
        originalReference: item.pspReference,
      });
    const disputes = async () => {
      const text = 'select merchant_id, status, processor_dispute_id from disputes where charge_id = $1';
      return (await db.database.query(text, [chargeId])).rows;
    };
    const forged = about('CHARGEBACK').replace('DISPUTEDISPUTEAA', 'DISPUTEDISPUTEBB');
    expect(await deliver(forged, merchant)).toEqual({ status: 'unsigned' });
    const other = await connected();
    await deliver(about('NOTIFICATION_OF_CHARGEBACK'), other);
    await settle();
    expect(await disputes()).toEqual([]);
    expect(await deliver(about('CHARGEBACK'), merchant)).toMatchObject({ status: 'stored' });
    await settle();
    const facts = { merchant_id: merchant.merchantId, processor_dispute_id: 'DISPUTEDISPUTEAA' };
    expect(await disputes()).toEqual([{ ...facts, status: 'needs_response' }]);
    await deliver(about('SECOND_CHARGEBACK'), merchant);
    await settle();
    expect(await disputes()).toEqual([{ ...facts, status: 'lost' }]);
  });
});

describe('a payout of Adyen', () => {
  it('is written after the notification of its report, with the fee of the charge', async () => {
    const merchant = await connected(HMAC_KEY, { ...ADYEN_CREDENTIALS, report_api_key: REPORT_API_KEY });
    const { chargeId, notification } = await lostCharge(merchant);
    await deliver(notification, merchant);
    await settle();
    const { rows } = await db.database.query<{ paymentId: string }>(
      'select processor_payment_id as "paymentId" from charges where id = $1',
      [chargeId],
    );
    const psp = rows[0]?.paymentId ?? '';
    const settled = adyenRow({ psp, type: 'Settled', gross: ['USD', '', '42.50'], net: ['USD', '', '41.27'] });
    const paidOut = adyenRow({ type: 'MerchantPayout', net: ['USD', '41.27', ''], created: '2026-11-25 04:12:31' });
    fake.reports.set('settlement_detail_report_batch_12.csv', adyenReport([settled, paidOut]));
    const told = signedNotification({
      amount: { currency: 'USD', value: 0 },
      eventCode: 'REPORT_AVAILABLE',
      merchantAccountCode: MERCHANT_ACCOUNT,
      merchantReference: '',
      pspReference: 'settlement_detail_report_batch_12.csv',
      success: 'true',
    });
    expect(await deliver(told.replace('batch_12', 'batch_13'), merchant)).toEqual({ status: 'unsigned' });
    expect(await deliver(told, merchant)).toMatchObject({ status: 'stored', type: 'REPORT_AVAILABLE' });
    await settle();
    const text = `select p.status, p.processor_payout_id as batch, p.amount_cents::integer as amount, e.fee_cents::integer as fee
                    from payouts p join payout_entries e on e.payout_id = p.id where e.charge_id = $1`;
    const paid = { status: 'paid', batch: '12', amount: 4_127, fee: 123 };
    expect((await db.database.query(text, [chargeId])).rows).toEqual([paid]);
  });
});
