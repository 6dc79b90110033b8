/** Disputes and refunds that Braintree, Worldpay and Hyperswitch notify of: the whole way, in the real database. */
import { describe, expect, it, test } from 'vitest';
import { type ChargeId, newId } from '../../../src/domain/ids.ts';
import {
  braintreeNotification,
  disputeXml,
  legacyId,
  transactionXml,
} from '../../support/fake-braintree-notifications.ts';
import { hyperswitchEvent } from '../../support/fake-hyperswitch.ts';
import { worldpayEvent } from '../../support/fake-worldpay.ts';
import { NotifyingVendors, paymentIdOf, transactionOf } from './notifying-vendors.ts';
import { createTestRefunds, readRefundState } from './test-refunds.ts';

const vendors = new NotifyingVendors();
const NEVER = new AbortController().signal;

/** The disputes of a charge, with their events in order. */
const disputesOf = async (chargeId: ChargeId) =>
  (
    await vendors.database.query(
      `select d.status, d.processor_dispute_id as id,
              (select array_agg(e.type order by e.sequence) from events e
                where e.charge_id = d.charge_id and e.type like 'dispute.%') as events
         from disputes d where d.charge_id = $1`,
      [chargeId],
    )
  ).rows;

describe('a notification of Braintree', () => {
  const source = () => vendors.sourceOf('braintree');

  /** A paid charge, and a way to notify of it. */
  async function paid() {
    const of = source();
    const merchant = await vendors.connected(of);
    const made = await vendors.charge(of, merchant);
    const transaction = transactionOf(vendors.fakes.braintree, made.chargeId);
    const tell = async (kind: string, subject: string, timestamp?: string) => {
      const notice = { kind, subject, ...(timestamp !== undefined && { timestamp }) };
      const taken = await vendors.deliver(of, { body: braintreeNotification(notice) }, merchant);
      await vendors.settle(of);
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
    vendors.fakes.braintree.disputes.set('disp0rder', dispute(transaction, 'WON'));
    const subject = disputeXml('disp0rder', { id: transaction.id });
    expect(await tell('dispute_won', subject, '2026-11-26T12:00:00Z')).toBe('stored');
    expect(await tell('dispute_opened', subject, '2026-11-20T12:00:00Z')).toBe('stored');
    expect(await disputesOf(chargeId)).toEqual([{ status: 'won', id: 'disp0rder', events: ['dispute.created'] }]);
    vendors.fakes.braintree.disputes.set('disp0rder', dispute(transaction, 'LOST'));
    expect(await tell('dispute_lost', subject, '2026-11-27T12:00:00Z')).toBe('stored');
    expect(await disputesOf(chargeId)).toMatchObject([
      { status: 'lost', events: ['dispute.created', 'dispute.updated'] },
    ]);
  });

  it('tells no dispute to another merchant of the same Braintree account', async () => {
    const { chargeId, transaction, of } = await paid();
    const other = await vendors.connected(of);
    vendors.fakes.braintree.disputes.set('dispother', dispute(transaction, 'OPEN'));
    const subject = disputeXml('dispother', { id: transaction.id });
    const body = braintreeNotification({ kind: 'dispute_opened', subject });
    expect(await vendors.deliver(of, { body }, other)).toMatchObject({ status: 'stored' });
    await vendors.settle(of);
    expect(await disputesOf(chargeId)).toEqual([]);
  });

  it('tells that a refund has failed that had succeeded, by the ID of the refund', async () => {
    const { chargeId, of, merchant, transaction, tell } = await paid();
    const refunds = createTestRefunds(vendors.database, merchant, {
      processor: of.processor,
      credentialsFor: vendors.credentialsFor,
    });
    await refunds.refund(chargeId, 250);
    const there = vendors.fakes.braintree.transactions.find(({ id }) => id === transaction.globalId)?.refunds[0];
    if (there === undefined) throw new Error('no refund');
    await vendors.database.query(`update refunds set status = 'succeeded', settled_at = now() where charge_id = $1`, [
      chargeId,
    ]);
    there.status = 'PROCESSOR_DECLINED';
    const subject = transactionXml({ id: legacyId(there.id), status: 'processor_declined' });
    expect(await tell('refund_failed', subject)).toBe('stored');
    expect((await readRefundState(vendors.database, chargeId)).refunds).toEqual(['failed 250']);
  });

  it('has the refunds of the Control Panel read, and a whole one of a payment that was voided', async () => {
    const [partly, voided] = [await paid(), await paid()];
    vendors.fakes.braintree.refundInPanel(partly.transaction.globalId, 300);
    expect(await partly.tell('transaction_settled', transactionXml(partly.transaction))).toBe('stored');
    expect((await readRefundState(vendors.database, partly.chargeId)).refunds).toEqual(['pending 300']);
    const there = vendors.fakes.braintree.transactions.find(({ id }) => id === voided.transaction.globalId);
    if (there === undefined) throw new Error('no transaction');
    there.status = 'VOIDED';
    await voided.tell('transaction_settled', transactionXml(voided.transaction));
    expect((await readRefundState(vendors.database, voided.chargeId)).refunds).toEqual(['succeeded 4250']);
  });

  test.each([
    ['a test', 'check', '<check type="boolean">true</check>'],
    ['a subscription', 'subscription_canceled', '<subscription><id>s1</id></subscription>'],
    ['another order', 'transaction_settled', transactionXml({ id: 'other1', orderId: 'order 7' })],
    ['no order', 'transaction_settled', transactionXml({ id: 'other2', orderId: null })],
  ])('about %s is acknowledged and recorded', async (_what, kind, subject) => {
    const of = source();
    const merchant = await vendors.connected(of);
    const body = braintreeNotification({ kind, subject });
    expect(await vendors.deliver(of, { body }, merchant)).toMatchObject({ status: 'ignored', type: kind });
  });

  it('that is signed but malformed is rejected', async () => {
    const of = source();
    const merchant = await vendors.connected(of);
    const body = braintreeNotification({ kind: '', subject: '<a>' });
    expect(await vendors.deliver(of, { body }, merchant)).toEqual({ status: 'unreadable' });
  });

  it('about a transaction that does not exist is not ours', async () => {
    const { notifications } = source().processor;
    const credentials = await vendors.credentialsFor({
      ...(await vendors.connected(source())),
      processor: 'braintree',
    });
    const request = { merchantId: newId('Merchant'), mode: 'test' as const, credentials: credentials ?? {} };
    const asked = (paymentId: string) => notifications?.chargeOf({ ...request, paymentId }, NEVER);
    expect(await asked('none')).toEqual({ status: 'not_found' });
    vendors.fakes.braintree.failNext('reset');
    expect(await asked('none')).toMatchObject({ status: 'unknown' });
  });
});

describe('a notification of Worldpay', () => {
  const source = () => vendors.sourceOf('worldpay');

  /** A paid charge, and a way to notify of it. */
  async function paid() {
    const of = source();
    const merchant = await vendors.connected(of);
    const { chargeId } = await vendors.charge(of, merchant);
    const paymentId =
      vendors.fakes.worldpay.payments.find((one) => one.transactionReference === chargeId)?.paymentId ?? '';
    const tell = async (type: string, reference: string) => {
      const sent = worldpayEvent(newId('Event'), { transactionReference: chargeId, type, reference }, of.secret);
      expect(await vendors.deliver(of, sent, merchant)).toMatchObject({ status: 'stored', type });
      await vendors.settle(of);
    };
    const refunds = async () => (await readRefundState(vendors.database, chargeId)).refunds;
    return { of, merchant, chargeId, paymentId, tell, refunds };
  }

  it('tells a refund of the dashboard, and that it failed later', async () => {
    const { paymentId, tell, refunds } = await paid();
    const reference = vendors.fakes.worldpay.refundInDashboard(paymentId, 250);
    await tell('sentForRefund', reference);
    expect(await refunds()).toEqual(['succeeded 250']);
    vendors.fakes.worldpay.failRefund(paymentId, reference);
    await tell('refundFailed', reference);
    expect(await refunds()).toEqual(['failed 250']);
  });

  it('has the payment read again until its list contains what was notified', async () => {
    const { of, merchant, paymentId, tell, refunds } = await paid();
    const reference = vendors.fakes.worldpay.refundInDashboard(paymentId, 250);
    await tell('sentForRefund', reference);
    await tell('refundFailed', reference);
    expect([await refunds(), await vendors.isOpen(merchant)]).toEqual([['succeeded 250'], true]);
    vendors.fakes.worldpay.failRefund(paymentId, reference);
    await vendors.settleAgain(of);
    expect([await refunds(), await vendors.isOpen(merchant)]).toEqual([['failed 250'], false]);
  });

  it('knows a refund of ours by its reference', async () => {
    const { of, merchant, chargeId, paymentId, tell, refunds } = await paid();
    const own = createTestRefunds(vendors.database, merchant, {
      processor: of.processor,
      credentialsFor: vendors.credentialsFor,
    });
    await own.refund(chargeId, 300);
    const request = vendors.fakes.worldpay.payments
      .find((one) => one.paymentId === paymentId)
      ?.events.find(({ refundReference }) => refundReference !== undefined);
    await tell('sentForRefund', request?.refundReference ?? '');
    expect(await refunds()).toEqual(['succeeded 300']);
  });
});

describe('a notification of Hyperswitch', () => {
  /** A paid charge, and a way to notify of its dispute. */
  async function disputed(disputeId: string) {
    const of = vendors.sourceOf('hyperswitch');
    const merchant = await vendors.connected(of);
    const { chargeId } = await vendors.charge(of, merchant);
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
      const taken = await vendors.deliver(of, hyperswitchEvent(newId('Event'), event, of.secret), to);
      await vendors.settle(of);
      return taken.status;
    };
    return { of, chargeId, dispute, tell };
  }

  it('tells a dispute, whose state is read there, so that a late notification changes nothing', async () => {
    const { chargeId, dispute, tell } = await disputed('dp_late');
    vendors.fakes.hyperswitch.disputes.set('dp_late', dispute('dispute_won'));
    expect(await tell('dispute_won')).toBe('stored');
    expect(await tell('dispute_opened')).toBe('stored');
    expect(await disputesOf(chargeId)).toEqual([{ status: 'won', id: 'dp_late', events: ['dispute.created'] }]);
    vendors.fakes.hyperswitch.disputes.set('dp_late', dispute('dispute_lost'));
    expect(await tell('dispute_lost')).toBe('stored');
    const events = ['dispute.created', 'dispute.updated'];
    expect(await disputesOf(chargeId)).toEqual([{ status: 'lost', id: 'dp_late', events }]);
  });

  it('tells no dispute to another merchant of the same server, and none that the server does not have', async () => {
    const { of, chargeId, dispute, tell } = await disputed('dp_other');
    expect(await tell('dispute_opened')).toBe('stored');
    vendors.fakes.hyperswitch.disputes.set('dp_other', dispute('dispute_opened'));
    expect(await tell('dispute_opened', await vendors.connected(of))).toBe('stored');
    expect(await disputesOf(chargeId)).toEqual([]);
    expect(vendors.fakes.hyperswitch.violations).toEqual([]);
  });
});
