/**
 * Adyen's notifications ("Standard webhook"). The signature:
 * docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures. The events:
 * github.com/Adyen/adyen-openapi, Webhooks-v1. A JSON notification has one item ("JSON and HTTP POST webhooks contain only one
 * NotificationRequestItem"), and is accepted "on the basis of the HTTP status code".
 */
import { z } from 'zod';
import type { NotifiedOutcome } from '../../db/processor-notifications/outcomes.ts';
import { holdsCardNumber } from '../../domain/card-data.ts';
import { parseId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import { unknown } from '../port/answers.ts';
import type { ProcessorNotification, ProcessorNotifications } from '../port/notifications.ts';
import { jsonOrNull } from '../vendor-api/json-request.ts';
import { isHmac } from '../vendor-api/signatures.ts';
import { readAdyenDispute } from './disputes.ts';
import { refusalCodeOf } from './errors.ts';
import { type NotifiedOutcomes, paymentReferenceOf } from './outcomes.ts';
import { payoutIdOf } from './payouts.ts';

const text = z.string().max(255);

const ITEM = z.object({
  eventCode: text,
  success: z.enum(['true', 'false']),
  merchantAccountCode: text,
  merchantReference: text,
  pspReference: text.min(1),
  originalReference: text.nullish(),
  amount: z.object({ currency: text, value: z.int() }),
  reason: z.string().nullish(),
  additionalData: z.object({ hmacSignature: z.string().nullish() }).nullish(),
});
type Item = z.output<typeof ITEM>;

const NOTIFICATION = z.object({
  live: z.enum(['true', 'false']),
  notificationItems: z.array(z.object({ NotificationRequestItem: ITEM })).length(1),
});

/** "32 bytes" in hexadecimal digits, as Adyen shows it. */
const HMAC_KEY = /^[0-9A-Fa-f]{64}$/;

export function adyenNotifications(outcomes: NotifiedOutcomes): ProcessorNotifications {
  return {
    secretForm: HMAC_KEY,
    tellsDisputes: true,
    isSigned: (secret, { body }) => secret.reveal((key) => isSignedByAdyen(key, jsonOrNull(body.toString('utf8')))),
    read: readAdyenNotification,
    async chargeOf({ merchantId, paymentId }) {
      const chargeId = await outcomes.chargeOf(merchantId, paymentId).catch(() => undefined);
      if (chargeId === undefined) return unknown('database');
      // Its authorisation may be notified later.
      return chargeId === null ? unknown('not_notified') : { status: 'found', chargeId };
    },
  };
}

/** In this order, with colons between them. An absent reference is empty. */
function signedText({ amount, ...item }: Item): string {
  return [
    item.pspReference,
    item.originalReference ?? '',
    item.merchantAccountCode,
    item.merchantReference,
    amount.value,
    amount.currency,
    item.eventCode,
    item.success,
  ].join(':');
}

const itemOf = (body: unknown) => NOTIFICATION.safeParse(body).data?.notificationItems[0]?.NotificationRequestItem;

/** All of {@link outcomeOf} is signed, except the reason. */
function isSignedByAdyen(key: string, body: unknown): boolean {
  const item = itemOf(body);
  const given = item?.additionalData?.hmacSignature;
  if (item === undefined || given == null || !HMAC_KEY.test(key)) return false;
  return isHmac('sha256', Buffer.from(key, 'hex'), [signedText(item)], given, 'base64');
}

/** Duplicates have the same event and `pspReference`. */
function readAdyenNotification(body: unknown, mode: Mode): ProcessorNotification | null {
  const item = itemOf(body);
  const isLive = NOTIFICATION.safeParse(body).data?.live === 'true';
  if (item === undefined || isLive !== (mode === 'live')) return null;
  const { eventCode, pspReference, originalReference, merchantReference, success } = item;
  const type = eventCode.slice(0, 100);
  const id = `${type}:${pspReference}:${success}`.slice(0, 200);
  const dispute = readAdyenDispute(body);
  if (dispute !== null) {
    const { paymentId, chargeId = null } = dispute;
    return { id, type, subject: { paymentId, chargeId, disputeId: pspReference }, dispute };
  }
  if (eventCode === 'REPORT_AVAILABLE') {
    const payoutId = success === 'true' ? payoutIdOf(pspReference) : null;
    const subject = { paymentId: null, chargeId: null, disputeId: null, payoutId };
    return { id, type, subject: payoutId === null ? null : subject };
  }
  const outcome = outcomeOf(item);
  if (outcome === null || !EVENTS.includes(eventCode)) return { id, type, subject: null };
  const chargeId = parseId('Charge', paymentReferenceOf(merchantReference));
  // A payment of another system at the same merchant account.
  if (eventCode === 'AUTHORISATION' && chargeId === null) return { id, type, subject: null };
  const subject = { paymentId: originalReference || pspReference, chargeId, disputeId: null };
  return { id, type, subject, outcome };
}

/** Those that say what became of a payment. */
const EVENTS: readonly string[] = [
  'AUTHORISATION',
  'CAPTURE',
  'CAPTURE_FAILED',
  'CANCELLATION',
  'TECHNICAL_CANCEL',
  'CANCEL_OR_REFUND',
  'EXPIRE',
  'REFUND',
  'REFUND_FAILED',
  'REFUNDED_REVERSED',
];

/**
 * The reason of a success contains "last 4 digits of the card, card expiry date", so it is left out. Null if a reference may be a
 * card number, which is not stored.
 */
function outcomeOf({ amount, ...item }: Item): NotifiedOutcome | null {
  const isSuccess = item.success === 'true';
  const references = [item.merchantReference, item.pspReference, item.originalReference ?? ''];
  if (references.some((reference) => holdsCardNumber(reference))) return null;
  return {
    event: item.eventCode,
    isSuccess,
    merchantAccount: item.merchantAccountCode,
    reference: item.merchantReference,
    processorReference: item.pspReference,
    paymentId: item.originalReference || null,
    amountCents: amount.value,
    currency: amount.currency,
    reason: isSuccess ? null : refusalCodeOf(item.reason ?? null),
  };
}
