/**
 * Events of Access Worldpay. The signature: docs.worldpay.com/access/products/events/signature, and its encoding
 * /access/products/account-payouts/hmac-signature ("hex output"). The events: /access/products/events/openapi. Each names the
 * payment by our reference. No API reads disputes, and the one event about them has neither an ID nor an end, so they are not read.
 */
import { z } from 'zod';
import { parseId } from '../../domain/ids.ts';
import type { ProcessorNotification, ProcessorNotifications } from '../port/notifications.ts';
import { isOneHmac } from '../vendor-api/signatures.ts';
import type { OpenWorldpay } from './client.ts';
import { worldpayHistories } from './history.ts';

const EVENT = z.object({
  eventId: z.string().min(1).max(200),
  eventDetails: z.object({
    classification: z.string(),
    transactionReference: z.string(),
    type: z.string().min(1).max(100),
    reference: z.string().nullish(),
  }),
});

export function worldpayNotifications(open: OpenWorldpay): ProcessorNotifications {
  return {
    // Worldpay makes it, and does not publish its format.
    secretForm: /^[\x21-\x7e]{16,200}$/,
    isSigned: (secret, { body, header }) => {
      const given = signaturesIn(header('event-signature') ?? '');
      return secret.reveal((key) => isOneHmac('sha256', key, [body], given));
    },
    read: readEvent,
    // Never asked: each event names our charge.
    chargeOf: async () => ({ status: 'not_found' }),
    histories: worldpayHistories(open),
  };
}

/** `{keyId}/{hashFunction}/{signature}`, several while a secret is being replaced. */
const signaturesIn = (header: string) =>
  header.split(',').flatMap((one) => /^\s*\d+\/SHA-?256\/([0-9a-f]{64})\s*$/i.exec(one)?.[1] ?? []);

function readEvent(body: unknown): ProcessorNotification | null {
  const { data } = EVENT.safeParse(body);
  if (data === undefined) return null;
  const { eventId: id, eventDetails } = data;
  const { classification, transactionReference, type, reference = null } = eventDetails;
  const chargeId = classification === 'payment' ? parseId('Charge', transactionReference) : null;
  // The reference is that of a refund. The history of its payment is then read.
  return { id, type, subject: chargeId === null ? null : { paymentId: reference, chargeId, disputeId: null } };
}
