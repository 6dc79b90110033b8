/**
 * Authorize.net's webhooks, their signature and their payloads: developer.authorize.net/api/reference/features/webhooks.html.
 */
import { z } from 'zod';
import { unknown } from '../port/answers.ts';
import type {
  ChargeOfPayment,
  PaymentRequest,
  ProcessorNotification,
  ProcessorNotifications,
} from '../port/notifications.ts';
import { causeOf } from '../vendor-api/faults.ts';
import { isHmac } from '../vendor-api/signatures.ts';
import type { OpenAuthorizeNet } from './client.ts';
import { faultOf } from './errors.ts';
import { authorizeNetHistories } from './history.ts';
import { readDetails } from './lists.ts';
import { type Details, describedCharge } from './transactions.ts';

const EVENT = z.object({
  notificationId: z.string().min(1).max(200),
  eventType: z.string().max(100),
  payload: z.object({ entityName: z.string().nullish(), id: z.string().nullish() }),
});

export function authorizeNetNotifications(open: OpenAuthorizeNet): ProcessorNotifications {
  return {
    secretForm: /^[0-9A-Fa-f]{128}$/,
    isSigned: (secret, { body, header }) => {
      const given = /^sha512=([0-9A-Fa-f]{128})$/i.exec(header('x-anet-signature') ?? '')?.[1];
      if (given === undefined) return false;
      // The page does not say whether the key, which is hexadecimal, is used as text or as bytes.
      return secret.reveal((key) => [key, Buffer.from(key, 'hex')].some((one) => isHmac('sha512', one, [body], given)));
    },
    read: readEvent,
    chargeOf: (request, signal) => chargeOfTransaction(open, request, signal),
    histories: authorizeNetHistories(open),
  };
}

function readEvent(body: unknown): ProcessorNotification | null {
  const { data } = EVENT.safeParse(body);
  if (data === undefined) return null;
  const { notificationId: id, eventType: type, payload } = data;
  const paymentId = payload.entityName === 'transaction' ? (payload.id ?? null) : null;
  const subject = paymentId === null ? null : { paymentId, chargeId: null, disputeId: null };
  return { id, type, subject };
}

/** A refund is a transaction of its own, which names the payment's. */
async function chargeOfTransaction(
  open: OpenAuthorizeNet,
  { paymentId, ...access }: PaymentRequest,
  signal: AbortSignal,
): Promise<ChargeOfPayment> {
  try {
    const api = await open(access, signal);
    const details = await readDetails(api, paymentId);
    const { refTransId } = details;
    const isOfOther = describedCharge(details) === null && refTransId !== undefined && refTransId !== paymentId;
    return chargeIn(isOfOther ? await readDetails(api, refTransId) : details);
  } catch (error) {
    const fault = faultOf(error);
    return fault.kind === 'refused' && fault.code === NO_RECORD ? { status: 'not_found' } : unknown(causeOf(fault));
  }
}

/** "The record cannot be found" (developer.authorize.net/api/reference/responseCodes.html). */
const NO_RECORD = 'E00040';

function chargeIn(details: Details): ChargeOfPayment {
  const described = describedCharge(details);
  return described === null ? { status: 'not_found' } : { status: 'found', chargeId: described.chargeId };
}
