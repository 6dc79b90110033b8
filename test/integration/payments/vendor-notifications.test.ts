/** A charge whose answer was lost, and the vendor's notification of it: the whole way, in the real database. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { connectMerchant, credentialsSource } from '../../../src/accounts/merchants/processor.ts';
import { takeNotification } from '../../../src/accounts/merchants/take-notification.ts';
import { findMerchantRecord } from '../../../src/db/merchants/merchant-records.ts';
import { SYSTEM } from '../../../src/domain/audit.ts';
import { type ChargeId, newId } from '../../../src/domain/ids.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import { resolveDueCharges } from '../../../src/payments/charges/resolve-charges.ts';
import { handleDueNotifications } from '../../../src/payments/notifications/handle-notifications.ts';
import type { PlainCredentials } from '../../../src/payments/port/credentials.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import type { CredentialsFor } from '../../../src/payments/shared/deps.ts';
import { type FakeBraintree, startFakeBraintree } from '../../support/fake-braintree.ts';
import { CARDS } from '../../support/fake-braintree-cards.ts';
import {
  braintreeNotification,
  disputeXml,
  legacyId,
  transactionXml,
} from '../../support/fake-braintree-notifications.ts';
import { PRIVATE_KEY } from '../../support/fake-braintree-requests.ts';
import {
  type FakeHyperswitch,
  CARDS as HYPERSWITCH_CARDS,
  hyperswitchEvent,
  startFakeHyperswitch,
} from '../../support/fake-hyperswitch.ts';
import {
  type FakeWorldpay,
  startFakeWorldpay,
  CARDS as WORLDPAY_CARDS,
  worldpayEvent,
} from '../../support/fake-worldpay.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession, type TestMerchant } from '../../support/test-merchants.ts';
import {
  BRAINTREE_CREDENTIALS,
  braintreeProcessorAt,
  hyperswitchCredentialsAt,
  hyperswitchProcessor,
  WORLDPAY_CREDENTIALS,
  worldpayProcessorAt,
} from '../../support/vendor-processors.ts';
import { createRecordingLog, createTestPayments, keyedCard, readPaymentState } from './test-payments.ts';
import { createTestRefunds, readRefundState } from './test-refunds.ts';

const db = useTestDatabase();
const vault = createVault([randomBytes(32)]);
const credentialsFor: CredentialsFor = (of) => credentialsSource(db.database, vault)(of);
const NEVER = new AbortController().signal;

interface Sent {
  body: string;
  headers?: Record<string, string>;
}

/** A vendor, and how it notifies. */
interface Source {
  processor: Processor;
  credentials: PlainCredentials;
  card: string;
  secret: string;
  /** Of another merchant, who knows it and can sign whatever it likes for its own address. */
  otherSecret: string;
  loseNextCharge(): void;
  /** Notifies of a charge's payment, which has settled. */
  settled(chargeId: string, secret: string): Sent;
  /** The same notification with another content, and the signature of the first. */
  forge(sent: Sent): Sent;
}

let braintree: FakeBraintree;
let worldpay: FakeWorldpay;
let hyperswitch: FakeHyperswitch;
beforeAll(async () => {
  [braintree, worldpay, hyperswitch] = await Promise.all([
    startFakeBraintree(),
    startFakeWorldpay(),
    startFakeHyperswitch(),
  ]);
});
afterAll(() => Promise.all([braintree.close(), worldpay.close(), hyperswitch.close()]));

const transactionOf = (chargeId: string) => {
  const found = braintree.transactions.find(({ orderId }) => orderId.startsWith(chargeId));
  if (found === undefined) throw new Error('no transaction');
  return { id: legacyId(found.id), globalId: found.id, orderId: found.orderId };
};

/** At Hyperswitch. */
const paymentIdOf = (chargeId: string) => `pay_${chargeId.slice('ch_'.length)}`;

const SOURCES: Record<string, () => Source> = {
  braintree: () => ({
    processor: braintreeProcessorAt(braintree),
    credentials: BRAINTREE_CREDENTIALS,
    card: CARDS.good,
    secret: PRIVATE_KEY,
    otherSecret: 'ab'.repeat(16),
    loseNextCharge: () =>
      braintree.failNext('reset', undefined, ({ body }) => body.startsWith('{"query":"mutation ChargeCard(')),
    settled: (chargeId, secret) => {
      const subject = transactionXml(transactionOf(chargeId));
      return { body: braintreeNotification({ kind: 'transaction_settled', subject }, secret) };
    },
    forge: ({ body }) => {
      const form = new URLSearchParams(body);
      const xml = Buffer.from(form.get('bt_payload') ?? '', 'base64').toString();
      const forged = xml.replace('<kind>transaction_settled<', '<kind>transaction_settlement_declined<');
      form.set('bt_payload', `${Buffer.from(forged).toString('base64')}\n`);
      return { body: form.toString() };
    },
  }),
  worldpay: () => ({
    processor: worldpayProcessorAt(worldpay),
    credentials: WORLDPAY_CREDENTIALS,
    card: WORLDPAY_CARDS.good,
    secret: 'a-shared-secret-of-worldpay',
    otherSecret: 'a-shared-secret-of-another-merchant',
    loseNextCharge: () => worldpay.failNext('reset', undefined, ({ method }) => method === 'POST'),
    settled: (chargeId, secret) => {
      const about = { transactionReference: chargeId, type: 'sentForSettlement' };
      return worldpayEvent(`settled ${chargeId}`, about, secret);
    },
    forge: ({ body, ...sent }) => ({ ...sent, body: body.replace('sentForSettlement', 'cancelled') }),
  }),
  hyperswitch: () => ({
    processor: hyperswitchProcessor(),
    credentials: hyperswitchCredentialsAt(hyperswitch),
    card: HYPERSWITCH_CARDS.good,
    secret: 'the-payment-response-hash-key-of-a-profile',
    otherSecret: 'the-payment-response-hash-key-of-another',
    loseNextCharge: () => hyperswitch.failNext('reset', undefined, ({ method }) => method === 'POST'),
    settled: (chargeId, secret) => {
      const object = hyperswitch.payments.find(({ payment_id }) => payment_id === paymentIdOf(chargeId)) ?? {};
      const event = { type: 'payment_succeeded', of: 'payment_details', object };
      return hyperswitchEvent(`settled ${chargeId}`, event, secret);
    },
    forge: ({ body, ...sent }) => ({ ...sent, body: body.replace('payment_succeeded', 'payment_failed') }),
  }),
};

async function connected(source: Source, secret = source.secret): Promise<TestMerchant> {
  const merchant = await createTestMerchant(db.database, { processor: null });
  const record = await findMerchantRecord(db.database, merchant.accountId, merchant.merchantId);
  if (record === null) throw new Error('no merchant');
  const deps = { database: db.database, processors: [source.processor], vault, privateTargets: false };
  const { processor, credentials } = source;
  const connection = { processor: processor.name, credentials, notification_secret: secret };
  await connectMerchant(deps, SYSTEM, merchant, record.merchant, connection);
  return merchant;
}

const deliver = ({ processor }: Source, { body, headers = {} }: Sent, { merchantId }: TestMerchant) =>
  takeNotification(
    { database: db.database, vault, processors: [processor], now: () => new Date() },
    { processor: processor.name, merchant: merchantId },
    { body: Buffer.from(body), header: (name) => headers[name] },
  );

/** A worker's pass: the notifications, and what they made due. */
async function settle({ processor }: Source): Promise<void> {
  const deps = { database: db.database, processors: [processor], log: createRecordingLog(), credentialsFor };
  await handleDueNotifications(deps, NEVER);
  await resolveDueCharges(deps, NEVER);
}

async function settleAgain(source: Source): Promise<void> {
  await db.database.query('update processor_notifications set due_at = now() where due_at is not null');
  await settle(source);
}

async function charge(source: Source, merchant: TestMerchant) {
  const sessionId = await createTestSession(db.database, merchant);
  const { pay } = createTestPayments(db.database, { processors: [source.processor], credentialsFor });
  await pay(merchant, sessionId, keyedCard(source.card));
  const chargeId = (await readPaymentState(db.database, sessionId)).rows[0]?.id as ChargeId;
  const statuses = async () => (await readPaymentState(db.database, sessionId)).charges;
  return { sessionId, chargeId, statuses };
}

/** A charge whose answer is lost, and which is not looked up by itself for an hour. */
async function lostCharge(source: Source, merchant: TestMerchant) {
  source.loseNextCharge();
  const lost = await charge(source, merchant);
  await db.database.query(`update charges set resolve_at = now() + interval '1 hour' where id = $1`, [lost.chargeId]);
  expect(await lost.statuses()).toEqual(['pending']);
  return lost;
}

const isOpen = async ({ merchantId }: TestMerchant) =>
  (
    await db.database.query('select from processor_notifications where merchant_id = $1 and due_at is not null', [
      merchantId,
    ])
  ).rowCount !== 0;

describe.each(Object.entries(SOURCES))('a notification of %s', (_name, open) => {
  it('has a charge looked up whose answer was lost, once', async () => {
    const source = open();
    const merchant = await connected(source);
    const { statuses, chargeId } = await lostCharge(source, merchant);
    await settle(source);
    expect(await statuses()).toEqual(['pending']);
    const sent = source.settled(chargeId, source.secret);
    expect(await deliver(source, sent, merchant)).toMatchObject({ status: 'stored' });
    expect(await deliver(source, sent, merchant)).toMatchObject({ status: 'repeated' });
    await settle(source);
    expect(await statuses()).toEqual(['succeeded']);
  });

  it('does nothing if it is forged, or signed with the secret of another merchant', async () => {
    const source = open();
    const [merchant, other] = [await connected(source), await connected(source, source.otherSecret)];
    const { chargeId } = await lostCharge(source, merchant);
    const sent = source.settled(chargeId, source.secret);
    expect(await deliver(source, source.forge(sent), merchant)).toEqual({ status: 'unsigned' });
    expect(await deliver(source, sent, other)).toEqual({ status: 'unsigned' });
    expect(await deliver(source, source.settled(chargeId, source.otherSecret), merchant)).toEqual({
      status: 'unsigned',
    });
    for (const body of ['', '{}', 'bt_signature=&bt_payload=', 'bt_signature=a|b&bt_payload=%00']) {
      expect(await deliver(source, { ...sent, body }, merchant)).toEqual({ status: 'unsigned' });
    }
  });

  it('touches no charge of another merchant, whose ID it names', async () => {
    const source = open();
    const [victim, attacker] = [await connected(source), await connected(source, source.otherSecret)];
    const { statuses, chargeId } = await lostCharge(source, victim);
    const sent = source.settled(chargeId, source.otherSecret);
    expect(await deliver(source, sent, attacker)).toMatchObject({ status: 'stored' });
    await settle(source);
    expect(await statuses()).toEqual(['pending']);
  });

  it('that arrives before our own commit is handled when the charge is there', async () => {
    const source = open();
    const [merchant, other] = [await connected(source), await connected(source)];
    const { statuses, chargeId } = await lostCharge(source, merchant);
    // Until the transaction that moves it is over, the row is at another merchant.
    const move = (to: TestMerchant) =>
      db.database.query('update charges set merchant_id = $2 where id = $1', [chargeId, to.merchantId]);
    await move(other);
    await deliver(source, source.settled(chargeId, source.secret), merchant);
    await settle(source);
    expect(await isOpen(merchant)).toBe(true);
    await move(merchant);
    await settleAgain(source);
    expect(await statuses()).toEqual(['succeeded']);
    // What became of the payment is read once the charge has its outcome.
    await settleAgain(source);
    expect(await isOpen(merchant)).toBe(false);
  });
});

/** The disputes of a charge, with their events in order. */
const disputesOf = async (chargeId: ChargeId) =>
  (
    await db.database.query(
      `select d.status, d.processor_dispute_id as id,
              (select array_agg(e.type order by e.sequence) from events e
                where e.charge_id = d.charge_id and e.type like 'dispute.%') as events
         from disputes d where d.charge_id = $1`,
      [chargeId],
    )
  ).rows;

describe('a notification of Braintree', () => {
  const source = () => (SOURCES.braintree as () => Source)();

  /** A paid charge, and a way to notify of it. */
  async function paid() {
    const of = source();
    const merchant = await connected(of);
    const made = await charge(of, merchant);
    const transaction = transactionOf(made.chargeId);
    const tell = async (kind: string, subject: string, timestamp?: string) => {
      const notice = { kind, subject, ...(timestamp !== undefined && { timestamp }) };
      const taken = await deliver(of, { body: braintreeNotification(notice) }, merchant);
      await settle(of);
      return taken.status;
    };
    return { ...made, of, merchant, transaction, tell };
  }

  const dispute = ({ globalId: id, orderId }: ReturnType<typeof transactionOf>, status: string) => ({
    type: 'CHARGEBACK',
    status,
    amountDisputed: { value: '42.50', currencyCode: 'USD' },
    processorResponse: { reason: 'FRAUD', reasonCode: '83' },
    transaction: { id, orderId, amount: { value: '42.50', currencyCode: 'USD' } },
  });

  it('tells a dispute, whose state is read there, so that a late notification changes nothing', async () => {
    const { chargeId, transaction, tell } = await paid();
    braintree.disputes.set('disp0rder', dispute(transaction, 'WON'));
    const subject = disputeXml('disp0rder', { id: transaction.id });
    expect(await tell('dispute_won', subject, '2026-11-26T12:00:00Z')).toBe('stored');
    expect(await tell('dispute_opened', subject, '2026-11-20T12:00:00Z')).toBe('stored');
    expect(await disputesOf(chargeId)).toEqual([{ status: 'won', id: 'disp0rder', events: ['dispute.created'] }]);
    braintree.disputes.set('disp0rder', dispute(transaction, 'LOST'));
    expect(await tell('dispute_lost', subject, '2026-11-27T12:00:00Z')).toBe('stored');
    expect(await disputesOf(chargeId)).toMatchObject([
      { status: 'lost', events: ['dispute.created', 'dispute.updated'] },
    ]);
  });

  it('tells no dispute to another merchant of the same Braintree account', async () => {
    const { chargeId, transaction, of } = await paid();
    const other = await connected(of);
    braintree.disputes.set('dispother', dispute(transaction, 'OPEN'));
    const subject = disputeXml('dispother', { id: transaction.id });
    const body = braintreeNotification({ kind: 'dispute_opened', subject });
    expect(await deliver(of, { body }, other)).toMatchObject({ status: 'stored' });
    await settle(of);
    expect(await disputesOf(chargeId)).toEqual([]);
  });

  it('tells that a refund has failed that had succeeded, by the ID of the refund', async () => {
    const { chargeId, of, merchant, transaction, tell } = await paid();
    const refunds = createTestRefunds(db.database, merchant, { processor: of.processor, credentialsFor });
    await refunds.refund(chargeId, 250);
    const there = braintree.transactions.find(({ id }) => id === transaction.globalId)?.refunds[0];
    if (there === undefined) throw new Error('no refund');
    await db.database.query(`update refunds set status = 'succeeded', settled_at = now() where charge_id = $1`, [
      chargeId,
    ]);
    there.status = 'PROCESSOR_DECLINED';
    const subject = transactionXml({ id: legacyId(there.id), status: 'processor_declined' });
    expect(await tell('refund_failed', subject)).toBe('stored');
    expect((await readRefundState(db.database, chargeId)).refunds).toEqual(['failed 250']);
  });

  it('has the refunds of the Control Panel read, and a whole one of a payment that was voided', async () => {
    const [partly, voided] = [await paid(), await paid()];
    braintree.refundInPanel(partly.transaction.globalId, 300);
    expect(await partly.tell('transaction_settled', transactionXml(partly.transaction))).toBe('stored');
    expect((await readRefundState(db.database, partly.chargeId)).refunds).toEqual(['pending 300']);
    const there = braintree.transactions.find(({ id }) => id === voided.transaction.globalId);
    if (there === undefined) throw new Error('no transaction');
    there.status = 'VOIDED';
    await voided.tell('transaction_settled', transactionXml(voided.transaction));
    expect((await readRefundState(db.database, voided.chargeId)).refunds).toEqual(['succeeded 4250']);
  });

  test.each([
    ['a test', 'check', '<check type="boolean">true</check>'],
    ['a subscription', 'subscription_canceled', '<subscription><id>s1</id></subscription>'],
    ['another order', 'transaction_settled', transactionXml({ id: 'other1', orderId: 'order 7' })],
    ['no order', 'transaction_settled', transactionXml({ id: 'other2', orderId: null })],
  ])('about %s is acknowledged and recorded', async (_what, kind, subject) => {
    const of = source();
    const merchant = await connected(of);
    const body = braintreeNotification({ kind, subject });
    expect(await deliver(of, { body }, merchant)).toMatchObject({ status: 'ignored', type: kind });
  });

  it('that is signed but malformed is rejected', async () => {
    const of = source();
    const merchant = await connected(of);
    const body = braintreeNotification({ kind: '', subject: '<a>' });
    expect(await deliver(of, { body }, merchant)).toEqual({ status: 'unreadable' });
  });

  it('about a transaction that does not exist is not ours', async () => {
    const { notifications } = source().processor;
    const credentials = await credentialsFor({
      ...(await connected(source())),
      processor: 'braintree',
    });
    const request = { merchantId: newId('Merchant'), mode: 'test' as const, credentials: credentials ?? {} };
    const asked = (paymentId: string) => notifications?.chargeOf({ ...request, paymentId }, NEVER);
    expect(await asked('none')).toEqual({ status: 'not_found' });
    braintree.failNext('reset');
    expect(await asked('none')).toMatchObject({ status: 'unknown' });
  });
});

describe('a notification of Worldpay', () => {
  const source = () => (SOURCES.worldpay as () => Source)();

  /** A paid charge, and a way to notify of it. */
  async function paid() {
    const of = source();
    const merchant = await connected(of);
    const { chargeId } = await charge(of, merchant);
    const paymentId = worldpay.payments.find((one) => one.transactionReference === chargeId)?.paymentId ?? '';
    const tell = async (type: string, reference: string) => {
      const sent = worldpayEvent(newId('Event'), { transactionReference: chargeId, type, reference }, of.secret);
      expect(await deliver(of, sent, merchant)).toMatchObject({ status: 'stored', type });
      await settle(of);
    };
    const refunds = async () => (await readRefundState(db.database, chargeId)).refunds;
    return { of, merchant, chargeId, paymentId, tell, refunds };
  }

  it('tells a refund of the dashboard, and that it failed later', async () => {
    const { paymentId, tell, refunds } = await paid();
    const reference = worldpay.refundInDashboard(paymentId, 250);
    await tell('sentForRefund', reference);
    expect(await refunds()).toEqual(['succeeded 250']);
    worldpay.failRefund(paymentId, reference);
    await tell('refundFailed', reference);
    expect(await refunds()).toEqual(['failed 250']);
  });

  it('has the payment read again until its list contains what was notified', async () => {
    const { of, merchant, paymentId, tell, refunds } = await paid();
    const reference = worldpay.refundInDashboard(paymentId, 250);
    await tell('sentForRefund', reference);
    await tell('refundFailed', reference);
    expect([await refunds(), await isOpen(merchant)]).toEqual([['succeeded 250'], true]);
    worldpay.failRefund(paymentId, reference);
    await settleAgain(of);
    expect([await refunds(), await isOpen(merchant)]).toEqual([['failed 250'], false]);
  });

  it('knows a refund of ours by its reference', async () => {
    const { of, merchant, chargeId, paymentId, tell, refunds } = await paid();
    const own = createTestRefunds(db.database, merchant, { processor: of.processor, credentialsFor });
    await own.refund(chargeId, 300);
    const request = worldpay.payments
      .find((one) => one.paymentId === paymentId)
      ?.events.find(({ refundReference }) => refundReference !== undefined);
    await tell('sentForRefund', request?.refundReference ?? '');
    expect(await refunds()).toEqual(['succeeded 300']);
  });
});

describe('a notification of Hyperswitch', () => {
  /** A paid charge, and a way to notify of its dispute. */
  async function disputed(disputeId: string) {
    const of = (SOURCES.hyperswitch as () => Source)();
    const merchant = await connected(of);
    const { chargeId } = await charge(of, merchant);
    const dispute = (status: string) => ({
      dispute_id: disputeId,
      payment_id: paymentIdOf(chargeId),
      amount: '4250',
      currency: 'USD',
      dispute_stage: 'dispute',
      dispute_status: status,
      connector: 'checkout',
      connector_reason_code: '10.4',
      challenge_required_by: '2026-12-16T05:59:59.000Z',
      created_at: '2026-11-26T10:00:00.000Z',
    });
    const tell = async (status: string, to = merchant) => {
      const event = { type: status, of: 'dispute_details', object: dispute(status) };
      const taken = await deliver(of, hyperswitchEvent(newId('Event'), event, of.secret), to);
      await settle(of);
      return taken.status;
    };
    return { of, chargeId, dispute, tell };
  }

  it('tells a dispute, whose state is read there, so that a late notification changes nothing', async () => {
    const { chargeId, dispute, tell } = await disputed('dp_late');
    hyperswitch.disputes.set('dp_late', dispute('dispute_won'));
    expect(await tell('dispute_won')).toBe('stored');
    expect(await tell('dispute_opened')).toBe('stored');
    expect(await disputesOf(chargeId)).toEqual([{ status: 'won', id: 'dp_late', events: ['dispute.created'] }]);
    hyperswitch.disputes.set('dp_late', dispute('dispute_lost'));
    expect(await tell('dispute_lost')).toBe('stored');
    const events = ['dispute.created', 'dispute.updated'];
    expect(await disputesOf(chargeId)).toEqual([{ status: 'lost', id: 'dp_late', events }]);
  });

  it('tells no dispute to another merchant of the same server, and none that the server does not have', async () => {
    const { of, chargeId, dispute, tell } = await disputed('dp_other');
    expect(await tell('dispute_opened')).toBe('stored');
    hyperswitch.disputes.set('dp_other', dispute('dispute_opened'));
    expect(await tell('dispute_opened', await connected(of))).toBe('stored');
    expect(await disputesOf(chargeId)).toEqual([]);
    expect(hyperswitch.violations).toEqual([]);
  });
});
