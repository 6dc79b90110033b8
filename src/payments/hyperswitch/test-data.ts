/** Test cards of Checkout.com, which is behind the connector `checkout`. */
import { CHECKOUTCOM_TEST_DATA } from '../checkoutcom/test-data.ts';
import type { TestData } from '../port/test-data.ts';

export const HYPERSWITCH_TEST_DATA: TestData = {
  source: CHECKOUTCOM_TEST_DATA.source,
  cards: CHECKOUTCOM_TEST_DATA.cards,
  decline: CHECKOUTCOM_TEST_DATA.decline,
  limits: [
    'These are the cards of the connector checkout. Each connector passes the card to its own processor, whose test cards may differ.',
  ],
};
