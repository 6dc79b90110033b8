/**
 * The test cards of Authorize.net's sandbox. Bank debits need a valid routing number, for which this takes one of the
 * Federal Reserve Bank of Boston.
 */
import type { TestData } from '../port/test-data.ts';

export const AUTHORIZENET_TEST_DATA: TestData = {
  source: 'developer.authorize.net/hello_world/testing_guide',
  cards: [
    { name: 'visa', about: 'Visa, approved', number: '4111111111111111' },
    { name: 'mastercard', about: 'Mastercard, approved', number: '5424000000000015' },
    { name: 'amex', about: 'American Express, approved', number: '370000000000002' },
    { name: 'discover', about: 'Discover, approved', number: '6011000000000012' },
  ],
  decline: { by: 'postal_code', postalCode: '46282' },
  limits: [
    'Authorize.net’s sandbox declines the postal code 46282, and no card.',
    'It declines bank debits above 100.00.',
  ],
  routingNumber: '011000015',
};
