/** Signed notifications whose text PostgreSQL cannot store: U+0000, and an unpaired surrogate. In the real database. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { notificationSecretContext } from '../../../src/accounts/merchants/notification-secret.ts';
import { takeNotification } from '../../../src/accounts/merchants/take-notification.ts';
import { setNotificationSecret } from '../../../src/db/processor-notifications/inbox.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createVault } from '../../../src/lib/vault/vault.ts';
import { createAdyen } from '../../../src/payments/adyen/index.ts';
import { storedOutcomes } from '../../../src/payments/adyen/outcomes.ts';
import { createAuthorizeNet } from '../../../src/payments/authorizenet/index.ts';
import { createBraintree } from '../../../src/payments/braintree/index.ts';
import { createCheckoutCom } from '../../../src/payments/checkoutcom/index.ts';
import { createHyperswitch } from '../../../src/payments/hyperswitch/index.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import { createSquare } from '../../../src/payments/square/index.ts';
import { createStripe } from '../../../src/payments/stripe/index.ts';
import { createWorldpay } from '../../../src/payments/worldpay/index.ts';
import { signedForm } from '../../support/fake-braintree-notifications.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, type TestMerchant } from '../../support/test-merchants.ts';

const db = useTestDatabase();
const vault = createVault([randomBytes(32)]);
const CHARGE = newId('Charge');

type Content = { [name: string]: string | number | boolean | null | Content | Content[] };

const adyenItem = (item: Content): Content => ({
  live: 'false',
  notificationItems: [
    {
      NotificationRequestItem: {
        success: 'true',
        merchantAccountCode: 'TestMerchantMOTO',
        merchantReference: CHARGE,
        pspReference: 'ABCDEFGHIJKLMNOP',
        amount: { currency: 'USD', value: 4_250 },
        ...item,
      },
    },
  ],
});

/** What each processor notifies: of a payment, and of what else has fields of its own. */
const NOTIFIED: Record<string, { open: () => Processor; contents: Content[] }> = {
  sandbox: {
    open: () => createSandbox(db.database),
    contents: [{ id: 'e1', type: 'payment.updated', payment_id: 'p1', dispute_id: 'd1', payout_id: null }],
  },
  stripe: {
    open: () => createStripe(),
    contents: [
      {
        id: 'evt_1',
        object: 'event',
        type: 'charge.updated',
        livemode: false,
        data: { object: { object: 'payment_intent', id: 'pi_1', metadata: { ringkey_charge: CHARGE } } },
      },
    ],
  },
  square: {
    open: () => createSquare(),
    contents: [
      { event_id: 'e1', type: 'payment.updated', data: { object: { payment: { id: 'p1', reference_id: CHARGE } } } },
      {
        event_id: 'e2',
        type: 'dispute.created',
        data: { object: { dispute: { id: 'd1', disputed_payment: { payment_id: 'p1' } } } },
      },
    ],
  },
  authorizenet: {
    open: () => createAuthorizeNet(),
    contents: [
      {
        notificationId: 'n1',
        eventType: 'net.authorize.payment.refund.created',
        payload: { entityName: 'transaction', id: '60001234567' },
      },
    ],
  },
  checkoutcom: {
    open: () => createCheckoutCom(),
    contents: [{ id: 'evt_1', type: 'payment_captured', data: { id: 'pay_1', reference: CHARGE } }],
  },
  hyperswitch: {
    open: () => createHyperswitch(),
    contents: [
      {
        event_id: 'e1',
        event_type: 'dispute_opened',
        content: { type: 'dispute_details', object: { payment_id: `pay_${CHARGE.slice(3)}`, dispute_id: 'dp_1' } },
      },
    ],
  },
  worldpay: {
    open: () => createWorldpay(),
    contents: [
      {
        eventId: 'e1',
        eventDetails: {
          classification: 'payment',
          transactionReference: CHARGE,
          type: 'refundFailed',
          reference: 're-1',
        },
      },
    ],
  },
  braintree: {
    open: () => createBraintree(),
    contents: [
      {
        notification: {
          kind: 'dispute_opened',
          timestamp: '2026-11-26T10:00:00Z',
          subject: { dispute: { id: 'd1', transaction: { id: 't1' } } },
        },
      },
    ],
  },
  adyen: {
    open: () => createAdyen({ outcomes: storedOutcomes(db.database, 'adyen') }),
    contents: [
      adyenItem({ eventCode: 'REFUND', originalReference: 'PONMLKJIHGFEDCBA', reason: 'Refused' }),
      adyenItem({
        eventCode: 'REFUND',
        originalReference: 'PONMLKJIHGFEDCBA',
        success: 'false',
        reason: '2 : Refused',
      }),
      adyenItem({
        eventCode: 'CHARGEBACK',
        originalReference: 'PONMLKJIHGFEDCBA',
        eventDate: '2026-11-26T10:00:00+01:00',
        additionalData: {
          disputeStatus: 'Undefended',
          chargebackReasonCode: '10.4',
          defensePeriodEndsAt: '2026-12-26',
        },
      }),
    ],
  },
};

const UNREADABLE = ['\u0000', '\ud83d', '\udc80\u001f'];

/** The content with each of its texts changed, one at a time. */
function* variants(content: Content, change: (text: string) => string): Generator<Content> {
  for (const [name, value] of Object.entries(content)) {
    if (typeof value === 'string') yield { ...content, [name]: change(value) };
    else if (Array.isArray(value)) {
      for (const inner of variants(value[0] ?? {}, change)) yield { ...content, [name]: [inner] };
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of variants(value, change)) yield { ...content, [name]: inner };
    }
  }
}

const xmlOf = (content: Content): string =>
  Object.entries(content)
    .map(([name, value]) => `<${name}>${typeof value === 'object' ? xmlOf(value as Content) : value}</${name}>`)
    .join('');

const bodyOf = (processor: string, content: Content) =>
  processor === 'braintree' ? signedForm(Buffer.from(xmlOf(content)).toString('base64'), '') : JSON.stringify(content);

async function notified(processor: string): Promise<TestMerchant> {
  const merchant = await createTestMerchant(db.database, { processor });
  const { merchantId } = merchant;
  const sealed = vault.seal('a-secret-of-the-merchant', notificationSecretContext(merchantId, processor));
  await setNotificationSecret(db.database, merchantId, processor, sealed, 1);
  return merchant;
}

/** The signatures have tests of their own. */
function signed(processor: Processor): Processor {
  const { notifications } = processor;
  if (notifications == null) throw new Error('the processor sends no notifications');
  return { ...processor, notifications: { ...notifications, isSigned: () => true } };
}

async function taken(processor: Processor, { merchantId }: TestMerchant, content: Content): Promise<string> {
  const { status } = await takeNotification(
    { database: db.database, vault, processors: [processor], now: () => new Date() },
    { processor: processor.name, merchant: merchantId },
    { body: Buffer.from(bodyOf(processor.name, content)), header: () => undefined },
  );
  return status;
}

describe.each(Object.entries(NOTIFIED))('a signed notification of %s', (name, { open, contents }) => {
  it('is accepted or refused, never an internal error, with control characters in any field', async () => {
    const [merchant, processor] = [await notified(name), signed(open())];
    for (const content of contents) {
      expect(await taken(processor, merchant, content)).toMatch(/^(?:stored|ignored)$/);
      for (const end of UNREADABLE) {
        for (const variant of variants(content, (text) => text + end)) {
          expect(await taken(processor, merchant, variant)).toMatch(/^(?:stored|repeated|ignored|unreadable)$/);
        }
      }
    }
  });
});
