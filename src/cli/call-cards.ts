/** `ringkey call --processor`: the caller enters the published test cards of this processor. */
import type { CallOptions } from '../local/scripted-caller/options.ts';
import { ADYEN_TEST_DATA } from '../payments/adyen/test-data.ts';
import { AUTHORIZENET_TEST_DATA } from '../payments/authorizenet/test-data.ts';
import { BRAINTREE_TEST_DATA } from '../payments/braintree/test-data.ts';
import { CHECKOUTCOM_TEST_DATA } from '../payments/checkoutcom/test-data.ts';
import { HYPERSWITCH_TEST_DATA } from '../payments/hyperswitch/test-data.ts';
import { CONNECTOR_TEST_DATA } from '../payments/payconnector/test-data.ts';
import { DECLINED_SCRIPTS, digitsToEnter, type TestData } from '../payments/port/test-data.ts';
import { STRIPE_TEST_DATA } from '../payments/stripe/test-data.ts';
import { WORLDPAY_TEST_DATA } from '../payments/worldpay/test-data.ts';

const TEST_DATA: ReadonlyMap<string, TestData> = new Map([
  ['adyen', ADYEN_TEST_DATA],
  ['authorizenet', AUTHORIZENET_TEST_DATA],
  ['braintree', BRAINTREE_TEST_DATA],
  ['checkoutcom', CHECKOUTCOM_TEST_DATA],
  ['hyperswitch', HYPERSWITCH_TEST_DATA],
  ['payconnector', CONNECTOR_TEST_DATA],
  ['stripe', STRIPE_TEST_DATA],
  ['worldpay', WORLDPAY_TEST_DATA],
]);

export const PROCESSORS_WITH_CARDS = [...TEST_DATA.keys()];

/** The options with the processor's test cards. Digits of `--enter` replace them. */
export function withTestCards(options: CallOptions, processor: string): CallOptions {
  const testData = TEST_DATA.get(processor);
  if (testData === undefined) return options;
  const isDeclined = options.script in DECLINED_SCRIPTS;
  const { decline } = testData;
  const amount = isDeclined && decline?.by === 'amount' ? decline.amountCents : options.amount;
  return { ...options, amount, enter: { ...digitsToEnter(testData, null, isDeclined), ...options.enter } };
}
