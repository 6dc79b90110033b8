/**
 * Stripe's webhooks. The signature: docs.stripe.com/webhooks, "Verify webhook signatures manually". The objects:
 * docs.stripe.com/api/events/types.
 */
import { z } from 'zod';
import { parseId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import { unknown } from '../port/answers.ts';
import type {
  ChargeOfPayment,
  PaymentRequest,
  ProcessorNotification,
  ProcessorNotifications,
} from '../port/notifications.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { isTimedHmac } from '../vendor-api/signatures.ts';
import type { OpenStripe } from './client.ts';
import { faultOf, isStripeError } from './errors.ts';
import { stripeHistories } from './history.ts';
import { CHARGE_KEY } from './map.ts';

const EVENT = z.object({
  id: z.string().regex(/^evt_\w{1,200}$/),
  type: z.string().max(100),
  livemode: z.boolean(),
  data: z.object({
    object: z.object({
      object: z.string(),
      id: z.string().nullish(),
      payment_intent: z.string().nullish(),
      metadata: z.record(z.string(), z.unknown()).nullish(),
    }),
  }),
});

export function stripeNotifications(open: OpenStripe): ProcessorNotifications {
  return {
    secretForm: /^whsec_[A-Za-z0-9+/=_-]{10,200}$/,
    isSigned: (secret, { body, header, receivedAt }) =>
      secret.reveal((key) => isTimedHmac(key, body, header('stripe-signature'), receivedAt)),
    read: readEvent,
    chargeOf: (request, signal) => chargeOfIntent(open, request, signal),
    histories: stripeHistories(open),
  };
}

function readEvent(body: unknown, mode: Mode): ProcessorNotification | null {
  const { data } = EVENT.safeParse(body);
  if (data === undefined) return null;
  const { id, type } = data;
  const { object, id: objectId = null, payment_intent: intent = null, metadata } = data.data.object;
  const isOfMode = data.livemode === (mode === 'live');
  if (object === 'payout' && objectId !== null && isOfMode) {
    return { id, type, subject: { paymentId: null, chargeId: null, disputeId: null, payoutId: objectId } };
  }
  const paymentId = object === 'payment_intent' ? objectId : intent;
  const isOurs = isOfMode && paymentId !== null && KINDS.includes(object);
  if (!isOurs) return { id, type, subject: null };
  const chargeId = parseId('Charge', String(metadata?.[CHARGE_KEY] ?? ''));
  return { id, type, subject: { paymentId, chargeId, disputeId: object === 'dispute' ? objectId : null } };
}

const KINDS: readonly string[] = ['payment_intent', 'charge', 'refund', 'dispute'];

async function chargeOfIntent(
  open: OpenStripe,
  { paymentId, ...access }: PaymentRequest,
  signal: AbortSignal,
): Promise<ChargeOfPayment> {
  try {
    const stripe = await open(access, signal);
    const { metadata } = await stripe.paymentIntents.retrieve(paymentId);
    const chargeId = parseId('Charge', metadata[CHARGE_KEY] ?? '');
    return chargeId === null ? { status: 'not_found' } : { status: 'found', chargeId };
  } catch (error) {
    if (isStripeError(error) && error.code === 'resource_missing') return { status: 'not_found' };
    return unknown(causeOf(faultOf(error)));
  }
}
