/**
 * Card numbers of the fake Stripe: Stripe's test numbers (docs.stripe.com/testing), and some that break the connection.
 */
import type { Fault } from './fake-vendor-server.ts';

/** `approved`, or Stripe's decline code. */
export type TestOutcome = string;

interface StripeCard {
  outcome: TestOutcome;
  /** Whether the bank requires the cardholder to authenticate. */
  asks: boolean;
  brand: string;
  fault?: { kind: Fault; taken: boolean };
}

export const INSUFFICIENT = '4000000000009995';
export const TAKEN_UNANSWERED = '4000000000006702';
export const LOST = '4000000000006801';
export const BROKEN = '4000000000006900';

const DECLINES: Readonly<Record<string, string>> = {
  [INSUFFICIENT]: 'insufficient_funds',
  '4000000000000002': 'generic_decline',
  '4000000000009987': 'lost_card',
  '4000000000000069': 'expired_card',
  '4000000000000127': 'incorrect_cvc',
  '4000000000000119': 'processing_error',
  '4000008400001629': 'generic_decline',
};

/** Requires authentication, unless it is entered for a MOTO payment (docs.stripe.com/testing#regulatory-cards). */
export const ASKS = '4000000000003220';
export const ASKS_THEN_DECLINES = '4000008400001629';

const ASKING: readonly string[] = [ASKS, ASKS_THEN_DECLINES];

const BROKEN_CARDS: Readonly<Record<string, StripeCard['fault']>> = {
  [TAKEN_UNANSWERED]: { kind: 'hang', taken: true },
  [LOST]: { kind: 'hang', taken: false },
  [BROKEN]: { kind: 'html_500', taken: true },
};

export function stripeCards(number: string): StripeCard {
  const fault = BROKEN_CARDS[number];
  const brand = number.startsWith('37') ? 'amex' : number.startsWith('5') ? 'mastercard' : 'visa';
  const asks = ASKING.includes(number);
  return { outcome: DECLINES[number] ?? 'approved', asks, brand, ...(fault !== undefined && { fault }) };
}
