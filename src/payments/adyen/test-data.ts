/**
 * Adyen's test cards. "If you specify an incorrect CVC or an invalid expiry date, the payment fails and the operation
 * returns a generic DECLINED refusal reason" (docs.adyen.com/development-resources/testing/result-codes).
 */
import type { TestData } from '../port/test-data.ts';

const EXPIRY = '0330';

export const ADYEN_TEST_DATA: TestData = {
  source: 'docs.adyen.com/development-resources/testing/test-card-numbers',
  cards: [
    { name: 'visa', about: 'Visa, approved', number: '4111111111111111', expiry: EXPIRY, securityCode: '737' },
    {
      name: 'mastercard',
      about: 'Mastercard, approved',
      number: '5555444433331111',
      expiry: EXPIRY,
      securityCode: '737',
    },
    {
      name: 'amex',
      about: 'American Express, approved',
      number: '370000000000002',
      expiry: EXPIRY,
      securityCode: '7373',
    },
  ],
  decline: { by: 'security_code', securityCode: '999' },
  limits: ['Adyen’s test environment declines every other security code and date.'],
};
