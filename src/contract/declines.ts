/**
 * How each decline code changes the message, the advice and the English words of `card_declined`. The caller never hears
 * that a card was reported lost or stolen.
 */
import type { DeclineCode } from '../domain/charge.ts';
import { failureCause } from '../domain/failure-cause.ts';
import type { ErrorEntry } from './error-catalogue.ts';

type Advice = Pick<ErrorEntry, 'advice' | 'action' | 'agentMessage' | 'displayMessage'> &
  Partial<Pick<ErrorEntry, 'message'>>;

const FINAL = { advice: 'do_not_try_again' } as const;

/** The caller may have mistyped a value, so the same card can work. */
function mistyped(what: string): Advice {
  return {
    advice: 'confirm_card_data',
    action: 'retry_card',
    agentMessage: `The bank says the ${what} doesn't match. Would you like to check it and try again?`,
    displayMessage: `The ${what} does not match. Please check it and try again.`,
  };
}

/**
 * Like {@link declineAdvice}, for a saved card. It is not entered again, so the caller is never asked to check a value,
 * and a wrong value stays wrong.
 */
export function savedCardAdvice(code: DeclineCode): Partial<Advice> {
  return isMistyped(code) ? FINAL : declineAdvice(code);
}

/** Whether the bank rejected a value that the caller entered. */
export function isMistyped(code: DeclineCode): boolean {
  return declineAdvice(code).action === 'retry_card';
}

/** The message for a charge that the processor never received, which the text of `card_declined` does not fit. */
export function causeFacts(charge: Parameters<typeof failureCause>[0]): { message?: string } {
  if (failureCause(charge) !== 'not_received') return {};
  return { message: 'The processor never received this charge, so the issuer was not asked.' };
}

/** The differences from the catalogue's `card_declined`. */
export function declineAdvice(code: DeclineCode): Partial<Advice> {
  switch (code) {
    case 'insufficient_funds':
      return {
        agentMessage:
          "I'm sorry, the bank didn't approve that amount on this card. Would you like to use a different card?",
        displayMessage: 'Your bank did not approve this amount. Please try a different card.',
      };
    case 'expired_card':
      return {
        ...FINAL,
        agentMessage: "I'm sorry, that card has expired. Would you like to use a different card?",
        displayMessage: 'Your card has expired. Please try a different card.',
      };
    case 'card_not_supported':
      return {
        ...FINAL,
        agentMessage: "I'm sorry, that card can't be used for this payment. Would you like to use a different card?",
        displayMessage: 'This card cannot be used for this payment. Please try a different card.',
      };
    case 'incorrect_number':
      return mistyped('card number');
    case 'incorrect_cvc':
      return mistyped('security code');
    case 'incorrect_expiry':
      return mistyped('expiry date');
    case 'incorrect_zip':
      return mistyped('postal code');
    case 'authentication_required':
      return {
        message: 'The issuer required the cardholder to confirm the payment (3-D Secure), and it was not confirmed.',
        agentMessage:
          "I'm sorry, the bank wants the cardholder to confirm this payment, and that didn't happen. Would you like to use a different card?",
        displayMessage:
          'Your bank asked you to confirm this payment, and it was not confirmed. Please try again or use a different card.',
      };
    case 'lost_card':
    case 'stolen_card':
      return FINAL;
    case 'processing_error':
      return {
        message:
          'The card could not be processed: the processor or the network had an error, and the issuer made no decision.',
        agentMessage:
          "I'm sorry, that payment couldn't be processed. Would you like to try again, or use a different card?",
        displayMessage: 'Your payment could not be processed. Please try again or use a different card.',
      };
    case 'try_again_later':
      return {
        message: 'The processor or the issuer was unavailable for this charge.',
        agentMessage:
          "I'm sorry, that card can't be charged right now. Would you like to use a different card, or try again later?",
        displayMessage: 'This card cannot be charged right now. Please try again later or use a different card.',
      };
    case 'generic_decline':
    case 'do_not_honor':
      return {};
  }
}
