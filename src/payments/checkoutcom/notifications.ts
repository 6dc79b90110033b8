/**
 * Checkout.com's webhooks. The signature: checkout.com/docs/workflows/set-up-your-webhook-receiver. The events:
 * checkout.com/docs/workflows, "Event types".
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
import { HttpError, type OpenCheckoutCom } from './client.ts';
import { faultOf } from './errors.ts';
import { checkoutComHistories } from './history.ts';
import { readPayment } from './payments.ts';

const EVENT = z.object({
  id: z.string().min(1).max(200),
  type: z.string().max(100),
  data: z.object({
    id: z.string().nullish(),
    payment_id: z.string().nullish(),
    reference: z.string().nullish(),
  }),
});

export function checkoutComNotifications(open: OpenCheckoutCom): ProcessorNotifications {
  return {
    // The merchant chooses it.
    secretForm: /^[\x21-\x7e]{16,200}$/,
    isSigned: (secret, { body, header }) => {
      const given = header('cko-signature');
      return given !== undefined && secret.reveal((key) => isHmac('sha256', key, [body], given));
    },
    read: readEvent,
    chargeOf: (request, signal) => chargeOfPayment(open, request, signal),
    histories: checkoutComHistories(open),
  };
}

function readEvent(body: unknown): ProcessorNotification | null {
  const { data } = EVENT.safeParse(body);
  if (data === undefined) return null;
  const { id, type } = data;
  const { id: objectId = null, payment_id: ofDispute = null, reference } = data.data;
  if (type.startsWith('dispute_') && ofDispute !== null) {
    return { id, type, subject: { paymentId: ofDispute, chargeId: null, disputeId: objectId } };
  }
  if (!type.startsWith('payment_') || objectId === null) return { id, type, subject: null };
  // Of a refund, it is the refund's reference.
  const chargeId = parseId('Charge', reference ?? '');
  return { id, type, subject: { paymentId: objectId, chargeId, disputeId: null } };
}

async function chargeOfPayment(
  open: OpenCheckoutCom,
  { paymentId, ...access }: PaymentRequest,
  signal: AbortSignal,
): Promise<ChargeOfPayment> {
  try {
    const { reference } = await readPayment(await open(access, signal), paymentId);
    const chargeId = parseId('Charge', reference ?? '');
    return chargeId === null ? { status: 'not_found' } : { status: 'found', chargeId };
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return { status: 'not_found' };
    return unknown(causeOf(faultOf(error)));
  }
}
