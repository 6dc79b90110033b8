/** What a payment's result means for the conversation. */
import type { FlowEvent } from '../flow/types.ts';
import type { PaymentRefusal, PaymentResult } from '../payments/take-payment.ts';
import { payerOf } from './payment-watch.ts';

/** The conversation's event for the result of a payment. */
export function paymentEvent(result: PaymentResult): FlowEvent {
  switch (result.type) {
    case 'succeeded':
      return { type: 'paid', chargeId: result.charge.id, cardKept: result.cardKept };
    case 'declined':
      return { type: 'declined', chargeId: result.charge.id, code: result.declineCode };
    case 'merchant_fault':
      return { type: 'refused', reason: 'merchant_fault', chargeId: result.charge.id };
    // Of the page only; and no news for the caller either way.
    case 'action_required':
    case 'pending':
      return { type: 'unconfirmed', chargeId: result.charge.id };
    case 'refused':
      return refusal(result);
  }
}

function refusal({ reason, charge }: PaymentRefusal): FlowEvent {
  switch (reason) {
    case 'expired':
      return { type: 'refused', reason };
    case 'too_many_declines':
    case 'too_many_attempts':
      return { type: 'refused', reason: 'too_many_attempts' };
    case 'already_paid':
    case 'order_paid':
      return { type: 'refused', reason: 'already_paid', ...(charge !== null && { chargeId: charge.id }) };
    case 'in_progress':
      if (charge !== null) return { type: 'paying_elsewhere', by: payerOf(charge.source), chargeId: charge.id };
      break;
    case 'order_in_progress':
      // Another session's charge of the order may yet succeed: the caller must not pay again.
      if (charge !== null) {
        return { type: 'unconfirmed', chargeId: charge.id, elsewhere: { textFollows: false } };
      }
      break;
    case 'saved_cards_off':
    case 'stepped_up':
    case 'handle_unreadable':
    case 'card_unknown':
    case 'card_of_other_caller':
    case 'card_of_other_processor':
    case 'card_not_chargeable':
      return { type: 'saved_card_unusable' };
    case 'merchant_not_connected':
      return { type: 'refused', reason: 'merchant_fault' };
  }
  return { type: 'refused', reason: 'unavailable' };
}
