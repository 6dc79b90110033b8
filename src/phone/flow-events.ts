/** Events for the conversation, from the database, the payment and the texted link. */
import type { SessionForCall } from '../db/sessions/sessions.ts';
import { differenceOf, isPaidStatus } from '../domain/charge.ts';
import type { CheckoutSession } from '../domain/session.ts';
import type { FlowEvent } from '../flow/events.ts';
import type { CallingBack } from '../flow/terms.ts';
import { waitAtMost } from '../lib/concurrency/time-limit.ts';
import type { PaymentRefusal, PaymentResult } from '../payments/charges/take-payment.ts';
import { MAX_DECLINES_A_SESSION } from '../payments/rules/velocity.ts';
import { paidBefore } from './charge-facts.ts';
import type { PhoneDeps } from './deps.ts';
import { payerOf } from './payment-watch.ts';

/**
 * The first event of a conversation: the question for a card, or at once what the database already knows, so that no
 * card is entered in vain. For sessions without a pending or succeeded charge. The same rules stop a charge later
 * (payments/rules/rules.ts), when the card has been entered.
 */
export function firstEvent({
  session,
  isOver,
  merchant,
  sessionState: { orderCharge, declines, failed },
}: Pick<SessionForCall, 'session' | 'isOver' | 'merchant' | 'sessionState'>): FlowEvent {
  // A call to the session itself is refused with a SIP status instead, but not a call whose caller chose the session
  // first.
  // A complete session without a live charge: the charge is deleted, or it has failed after it had succeeded.
  if (session.status === 'complete') return { type: 'refused', reason: failed === null ? 'already_paid' : 'expired' };
  if (session.status === 'expired' || isOver) return { type: 'refused', reason: 'expired' };
  if (orderCharge !== null && isPaidStatus(orderCharge.status)) {
    return paidBefore(orderCharge);
  }
  // The charge belongs to another session, whose texts may go to another number.
  if (orderCharge !== null) return { type: 'unconfirmed', chargeId: orderCharge.id, elsewhere: { textFollows: false } };
  if (declines >= MAX_DECLINES_A_SESSION) return { type: 'refused', reason: 'too_many_attempts' };
  if (merchant.processor === null) return { type: 'refused', reason: 'merchant_fault' };
  return { type: 'answered' };
}

/** Whether the caller has called before, and has got the pay link since. Null: this is the session's first call. */
export function callingBack({ hadCall, linkTexted }: SessionForCall['sessionState']): CallingBack | null {
  if (!hadCall) return null;
  return linkTexted ? 'link_texted' : 'after_call';
}

/** The conversation's event for the result of a payment. */
export function paymentEvent(result: PaymentResult): FlowEvent {
  switch (result.type) {
    case 'succeeded':
      return { type: 'paid', chargeId: result.charge.id, cardSaved: result.cardSaved, ...differenceOf(result.charge) };
    case 'declined':
      return { type: 'declined', chargeId: result.charge.id, code: result.declineCode };
    case 'debited':
      return { type: 'debited', chargeId: result.charge.id };
    case 'merchant_fault':
      return { type: 'refused', reason: 'merchant_fault', chargeId: result.charge.id };
    // Only on the page; the caller learns nothing from either.
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
      return charge === null ? { type: 'refused', reason: 'already_paid' } : paidBefore(charge);
    case 'in_progress':
      if (charge !== null) return { type: 'paying_elsewhere', by: payerOf(charge.source), chargeId: charge.id };
      break;
    case 'order_in_progress':
      // Another session's charge for the order may still succeed: the caller must not pay again.
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

/** Shorter than the conversation's own limit. */
const LIMIT_MS = 5_000;
const NOT_SENT: FlowEvent = { type: 'link', result: 'not_sent', reason: 'unavailable' };

/** The effect `send_link`: has the pay link texted, and answers with an event in bounded time. Never rejects. */
export async function textLink(
  { links, log }: Pick<PhoneDeps, 'links' | 'log'>,
  { id, accountId, mode }: Pick<CheckoutSession, 'id' | 'accountId' | 'mode'>,
): Promise<FlowEvent> {
  const sending = links.send({ id, accountId, mode }).catch((error: unknown) => {
    log.error({ err: error, sessionId: id }, 'pay link could not be texted to a caller');
    return null;
  });
  const answer = await waitAtMost(LIMIT_MS, sending);
  if (answer === null) return NOT_SENT;
  return answer.result === 'expired' ? { type: 'refused', reason: 'expired' } : { type: 'link', ...answer };
}
