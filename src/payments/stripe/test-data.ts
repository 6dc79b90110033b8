/** Stripe's test cards. */
import type { TestData } from '../port/test-data.ts';

export const STRIPE_TEST_DATA: TestData = {
  source: 'docs.stripe.com/testing',
  cards: [
    { name: 'visa', about: 'Visa, approved', number: '4242424242424242' },
    { name: 'mastercard', about: 'Mastercard, approved', number: '5555555555554444' },
    { name: 'amex', about: 'American Express, approved', number: '378282246310005' },
    { name: 'generic_decline', about: 'Declined, no reason', number: '4000000000000002' },
    { name: 'insufficient_funds', about: 'Declined, not enough money', number: '4000000000009995' },
    { name: 'expired_card', about: 'Declined, expired', number: '4000000000000069' },
    { name: 'incorrect_cvc', about: 'Declined, wrong security code', number: '4000000000000127' },
  ],
  decline: { by: 'card', name: 'generic_decline' },
  limits: ['Stripe accepts keyed cards only from accounts for which it has enabled card numbers and MOTO payments.'],
};
