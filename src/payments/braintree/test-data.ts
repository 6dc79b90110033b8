/** The test cards and amounts of Braintree's sandbox. */
import type { TestData } from '../port/test-data.ts';

export const BRAINTREE_TEST_DATA: TestData = {
  source: 'developer.paypal.com/braintree/docs/reference/general/testing',
  cards: [
    { name: 'visa', about: 'Visa', number: '4111111111111111' },
    { name: 'amex', about: 'American Express', number: '378282246310005' },
    { name: 'discover', about: 'Discover', number: '6011000991300009' },
  ],
  decline: { by: 'amount', amountCents: 200_100 },
  limits: [
    'Braintree’s sandbox approves up to 1999.99 and declines by amount, not by card: 2001.00 is insufficient_funds. So no caller is declined and then pays the same amount.',
  ],
};
