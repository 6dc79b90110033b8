/**
 * Decline codes: how each changes the message and the advice of `card_declined`. Their words for the caller are in
 * `languages/<tag>/agent.ts`.
 */
import { type DeclineCode, failureCause } from '../domain/charge.ts';
import type { ErrorEntry } from './error-catalogue.ts';

type Advice = Partial<Pick<ErrorEntry, 'advice' | 'action' | 'message'>>;

const FINAL = { advice: 'do_not_try_again' } as const;
/** The caller may have mistyped a value, so the same card can work. */
const MISTYPED = { advice: 'confirm_card_data', action: 'retry_card' } as const;

/**
 * Like {@link declineAdvice}, for a saved card. It is not entered again, so the caller is never asked to check a value,
 * and a wrong value stays wrong.
 */
export function savedCardAdvice(code: DeclineCode): Advice {
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
export function declineAdvice(code: DeclineCode): Advice {
  switch (code) {
    case 'expired_card':
    case 'card_not_supported':
    case 'lost_card':
    case 'stolen_card':
      return FINAL;
    case 'incorrect_number':
    case 'incorrect_cvc':
    case 'incorrect_expiry':
    case 'incorrect_zip':
      return MISTYPED;
    case 'authentication_required':
      return {
        message: 'The issuer required the cardholder to confirm the payment (3-D Secure), and it was not confirmed.',
      };
    case 'processing_error':
      return {
        message:
          'The card could not be processed: the processor or the network had an error, and the issuer made no decision.',
      };
    case 'try_again_later':
      return { message: 'The processor or the issuer was unavailable for this charge.' };
    case 'insufficient_funds':
    case 'generic_decline':
    case 'do_not_honor':
      return {};
  }
}
