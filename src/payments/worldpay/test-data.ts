/** The test cards of Worldpay's environment *Try*. */
import type { TestData } from '../port/test-data.ts';

export const WORLDPAY_TEST_DATA: TestData = {
  source: 'developer.worldpay.com/products/card-payments/testing',
  cards: [
    { name: 'visa', about: 'Visa, approved', number: '4444333322221111' },
    { name: 'mastercard', about: 'Mastercard, approved', number: '5555555555554444' },
    { name: 'amex', about: 'American Express, approved', number: '343434343434343' },
    { name: 'jcb', about: 'JCB, approved', number: '3528000700000000' },
  ],
  decline: null,
  limits: ['Worldpay’s test environment declines by the name on the card, which callers do not key.'],
};
