/** The vendors' processors, connected to their fakes on loopback, and test credentials. */
import { createAuthorizeNet } from '../../src/payments/authorizenet/index.ts';
import { createBraintree } from '../../src/payments/braintree/index.ts';
import { createCheckoutCom } from '../../src/payments/checkoutcom/index.ts';
import { createHyperswitch } from '../../src/payments/hyperswitch/index.ts';
import { createPayConnector } from '../../src/payments/payconnector/index.ts';
import type { Processor } from '../../src/payments/port/processor.ts';
import { createSquare } from '../../src/payments/square/index.ts';
import { createStripe } from '../../src/payments/stripe/index.ts';
import { createWorldpay } from '../../src/payments/worldpay/index.ts';
import { MERCHANT_ACCOUNT as ADYEN_ACCOUNT, API_KEY } from './fake-adyen-requests.ts';
import type { FakeAuthorizeNet } from './fake-authorizenet.ts';
import { LOGIN, TRANSACTION_KEY } from './fake-authorizenet-requests.ts';
import type { FakeBraintree } from './fake-braintree.ts';
import { MERCHANT_ACCOUNT, PRIVATE_KEY, PUBLIC_KEY } from './fake-braintree-requests.ts';
import { CHANNEL, SECRET_KEY as CHECKOUT_COM_KEY, type FakeCheckoutCom } from './fake-checkoutcom.ts';
import { type FakeHyperswitch, API_KEY as HYPERSWITCH_KEY } from './fake-hyperswitch.ts';
import { CONNECTOR_LOGIN, type FakePayConnector } from './fake-pay-connector.ts';
import type { FakeSquare } from './fake-square.ts';
import { ACCESS_TOKEN, LOCATION } from './fake-square-requests.ts';
import { type FakeStripe, SECRET_KEY } from './fake-stripe.ts';
import { ENTITY, type FakeWorldpay, LOGIN as WORLDPAY_LOGIN } from './fake-worldpay.ts';

export const STRIPE_CREDENTIALS = { secret_key: SECRET_KEY, publishable_key: 'pk_test_51StandIn0000000000000000' };
export const SQUARE_CREDENTIALS = {
  access_token: ACCESS_TOKEN,
  application_id: 'sandbox-sq0idb-StandIn_000000000',
  location_id: LOCATION,
};

export const AUTHORIZE_NET_CREDENTIALS = {
  api_login_id: LOGIN,
  transaction_key: TRANSACTION_KEY,
  public_client_key: '34Fg4ta24e5Y6VQ8guqgUKguPLxW7EwqWWd2wSzCjwDUTN65w9SZ2Qk3p95X93cs',
};

/** The same fake serves both modes. */
export function authorizeNetProcessorAt({ url }: FakeAuthorizeNet): Processor {
  return createAuthorizeNet({ urls: { test: url, live: url } });
}

export const BRAINTREE_CREDENTIALS = {
  public_key: PUBLIC_KEY,
  private_key: PRIVATE_KEY,
  merchant_account_id: MERCHANT_ACCOUNT,
  currency: 'USD',
};

/** The same fake serves both modes. */
export const braintreeProcessorAt = ({ url }: FakeBraintree): Processor =>
  createBraintree({ urls: { test: url, live: url } });

export const connectorCredentialsAt = ({ url }: FakePayConnector) => ({
  url: `${url}/pay`,
  ...CONNECTOR_LOGIN,
  lookup_url: `${url}/charges`,
});

export const hyperswitchCredentialsAt = ({ url }: FakeHyperswitch) => ({
  base_url: url,
  api_key: HYPERSWITCH_KEY,
  connector: 'checkout',
});

export const hyperswitchProcessor = (): Processor => createHyperswitch({ privateTargets: true });

export const payConnectorProcessor = (): Processor => createPayConnector({ privateTargets: true });

export const CHECKOUT_COM_CREDENTIALS = { secret_key: CHECKOUT_COM_KEY, processing_channel_id: CHANNEL };

export const checkoutComProcessorAt = ({ url }: FakeCheckoutCom): Processor => createCheckoutCom({ testServer: url });

export function stripeProcessorAt({ port }: FakeStripe): Processor {
  return createStripe({ address: { host: '127.0.0.1', port, protocol: 'http' } });
}

/** The same fake serves both modes. */
export function squareProcessorAt({ url }: FakeSquare): Processor {
  return createSquare({ urls: { test: url, live: url } });
}

export const WORLDPAY_CREDENTIALS = { ...WORLDPAY_LOGIN, entity: ENTITY, narrative: 'Trading name' };

/** The same fake serves both modes. */
export function worldpayProcessorAt({ url }: FakeWorldpay): Processor {
  return createWorldpay({ urls: { test: url, live: url } });
}

export const ADYEN_CREDENTIALS = { api_key: API_KEY, merchant_account: ADYEN_ACCOUNT };
