/**
 * Braintree's webhooks: a form with `bt_payload`, which is Base64 of XML, and `bt_signature`, which has a public key and an
 * HMAC-SHA1 of the payload for each API key of the account (developer.paypal.com/braintree/docs/guides/webhooks/parse;
 * github.com/braintree/braintree_node, lib/braintree/webhook_notification_gateway.js and digest.js). Its key is the SHA-1 of
 * the private key.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type ChargeId, parseId } from '../../domain/ids.ts';
import { unknown } from '../port/answers.ts';
import type {
  ChargeOfPayment,
  PaymentRequest,
  ProcessorNotification,
  ProcessorNotifications,
} from '../port/notifications.ts';
import { chargeDescribedAs, refundDescribedAs } from '../vendor-api/descriptions.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { isOneHmac } from '../vendor-api/signatures.ts';
import { GraphqlError, type OpenBraintree } from './client.ts';
import { faultOf, NOT_FOUND } from './errors.ts';
import { braintreeHistories } from './history.ts';
import { globalId } from './legacy-ids.ts';
import { readXml } from './notification-xml.ts';

const PRIVATE_KEY = /^[a-f0-9]{32}$/;

export function braintreeNotifications(open: OpenBraintree): ProcessorNotifications {
  return {
    secretForm: PRIVATE_KEY,
    isSigned: (secret, { body }) => secret.reveal((key) => isSignedByBraintree(key, body)),
    parse: (body) => {
      const { payload } = formOf(body);
      return payload === null ? null : readXml(Buffer.from(payload, 'base64').toString('utf8'));
    },
    read: readEvent,
    chargeOf: (request, signal) => chargeOfTransaction(open, request, signal),
    histories: braintreeHistories(open),
  };
}

function formOf(body: Buffer): { signature: string; payload: string | null } {
  const form = new URLSearchParams(body.toString('utf8'));
  const payload = form.get('bt_payload');
  const isBase64 = payload !== null && /^[A-Za-z0-9+=/\n]+$/.test(payload);
  return { signature: form.get('bt_signature') ?? '', payload: isBase64 ? payload : null };
}

/** The public key of a pair is not compared: only the account's own private keys can make a signature that fits. */
function isSignedByBraintree(privateKey: string, body: Buffer): boolean {
  const { signature, payload } = formOf(body);
  if (payload === null) return false;
  const key = createHash('sha1').update(privateKey).digest();
  const given = signature.split('&').flatMap((pair) => pair.split('|')[1] ?? []);
  // The trailing line feed of the payload may be lost on the way, as in Braintree's own check.
  return [payload, `${payload}\n`].some((text) => isOneHmac('sha1', key, [text], given));
}

/** An absent order ID says nothing. Null: the transaction has none, so it is not ours. */
const TRANSACTION = z.object({ id: z.string().min(1), 'order-id': z.string().nullish() });
const NOTIFICATION = z.object({
  notification: z.object({
    kind: z.string().min(1).max(100),
    timestamp: z.string().min(1).max(50),
    subject: z.object({
      transaction: TRANSACTION.optional(),
      dispute: z.object({ id: z.string().min(1), transaction: TRANSACTION }).optional(),
    }),
  }),
});

/** Notifications have no ID. Repeated ones have the same time. */
function readEvent(body: unknown): ProcessorNotification | null {
  const { data } = NOTIFICATION.safeParse(body);
  if (data === undefined) return null;
  const { kind: type, timestamp, subject } = data.notification;
  const { dispute = null, transaction = dispute?.transaction } = subject;
  const id = [type, dispute?.id ?? transaction?.id ?? '', timestamp].join(':').slice(0, 200);
  if (transaction === undefined) return { id, type, subject: null };
  const { id: paymentId, 'order-id': orderId } = transaction;
  const chargeId = chargeOfOrder(orderId ?? '');
  if (orderId !== undefined && chargeId === null) return { id, type, subject: null };
  return { id, type, subject: { paymentId, chargeId, disputeId: dispute?.id ?? null } };
}

/** A refund of ours names its charge second. One that was made in the Control Panel has the order ID of its transaction. */
function chargeOfOrder(orderId: string): ChargeId | null {
  const [, second = ''] = orderId.split(' ');
  return refundDescribedAs(orderId) === null
    ? (chargeDescribedAs(orderId)?.chargeId ?? null)
    : parseId('Charge', second);
}

const ORDER = z.object({ node: z.object({ orderId: z.string().nullish() }) });
const READ = `query ReadOrder($id: ID!) { node(id: $id) {
  ... on Transaction { orderId } ... on Refund { orderId }
} }`;

/** The notification may be about a refund, which has a transaction ID of its own. */
async function chargeOfTransaction(
  open: OpenBraintree,
  { paymentId, ...access }: PaymentRequest,
  signal: AbortSignal,
): Promise<ChargeOfPayment> {
  try {
    const api = await open(access, signal);
    for (const type of ['TRANSACTION', 'REFUND'] as const) {
      const id = await globalId(api, type, paymentId);
      const found = await api.ask(READ, { id }, ORDER).catch((error: unknown) => {
        if (error instanceof GraphqlError && error.errorClass === NOT_FOUND) return null;
        throw error;
      });
      const chargeId = chargeOfOrder(found?.node.orderId ?? '');
      if (chargeId !== null) return { status: 'found', chargeId };
    }
    return { status: 'not_found' };
  } catch (error) {
    return unknown(causeOf(faultOf(error)));
  }
}
