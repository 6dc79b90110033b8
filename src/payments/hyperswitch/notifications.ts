/**
 * Hyperswitch's outgoing webhooks: the header `X-Webhook-Signature-512` has the HMAC-SHA512 of the body, with the business
 * profile's `payment_response_hash_key` as text (github.com/juspay/hyperswitch, crates/router/src/core/webhooks/types.rs). The
 * payment's ID is made of our charge's, so nothing needs to be asked.
 */
import { z } from 'zod';
import type { ProcessorNotification, ProcessorNotifications } from '../port/notifications.ts';
import { isHmac } from '../vendor-api/signatures.ts';
import type { OpenHyperswitch } from './client.ts';
import { hyperswitchHistories } from './history.ts';
import { chargeIdOf } from './payments.ts';

const EVENT = z.object({
  event_id: z.string().min(1).max(200),
  event_type: z.string().max(100),
  content: z
    .object({ object: z.object({ payment_id: z.string().nullish(), dispute_id: z.string().nullish() }).nullish() })
    .nullish(),
});

export function hyperswitchNotifications(open: OpenHyperswitch): ProcessorNotifications {
  return {
    // Hyperswitch makes 64 characters, or the merchant chooses it.
    secretForm: /^[\x21-\x7e]{16,200}$/,
    isSigned: (secret, { body, header }) => {
      const given = header('x-webhook-signature-512');
      return given !== undefined && secret.reveal((key) => isHmac('sha512', key, [body], given));
    },
    read: readEvent,
    async chargeOf({ paymentId }) {
      const chargeId = chargeIdOf(paymentId);
      return chargeId === null ? { status: 'not_found' } : { status: 'found', chargeId };
    },
    histories: hyperswitchHistories(open),
  };
}

function readEvent(body: unknown): ProcessorNotification | null {
  const { data } = EVENT.safeParse(body);
  if (data === undefined) return null;
  const { event_id: id, event_type: type, content } = data;
  const { payment_id: paymentId = null, dispute_id: disputeId = null } = content?.object ?? {};
  const chargeId = paymentId === null ? null : chargeIdOf(paymentId);
  // A payment of another system has no ID of ours.
  return { id, type, subject: chargeId === null ? null : { paymentId, chargeId, disputeId } };
}
