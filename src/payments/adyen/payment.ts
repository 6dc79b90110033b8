/** A payment as Adyen's API returns it, and what it means for a charge. */
import { z } from 'zod';
import type { Money } from '../../domain/money.ts';
import { declinedUnpaid, type ProcessorAnswer, unknown } from '../port/answers.ts';
import type { Adyen } from './client.ts';
import { declineOf } from './errors.ts';

export const PAYMENT = z.object({
  resultCode: z.string(),
  pspReference: z.string().nullish(),
  merchantReference: z.string().nullish(),
  refusalReasonCode: z.string().nullish(),
  amount: z.object({ currency: z.string(), value: z.number() }).nullish(),
  action: z.object({ type: z.string(), method: z.string().nullish(), url: z.string().nullish() }).nullish(),
});
type Payment = z.infer<typeof PAYMENT>;

interface Paid {
  isHold: boolean;
  /** If the response does not say it. Null: then it is not known. */
  amount: Money | null;
}

export function answerOfPayment(payment: Payment, { amount, isHold }: Paid): ProcessorAnswer {
  const { resultCode, pspReference = null, refusalReasonCode = null } = payment;
  switch (resultCode) {
    case 'Authorised': {
      if (pspReference === null) return unknown('payment_id');
      const told = payment.amount;
      const money = told == null ? amount : { amountCents: told.value, currency: told.currency };
      return isHold
        ? {
            status: 'authorized',
            processorPaymentId: pspReference,
            ...(money !== null && { held: money }),
            captureBefore: null,
          }
        : { status: 'succeeded', processorPaymentId: pspReference, ...(money !== null && { taken: money }) };
    }
    case 'Refused':
    case 'Cancelled':
    case 'Error':
      return declineOf(refusalReasonCode, pspReference);
    // The account demands what the page does not show. Without it, nothing is taken.
    case 'RedirectShopper':
    case 'IdentifyShopper':
    case 'ChallengeShopper':
      return declinedUnpaid(resultCode, 'authentication_required');
    default:
      return unknown(resultCode);
  }
}

/**
 * The address of Adyen's page with the bank's challenge. Null if there is none, or it needs a form: "action.method" is GET,
 * except with 3-D Secure 1.
 */
export function challengeUrl({ pages }: Adyen, { resultCode, action }: Payment): string | null {
  if (resultCode !== 'RedirectShopper' || action?.type !== 'redirect' || action.method !== 'GET') return null;
  const url = action.url ?? '';
  return URL.canParse(url) && pages(new URL(url)) ? url : null;
}
