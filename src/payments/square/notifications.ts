/**
 * Square's webhooks. The signature: developer.squareup.com/docs/webhooks/step3validate. The objects:
 * developer.squareup.com/docs/webhooks/v2webhook-events-tech-ref.
 */
import { z } from 'zod';
import { parseId } from '../../domain/ids.ts';
import { unknown } from '../port/answers.ts';
import type {
  ChargeOfPayment,
  PaymentRequest,
  ProcessorNotification,
  ProcessorNotifications,
} from '../port/notifications.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { isHmac } from '../vendor-api/signatures.ts';
import type { OpenSquare } from './client.ts';
import { faultOf, isNotFound } from './errors.ts';
import { squareHistories } from './history.ts';

const EVENT = z.object({
  event_id: z.string().min(1).max(200),
  type: z.string().max(100),
  data: z.object({
    object: z
      .object({
        payment: z.object({ id: z.string(), reference_id: z.string().nullish() }).optional(),
        refund: z.object({ payment_id: z.string() }).optional(),
        payout: z.object({ id: z.string() }).optional(),
        dispute: z
          .object({
            id: z.string().optional(),
            dispute_id: z.string().optional(),
            disputed_payment: z.object({ payment_id: z.string() }).optional(),
          })
          .optional(),
      })
      .nullish(),
  }),
});

export function squareNotifications(open: OpenSquare): ProcessorNotifications {
  return {
    secretForm: /^[\w+/=-]{10,100}$/,
    isSigned: (secret, { url, body, header }) => {
      const signature = header('x-square-hmacsha256-signature');
      if (url === null || signature === undefined) return false;
      return secret.reveal((key) => isHmac('sha256', key, [url, body], signature, 'base64'));
    },
    read: readEvent,
    chargeOf: (request, signal) => chargeOfPayment(open, request, signal),
    histories: squareHistories(open),
  };
}

function readEvent(body: unknown): ProcessorNotification | null {
  const { data } = EVENT.safeParse(body);
  if (data === undefined) return null;
  const { event_id: id, type } = data;
  const { payment, refund, dispute, payout } = data.data.object ?? {};
  if (payout !== undefined) {
    return { id, type, subject: { paymentId: null, chargeId: null, disputeId: null, payoutId: payout.id } };
  }
  const paymentId = payment?.id ?? refund?.payment_id ?? dispute?.disputed_payment?.payment_id ?? null;
  if (paymentId === null) return { id, type, subject: null };
  const chargeId = parseId('Charge', payment?.reference_id ?? '');
  // A payment of the point of sale has no reference of ours, so nothing needs to be looked up.
  if (payment !== undefined && chargeId === null) return { id, type, subject: null };
  return { id, type, subject: { paymentId, chargeId, disputeId: dispute?.id ?? dispute?.dispute_id ?? null } };
}

async function chargeOfPayment(
  open: OpenSquare,
  { paymentId, ...access }: PaymentRequest,
  signal: AbortSignal,
): Promise<ChargeOfPayment> {
  try {
    const { square } = await open(access, signal);
    const { payment } = await square.payments.get({ paymentId });
    const chargeId = parseId('Charge', payment?.referenceId ?? '');
    return chargeId === null ? { status: 'not_found' } : { status: 'found', chargeId };
  } catch (error) {
    return isNotFound(error) ? { status: 'not_found' } : unknown(causeOf(faultOf(error)));
  }
}
