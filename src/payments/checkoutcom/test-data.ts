/** Checkout.com's test cards. */
import type { TestData } from '../port/test-data.ts';

export const CHECKOUTCOM_TEST_DATA: TestData = {
  source: 'www.checkout.com/docs/testing/test-cards',
  cards: [
    { name: 'visa', about: 'Visa, approved', number: '4242424242424242', securityCode: '100' },
    { name: 'mastercard', about: 'Mastercard, approved', number: '5436031030606378', securityCode: '257' },
    { name: 'amex', about: 'American Express, approved', number: '345678901234564', securityCode: '1051' },
    { name: 'insufficient_funds', about: 'Declined, not enough money', number: '4544249167673670' },
    { name: 'expired_card', about: 'Declined, expired', number: '4724117215951699' },
    { name: 'restricted_card', about: 'Declined, restricted', number: '4818924250131070' },
  ],
  decline: { by: 'card', name: 'insufficient_funds' },
  limits: [],
};
