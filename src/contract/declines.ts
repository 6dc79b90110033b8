/**
 * Decline codes: how each changes the advice and the English words of `card_declined`. That a card was reported lost or
 * stolen is never told to the caller.
 */
import type { DeclineCode } from '../domain/charge.ts';
import type { ErrorEntry } from './error-catalogue.ts';

type Advice = Pick<ErrorEntry, 'advice' | 'action' | 'agentMessage' | 'displayMessage'>;

const FINAL = { advice: 'do_not_try_again' } as const;

/** The caller keyed something wrong: the same card may work. */
function mistyped(what: string): Advice {
  return {
    advice: 'confirm_card_data',
    action: 'retry_card',
    agentMessage: `The bank says the ${what} doesn't match. Would you like to check it and try again?`,
    displayMessage: `The ${what} does not match. Please check it and try again.`,
  };
}

/**
 * What differs from the catalogue's `card_declined` for a saved card: it cannot be keyed again, so that nobody is invited to check
 * a code. What is wrong with it stays wrong.
 */
export function savedCardAdvice(code: DeclineCode): Partial<Advice> {
  return isMistyped(code) ? FINAL : declineAdvice(code);
}

/** Whether the bank doubts something that was keyed. */
export function isMistyped(code: DeclineCode): boolean {
  return declineAdvice(code).action === 'retry_card';
}

/** What differs from the catalogue's `card_declined`. */
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
        agentMessage:
          "I'm sorry, the bank wants the cardholder to confirm this payment, and that didn't happen. Would you like to use a different card?",
        displayMessage:
          'Your bank asked you to confirm this payment, and it was not confirmed. Please try again or use a different card.',
      };
    case 'lost_card':
    case 'stolen_card':
      return FINAL;
    case 'generic_decline':
    case 'do_not_honor':
    case 'processing_error':
    case 'try_again_later':
      return {};
  }
}
