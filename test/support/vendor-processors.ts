/** The vendors' adapters, each at its stand-in on loopback, and what their merchants connect with. */
import type { Processor } from '../../src/payments/ports.ts';
import { createSquare } from '../../src/payments/square/index.ts';
import { createStripe } from '../../src/payments/stripe/index.ts';
import { ACCESS_TOKEN, LOCATION, type FakeSquare } from './fake-square.ts';
import { SECRET_KEY, type FakeStripe } from './fake-stripe.ts';

export const STRIPE_CREDENTIALS = { secret_key: SECRET_KEY, publishable_key: 'pk_test_51StandIn0000000000000000' };
export const SQUARE_CREDENTIALS = {
  access_token: ACCESS_TOKEN,
  application_id: 'sandbox-sq0idb-StandIn_000000000',
  location_id: LOCATION,
};

/** Square's package is slow to load: whoever measures or limits time imports it before, within this. */
export const LOADING_MS = 60_000;

export function stripeProcessorAt({ port }: FakeStripe): Processor {
  return createStripe({ address: { host: '127.0.0.1', port, protocol: 'http' } });
}

/** The same stand-in for either mode. */
export function squareProcessorAt({ url }: FakeSquare): Processor {
  return createSquare({ urls: { test: url, live: url } });
}
