/** Signatures and contents of the processors' notifications, as their references have them. No request is sent. */
import { createHmac } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { newId } from '../../domain/ids.ts';
import { Secret } from '../../domain/secret.ts';
import { createAuthorizeNet } from '../authorizenet/index.ts';
import { createCheckoutCom } from '../checkoutcom/index.ts';
import { createHyperswitch } from '../hyperswitch/index.ts';
import { createSquare } from '../square/index.ts';
import { createStripe } from '../stripe/index.ts';
import { createWorldpay } from '../worldpay/index.ts';
import type { ProcessorNotifications, SignedRequest } from './notifications.ts';
import type { Processor } from './processor.ts';

const NOW = new Date('2026-11-26T10:00:00Z');
const TIME = String(NOW.getTime() / 1_000);
const URL_OF_A = 'https://ringkey.example.com/hooks/processors/x/mer_a';
const CHARGE = newId('Charge');

const hmac = (algorithm: string, key: string | Buffer, text: string) => createHmac(algorithm, key).update(text);

interface Vendor {
  processor: Processor;
  secret: string;
  other: string;
  header: string;
  /** The header's value. */
  sign(secret: string, body: string): string;
  /** Signed by the time, so that an old request is refused. */
  isTimed?: true;
}

const HEX_KEY = 'AB01'.repeat(32);

const VENDORS: Record<string, Vendor> = {
  stripe: {
    processor: createStripe(),
    secret: 'whsec_0123456789abcdef',
    other: 'whsec_other6789abcdef',
    header: 'stripe-signature',
    sign: (secret, body) => `t=${TIME},v1=${hmac('sha256', secret, `${TIME}.${body}`).digest('hex')},v0=ignored`,
    isTimed: true,
  },
  square: {
    processor: createSquare(),
    secret: 'asdf1234asdf1234',
    other: 'other234other234',
    header: 'x-square-hmacsha256-signature',
    sign: (secret, body) => hmac('sha256', secret, URL_OF_A + body).digest('base64'),
  },
  'authorizenet with the key as text': {
    processor: createAuthorizeNet(),
    secret: HEX_KEY,
    other: 'CD02'.repeat(32),
    header: 'x-anet-signature',
    sign: (secret, body) => `sha512=${hmac('sha512', secret, body).digest('hex').toUpperCase()}`,
  },
  'authorizenet with the key as bytes': {
    processor: createAuthorizeNet(),
    secret: HEX_KEY,
    other: 'CD02'.repeat(32),
    header: 'x-anet-signature',
    sign: (secret, body) => `sha512=${hmac('sha512', Buffer.from(secret, 'hex'), body).digest('hex')}`,
  },
  checkoutcom: {
    processor: createCheckoutCom(),
    secret: 'a-secret-that-the-merchant-chose',
    other: 'another-secret-of-the-merchant',
    header: 'cko-signature',
    sign: (secret, body) => hmac('sha256', secret, body).digest('hex'),
  },
  hyperswitch: {
    processor: createHyperswitch(),
    secret: 'the-payment-response-hash-key-of-a-profile',
    other: 'another-payment-response-hash-key',
    header: 'x-webhook-signature-512',
    sign: (secret, body) => hmac('sha512', secret, body).digest('hex'),
  },
  worldpay: {
    processor: createWorldpay(),
    secret: 'a-shared-secret-of-worldpay',
    other: 'another-shared-secret-of-worldpay',
    header: 'event-signature',
    sign: (secret, body) => `2/SHA256/${'0'.repeat(64)}, 1/SHA256/${hmac('sha256', secret, body).digest('hex')}`,
  },
};

function notificationsOf({ processor: { notifications } }: Vendor): ProcessorNotifications {
  if (notifications == null) throw new Error('the processor sends no notifications');
  return notifications;
}

describe.each(Object.entries(VENDORS))('signatures of %s', (_name, vendor) => {
  const { secret, other, header } = vendor;
  const body = '{"id":"evt_1"}';
  const isSigned = (changes: Partial<SignedRequest> & { value?: string | undefined } = {}) => {
    const { value = vendor.sign(secret, body), ...rest } = changes;
    return notificationsOf(vendor).isSigned(Secret.of(secret), {
      body: Buffer.from(body),
      header: (name) => (name === header ? value : undefined),
      url: URL_OF_A,
      receivedAt: NOW,
      ...rest,
    });
  };

  it('accepts the secret of the vendor and its format', () => {
    expect(isSigned()).toBe(true);
    expect(notificationsOf(vendor).secretForm.test(secret)).toBe(true);
    expect(notificationsOf(vendor).secretForm.test('short')).toBe(false);
  });

  it('rejects another secret, another body, and a missing or malformed header', () => {
    expect(isSigned({ value: vendor.sign(other, body) })).toBe(false);
    expect(isSigned({ body: Buffer.from(`${body} `) })).toBe(false);
    expect(isSigned({ header: () => undefined })).toBe(false);
    for (const value of [
      '',
      'x',
      't=,v1=',
      'sha512=',
      `t=${TIME}`,
      'v1=00',
      `t=${TIME},v1=`,
      '1/SHA256/',
      '1/SHA256',
    ]) {
      expect(isSigned({ value }), value).toBe(false);
    }
  });

  it('rejects a request that is older or newer than five minutes, if the vendor signs the time', () => {
    const shifted = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
    expect([-300, 300].map((seconds) => isSigned({ receivedAt: shifted(seconds) }))).toEqual([true, true]);
    const isOutOfTime = [-301, 301].map((seconds) => !isSigned({ receivedAt: shifted(seconds) }));
    expect(isOutOfTime).toEqual([vendor.isTimed === true, vendor.isTimed === true]);
  });
});

test("rejects Square's signature of another merchant's address, and all of them without a public address", () => {
  const vendor = VENDORS.square as Vendor;
  const value = vendor.sign(vendor.secret, '{}');
  const request = { body: Buffer.from('{}'), header: () => value, receivedAt: NOW };
  const { isSigned } = notificationsOf(vendor);
  expect(isSigned(Secret.of(vendor.secret), { ...request, url: URL_OF_A })).toBe(true);
  expect(isSigned(Secret.of(vendor.secret), { ...request, url: URL_OF_A.replace('mer_a', 'mer_b') })).toBe(false);
  expect(isSigned(Secret.of(vendor.secret), { ...request, url: null })).toBe(false);
});

const stripeEvent = (object: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  id: 'evt_1',
  object: 'event',
  type: 'charge.updated',
  livemode: false,
  data: { object },
  ...more,
});

describe('the subject of a notification', () => {
  test.each<[string, unknown, unknown]>([
    [
      'stripe',
      stripeEvent({ object: 'payment_intent', id: 'pi_1', metadata: { ringkey_charge: CHARGE } }),
      { paymentId: 'pi_1', chargeId: CHARGE, disputeId: null },
    ],
    [
      'stripe',
      stripeEvent({ object: 'refund', id: 're_1', payment_intent: 'pi_1', metadata: {} }),
      { paymentId: 'pi_1', chargeId: null, disputeId: null },
    ],
    [
      'stripe',
      stripeEvent({ object: 'dispute', id: 'dp_1', payment_intent: 'pi_1' }),
      { paymentId: 'pi_1', chargeId: null, disputeId: 'dp_1' },
    ],
    [
      'hyperswitch',
      {
        event_id: 'e1',
        event_type: 'refund_succeeded',
        content: { type: 'refund_details', object: { payment_id: `pay_${CHARGE.slice(3)}`, refund_id: 'ref_1' } },
      },
      { paymentId: `pay_${CHARGE.slice(3)}`, chargeId: CHARGE, disputeId: null },
    ],
    [
      'hyperswitch',
      {
        event_id: 'e1',
        event_type: 'payment_succeeded',
        content: { type: 'payment_details', object: { payment_id: 'pay_mbabizu24mvu3mela5nj' } },
      },
      null,
    ],
    [
      'hyperswitch',
      {
        event_id: 'e1',
        event_type: 'dispute_opened',
        content: { type: 'dispute_details', object: { payment_id: `pay_${CHARGE.slice(3)}`, dispute_id: 'dp_1' } },
      },
      { paymentId: `pay_${CHARGE.slice(3)}`, chargeId: CHARGE, disputeId: 'dp_1' },
    ],
    [
      'worldpay',
      {
        eventId: 'e1',
        eventTimestamp: '2018-06-13T14:18:13.407',
        eventDetails: {
          classification: 'payment',
          transactionReference: CHARGE,
          type: 'refundFailed',
          reference: 're-1',
        },
      },
      { paymentId: 're-1', chargeId: CHARGE, disputeId: null },
    ],
    [
      'worldpay',
      {
        eventId: 'e1',
        eventDetails: { classification: 'payment', transactionReference: 'Memory265-13/08/1876', type: 'cancelled' },
      },
      null,
    ],
    [
      'worldpay',
      {
        eventId: 'e1',
        eventDetails: { classification: 'chargeback', transactionReference: CHARGE, type: 'informationRequested' },
      },
      null,
    ],
    ['stripe', stripeEvent({ object: 'payment_intent', id: 'pi_1' }, { livemode: true }), null],
    ['stripe', stripeEvent({ object: 'customer', id: 'cus_1' }), null],
    ['stripe', stripeEvent({ object: 'charge', id: 'ch_1', payment_intent: null }), null],
    [
      'square',
      {
        event_id: 'e1',
        type: 'payment.updated',
        data: { type: 'payment', id: 'p1', object: { payment: { id: 'p1', reference_id: CHARGE } } },
      },
      { paymentId: 'p1', chargeId: CHARGE, disputeId: null },
    ],
    [
      'square',
      { event_id: 'e1', type: 'refund.created', data: { object: { refund: { id: 'r1', payment_id: 'p1' } } } },
      { paymentId: 'p1', chargeId: null, disputeId: null },
    ],
    [
      'square',
      {
        event_id: 'e1',
        type: 'dispute.created',
        data: { object: { dispute: { id: 'd1', disputed_payment: { payment_id: 'p1' } } } },
      },
      { paymentId: 'p1', chargeId: null, disputeId: 'd1' },
    ],
    ['square', { event_id: 'e1', type: 'payment.created', data: { object: { payment: { id: 'p1' } } } }, null],
    ['square', { event_id: 'e1', type: 'catalog.version.updated', data: { type: 'catalog' } }, null],
    [
      'authorizenet with the key as text',
      {
        notificationId: 'n1',
        eventType: 'net.authorize.payment.refund.created',
        eventDate: '2026-11-26T10:00:00Z',
        webhookId: 'w1',
        payload: { responseCode: 1, entityName: 'transaction', id: '60001234567' },
      },
      { paymentId: '60001234567', chargeId: null, disputeId: null },
    ],
    [
      'authorizenet with the key as text',
      { notificationId: 'n1', eventType: 'net.authorize.customer.created', payload: { entityName: 'customerProfile' } },
      null,
    ],
    [
      'checkoutcom',
      { id: 'evt_1', type: 'payment_captured', data: { id: 'pay_1', action_id: 'act_1', reference: CHARGE } },
      { paymentId: 'pay_1', chargeId: CHARGE, disputeId: null },
    ],
    [
      'checkoutcom',
      { id: 'evt_1', type: 'dispute_evidence_required', data: { id: 'dsp_1', payment_id: 'pay_1' } },
      { paymentId: 'pay_1', chargeId: null, disputeId: 'dsp_1' },
    ],
    ['checkoutcom', { id: 'evt_1', type: 'card_verified', data: { id: 'pay_1' } }, null],
  ])('is read from a notification of %s', (name, body, subject) => {
    expect(notificationsOf(VENDORS[name] as Vendor).read(body, 'test')?.subject).toEqual(subject);
  });

  test.each(Object.entries(VENDORS))('is null for other JSON signed by %s', (_name, vendor) => {
    for (const body of [null, 5, 'text', [], {}, { id: 'evt_1' }]) {
      expect(notificationsOf(vendor).read(body, 'test')).toBeNull();
    }
  });
});
