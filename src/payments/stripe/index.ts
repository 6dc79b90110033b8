/** The Stripe adapter of the processor port. */
import type { Processor } from '../ports.ts';
import type { StripeAdapter } from './adapter.ts';
import { STRIPE_ADDRESS, type StripeAddress } from './address.ts';
import { stripeCredentials, stripeTokenization } from './credentials.ts';

/** Payments are looked up in a list, which shows what was just written; a margin for its clock and ours. */
const LOOK_UP_LAG_MS = 60_000;

export interface StripeOptions {
  address?: StripeAddress;
}

/**
 * Its package is loaded when Stripe is first asked, or by `prepare`: 20 MB that a process without a merchant there need not
 * spend. A load that failed is tried again.
 */
export function createStripe({ address = STRIPE_ADDRESS }: StripeOptions = {}): Processor {
  let loading: Promise<StripeAdapter> | undefined;
  const adapter = () => {
    loading ??= import('./adapter.ts')
      .then(({ createStripeAdapter }) => createStripeAdapter(address))
      .catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
    return loading;
  };
  return {
    name: 'stripe',
    can: { keypad: true, savedCards: true, pageTokens: true, wallets: true },
    modes: ['test', 'live'],
    lookUpLagMs: LOOK_UP_LAG_MS,
    credentialsSchema: stripeCredentials,
    needsCredentials: true,
    wallet: {
      save: async (...request) => (await adapter()).wallet.save(...request),
      saveCharged: async (...request) => (await adapter()).wallet.saveCharged(...request),
      forget: async (...request) => (await adapter()).wallet.forget(...request),
    },
    refunds: {
      refund: async (...request) => (await adapter()).refunds.refund(...request),
      lookUp: async (...request) => (await adapter()).refunds.lookUp(...request),
    },
    tokenization: stripeTokenization,
    prepare: async () => void (await adapter()),
    checkConnection: async (...request) => (await adapter()).checkConnection(...request),
    charge: async (...request) => (await adapter()).charge(...request),
    lookUp: async (...request) => (await adapter()).lookUp(...request),
  };
}
