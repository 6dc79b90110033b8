import { expect, test } from 'vitest';
import { brandOf, passesLuhn } from '../../domain/card.ts';
import { Secret } from '../../domain/secret.ts';
import { ADYEN_TEST_DATA } from '../adyen/test-data.ts';
import { AUTHORIZENET_TEST_DATA } from '../authorizenet/test-data.ts';
import { BRAINTREE_TEST_DATA } from '../braintree/test-data.ts';
import { CHECKOUTCOM_TEST_DATA } from '../checkoutcom/test-data.ts';
import { HYPERSWITCH_TEST_DATA } from '../hyperswitch/test-data.ts';
import { CONNECTOR_TEST_DATA } from '../payconnector/test-data.ts';
import { STRIPE_TEST_DATA } from '../stripe/test-data.ts';
import { WORLDPAY_TEST_DATA } from '../worldpay/test-data.ts';
import type { TestData } from './test-data.ts';

const ALL: Readonly<Record<string, TestData>> = {
  adyen: ADYEN_TEST_DATA,
  authorizenet: AUTHORIZENET_TEST_DATA,
  braintree: BRAINTREE_TEST_DATA,
  checkoutcom: CHECKOUTCOM_TEST_DATA,
  hyperswitch: HYPERSWITCH_TEST_DATA,
  payconnector: CONNECTOR_TEST_DATA,
  stripe: STRIPE_TEST_DATA,
  worldpay: WORLDPAY_TEST_DATA,
};

test.each(Object.entries(ALL))('the test cards of %s can be keyed', (_, { cards, decline }) => {
  expect(new Set(cards.map(({ name }) => name)).size).toBe(cards.length);
  for (const { name, number, securityCode } of cards) {
    const secret = Secret.of(number);
    expect(passesLuhn(secret), name).toBe(true);
    const brand = brandOf(secret);
    expect(brand, name).not.toBeNull();
    if (securityCode !== undefined) expect(securityCode, name).toHaveLength(/^3[47]/.test(number) ? 4 : 3);
  }
  if (decline?.by === 'card') expect(cards.map(({ name }) => name)).toContain(decline.name);
});
