/**
 * The cards of test mode. A connector's URL does not show whether it moves money, so no other card is sent there
 * (developers.telnyx.com/api-reference/call-commands/collect-payment-details, "Test mode card numbers"). The Diners Club card there has a wrong check digit, so the line does not accept it.
 */
import type { TestData } from '../port/test-data.ts';

export const CONNECTOR_TEST_DATA: TestData = {
  source: 'developers.telnyx.com/api-reference/call-commands/collect-payment-details',
  cards: [
    { name: 'visa', about: 'Visa', number: '4111111111111111' },
    { name: 'mastercard', about: 'Mastercard', number: '5555555555554444' },
    { name: 'amex', about: 'American Express', number: '378282246310005' },
    { name: 'discover', about: 'Discover', number: '6011111111111117' },
    { name: 'jcb', about: 'JCB', number: '3566002020360505' },
    { name: 'unionpay', about: 'UnionPay', number: '6200000000000005' },
    { name: 'maestro', about: 'Maestro', number: '6771798021000008' },
  ],
  decline: null,
  limits: ['Your endpoint decides the outcome, so Ringkey knows no card that it declines.'],
};
